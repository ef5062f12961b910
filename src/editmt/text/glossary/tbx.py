"""TBX, versions 2 (martif) and 3 (DCA and DCT style), of any dialect: entries with languages with terms.

Read with lxml, an entry at a time. Entities are not resolved, no DTD is loaded, nothing is fetched.
"""

import html
import io
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any

from editmt.errors import InputError, MissingPackage
from editmt.text.encodings import declared_encoding
from editmt.text.glossary.concepts import NAMELESS, Concept, Plan, make_entries
from editmt.text.glossary.entry import Entry, Problem, Target
from editmt.text.glossary.tbx_layouts import LANGUAGES, Layout, find_shape, local_name
from editmt.text.glossary.tbx_mending import SAFE_PARSING, leave_out_broken, reason_of, utf8_if_so
from editmt.text.glossary.tbx_templates import Known, take_out
from editmt.text.glossary.words import language_of, same_language
from editmt.text.phrases import tidy

ENTRIES = ("termEntry", "conceptEntry", "entry")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_TAG = attrgetter("tag")
_KEPT_PLANS = 4096
_KEPT_ENTRIES = 512
"""Entries that were read stay in memory, empty, until there are so many."""


def read_tbx(data: bytes, languages: tuple[str, str] = ("", "")) -> tuple[list[Entry], list[Problem]]:
    """Read the entries that can be read, and say what is wrong with the others.

    An entry of broken XML is left out; after what else is broken nothing more can be read. Without a source
    language it is the file's own, or, where no entry has a term in that, the first entry's.
    """
    entries, problems, others = _read_in(data, languages)
    if not entries and not languages[0] and others:
        entries, problems, _ = _read_in(data, (others, languages[1]))
    return entries, problems


def _read_in(data: bytes, languages: tuple[str, str]) -> tuple[list[Entry], list[Problem], str]:
    """Read the entries of these languages; return the first language of the first entry, too."""
    reading = _Reading(languages)
    if not reading.read(*_take_out(data)):
        reading = _read_others(data, languages) or _Reading(languages)
        if not reading.found:
            reading.read(data, ())  # what is wrong shows in the whole file only
    return reading.entries, reading.problems, reading.first


def _read_others(data: bytes, languages: tuple[str, str]) -> "_Reading | None":
    """Read a file without its broken entries, if then it is whole."""
    left, problems = leave_out_broken(data)
    reading = _Reading(languages)
    if not problems or not reading.read(*_take_out(left)):
        return None
    reading.found += problems
    return reading


def _take_out(data: bytes) -> tuple[bytes, Sequence[Known | None]]:
    """Return the file without entries that are known by templates, and those, if it is UTF-8."""
    if (declared_encoding(data) or "utf-8").lower() not in {"utf-8", "us-ascii"}:
        return data, ()
    try:
        text = data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data, ()
    left, known = ("", []) if "\r" in text else take_out(text)
    return (left.encode(), known) if any(known) else (data, ())


class _Reading:
    """What has been read of a file; `first` is the first language of its first entry."""

    def __init__(self, languages: tuple[str, str]) -> None:
        self.found: list[Entry | Problem] = []
        self.first = ""
        self.languages = languages
        self._plans: dict[tuple[int, tuple[str, ...]], tuple[Layout, Plan]] = {}

    @property
    def entries(self) -> list[Entry]:
        """The entries that could be read."""
        return [each for each in self.found if isinstance(each, Entry)]

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the others."""
        return [each for each in self.found if isinstance(each, Problem)]

    def read(self, data: bytes, known: Sequence[Known | None]) -> bool:
        """Read a file, from which known entries were taken out; tell whether that went well to its end."""
        try:
            from lxml import etree  # noqa: PLC0415 - only where there is TBX
        except ImportError:
            raise MissingPackage("lxml", extra="glossary") from None
        try:
            self._read(_parse(data), known)
        except etree.XMLSyntaxError as error:
            self.found.append(Problem(error.lineno or 1, f"broken XML: {reason_of(error)}"))
        except InputError as error:
            self.found.append(Problem(1, str(error)))
        else:
            return True
        return False

    def _read(self, elements: Iterator[tuple[Any, str]], known: Sequence[Known | None]) -> None:
        languages = None
        for entry in chain(known, repeat(None)):
            if entry is not None and languages is not None:
                self.found += self._read_known(entry, languages)
                continue
            element, own = next(elements, (None, ""))
            if element is None:
                break
            if languages is None:
                self.first = _first_language(element)
                languages = (self.languages[0] or own or self.first, self.languages[1])
            self.found += self._read_entry(element, languages)

    def _read_known(self, entry: Known, languages: tuple[str, str]) -> Sequence[Entry | Problem]:
        template, line, texts = entry
        if template.pair is not None:
            source, target = template.pair
            terms = texts[source], texts[target]
            if pair := _make_pair(terms, template.codes, languages, (texts[0], line)):
                return (pair,)
        plan = self._plan(template.layout, template.codes, languages)
        return make_entries(Concept(texts[0], line, plan, texts))

    def _read_entry(self, element: Any, languages: tuple[str, str]) -> Sequence[Entry | Problem]:
        nodes = [*element.iter()]
        shape = find_shape(tuple(map(_TAG, nodes)), tuple(map(len, nodes)))
        if shape.pair is not None and (entry := _read_pair(nodes, shape.pair, languages)):
            return (entry,)  # as most are
        codes = tuple([_language(nodes[place]) for place in shape.sections])
        texts = {place: nodes[place].text or "" for place in shape.texts}
        lost: list[Entry | Problem] = []
        for place in shape.mixed:
            node = nodes[place]
            if local_name(node.tag) == "term" and (unknown := _unknown_entity(node)):
                reason = f"a term with {unknown}, which is not resolved, is left out"
                lost.append(Problem(node.sourceline, reason, used=True))
                texts[place] = ""
            else:
                texts[place] = _text(node)
        layout = shape.layout(tuple([nodes[place].get("type") for place in shape.facts]))
        plan = self._plan(layout, codes, languages)
        return lost + make_entries(Concept(element.get("id") or "", element.sourceline, plan, texts))

    def _plan(self, layout: Layout, codes: tuple[str, ...], languages: tuple[str, str]) -> Plan:
        """Return the plan of a layout, made once; the layout is kept with it, as it is known by its id."""
        found = self._plans.get((id(layout), codes))
        if found is None:
            found = layout, Plan.of(layout, codes, languages)
            if len(self._plans) < _KEPT_PLANS:
                self._plans[id(layout), codes] = found
        return found[1]


def _reason(error: Any) -> str:
    return str(error.msg or "nothing is there").split(", line ")[0].split("\n")[0]


def _parse(data: bytes) -> Iterator[tuple[Any, str]]:
    """Yield each entry as it ends, and the file's own language."""
    from lxml import etree  # noqa: PLC0415

    tags = [f"{{*}}{name}" for name in ENTRIES]
    events = etree.iterparse(
        io.BytesIO(data), events=("end",), tag=tags, encoding=utf8_if_so(data), **SAFE_PARSING
    )
    language = None
    for number, (_, element) in enumerate(events, start=1):
        if language is None:
            root = element.getroottree().getroot()
            language = root.get(_LANG) or root.get("lang") or _header_language(root)
        yield element, language
        element.clear()
        if number % _KEPT_ENTRIES == 0:
            body = element.getparent()
            del body[: body.index(element)]
    if language is None:
        raise InputError(f"there is no entry of a glossary in <{local_name(events.root.tag)}>")


def _header_language(root: Any) -> str:
    """Return the source language that a header of the first TBX-Min names."""
    languages = root.find("{*}header/{*}languages") if local_name(root.tag) == "TBX" else None
    return languages.get("source") or "" if languages is not None else ""


def _first_language(entry: Any) -> str:
    found = (child.get(_LANG) or child.get("lang") for child in entry if local_name(child.tag) in LANGUAGES)
    return next((code for code in found if code), "")


def _read_pair(
    nodes: Sequence[Any], pair: tuple[int, int, int, int], languages: tuple[str, str]
) -> Entry | None:
    """Return an entry of one term in the source's language and one in the target's, if they are."""
    entry, (one, source, other, target) = nodes[0], pair
    codes = _language(nodes[one]), _language(nodes[other])
    terms = nodes[source].text or "", nodes[target].text or ""
    return _make_pair(terms, codes, languages, (entry.get("id") or "", entry.sourceline))


def _make_pair(
    terms: Sequence[str], codes: Sequence[str], languages: tuple[str, str], place: tuple[str, int]
) -> Entry | None:
    """Return the entry of two terms, if they are of these languages, in this order, and neither is empty."""
    (ours, theirs), (concept, line) = codes, place
    fits = same_language(ours, languages[0]) and same_language(theirs, languages[1])
    source, target = map(tidy, terms)
    if not fits or same_language(theirs, ours) or not source or not target:
        return None
    languages = NAMELESS.get(ours, ours), NAMELESS.get(theirs, theirs)
    return Entry(source, (Target(target),), *languages, concept=concept, line=line)


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
            parts.append("" if _is_unknown(child.text) else html.unescape(child.text))
        parts.append(child.tail or "")
    return "".join(parts)


def _unknown_entity(element: Any) -> str:
    """Return an entity in an element that is none of HTML's: without it a text is not what it was."""
    from lxml import etree  # noqa: PLC0415

    return next((each.text for each in element.iter(etree.Entity) if _is_unknown(each.text)), "")


def _is_unknown(entity: str) -> bool:
    return html.unescape(entity) == entity
