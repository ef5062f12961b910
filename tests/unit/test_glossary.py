"""Glossaries as other people write them."""

# ruff: noqa: E501 - lines as long as such files have them

import gc

import pytest

from editmt.errors import InputError
from editmt.text.glossary import Entry, Glossary, Target
from editmt.text.glossary.writing import WRITTEN_FORMATS, write_glossary

PAIR = [("driver", ("Treiber",)), ("file size", ("Dateigröße",))]

TABLES = {
    "tabs": "driver\tTreiber\nfile size\tDateigröße\n",
    "no end of line": "driver\tTreiber\nfile size\tDateigröße",
    "windows, semicolons": "driver;Treiber\r\nfile size;Dateigröße\r\n",
    "an old macintosh": "driver\tTreiber\rfile size\tDateigröße\r",
    "commas, quoted": '"driver","Treiber"\n"file size","Dateigröße"\n',
    "bars": "driver|Treiber\nfile size|Dateigröße\n",
    "blank lines and comments": "\n# our terms\ndriver\tTreiber\n\t\nfile size\tDateigröße\n\n",
    "a header": "Source,Target\ndriver,Treiber\nfile size,Dateigröße\n",
    "a header of languages": "en;de\ndriver;Treiber\nfile size;Dateigröße\n",
    "a header of names": "English (US)\tGerman\ndriver\tTreiber\nfile size\tDateigröße\n",
    "excel's own line": "sep=;\ndriver;Treiber\nfile size;Dateigröße\n",
    "weblate": '"location","source","target","id","fuzzy","context","translator_comments"\n'
    '"","driver","Treiber","","False","",""\n"","file size","Dateigröße","","False","",""\n',
    "spaces around": " driver \t Treiber\nfile   size\tDateigröße \n",
    "a stray quotation mark": "driver\tTreiber\nfile size\tDateigröße\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name):
    glossary = Glossary.parse(TABLES[name])
    assert [(entry.source, entry.wanted) for entry in glossary.entries] == PAIR
    assert glossary.problems == ()


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_encodings(encoding):
    glossary = Glossary.parse(TABLES["windows, semicolons"].encode(encoding))
    assert [(entry.source, entry.wanted) for entry in glossary.entries] == PAIR


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("英語,日本語\ntower,塔\n", "cp932"),
        ("English;Japanese\ntower;塔\n", "euc_jp"),
        ("tower\t塔\ten\tja\n", "shift_jis"),
        ("Term [en],Term [ru]\ntower,башня\n", "cp1251"),
        ("English;Deutsch\rtower;Türme\r", "mac_roman"),
        ("he,größer\ntower,Türme\n", "cp1252"),
    ],
)
def test_a_table_tells_its_encoding_by_the_languages_that_it_names(text, encoding):
    glossary = Glossary.parse(text.encode(encoding))
    assert glossary.entries[-1].wanted == Glossary.parse(text).entries[-1].wanted


def test_an_encoding_may_be_given(tmp_path):
    path = tmp_path / "terms.en-ja.csv"
    path.write_bytes("tower,塔\n".encode("shift_jis"))
    glossary = Glossary.read(path, encoding="shift_jis")
    assert glossary.entries[0].wanted == ("塔",)
    assert list(glossary.pairs) == [("en", "ja")], "as the file's name says"
    assert Glossary.read(path).entries[0].wanted == ("塔",), "a guess by the language"
    for wrong in ("nonsense", "base64"):
        with pytest.raises(InputError, match="encoding"):
            Glossary.read(path, encoding=wrong)


def test_what_others_columns_mean():
    deepl = Glossary.parse("driver,Treiber,EN,DE\nfile,Datei,EN,DE\n").entries[0]
    assert (deepl.source_language, deepl.target_language) == ("en", "de")
    google = Glossary.parse("en,de,pos,description\ndriver,Treiber,noun,a program\n").entries[0]
    assert (google.part_of_speech, google.note) == ("noun", "a program")
    swapped = Glossary.parse("de;en\nTreiber;driver\n", source_language="en").entries[0]
    assert (swapped.source, swapped.wanted) == ("driver", ("Treiber",))
    strange = Glossary.parse("source,target,Owner\ndriver,Treiber,Anna\n").entries[0]
    assert strange.extra == (("Owner", "Anna"),)


def test_memoq():
    header = "Entry_ID;Entry_Subject;Entry_Note;English_Def;English;Term_Info;German_Def;German;Term_Info;German;Term_Info"
    row = "7;IT;read this;;driver;CaseSense;;Treiber;;Driver;Forbidden"
    (entry,) = Glossary.parse(f"{header}\n{row}\n").entries
    assert (entry.wanted, entry.forbidden, entry.case) == (("Treiber",), ("Driver",), "exact")
    assert (entry.concept, entry.subject, entry.note) == ("7", "IT", "read this")


def test_statuses_in_tables():
    rows = (
        "source\ttarget\tstatus\na\tA1\tpreferred\nb\tB\tdeprecated\nWeblate\t\tDo not translate\nc\tC\thuh\n"
    )
    glossary = Glossary.parse(rows)
    first, second, third, fourth = glossary.entries
    assert (first.wanted, second.forbidden, third.verbatim, fourth.wanted) == (("A1",), ("B",), True, ("C",))
    assert [str(problem) for problem in glossary.problems] == [
        "line 5: the status 'huh' is not known: taken as preferred"
    ]


def test_bad_rows_are_told_with_their_lines_and_good_ones_load():
    rows = b'a\tA\nonly one\n\tB\nc\t\n\xff\xfe\xfa\tx\n"open\tD\n\xc3\xbc\t\xc3\x9c\ne\t"E\nf"\ng\tG\n'
    glossary = Glossary.parse(rows)
    assert [entry.source for entry in glossary.entries] == ["a", '"open', "ü", "e", "g"]
    assert [(problem.line, problem.reason.split(" (")[0]) for problem in glossary.problems] == [
        (2, "only one column"), (3, "no source term"), (4, "no target term"), (5, "not valid utf-8"),
    ]  # fmt: skip
    assert glossary.entries[-1].line == 10


V2 = """<?xml version="1.0"?><!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX-Basic" xml:lang="en-US"><text><body>
<termEntry id="c1"><descripGrp><descrip type="definition">a program</descrip></descripGrp>
<langSet xml:lang="en-US"><ntig><termGrp><term id="t1">device <hi>driver</hi></term>
<termNote type="partOfSpeech">Noun</termNote></termGrp></ntig></langSet>
<langSet xml:lang="de-DE">
<tig><term>Treiber</term><termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig>
<tig><term>Driver</term><termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote><note>old</note></tig>
</langSet></termEntry>
<termEntry><langSet xml:lang="en-US"><tig><term>R&amp;D&nbsp;unit</term></tig></langSet></termEntry>
<termEntry><langSet xml:lang="fr"><tig><term>pilote</term></tig></langSet></termEntry>
</body></text></martif>"""
V3 = """<tbx type="TBX-Basic" style="dct" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
  xmlns:min="http://www.tbxinfo.net/ns/min" xmlns:basic="http://www.tbxinfo.net/ns/basic"><text><body>
<conceptEntry id="c1"><basic:definition>a program</basic:definition>
<langSec xml:lang="en"><termSec><term>device driver</term><min:partOfSpeech>noun</min:partOfSpeech></termSec></langSec>
<langSec xml:lang="de"><termSec><term>Treiber</term></termSec><termSec><term>Driver</term>
<min:administrativeStatus>deprecatedTerm-admn-sts</min:administrativeStatus><note>old</note></termSec></langSec>
</conceptEntry></body></text></tbx>"""


@pytest.mark.parametrize("text", [V2, V3])
def test_tbx(text):
    entry = Glossary.parse(text).entries[0]
    assert (entry.source, entry.wanted, entry.forbidden) == ("device driver", ("Treiber",), ("Driver",))
    assert (entry.definition, entry.concept, entry.part_of_speech.lower()) == ("a program", "c1", "noun")
    assert entry.targets[1].note == "old"


def test_tbx_tells_what_is_lacking():
    glossary = Glossary.parse(V2)
    assert glossary.entries[1].source == "R&D\u00a0unit"
    assert [(problem.line, problem.used) for problem in glossary.problems] == [(10, True), (11, False)]
    broken = Glossary.parse(V2.replace("</body>", "<x>"))
    assert len(broken.entries) == 2, "what comes before"
    assert "broken XML" in broken.problems[-1].reason


SECTION = '<langSet xml:lang="{}"><tig><term>{}</term>{}</tig></langSet>'
NOT_NEEDED = '<descrip type="Translation needed">No</descrip>'


def tbx(*entries):
    body = "".join(f"\n<termEntry>{entry}</termEntry>" for entry in entries)
    return f"<martif xml:lang='en'><text><body>{body}</body></text></martif>"


def test_entries_of_one_outline_and_another_structure():
    """Elements in the same order, but one within another: what is said belongs to what it stands in."""
    source, target = SECTION.format("en", "a", ""), SECTION.format("de", "b", "")
    inside = SECTION.format("de", "b", "<note>n</note>")
    behind = target.replace("</langSet>", "<note>n</note></langSet>")
    text = tbx(source + inside, source + target + "<note>n</note>", source + behind, source + target)
    entries = Glossary.parse(text).entries
    notes = [(entry.note, entry.targets[0].note) for entry in entries]
    assert notes == [("", "n"), ("n", ""), ("", "n"), ("", "")]
    assert [entry.line for entry in entries] == [2, 3, 4, 5]


def test_a_source_term_says_for_all_that_no_translation_is_needed():
    sources = SECTION.format("en", "a", "") + SECTION.format("en-GB", "b", NOT_NEEDED)
    target = SECTION.format("de", "c", NOT_NEEDED)
    entries = Glossary.parse(tbx(sources, SECTION.format("en", "d", "") + target)).entries
    assert [(entry.source, entry.verbatim) for entry in entries] == [("a", True), ("b", True), ("d", False)]


def test_types_of_the_same_elements_differ():
    facts = ["partOfSpeech", "administrativeStatus", "owner"]
    text = tbx(
        *(
            SECTION.format("en", "a", "")
            + SECTION.format("de", "b", f"<termNote type='{kind}'>deprecated</termNote>")
            for kind in facts
        )
    )
    targets = [entry.targets[0] for entry in Glossary.parse(text).entries]
    assert [target.part_of_speech for target in targets] == ["deprecated", "", ""]
    assert [target.status for target in targets] == ["preferred", "forbidden", "preferred"]
    assert [target.extra for target in targets] == [(), (), (("owner", "deprecated"),)]


def test_rows_may_be_short_and_long():
    rows = "id,source,target,note,status\n1,a,A\n2,b,B,n,forbidden,more,and more\n3,c\n4,,D\n"
    glossary = Glossary.parse(rows)
    assert [(entry.concept, entry.note, entry.targets[0].status) for entry in glossary.entries] == [
        ("1", "", "preferred"),
        ("2", "n", "forbidden"),
    ]
    assert [str(problem) for problem in glossary.problems] == [
        "line 4: no target term (left out)",
        "line 5: no source term (left out)",
    ]


def test_the_garbage_collector_goes_on_as_before():
    Glossary.parse("a\tA\n")
    assert gc.isenabled()
    with pytest.raises(InputError):
        Glossary.parse(b"PK\x03\x04")
    assert gc.isenabled()


def test_several_languages_have_to_be_chosen_from():
    glossary = Glossary.parse("en,de,fr\ndriver,Treiber,pilote\n")
    with pytest.raises(InputError, match=r"several target languages \(de, fr\)"):
        glossary.find("driver")
    assert glossary.select("en", "fr-CA").find("driver")[0].wanted == ("pilote",)


def test_broken_entries_are_left_out_where_entities_are_declared():
    entry = '<termEntry><langSet xml:lang="{}"><tig><term>{}</term></tig></langSet></termEntry>\n'
    entries = "".join(
        entry.format(*each) for each in (("en", "one"), ("en", "R & D"), ("en", "&y;"), ("en", "two"))
    )
    glossary = Glossary.parse(
        '<!DOCTYPE martif [<!ENTITY y "z">]>\n<martif><text><body>\n' + entries + "</body></text></martif>"
    )
    assert [entry.source for entry in glossary.entries] == ["one", "two"]
    assert [problem.line for problem in glossary.problems if "other language" not in problem.reason] == [
        4,
        5,
        5,
    ]


BOMB = '<!DOCTYPE martif [<!ENTITY a "lol">{}]>'.format(
    "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)


def test_no_entity_is_resolved_and_no_file_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    outside = f'<!DOCTYPE martif [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    glossary = Glossary.parse(outside + V2.split("?>")[1].split(">", 1)[1].replace("Treiber", "&x;"))
    assert "secret" not in str(glossary.entries)
    assert (glossary.entries[0].wanted, glossary.entries[0].forbidden) == ((), ("Driver",))
    assert "a term with &x;" in str(glossary.problems[0])
    with pytest.raises(InputError, match="line 1: broken XML"):
        Glossary.parse(BOMB + "<martif><text>&i;</text></martif>")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "there are no terms in it"),
        (b"PK\x03\x04", "save it as CSV"),
        (b"\x00\x01\x02\x03\xff" * 9, "not a text file"),
        (b"<html/>", "there is no entry of a glossary in <html>"),
        (b"<", "broken XML"),
        (b'[{"source": "a", "target": "b"}]', "one object a line"),
        (b'{"source": "a", "targets": [3]}', "neither a text nor an object"),
        (b'{"source": "a", "target": "b", "x": 1}', "there is no field 'x'"),
        (b'{"source": "\\ud800", "target": "b"}', "half a surrogate"),
        (b'{"source": "a", "target": "b", "case": "huh"}', "case 'huh' is none of"),
    ],
)
def test_what_is_no_glossary(data, message):
    with pytest.raises(InputError, match=message):
        Glossary.parse(data)


def test_long_lines_are_one_bad_row():
    for row in ("x" * 200_000, "x," * 100_000, '"' * 200_001):
        glossary = Glossary.parse(f"a,A\n{row}\nb,B\n")
        assert ([entry.source for entry in glossary.entries], len(glossary.problems)) == (["a", "b"], 1)
        assert glossary.problems[0].line == 2


RICH = (
    Entry(
        "driver",
        (Target("Treiber", note="one\ntwo"), Target("Gerätetreiber", "admitted", "noun"), Target("Driver", "forbidden")),
        "en", "de", "exact", "noun", note='say "x"', definition="a program, small", subject="IT", concept="c1",
    ),
    Entry("driver", (Target("pilote"),), "en", "fr", "exact", "noun", note='say "x"', definition="a program, small",
          subject="IT", concept="c1"),
    Entry("Weblate", (), "en", "de", verbatim=True, concept="c2"),
    Entry("a;b\t<c> & d", (Target("e,f"),), "en", "de", "any"),
)  # fmt: skip


@pytest.mark.parametrize("form", WRITTEN_FORMATS)
def test_conversion_loses_nothing(form):
    again = Glossary.parse(write_glossary(RICH, form))
    expected = [entry._replace(source=" ".join(entry.source.split())) for entry in RICH]
    assert [entry._replace(line=0) for entry in again.entries] == expected
    assert again.problems == ()
