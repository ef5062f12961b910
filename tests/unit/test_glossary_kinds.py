"""Tables and TBX as the programs of terminologists write them."""

# ruff: noqa: E501 - lines as long as such files have them

import pytest

from editmt.text.glossary import Glossary
from editmt.text.glossary.writing import write_glossary

CROWDIN = """Concept Definition,Concept Subject,Concept Note,Concept Translatable,Concept URL,Term [en],Description [en],Part Of Speech [en],Status [en],Term [de],Part Of Speech [de],Status [de],Gender [de],Note [de]
a thing,IT,all,,,file,in a folder,noun,preferred,Datei,Substantiv,not recommended,neuter,never
,,,FALSE,,EditMT,,proper noun,,,,,,
"""
PHRASE = """Concept ID;Domain;Definition;en: Term;en: Note;en: Case sensitive;de: Term;de: Note;de: Forbidden;de: Preferred
1;IT;a thing;file;n;true;Datei;m;true;false
"""
UNDERSCORES = "ID\ten\ten_note\tde\tde_note\tde_status\n1\tfile\tn\tDatei\tm\tforbidden\n"


@pytest.mark.parametrize("text", [CROWDIN, PHRASE, UNDERSCORES])
def test_columns_of_a_language_belong_to_its_term(text):
    glossary = Glossary.parse(text)
    entry = glossary.entries[0]
    assert (entry.source_language, entry.target_language) == ("en", "de")
    assert (entry.source, entry.forbidden) == ("file", ("Datei",))
    assert entry.targets[0].note in {"m", "never"}
    assert glossary.problems == ()


def test_all_that_crowdin_says():
    file, own = Glossary.parse(CROWDIN).entries
    assert (file.definition, file.subject, file.note) == ("a thing", "IT", "in a folder\nall")
    assert (file.part_of_speech, file.targets[0].part_of_speech) == ("noun", "Substantiv")
    assert file.targets[0].extra == (("Gender [de]", "neuter"),)
    assert own.verbatim


def test_all_that_phrase_says():
    (entry,) = Glossary.parse(PHRASE).entries
    assert (entry.concept, entry.case, entry.note) == ("1", "exact", "n")


HEADERS = {
    "Term [en],Term [de]": ",",
    "\ufeffEnglish;Deutsch": ";",
    "en-US|de_DE": "|",
    "Source (English)\tTarget (German)": "\t",
    "source_en;target_de": ";",
    "English term;German translation": ";",
    " EN , DE ": ",",
    '"English (United States)";"German (Germany)"': ";",
    "Quelle (en);Ziel (de)": ";",
}


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_headers(header, encoding):
    delimiter = HEADERS[header]
    text = f'{header}\r\nfile{delimiter}Datei\r\n"a {delimiter} ""b"""{delimiter}c\r\n'
    glossary = Glossary.parse(text.encode(encoding))
    assert [(entry.source, entry.wanted) for entry in glossary.entries] == [
        ("file", ("Datei",)),
        (" ".join(f'a {delimiter} "b"'.split()), ("c",)),
    ]
    assert {(source[:2], target[:2]) for source, target in glossary.pairs} == {("en", "de")}


@pytest.mark.parametrize("rows", ["file,Datei,EN,DE\n", "file,Datei,EN,DE\ndisk,Platte,EN,DE\n"])
def test_languages_in_each_row_are_no_header(rows):
    entries = Glossary.parse(rows).entries
    assert (entries[0].source, entries[0].wanted) == ("file", ("Datei",))
    assert len(entries) == rows.count("\n")
    assert (entries[-1].source_language, entries[-1].target_language) == ("en", "de")


def test_numbers_of_rows_are_no_terms():
    first, _ = Glossary.parse("1;file;Datei\n2;disk;Platte\n").entries
    assert (first.concept, first.source, first.wanted) == ("1", "file", ("Datei",))
    assert Glossary.parse("1;eins\n2;zwei\n").entries[0].source == "1"
    assert Glossary.parse("404;nicht da;x\n404;weg;x\n").entries[0].source == "404"


NTIG = """<martif type="TBX" xml:lang="en"><text><body><termEntry id="1"><langSet xml:lang="en"><ntig><termGrp><term>file</term>
<termNote type="partOfSpeech">noun</termNote></termGrp><descripGrp><descrip type="context">open <hi>file</hi></descrip></descripGrp></ntig></langSet>
<langSet xml:lang="de"><ntig><termGrp><term>Da<hi type="x">tei</hi></term></termGrp></ntig></langSet></termEntry></body></text></martif>"""
DCA = """<?xml version="1.0"?><?xml-model href="x.rng"?><tbx style="dca" type="TBX-Core" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"><text><body><!-- c -->
<conceptEntry id="1"><langSec xml:lang="en"><termSec><term>file</term><termNoteGrp><termNote type="partOfSpeech">noun</termNote></termNoteGrp>
<descrip type="context">open file</descrip></termSec></langSec><?x y?><langSec xml:lang="de"><termSec><!-- c --><term>Datei</term></termSec></langSec></conceptEntry></body></text></tbx>"""
DCT = """<t:tbx style="dct" type="TBX-Basic" xml:lang="en" xmlns:t="urn:iso:std:iso:30042:ed-2" xmlns:m="http://www.tbxinfo.net/ns/min" xmlns:b="http://www.tbxinfo.net/ns/basic"><t:text><t:body>
<t:conceptEntry id="1"><t:transacGrp><b:transactionType>origination</b:transactionType><t:date>2020-01-01</t:date></t:transacGrp>
<t:langSec xml:lang="en"><t:termSec><t:term><![CDATA[file]]></t:term><m:partOfSpeech>noun</m:partOfSpeech><b:context>open file</b:context></t:termSec></t:langSec>
<t:langSec xml:lang="de"><t:termSec><t:term>
  Datei
</t:term></t:termSec></t:langSec></t:conceptEntry></t:body></t:text></t:tbx>"""


@pytest.mark.parametrize("text", [NTIG, DCA, DCT])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_tbx_of_all_styles(text, encoding):
    glossary = Glossary.parse(text.encode(encoding))
    (entry,) = glossary.entries
    assert (entry.source, entry.wanted, entry.part_of_speech) == ("file", ("Datei",), "noun")
    assert (entry.concept, entry.extra) == ("1", (("context", "open file"),))
    assert glossary.problems == ()


def section(language, term, note=""):
    return f'<langSet xml:lang="{language}"><tig><term>{term}</term>{note}</tig></langSet>'


def tbx(*entries, language="en"):
    body = "".join(f"<termEntry>{entry}</termEntry>" for entry in entries)
    return f"<martif xml:lang='{language}'><text><body>{body}</body></text></martif>"


def test_a_file_of_many_languages_may_be_turned_around():
    entry = (
        section("de-DE", "Datei")
        + section("EN-us", "file")
        + section("en-GB", "data file")
        + section("fr", "fichier")
    )
    text = tbx(entry, language="de")
    assert [each.target_language for each in Glossary.parse(text).entries] == ["en-US", "en-GB", "fr"]
    entries = Glossary.parse(text, source_language="en", target_language="de").entries
    assert [(each.source, each.wanted) for each in entries] == [
        ("file", ("Datei",)),
        ("data file", ("Datei",)),
    ]


def test_the_files_own_language_may_be_none_of_its_terms():
    entry = Glossary.parse(tbx(section("de", "Datei") + section("fr", "fichier"))).entries[0]
    assert (entry.source, entry.target_language) == ("Datei", "fr")


def test_others_words_for_a_status():
    forbidden = section("de", "File", '<termNote type="xStatus">forbidden</termNote>')
    kept = section("en", "EditMT", '<termNote type="administrativeStatus">doNotTranslate</termNote>')
    glossary = Glossary.parse(tbx(section("en", "file") + forbidden, kept))
    assert (glossary.entries[0].forbidden, glossary.entries[1].verbatim) == (("File",), True)
    assert glossary.problems == ()


def test_a_term_right_in_its_language():
    bare = '<langSet xml:lang="{}"><term>{}</term></langSet>'
    entry = Glossary.parse(tbx(bare.format("en", "file") + bare.format("de", "Datei"))).entries[0]
    assert (entry.source, entry.wanted) == ("file", ("Datei",))


def test_what_is_said_repeatedly_is_kept():
    sources = '<admin type="source">wiki</admin><admin type="source">book</admin>'
    glossary = Glossary.parse(tbx(section("en", "file", sources) + section("de", "Datei", sources)))
    said = (("source", "wiki"), ("source", "book"))
    assert (glossary.entries[0].extra, glossary.entries[0].targets[0].extra) == (said, said)
    again = Glossary.parse(write_glossary(glossary.entries, "jsonl"))
    assert [entry._replace(line=1) for entry in again.entries] == [
        entry._replace(line=1) for entry in glossary.entries
    ]
    assert "wiki; book" in write_glossary(glossary.entries, "tsv")


def test_terms_beside_an_empty_column_of_their_language():
    """As Lokalise writes them: `term` is what is translated, and each language has columns."""
    text = (
        "term,description,casesensitive,translatable,forbidden,en,en_description,de,de_description\n"
        "Cloud,the product,yes,no,no,,,,\nbutton,,no,yes,no,,,Knopf,\nclick,,no,yes,yes,,,klicken,\n"
    )
    cloud, button, click = Glossary.parse(text).entries
    assert (cloud.source, cloud.verbatim, cloud.case) == ("Cloud", True, "exact")
    assert (button.wanted, button.source_language, button.target_language) == (("Knopf",), "en", "de")
    assert click.forbidden == ("klicken",)


def test_a_column_may_be_empty_for_long():
    rows = "".join(f"term {number}\tBegriff {number}\t\n" for number in range(300))
    glossary = Glossary.parse(rows + "table\tTabelle\tforbidden\nOffice\t\tdo not translate\n")
    *_, table, office = glossary.entries
    assert (table.forbidden, office.verbatim, glossary.problems) == (("Tabelle",), True, ())
