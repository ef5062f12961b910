"""Segments with markup: in a sensible place with a sensible model, and whole with any."""

import numpy as np
import pytest

from editmt.decoding.pieces import clean
from editmt.decoding.segments import Segment, SegmentTranslator, cut_in_half
from editmt.text.glossary import Glossary
from editmt.text.markup import Code, Notation
from tests.constraints import random_translator
from tests.fakes import FakeTranslator
from tests.marked import judge_marked, random_marked

WORDS = {"Click": "Klicke", "Save": "Sichern", "on": "auf", "the": "den", "now": "jetzt", "Press": "Drücke"}


def translate(text, translator=None, glossary=None, mode="soft", **notation):
    segments = SegmentTranslator(translator or FakeTranslator(WORDS), glossary, mode)
    (answer,) = segments.translate_all([Segment(text, Notation(**notation))])
    return answer


SENSIBLE = {
    "Click on {name} now.": "Klicke auf {name} jetzt.",
    "Click on the <b>Save</b> now": "Klicke auf den <b>Sichern</b> jetzt",
    "  <p>Click <i>Save</i></p>\n": "  <p>Klicke <i>Sichern</i></p>\n",
    "Click %s: Press %d": "Klicke %s: Drücke %d",
    "Click now.\n\nPress\tnow!  ": "Klicke jetzt.\n\nDrücke\tjetzt!  ",
    "Click on the\n  save now.": "Klicke auf den\n  evas jetzt.",
    "Click on {name}\nnow\n": "Klicke auf {name}\njetzt\n",
    "Click\nnow\non\nthe\n": "Klicke\njetzt\nauf\nden\n",
    "Click (%d) now": "Klicke (%d) jetzt",
    "%s: {x}-{y} 5": "%s: {x}-{y} 5",
    "Click<br/>Press": "Klicke<br/>Drücke",
    "  Click on\n the save. ": "  Klicke auf\n den evas. ",
    " - ": " - ",
    "": "",
    " \n": " \n",
}


@pytest.mark.parametrize("text", SENSIBLE)
def test_sensible_places(text):
    answer = translate(text)
    assert (answer.text, answer.problem) == (SENSIBLE[text], None)


@pytest.mark.parametrize("text", ["Click on\n  the", "Click\u00a0on <b>the</b>", "Click\ton\u2003{x}"])
def test_a_model_sees_no_white_space_but_spaces(text):
    translator = FakeTranslator(WORDS)
    translate(text, translator)
    assert "Click on" in translator.asked[-1].source


def test_long_tags_and_addresses_have_stand_ins():
    translator = FakeTranslator(WORDS)
    text = 'Click <img alt="a long description of it"/> on https://example.org/a/long/path/to/it X1 now'
    assert translate(text, translator).text == text.replace("Click", "Klicke").replace(
        " on ", " auf "
    ).replace("X1", "1X").replace("now", "jetzt")
    assert translator.asked[0].hard == ("X2", "X3"), "X1 stands in the text"


def test_what_a_model_makes_up_is_taken_out():
    words = {"Click": "%d <b> {x} &nbsp; http://a.b 5 Klicke 7"}
    assert translate("Click 5 {y}", FakeTranslator(words)).text.split() == ["5", "Klicke", "7", "{y}"]


def test_formats_have_no_other_signs():
    answer = translate("Click %d", FakeTranslator({"Click": "50 % Klicke"}), special="%")
    assert answer.text == "50 Klicke %d"
    answer = translate(
        "Don''t click ''{0}''", FakeTranslator({"click": "l'as", "Don''t": "n''y"}), special="{}'"
    )
    assert answer.text == "n’y l’as ''{0}''"


@pytest.mark.parametrize(
    "translator", [FakeTranslator(WORDS, hard=False), FakeTranslator(WORDS, most_words=3)]
)
def test_where_units_cannot_be_hard_the_words_between_them_are_translated(translator):
    answer = translate("Click {a} on <b>the {b} Save</b> now", translator)
    assert (answer.text, answer.problem) == ("Klicke {a} auf <b>den {b} Sichern</b> jetzt", None)


def test_a_sentence_that_loses_a_unit_is_taken_apart_alone():
    translator = FakeTranslator({**WORDS, "x3": "y"})
    answer = translate("Click {name} now.\nPress 3 now.\nClick x3 now.\n", translator)
    assert answer.text == "Klicke {name} jetzt.\nDrücke 3 jetzt.\nKlicke y jetzt.\n"
    assert len(translator.asked) == 3, "all is there: no sentence is asked for twice"
    assert [passage.source for passage in answer.passages] == [request.source for request in translator.asked]


def test_a_sentence_that_makes_up_another_s_number_is_taken_apart_alone():
    translator = FakeTranslator({**WORDS, "the": "3n"})
    answer = translate("Click {name} now.\nPress 3 now.\nClick the {x} now.\n", translator)
    assert answer.text.startswith("Klicke {name} jetzt.\nDrücke 3 jetzt.\n")
    assert "3" not in answer.text.split("\n")[2]
    asked = [request.source for request in translator.asked]
    assert asked[:3] == ["Click {name} now.", "Press 3 now.", "Click the {x} now."]
    assert not {"Click {name} now.", "Press 3 now.", "Press"} & set(asked[3:])


def test_what_is_too_long_is_cut_in_half_and_what_is_too_long_then_is_told():
    long = " ".join(["Click"] * 30)
    assert translate(long, FakeTranslator(WORDS, most_words=15)).text == long.replace("Click", "Klicke")
    answer = translate(long, FakeTranslator(WORDS, most_words=2))
    assert (answer.text, answer.problem) == (long, "the source has too many words")
    assert "".join(cut_in_half(long)) == long


def test_a_document_s_own_tags():
    codes = {"\uf000": Code("open", "g"), "\uf001": Code("close", "g"), "\uf002": Code("tag", "x")}
    answer = translate("Click \uf000Save\uf001 now \uf002", codes=codes)
    assert answer.text == "Klicke \uf000Sichern\uf001 jetzt \uf002"


def test_terms_of_glossaries():
    glossary = Glossary.parse("Save\tSpeichern\nname\tName\nWeblate\t\tdnt\n")
    translator = FakeTranslator({**WORDS, "Save": ""})
    answer = translate("Save {name} on Weblate", translator, glossary, "hard")
    assert "Speichern" in answer.text
    assert translator.asked[0].hard == ("{name}", "Speichern", "Weblate"), "no term within a unit"
    assert [wish.match.text for wish in answer.passages[0].wishes] == ["Save", "Weblate"]


def check_survival(kind, seed, count, **changes):
    generator = np.random.default_rng(seed)
    sources = [random_marked(generator) for _ in range(count)]
    segments = SegmentTranslator(random_translator(kind, seed, **changes))
    for source, answer in zip(sources, segments.translate_all(map(Segment, sources)), strict=True):
        assert answer.problem is None
        assert not judge_marked(source, answer.text), (judge_marked(source, answer.text), source, answer.text)


@pytest.mark.parametrize(("kind", "count"), [("editor", 16), ("levenshtein", 8)])
def test_markup_survives_random_models(kind, count):
    check_survival(kind, 7, count)


@pytest.mark.slow
def test_markup_survives_random_searches():
    check_survival("autoregressive", 7, 30)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["editor", "levenshtein"])
@pytest.mark.parametrize("seed", range(10, 20))
def test_two_thousand_strings(kind, seed):
    check_survival(kind, seed, 100)


def test_what_is_made_up_leaves_no_second_space():
    assert clean(["Halo %s der {x} Welt"], Notation(), set()) == ["Halo der Welt"]
