"""Entries as TBX, version 2 (martif) or 3 (DCA style): what belongs to one concept is one entry again."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from editmt.text.glossary.entry import Entry, Extra, Target
from editmt.text.glossary.words import SOURCE_STATUS

TbxVersion = Literal[2, 3]

_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STATUSES = {
    "preferred": "preferredTerm-admn-sts",
    "admitted": "admittedTerm-admn-sts",
    "forbidden": "deprecatedTerm-admn-sts",
}
_HEADS = {
    2: """<martif type="TBX-Basic" xml:lang={language}>
<martifHeader><fileDesc><sourceDesc><p>Written by EditMT</p></sourceDesc></fileDesc></martifHeader>
<text><body>""",
    3: """<tbx type="TBX-Basic" style="dca" xml:lang={language} xmlns="urn:iso:std:iso:30042:ed-2">
<tbxHeader><fileDesc><sourceDesc><p>Written by EditMT</p></sourceDesc></fileDesc></tbxHeader>
<text><body>""",
}
_ENDS = {2: "</body></text></martif>", 3: "</body></text></tbx>"}
_NAMES = {2: ("termEntry", "langSet", "tig"), 3: ("conceptEntry", "langSec", "termSec")}


def write_tbx(entries: Iterable[Entry], version: TbxVersion = 2) -> str:
    """Return the entries as a TBX file's text, in UTF-8."""
    entries = list(entries)
    language = entries[0].source_language if entries else ""
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _HEADS[version].format(language=quoteattr(language or "und")),
    ]
    group: list[Entry] = []
    for entry in entries:
        if group and not _belongs(entry, group):
            parts += _write_concept(group, version)
            group = []
        group.append(entry)
    parts += _write_concept(group, version) if group else ()
    return "\n".join([*parts, _ENDS[version], ""])


def _belongs(entry: Entry, group: Sequence[Entry]) -> bool:
    """Tell whether an entry is a synonym of the group's, or has targets of a further language."""
    if not entry.concept or entry.concept != group[0].concept:
        return False
    same = [other for other in group if other.target_language == entry.target_language]
    if same:
        return same[0].targets == entry.targets
    return entry.source in {other.source for other in group}


def _write_concept(entries: Sequence[Entry], version: TbxVersion) -> Iterator[str]:
    """Yield the lines of one concept: its source terms, then the targets of each language."""
    concept, section, _ = _NAMES[version]
    first = entries[0]
    shared = all(
        (entry.definition, entry.subject, _of_concept(entry))
        == (first.definition, first.subject, _of_concept(first))
        for entry in entries
    )
    identity = f" id={_quote(first.concept)}" if first.concept else ""
    yield f"<{concept}{identity}>"
    if shared:
        yield from _describe(first)
    if any(entry.verbatim for entry in entries):
        yield '<descrip type="Translation needed">No</descrip>'
    for language, group in _by_language(entries, "source_language").items():
        terms = {entry.source: entry for entry in group}
        yield f"<{section} xml:lang={_quote(language or 'und')}>"
        for entry in terms.values():
            yield from _write_source(entry, version, alone=not shared)
        yield f"</{section}>"
    for language, group in _by_language(entries, "target_language").items():
        targets = dict.fromkeys(target for entry in group for target in entry.targets)
        if targets or language:
            yield f"<{section} xml:lang={_quote(language or 'mul')}>"
            for target in targets or [Target("")]:
                yield from _write_target(target, version)
            yield f"</{section}>"
    yield f"</{concept}>"


def _by_language(entries: Sequence[Entry], field: str) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(getattr(entry, field), []).append(entry)
    return found


def _write_source(entry: Entry, version: TbxVersion, *, alone: bool) -> Iterator[str]:
    facts = [("partOfSpeech", entry.part_of_speech), ("case", "" if entry.case == "auto" else entry.case)]
    facts += [pair for pair in entry.extra if pair[0] == SOURCE_STATUS]
    yield from _write_term(entry.source, facts, entry.note, version, list(_describe(entry)) if alone else [])


def _write_target(target: Target, version: TbxVersion) -> Iterator[str]:
    status = "" if target.status == "preferred" else _STATUSES[target.status]
    facts = [("partOfSpeech", target.part_of_speech), ("administrativeStatus", status), *target.extra]
    yield from _write_term(target.text, facts, target.note, version)


def _write_term(
    text: str, facts: Iterable[tuple[str, str]], note: str, version: TbxVersion, more: Iterable[str] = ()
) -> Iterator[str]:
    name = _NAMES[version][2]
    yield f"<{name}><term>{_text(text)}</term>"
    yield from (f"<termNote type={_quote(kind)}>{_text(value)}</termNote>" for kind, value in facts if value)
    yield from more
    if note:
        yield f"<note>{_text(note)}</note>"
    yield f"</{name}>"


def _of_concept(entry: Entry) -> Extra:
    """Return what is extra, but for the source term's own status."""
    return tuple(pair for pair in entry.extra if pair[0] != SOURCE_STATUS)


def _describe(entry: Entry) -> Iterator[str]:
    facts: Extra = (("subjectField", entry.subject), ("definition", entry.definition), *_of_concept(entry))
    for kind, value in facts:
        if value:
            yield f"<descrip type={_quote(kind)}>{_text(value)}</descrip>"


def _text(text: str) -> str:
    return escape(_NO_XML.sub("", text))


def _quote(text: str) -> str:
    return quoteattr(_NO_XML.sub("", text))
