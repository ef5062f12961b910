"""XLIFF 1.2 and 2.x: empty targets are filled and their state set, every other byte stays."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from xml.sax.saxutils import escape

from editmt.errors import InputError
from editmt.text.documents.document import TextUnit
from editmt.text.documents.xliff_events import Tag, XliffUnit, parse_xliff
from editmt.text.encodings import decode
from editmt.text.markup import Notation

OPEN_STATES = frozenset(("new", "needs-translation", "initial"))
"""States in which a target, such as a copy of the source, is as good as none."""

MACHINE_STATES = {"state": "needs-review-translation", "state_qualifier": "leveraged-mt"}

Edit = tuple[int, int, bytes]
"""Bytes from the first up to the second are replaced."""

_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)[\"']")


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
        self._mark = data[: len(data) - len(decoded.text.encode(decoded.encoding))]
        self._xliff = parse_xliff(self._body)
        self._target_language = target_language

    @cached_property
    def _open(self) -> list[XliffUnit]:
        return [unit for unit in self._xliff.units if unit.best_source is not None and self._is_open(unit)]

    def _is_open(self, unit: XliffUnit) -> bool:
        if unit.target is None or not unit.target.text.strip():
            return True
        tag = unit.segment if self._xliff.version == 2 else unit.target.tag
        return tag.attributes.get("state") in OPEN_STATES

    @cached_property
    def units(self) -> list[TextUnit]:
        """The segments whose target is missing, empty, or not begun."""
        sources = [unit.best_source for unit in self._open]
        return [
            TextUnit(source.text, source.tag.line, Notation(source.codes))
            for source in sources
            if source is not None
        ]

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the file with these targets."""
        edits = [
            edit for number, text in translations.items() for edit in self._edits(self._open[number], text)
        ]
        root = self._xliff.root
        if edits and self._xliff.version == 2 and "trgLang" not in root.attributes:
            if not self._target_language:
                raise InputError("the file has no trgLang, which targets need: give the target language")
            edits.append((root.start, root.end, self._with(root, trgLang=self._target_language)))
        parts, end = [], 0
        for start, stop, new in sorted(edits):
            parts += [self._body[end:start], new]
            end = stop
        text = b"".join([*parts, self._body[end:]]).decode()
        return self._mark + text.encode(self._encoding, errors="xmlcharrefreplace")

    def _edits(self, unit: XliffUnit, text: str) -> Iterator[Edit]:
        """Yield which bytes are to be replaced by which: the target's, and in version 2 the segment's tag."""
        source = unit.best_source
        assert source is not None  # only such units are open
        body = "".join(source.raw[c].decode() if c in source.raw else escape(c) for c in text).encode()
        states = {} if self._xliff.version == 2 else MACHINE_STATES
        if self._xliff.version == 2:
            yield unit.segment.start, unit.segment.end, self._with(unit.segment, state="translated")
        if unit.target is None:
            name = source.tag.full_name.rpartition(":")
            full_name = "".join((*name[:2], "target"))
            said = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in states.items())
            new = f"<{full_name}{said}>".encode() + body + f"</{full_name}>".encode()
            yield source.end, source.end, self._indent(source.tag) + new
        else:
            tag = unit.target.tag
            opening = re.sub(rb"\s*/>$", b">", self._with(tag, **states))
            yield tag.start, unit.target.end, opening + body + f"</{tag.full_name}>".encode()

    def _indent(self, tag: Tag) -> bytes:
        """Return the white space before a tag, if it stands in a line of its own."""
        before = self._body[: tag.start]
        space = before[len(before.rstrip()) :]
        return space if b"\n" in space else b""

    def _with(self, tag: Tag, **values: str) -> bytes:
        """Return the bytes of a start tag with these attributes."""
        text = self._body[tag.start : tag.end]
        for name, value in values.items():
            attribute = f'{name.replace("_", "-")}="{value}"'.encode()
            pattern = rb"(?<=\s)" + name.replace("_", "-").encode() + rb"\s*=\s*(?:\"[^\"]*\"|'[^']*')"
            if re.search(pattern, text):
                text = re.sub(pattern, attribute, text, count=1)
            else:
                text = re.sub(rb"(\s*/?>)$", rb" " + attribute + rb"\1", text)
        return text
