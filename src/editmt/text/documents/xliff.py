"""XLIFF 1.2 and 2.x: empty targets are filled and their state set, every other byte stays."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from xml.sax.saxutils import escape

from editmt.errors import InputError
from editmt.text.documents.document import TextUnit
from editmt.text.documents.start_tags import set_attributes
from editmt.text.documents.xliff_events import Content, Tag, XliffUnit, parse_xliff
from editmt.text.documents.xliff_sentences import Place, find_lacking
from editmt.text.encodings import decode
from editmt.text.markup import Notation

OPEN_STATES = frozenset(("new", "needs-translation", "initial"))
"""States in which a target, such as a copy of the source, is as good as none."""

LEAST_COPIED = 2
"""Words; a target of so many that are the source's, and has no state, is a copy that a tool has made."""

STATE_1 = {"state": "needs-review-translation", "state-qualifier": "leveraged-mt"}
"""What a target says of itself in version 1."""

STATE_2 = {"state": "translated", "subState": None}
"""What a segment says in version 2; a private state of somebody's would be of the old one."""

Edit = tuple[int, int, bytes]
"""Bytes from the first up to the second are replaced."""

_ESCAPES = {"\r": "&#13;"}
"""As it is, it would be read as a line's end."""

_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)[\"']")


@dataclass(frozen=True)
class _Gap:
    """A text to translate: of which unit and source, and its place in a target that has other sentences."""

    unit: XliffUnit
    source: Content
    text: str
    place: Place | None = None


class XliffFile:
    """An XLIFF file; its machine translations are to be reviewed, and the states say so."""

    def __init__(self, data: bytes, target_language: str = "") -> None:
        declared = _DECLARED.search(data[:200])
        has_mark = data[:1] in (b"\xff", b"\xfe", b"\xef", b"\0") or b"\0" in data[:4]
        decoded = decode(data, None if has_mark or not declared else declared[1].decode())
        if decoded.broken:
            line, reason = decoded.broken[0]
            raise InputError(f"line {line}: {reason}")
        self._encoding = decoded.encoding
        self._body = decoded.text.encode()
        written = decoded.text.encode(decoded.encoding)
        self._mark = data[: len(data) - len(written)]
        if self._mark + written != data:
            raise InputError(f"bytes that {decoded.encoding} does not write so: they would not stay")
        self._xliff = parse_xliff(self._body)
        self._target_language = target_language

    @cached_property
    def _open(self) -> list[_Gap]:
        return [gap for unit in self._xliff.units for gap in self._find_gaps(unit)]

    def _find_gaps(self, unit: XliffUnit) -> Iterator[_Gap]:
        """Yield what of a unit is to be translated: all of it, or marked sentences that its target lacks."""
        source, target = unit.best_source, unit.target
        if source is None or not source.text.strip():
            return
        if not unit.locked and self._is_open(unit, source):
            yield _Gap(unit, source, source.text)
        elif target is not None and unit.segmented is source:
            for text, place in find_lacking(source, target, self._body, unit.locked):
                yield _Gap(unit, source, text, place)

    def _is_open(self, unit: XliffUnit, source: Content) -> bool:
        target = unit.target
        if target is None or not target.text.strip() or (source.words and not target.words):
            return True
        tag = unit.segment if self._xliff.version == 2 else target.tag
        if "state" in tag.attributes:
            return tag.attributes["state"] in OPEN_STATES
        is_copy = target.words == source.words and len(source.words.split()) >= LEAST_COPIED
        return is_copy and unit.segment.attributes.get("approved") != "yes"

    @cached_property
    def units(self) -> list[TextUnit]:
        """The segments whose target is missing, empty, or not begun."""
        return [TextUnit(gap.text, gap.source.tag.line, Notation(gap.source.codes)) for gap in self._open]

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the file with these targets."""
        edits = {
            edit for number, text in translations.items() for edit in self._edits(self._open[number], text)
        }
        root = self._xliff.root
        if edits and self._xliff.version == 2 and "trgLang" not in root.attributes:
            if not self._target_language:
                raise InputError("the file has no trgLang, which targets need: give the target language")
            edits.add(self._retag(root, {"trgLang": self._target_language}))
        parts, end = [], 0
        for start, stop, new in sorted(edits):
            parts += [self._body[end:start], new]
            end = stop
        text = b"".join([*parts, self._body[end:]]).decode()
        return self._mark + text.encode(self._encoding, errors="xmlcharrefreplace")

    def _edits(self, gap: _Gap, text: str) -> Iterator[Edit]:
        """Yield which bytes are to be replaced by which: the target's, and in version 2 the segment's tag."""
        unit, source = gap.unit, gap.source
        body = b"".join(source.raw.get(c) or escape(c, _ESCAPES).encode() for c in text)
        states: dict[str, str | None] = {**STATE_1}
        if self._xliff.version == 2:
            yield self._retag(unit.segment, STATE_2)
            states = {}
        if unit.target is None:
            space = source.tag.attributes.get("xml:space")
            opening = f"<{source.tag.prefix}target>".encode()
            opening = set_attributes(opening, {"xml:space": space} | states)
            ending = f"</{source.tag.prefix}target>".encode()
            yield source.end, source.end, self._indent(source.tag) + opening + body + ending
        elif gap.place is not None:
            place = gap.place
            yield self._retag(unit.target.tag, states)
            yield place.start, place.end, place.opening + body + place.closing
        else:
            tag = unit.target.tag
            start, _, opening = self._retag(tag, states)
            opening = re.sub(rb"\s*/>$", b">", opening)
            yield start, unit.target.end, opening + body + f"</{tag.prefix}{tag.name}>".encode()

    def _indent(self, tag: Tag) -> bytes:
        """Return the white space before a tag, if it stands in a line of its own."""
        start = tag.start
        while self._body[start - 1 : start].isspace():
            start -= 1
        space = self._body[start : tag.start]
        return space if b"\n" in space else b""

    def _retag(self, tag: Tag, values: Mapping[str, str | None]) -> Edit:
        """Return the edit that gives a start tag these attributes."""
        return tag.start, tag.end, set_attributes(self._body[tag.start : tag.end], values)
