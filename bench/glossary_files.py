"""Glossaries as others' programs write them, of made-up terms: for `bench/glossary.py`."""

import csv
import io
import random

from editmt.text.glossary import Entry, Target
from editmt.text.glossary.writing import WRITTEN_FORMATS, write_glossary

Terms = list[tuple[str, str]]

TBX_2 = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX" xml:lang="en-US"><martifHeader><fileDesc><sourceDesc><p>Made up</p></sourceDesc></fileDesc>
</martifHeader><text><body>
{entries}</body></text></martif>
"""
TBX_3 = """<?xml version="1.0" encoding="UTF-8"?>
<tbx type="TBX-Basic" style="{style}" xml:lang="en" xmlns="urn:iso:std:iso:30042:ed-2"
 xmlns:min="http://www.tbxinfo.net/ns/min" xmlns:basic="http://www.tbxinfo.net/ns/basic">
<tbxHeader><fileDesc><sourceDesc><p>Made up</p></sourceDesc></fileDesc></tbxHeader><text><body>
{entries}</body></text></tbx>
"""
MICROSOFT = """<termEntry id="{number}_1"><langSet xml:lang="en-US"><descripGrp>
<descrip type="definition">What {source} means.</descrip></descripGrp><ntig><termGrp>
<term id="{number}_2">{source}</term><termNote type="partOfSpeech">Noun</termNote></termGrp></ntig></langSet>
<langSet xml:lang="de-DE"><ntig><termGrp><term id="{number}_3">{target}</term>
<termNote type="partOfSpeech">Noun</termNote></termGrp></ntig></langSet></termEntry>
"""
IATE = """<conceptEntry id="{number}"><descrip type="subjectField">information technology</descrip>
<langSec xml:lang="en"><termSec><term>{source}</term><termNote type="termType">fullForm</termNote>
<descrip type="reliabilityCode">9</descrip></termSec></langSec>
<langSec xml:lang="de"><termSec><term>{target}</term><termNote type="termType">fullForm</termNote>
<descrip type="reliabilityCode">6</descrip></termSec></langSec></conceptEntry>
"""
MULTITERM = """<termEntry id="c{number}">
<transacGrp><transac type="origination">super</transac><date>2019-03-01T10:00:00</date></transacGrp>
<descrip type="subjectField">IT</descrip>
<langSet xml:lang="en"><ntig><termGrp><term>{source}</term></termGrp>
<transacGrp><transac type="origination">super</transac><date>2019-03-01T10:00:00</date></transacGrp>
</ntig></langSet>
<langSet xml:lang="de"><ntig><termGrp><term>{target}</term>
<termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></termGrp>
<transacGrp><transac type="origination">super</transac><date>2019-03-01T10:00:00</date></transacGrp>
</ntig></langSet></termEntry>
"""
DCT = """<conceptEntry id="c{number}"><min:subjectField>IT</min:subjectField>
<langSec xml:lang="en"><termSec><term>{source}</term><min:partOfSpeech>noun</min:partOfSpeech></termSec>
</langSec><langSec xml:lang="de"><termSec><term>{target}</term>
<min:administrativeStatus>preferredTerm-admn-sts</min:administrativeStatus></termSec></langSec></conceptEntry>
"""


def make_files(count: int) -> dict[str, bytes]:
    """Return glossaries of so many pairs of terms, and of a third of that with notes, by what they are."""
    terms = make_terms(count)
    rows = "".join(f"{source}\t{target}\n" for source, target in terms)
    files = {
        "tsv, two columns": rows.encode(),
        "csv, a column a language": _columns(terms),
        "csv, as Weblate writes it": _weblate(terms),
        "tbx 2, as Microsoft writes it": _fill(TBX_2, MICROSOFT, terms),
        "tbx 2, as MultiTerm writes it": _fill(TBX_2, MULTITERM, terms),
        "tbx 3, as IATE writes it": _fill(TBX_3.replace("{style}", "dca"), IATE, terms),
        "tbx 3, in DCT style": _fill(TBX_3.replace("{style}", "dct"), DCT, terms),
    }
    plain = [Entry(source, (Target(target),), "en", "de") for source, target in terms]
    rich = [_enrich(entry, number) for number, entry in enumerate(plain[: count // 3])]
    for name, entries in (("", plain), (", concepts of three", rich)):
        files |= {f"our {form}{name}": write_glossary(entries, form).encode() for form in WRITTEN_FORMATS}
    return files


def make_terms(count: int) -> Terms:
    """Return made-up terms of one to three words, no two the same, and what they are in German."""
    generator = random.Random(1)
    words = make_words(20_000, generator)
    terms = dict.fromkeys(
        " ".join(generator.choices(words, k=generator.randint(1, 3))) for _ in range(2 * count)
    )
    return [(term, f"Größe {number}") for number, term in enumerate([*terms][:count])]


def make_words(count: int, generator: random.Random) -> list[str]:
    """Return made-up words that look like some."""
    parts = ["ba", "cor", "de", "fi", "gan", "lo", "men", "nur", "pas", "ri", "sel", "ti", "vo", "wen", "za"]
    return ["".join(generator.choices(parts, k=generator.randint(1, 4))) for _ in range(count)]


def _fill(frame: str, pattern: str, terms: Terms) -> bytes:
    entries = [
        pattern.format(number=number, source=source, target=target)
        for number, (source, target) in enumerate(terms)
    ]
    return frame.replace("{entries}", "".join(entries)).encode()


def _columns(terms: Terms) -> bytes:
    """Return a table as Excel writes it in Europe: with a mark, semicolons, and three languages."""
    output = io.StringIO()
    writer = csv.writer(output, delimiter=";")
    writer.writerow(("ID", "Subject", "en-US", "de-DE", "fr-FR", "Status", "Definition"))
    for number, (source, target) in enumerate(terms):
        writer.writerow((number, "IT", source, target, f"taille {number}", "approved", "Say, so it is."))
    return output.getvalue().encode("utf-8-sig")


def _weblate(terms: Terms) -> bytes:
    """Return a table of quoted cells with seven columns."""
    output = io.StringIO()
    writer = csv.writer(output, quoting=csv.QUOTE_ALL)
    writer.writerow(("location", "source", "target", "id", "fuzzy", "context", "translator_comments"))
    for number, (source, target) in enumerate(terms):
        writer.writerow(("", source, target, f"id {number}", "False", "noun", "Say, so it is."))
    return output.getvalue().encode()


def _enrich(entry: Entry, number: int) -> Entry:
    """Return an entry with a second, forbidden target, and with notes and a definition."""
    (target,) = entry.targets
    return entry._replace(
        targets=(
            target._replace(part_of_speech="noun", note="say this"),
            target._replace(text=f"Zeug {number}", status="forbidden"),
        ),
        part_of_speech="noun",
        case="exact",
        note="as in the manual",
        definition=f"what it means, {number}",
        subject="IT",
        concept=f"c{number}",
    )
