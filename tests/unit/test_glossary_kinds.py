"""Tables and TBX as the programs of terminologists write them."""

# ruff: noqa: E501 - lines as long as such files have them

import pytest

from editmt.errors import InputError
from editmt.text.glossary import Glossary
from editmt.text.glossary.entry import Entry, Target
from editmt.text.glossary.writing import WRITTEN_FORMATS, write_glossary

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


@pytest.mark.parametrize(
    ("said", "status"), [("true", "forbidden"), ("yes", "forbidden"), ("false", "preferred")]
)
def test_a_note_of_its_own_may_forbid(said, status):
    notes = f'<termNote type="status">Approved</termNote><termNote type="forbidden">{said}</termNote>'
    (entry,) = Glossary.parse(tbx(section("en", "file") + section("de", "Datei", notes))).entries
    assert entry.targets == (Target("Datei", status),)


@pytest.mark.parametrize(
    "note", ['<descrip type="xTranslatable">no</descrip>', '<descrip type="doNotTranslate">true</descrip>']
)
def test_a_concept_may_not_be_translatable(note):
    glossary = Glossary.parse(tbx(note + section("en", "Crowdin")))
    assert (glossary.entries[0].verbatim, glossary.problems) == (True, ())


def test_a_broken_entry_is_left_out_alone():
    pairs = [("file", "Datei"), ("R&D", "F&amp;E"), ("cell", "Zelle"), ("a", "b</term>"), ("row", "Zeile")]
    text = tbx(*("\n" + section("en", source) + section("de", target) for source, target in pairs))
    for data in (text.encode(), ('<?xml version="1.0" encoding="UTF-16"?>' + text).encode("utf-16")):
        glossary = Glossary.parse(data)
        assert [entry.source for entry in glossary.entries] == ["file", "cell", "row"]
        assert [(problem.line, problem.used) for problem in glossary.problems] == [(3, False), (5, False)]


def test_bytes_of_another_encoding_are_their_entrys():
    text = tbx(
        section("en", "size") + section("de", "Größe"), "\n" + section("en", "file") + section("de", "Datei")
    )
    glossary = Glossary.parse(text.encode("cp1252"))
    assert ([entry.source for entry in glossary.entries], glossary.problems[0].line) == (["file"], 1)


@pytest.mark.parametrize("declared", ["utf-16", "UTF-16", "iso-8859-1"])
def test_a_declaration_that_does_not_tell_the_encoding(declared):
    text = f'<?xml version="1.0" encoding="{declared}"?>' + tbx(
        section("en", "size") + section("de", "Größe")
    )
    assert Glossary.parse(text).entries[0].wanted == ("Größe",)
    if declared != "iso-8859-1":
        assert Glossary.parse(text.encode()).entries[0].wanted == ("Größe",)


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


def test_terms_before_columns_of_other_languages():
    """As Phrase Strings writes them: `term` is what is translated, into each of the languages behind it."""
    text = "term,description,translatable,de,fr\nAcme,,false,,\nstep,a stair,true,Stufe,marche\n"
    glossary = Glossary.parse(text)
    assert [(entry.source, entry.target_language, entry.wanted) for entry in glossary.entries] == [
        ("Acme", "", ()), ("step", "de", ("Stufe",)), ("step", "fr", ("marche",)),
    ]  # fmt: skip
    assert (glossary.entries[0].verbatim, glossary.problems) == (True, ())
    turned = Glossary.parse(text, source_language="de").entries
    assert [(entry.source, entry.wanted) for entry in turned if entry.targets] == [("Stufe", ("marche",))]
    for header in ("Key,en,de", "Key,de,fr", "de,fr,Source"):
        (entry,) = Glossary.parse(f"{header}\na,b,c\n").entries
        assert entry.source == ("a" if header[0] == "d" else "b")


def test_a_column_may_be_empty_for_long():
    rows = "".join(f"term {number}\tBegriff {number}\t\n" for number in range(300))
    glossary = Glossary.parse(rows + "table\tTabelle\tforbidden\nOffice\t\tdo not translate\n")
    *_, table, office = glossary.entries
    assert (table.forbidden, office.verbatim, glossary.problems) == (("Tabelle",), True, ())


MIN = """<TBX dialect="TBX-Min"><header><id>x</id><languages source="de" target="en"/></header><body>
<{0} id="1"><subjectField>IT</subjectField>
<langGroup xml:lang="en"><termGroup><term>disk</term><termStatus>preferred</termStatus></termGroup>
<termGroup><term>platter</term><note>old</note><termStatus>obsolete</termStatus></termGroup></langGroup>
<langGroup xml:lang="de"><termGroup><term>Platte</term><partOfSpeech>noun</partOfSpeech></termGroup></langGroup>
</{0}></body></TBX>"""


@pytest.mark.parametrize("name", ["entry", "conceptEntry"])
def test_the_first_tbx_min(name):
    """Its header tells which language is translated, whichever comes first."""
    (entry,) = Glossary.parse(MIN.format(name)).entries
    assert (entry.source, entry.wanted, entry.forbidden) == ("Platte", ("disk",), ("platter",))
    assert (entry.part_of_speech, entry.subject, entry.targets[1].note) == ("noun", "IT", "old")


def test_a_source_terms_status_is_kept():
    old = section("en", "platter", '<termNote type="administrativeStatus">supersededTerm-admn-sts</termNote>')
    table = "Term [en],Status [en],Term [de],Status [de]\nplatter,obsolete,Platte,preferred\n"
    for text in (tbx(old + section("de", "Platte")), table):
        (entry,) = Glossary.parse(text).entries
        assert (entry.wanted, entry.extra[0][0]) == (("Platte",), "administrativeStatus")
        for form in WRITTEN_FORMATS:
            (again,) = Glossary.parse(write_glossary([entry], form)).entries
            assert again._replace(line=0) == entry._replace(line=0), form


def test_texts_are_not_indented_as_their_file_is():
    note = "<note>one\n\t\t\ttwo\n  three\nfour</note>"
    part = "<termNote type='partOfSpeech'>noun</termNote>"
    (entry,) = Glossary.parse(
        tbx(section("en", "disk", note + part + part) + section("de", "Platte"))
    ).entries
    assert (entry.note, entry.part_of_speech) == ("one two three\nfour", "noun")


def test_extras_with_the_names_of_columns_come_back_as_they_were():
    extra = (
        ("source", "a book"),
        ("context", "on a disk"),
        ("Gender [de]", "f"),
        ("url", "x"),
        ("target", "y"),
    )
    entry = Entry(
        "disk", (Target("Platte", "forbidden", extra=extra),), "en", "de", verbatim=True, extra=extra
    )
    other = Entry(
        "disc", (Target("Platte"),), "en", "de", subject="IT", concept="1", extra=(("termType", "variant"),)
    )
    given = [entry, other._replace(source="disque", extra=()), other]
    for form in WRITTEN_FORMATS:
        again = Glossary.parse(write_glossary(given, form)).entries
        assert [each._replace(line=0) for each in again] == given, form


def test_languages_that_nobody_has_named_stay_so():
    entries = Glossary.parse("disk\tPlatte\n").entries
    for form in WRITTEN_FORMATS:
        (again,) = Glossary.parse(write_glossary(entries, form)).entries
        assert (again.source_language, again.target_language) == ("", ""), form


@pytest.mark.parametrize(
    "text",
    [
        "# terms of ours\n# 2026\nsource\ttarget\tnote\ndisk\tPlatte\tx\n",
        "disk\tPlatte\tx\n# a comment\twith\ttabs\n",
        "#en\tde\tcomment\ndisk\tPlatte\tx\n",
        "#UTX 1.20; en/de; 2026; copyright: us;\n##description: x;\n#src\ttgt\tsrc:comment\tterm status\ndisk\tPlatte\tx\t-\n",
    ],
)
def test_comments_are_no_terms(text):
    glossary = Glossary.parse(text)
    (entry,) = glossary.entries
    assert (entry.source, entry.wanted, entry.note) == ("disk", ("Platte",), "x")
    assert glossary.problems == ()
    assert (entry.source_language == "en") is ("en\t" in text or "en/" in text)


def test_a_term_may_begin_with_the_sign_of_comments():
    sources = [entry.source for entry in Glossary.parse("en\tde\n#include\t#include\nC#\tC#\n").entries]
    assert sources == ["#include", "C#"]


def test_memoq_names_regions_and_definitions():
    text = (
        "Entry_ID,Entry_Note,English_United_States_Def,English_United_States,Term_Info,German_Germany_Def,German_Germany,Term_Info\n"
        "0,all,stores data,disk,CasePermissive,,Platte,Forbidden\n"
    )
    (entry,) = Glossary.parse(text).entries
    assert (entry.source_language, entry.target_language) == ("en-US", "de-DE")
    assert (entry.source, entry.forbidden, entry.definition) == ("disk", ("Platte",), "stores data")
    assert (entry.note, entry.case) == ("all", "any")


def test_variants_of_a_language_are_not_one():
    glossary = Glossary.parse(
        "English,Chinese (Simplified),Traditional Chinese,Brazilian Portuguese,fil\ndisk,a,b,c,d\n"
    )
    assert [target for _, target in glossary.pairs] == ["zh-Hans", "zh-Hant", "pt-BR", "fil"]


@pytest.mark.parametrize("name", ["kind", "Type", "status"])
def test_columns_that_may_be_a_status(name):
    glossary = Glossary.parse(
        f"source,target,{name}\nAcme,Acme,do_not_translate\nfoo,bar,forbidden\ndisk,Platte,required\n"
    )
    acme, foo, disk = glossary.entries
    assert (acme.verbatim, foo.forbidden, disk.wanted) == (True, ("bar",), ("Platte",))
    (city,) = Glossary.parse(f"source,target,{name}\nRome,Rom,location\n").entries
    assert (city.extra == ((name, "location"),)) is (name != "status")


def test_notes_behind_the_last_term_are_of_the_row():
    (entry,) = Glossary.parse("source,target,context,comment\ndisk,Platte,a,b\n").entries
    assert (entry.note, entry.targets[0].note) == ("a\nb", "")


def test_a_header_without_targets_is_no_term():
    with pytest.raises(InputError, match=r"no term could be read \(line 2: no target term"):
        Glossary.parse("Term\tDefinition\ndisk\tit stores data\n")


def test_marks_that_are_not_around_all_of_a_cell_are_its_own():
    glossary = Glossary.parse('"cohort" theory\tKohorten\tn\n"a ""b"""\tc\tn\nthe "x"\ty\tn\n"z"\tz\tn\n')
    assert [entry.source for entry in glossary.entries] == ['"cohort" theory', 'a "b"', 'the "x"', "z"]


FIVE = "EN-US,EN-GB,DE,DE-AT,FR\ncolor,colour,Farbe,Farb,couleur\nred,red,rot,,rouge\n"


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("en", "de", {("color", "Farbe"), ("colour", "Farbe"), ("red", "rot")}),
        ("en-GB", "de_AT", {("color", "Farb"), ("colour", "Farb"), ("red", "rot")}),
        ("FR", "DE", {("couleur", "Farbe"), ("rouge", "rot")}),
    ],
)
def test_regions_of_a_language(source, target, expected):
    """A source is found in all of its regions; of the targets' the one that is asked for counts."""
    glossary = Glossary.parse(FIVE, source_language=source, target_language=target).select(source, target)
    assert {(entry.source, *entry.wanted) for entry in glossary.entries} == expected


IATE = """E_ID|E_DOMAINS|L_CODE|T_TERM|T_TYPE|T_RELIABILITY
7|IT|en|disk|Term|3
7|IT|en|hard disk|Term|2
7|IT|de|Platte|Term|3
7|IT|fr|disque|Term|3
8|IT|de|Datei|Term|3
9|IT|en|byte|Term|3
"""
ROWS = "concept id,language,term,status,note\n1,en,disk,preferred,n\n1,de,Platte,preferred,\n1,de,Disk,forbidden,m\n2,en,Acme,do not translate,\n"


def test_a_row_for_each_term():
    glossary = Glossary.parse(IATE)
    assert [(entry.source, entry.target_language, entry.wanted) for entry in glossary.entries] == [
        ("disk", "de", ("Platte",)), ("disk", "fr", ("disque",)),
        ("hard disk", "de", ("Platte",)), ("hard disk", "fr", ("disque",)), ("byte", "", ()),
    ]  # fmt: skip
    assert glossary.entries[0].subject == "IT"
    assert glossary.entries[0].extra == (("T_TYPE", "Term"), ("T_RELIABILITY", "3"))
    assert [str(problem) for problem in glossary.problems] == [
        "line 6: no term in the source language (en) (left out)",
        "line 7: no term in any other language",
    ]
    turned = Glossary.parse(IATE, source_language="fr", target_language="de").entries
    assert [(entry.source, entry.wanted, entry.line) for entry in turned] == [("disque", ("Platte",), 5)]


def test_rows_of_one_concept_may_lack_what_another_has():
    text = "ID;English;German;German Status\n1;disk;Platte;\n1;;Scheibe;forbidden\n1;drive;;\n2;;Byte;\n3;bit;;\n"
    glossary = Glossary.parse(text)
    assert [(entry.source, entry.wanted, entry.forbidden, entry.line) for entry in glossary.entries] == [
        ("disk", ("Platte",), ("Scheibe",), 2),
        ("drive", ("Platte",), ("Scheibe",), 4),
    ]
    assert [str(problem) for problem in glossary.problems] == [
        "line 5: no source term (left out)",
        "line 6: no target term (left out)",
    ]


def test_what_is_said_in_rows_of_terms():
    disk, acme = Glossary.parse(ROWS).entries
    assert (disk.wanted, disk.forbidden, disk.note, disk.targets[1].note) == (
        ("Platte",),
        ("Disk",),
        "n",
        "m",
    )
    assert (acme.verbatim, acme.targets) == (True, ())


def test_a_code_may_be_given_in_any_spelling():
    glossary = Glossary.parse(tbx(section("en", "disk")), source_language="EN", target_language="DE_at")
    assert [*glossary.pairs] == [("en", "de-AT")]


@pytest.mark.parametrize(
    "text",
    [
        "Anglais;Français;Statut\nfile;fichier;privilégié\nfile;lime;interdit\n",
        "Término;Traducción;Estado\nfile;fichero;preferido\nfile;lima;prohibido\n",
        "Benennung;Übersetzung;Verwendung\nfile;Datei;Vorzugsbenennung\nfile;Feile;nicht verwenden\n",
        "原文,訳文,状態\nfile,ファイル,推奨\nfile,やすり,使用禁止\n",
        "E_ID|L_CODE|T_TERM|T_EVALUATION\n1|en|file|\n1|de|Datei|Preferred\n1|de|Feile|Deprecated\n",
    ],
)
def test_headers_and_statuses_of_other_languages(text):
    entries = Glossary.parse(text).entries
    statuses = [(entry.source, target.status) for entry in entries for target in entry.targets]
    assert statuses == [("file", "preferred"), ("file", "forbidden")]


def test_a_status_may_be_one_of_several_flags():
    text = 'source,target,flags\nfile,Datei,terminology\nEditMT,EditMT,"terminology, read-only"\n'
    glossary = Glossary.parse(text + 'drive,Fahrt,"max-length:9, forbidden"\n')
    file, own, drive = glossary.entries
    assert (file.wanted, own.verbatim, drive.forbidden, glossary.problems) == (
        ("Datei",),
        True,
        ("Fahrt",),
        (),
    )


@pytest.mark.parametrize("quoted", ["sep=;", '"sep=;"'])
def test_excel_may_be_told_the_delimiter(quoted):
    (entry,) = Glossary.parse(f"{quoted}\nEnglish;German\na, b;c, d\n").entries
    assert (entry.source, entry.wanted, entry.target_language) == ("a, b", ("c, d",), "de")


def test_what_is_said_beside_a_languages_name_is_no_term():
    text = (
        "English,English (US) case sensitivity,German,German gender,German synonym 1\nfile,yes,Datei,f,File\n"
    )
    (entry,) = Glossary.parse(text).entries
    assert [target.text for target in entry.targets] == ["Datei", "File"]
    assert (entry.targets[0].extra, entry.source) == ((("German gender", "f"),), "file")
