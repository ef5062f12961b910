import pytest

from editmt.text.glossary import Entry, Glossary, Target, matching
from editmt.text.glossary.matching import Matcher

ENGLISH_LEMMAS = {"values": "value", "tables": "table", "opened": "open", "files": "file", "mice": "mouse"}


def found(terms, sentence, **more):
    entries = [Entry(term, (Target("x"),), **more) for term in terms]
    matcher = Matcher(entries, lambda word: ENGLISH_LEMMAS.get(word.lower(), word.lower()))
    return [match.text for match in matcher.find(sentence)]


CASES = {
    "the longest": (["value", "start value"], "The start value, a value", ["start value", "value"]),
    "of overlapping ones the longest": (["a b c", "c d"], "a b c d", ["a b c"]),
    "of equally long ones the first": (["a b", "b c"], "a b c", ["a b"]),
    "whole words only": (["art"], "The party of art, art-work", ["art", "art"]),
    "any capitals": (["Start value"], "START VALUE", ["START VALUE"]),
    "all in capitals are exact": (["IT", "AND"], "it is IT and", ["IT"]),
    "inflected forms": (["start value", "open file", "mouse"], "Start values: opened files, mice",
                        ["Start values", "opened files", "mice"]),
    "its own form before a longer inflected one": (["tables", "pivot table"], "pivot tables", ["tables"]),
    "over a line's end and other spaces": (["start value"], "start\n value, start\u00a0value",
                                           ["start\n value", "start\u00a0value"]),
    "decomposed letters": (["Größe"], "Gro\u0308ße", ["Gro\u0308ße"]),
    "other apostrophes and hyphens": (["don't", "e-mail"], "don’t e\u2011mail", ["don’t", "e\u2011mail"]),
    "soft hyphens": (["Tabelle"], "Ta\u00adbel\u00adle", ["Ta\u00adbel\u00adle"]),
    "japanese": (["東京", "東京都", "塔"], "東京都と東京の塔", ["東京都", "東京", "塔"]),
    "thai": (["กรุงเทพ"], "ไปกรุงเทพวันนี้", ["กรุงเทพ"]),
    "arabic": (["كتاب"], "هذا كتاب جديد", ["كتاب"]),
    "turkish capitals do not shift places": (["value"], "İİİ value", ["value"]),
    "marks": (["C++", "#REF!"], "C++ has #REF!", ["C++", "#REF!"]),
    "nothing": ([], "x", []),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_found(name):
    terms, sentence, expected = CASES[name]
    assert found(terms, sentence) == expected


def test_case_rules():
    assert found(["Windows"], "windows Windows", case="exact") == ["Windows"]
    assert found(["IT"], "it", case="any") == ["it"]


def test_entries_in_the_same_capitals_come_first():
    glossary = Glossary.parse("Set\tFestlegen\nset\tMenge\nset\tSatz\n")
    assert glossary.find("set")[0].wanted == ("Menge", "Satz", "Festlegen")
    assert glossary.find("Set")[0].wanted == ("Festlegen", "Menge", "Satz")


def test_what_is_excluded_is_not_looked_at():
    matcher = Matcher([Entry("name", (Target("Name"),))])
    assert [match.span for match in matcher.find("name {name} name", [(5, 11)])] == [(0, 4), (12, 16)]


def test_all_are_told_those_within_others_too():
    matcher = Matcher([Entry(term, (Target("x"),)) for term in ("start value", "value of", "value")])
    assert [match.text for match in matcher.find_all("start value of")] == [
        "start value",
        "value",
        "value of",
    ]


def test_terms_in_latin_letters_between_others():
    glossary = Glossary.parse("PC\tcomputer\nWebサイト\tsite\nIT\tdata\n", source_language="ja")
    for sentence, terms in {
        "新しいPCの設定": ["PC"],
        "このWebサイトは": ["Webサイト"],
        "ＩＴ部門のＰＣ": ["ＩＴ", "ＰＣ"],
        "PCIの設定": [],
    }.items():
        assert [match.text for match in glossary.find(sentence)] == terms


def test_a_term_without_a_target_hides_no_other():
    matcher = Matcher([Entry("start value"), Entry("value", (Target("Wert"),))])
    assert [match.text for match in matcher.find("start value")] == ["value"]


def test_lemmas_are_asked_for_once_a_word():
    asked = []

    def lemmatise(word):
        asked.append(word)
        return ENGLISH_LEMMAS.get(word.lower(), word.lower())

    matcher = Matcher([Entry("value", (Target("Wert"),))], lemmatise)
    for _ in range(3):
        assert [match.text for match in matcher.find("the values of Values")] == ["values", "Values"]
    assert asked == ["the", "values", "of", "Values"]


def test_what_is_remembered_has_an_end(monkeypatch):
    monkeypatch.setattr(matching, "KEPT", 2)
    matcher = Matcher([Entry("value", (Target("Wert"),))], lambda word: ENGLISH_LEMMAS.get(word, word))
    for sentence in ("one value", "two values", "Value three", "one value"):
        assert [match.wanted for match in matcher.find(sentence)] == [("Wert",)]
    assert len(matcher._forms) <= 2
    assert len(matcher._senses) <= 2


def test_a_prepared_glossary_loads_no_more(monkeypatch):
    glossary = Glossary.parse("start value\tStartwert\n", source_language="en")
    glossary.prepare()
    monkeypatch.setattr(matching.Matcher, "_automaton", None)  # hidden by what was made
    monkeypatch.setattr(matching.Matcher, "_trie", None)
    assert [match.text for match in glossary.find("Two start values.")] == ["start values"]


def test_simplemma():
    glossary = Glossary.parse("start value\tStartwert\n", source_language="en-GB")
    (match,) = glossary.find("Two start values.")
    assert (match.text, match.how) == ("start values", "lemma")
    assert Glossary.parse("a\tb\n", source_language="ja").find("a a")[0].how == "form"
