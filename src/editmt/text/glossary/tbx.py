"""TBX, versions 2 (martif) and 3 (DCA and DCT style), of any dialect: entries with languages with terms.

Read with lxml, an entry at a time. Entities are not resolved, no DTD is loaded, nothing is fetched.
"""

import html
import io
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Any

from editmt.errors import InputError, MissingPackage
from editmt.text.glossary.concepts import Concept, make_entries
from editmt.text.glossary.entry import Entry, Problem, Target
from editmt.text.glossary.tbx_layouts import LANGUAGES, find_shape, local_name
from editmt.text.glossary.words import language_of, same_language
from editmt.text.phrases import tidy

ENTRIES = ("termEntry", "conceptEntry")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_TAG = attrgetter("tag")
_KEPT_ENTRIES = 512
"""Entries that were read stay in memory, empty, until there are so many."""


def read_tbx(data: bytes, languages: tuple[str, str] = ("", "")) -> tuple[list[Entry], list[Problem]]:
    """Read the entries that can be read, and say what is wrong with the others.

    After broken XML nothing more can be read. Without a source language it is the file's own, or, where no
    entry has a term in that, the first entry's.
    """
    entries, problems, others = _read_in(data, languages)
    if not entries and not languages[0] and others:
        entries, problems, _ = _read_in(data, (others, languages[1]))
    return entries, problems


def _read_in(data: bytes, languages: tuple[str, str]) -> tuple[list[Entry], list[Problem], str]:
    """Read the entries of these languages; return the first language of the first entry, too."""
    try:
        from lxml import etree  # noqa: PLC0415 - only where there is TBX
    except ImportError:
        raise MissingPackage("lxml", extra="glossary") from None
    entries: list[Entry] = []
    problems: list[Problem] = []
    first = None
    try:
        for element, source in _parse(data):
            if first is None:
                first = _first_language(element)
            for found in _read_entry(element, (languages[0] or source or first, languages[1])):
                if isinstance(found, Entry):
                    entries.append(found)
                else:
                    problems.append(found)
    except etree.XMLSyntaxError as error:
        problems.append(Problem(error.lineno or 1, f"broken XML: {_reason(error)}"))
    except InputError as error:
        problems.append(Problem(1, str(error)))
    return entries, problems, first or ""


def _reason(error: Any) -> str:
    return str(error.msg or "nothing is there").split(", line ")[0].split("\n")[0]


def _parse(data: bytes) -> Iterator[tuple[Any, str]]:
    """Yield each entry as it ends, and the file's own language."""
    from lxml import etree  # noqa: PLC0415

    safe = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    tags = [f"{{*}}{name}" for name in ENTRIES]
    events = etree.iterparse(io.BytesIO(data), events=("end",), tag=tags, **safe)
    language = None
    for number, (_, element) in enumerate(events, start=1):
        if language is None:
            root = element.getroottree().getroot()
            language = root.get(_LANG) or root.get("lang") or ""
        yield element, language
        element.clear()
        if number % _KEPT_ENTRIES == 0:
            body = element.getparent()
            del body[: body.index(element)]
    if language is None:
        raise InputError(f"there is no entry of a glossary in <{local_name(events.root.tag)}>")


def _first_language(entry: Any) -> str:
    found = (child.get(_LANG) or child.get("lang") for child in entry if local_name(child.tag) in LANGUAGES)
    return next((code for code in found if code), "")


def _read_entry(element: Any, languages: tuple[str, str]) -> Sequence[Entry | Problem]:
    nodes = [*element.iter()]
    shape = find_shape(tuple(map(_TAG, nodes)), tuple(map(len, nodes)))
    if shape.pair is not None and (entry := _read_pair(nodes, shape.pair, languages)):
        return (entry,)  # as most are
    codes = [_language(nodes[place]) for place in shape.sections]
    texts = {place: nodes[place].text or "" for place in shape.texts}
    for place in shape.mixed:
        texts[place] = _text(nodes[place])
    layout = shape.layout(tuple([nodes[place].get("type") for place in shape.facts]))
    concept = Concept(element.get("id") or "", element.sourceline, layout, texts, codes)
    return make_entries(concept, languages)


def _read_pair(
    nodes: Sequence[Any], pair: tuple[int, int, int, int], languages: tuple[str, str]
) -> Entry | None:
    """Return an entry of one term in the source's language and one in the target's, if they are."""
    entry, (one, source, other, target) = nodes[0], pair
    ours, theirs = _language(nodes[one]), _language(nodes[other])
    fits = same_language(ours, languages[0]) and same_language(theirs, languages[1])
    terms = tidy(nodes[source].text or ""), tidy(nodes[target].text or "")
    if not fits or same_language(theirs, ours) or not all(terms):
        return None
    concept, line = entry.get("id") or "", entry.sourceline
    return Entry(terms[0], (Target(terms[1]),), ours, theirs, concept=concept, line=line)


def _language(section: Any) -> str:
    code = section.get(_LANG) or section.get("lang") or ""
    return language_of(code) or code


def _text(element: Any) -> str:
    """Return all text in an element; of entities only HTML's are known, `&nbsp;` among them."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            parts.append(_text(child))
        elif child.text and child.text.startswith("&"):  # an entity
            known = html.unescape(child.text)
            parts.append("" if known == child.text else known)
        parts.append(child.tail or "")
    return "".join(parts)
