"""XLIFF's units with the bytes where they stand, read by expat; no entity is declared, nothing fetched."""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from xml.parsers import expat

from editmt.errors import InputError
from editmt.text.markup import Code

_PAIRED = frozenset(("g", "pc", "mrk"))
_BEGIN = {"bpt": "rid", "bx": "rid", "sc": "id", "sm": "id"}
_END = {"ept": "rid", "ex": "rid", "ec": "startRef", "em": "startRef"}
"""Elements that mark where a span begins or ends, and the attribute by which the two are known."""
_NAMED = re.compile(r"(START|CLOSE)_([A-Z_]+?)(?:_[0-9]+)?$")
"""How Angular names an `x` that is an element's tag: START_LINK_1 is ended by CLOSE_LINK."""
_PO_HEADER = "x-gettext-domain-header"
"""A unit that is the header of a PO file: it is for programs."""
SENTENCE = "p"
"""The name of marked sentences among codes: they are like paragraphs of their own."""
_FIRST_SENTINEL = 0xF0000
"""Characters of Unicode's private use stand for tags while a text is translated."""


@dataclass(frozen=True)
class Tag:
    """A start tag: its name without the prefix, the prefix with its colon, its attributes, its bytes."""

    name: str
    prefix: str
    attributes: Mapping[str, str]
    start: int
    end: int
    empty: bool
    line: int


@dataclass
class Content:
    """What is inside of a `source` or `target`: its text, in which characters stand for tags.

    end
        The byte behind the end tag.
    codes, raw
        What each such character means, and the bytes it stands for.
    """

    tag: Tag
    text: str = ""
    end: int = 0
    codes: dict[str, Code] = field(default_factory=dict)
    raw: dict[str, bytes] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The text without tags and the white space around it."""
        return self.words_of(self.text)

    def words_of(self, text: str) -> str:
        """Return a part of the text without tags and the white space around it."""
        return "".join(character for character in text if character not in self.codes).strip()


@dataclass
class XliffUnit:
    """A segment: the element that has its state in version 2 (`trans-unit` in 1), its source and target.

    locked
        The numbers of marked sentences that Trados has locked.
    """

    segment: Tag
    source: Content | None = None
    segmented: Content | None = None
    target: Content | None = None
    locked: set[str] = field(default_factory=set)

    @property
    def best_source(self) -> Content | None:
        """The source that is cut into sentences, if there is one."""
        return self.segmented or self.source


@dataclass(frozen=True)
class Xliff:
    """A file's units that may be translated."""

    version: int
    root: Tag
    units: tuple[XliffUnit, ...]


def parse_xliff(body: bytes) -> Xliff:
    """Read the units of a file in UTF-8, whatever its declaration says."""
    reader = _Reader(body)
    try:
        reader.parser.Parse(body, True)
    except expat.ExpatError as error:
        raise InputError(f"line {error.lineno}: broken XML: {expat.errors.messages[error.code]}") from None
    if reader.root is None or reader.root.name != "xliff":
        name = f"<{reader.root.name}>" if reader.root else "nothing"
        raise InputError(f"line 1: this is not XLIFF: its first element is {name}")
    version = str(reader.root.attributes.get("version") or _named_version(reader.root))
    if version[:2] not in {"1.", "2."}:
        raise InputError(f"line {reader.root.line}: XLIFF of version {version!r}, not 1.x or 2.x")
    return Xliff(int(version[0]), reader.root, tuple(reader.units))


def _named_version(root: Tag) -> str:
    """Return the version in the name of the namespace: some tools write no other."""
    return str(root.attributes.get(f"xmlns:{root.prefix[:-1]}".rstrip(":"), "")).rpartition(":")[2]


class _Reader:
    """Collects units while expat goes through the file."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.CommentHandler = self._other
        self.parser.ProcessingInstructionHandler = lambda *_: self._other("")
        self.parser.EntityDeclHandler = self._refuse
        self.parser.SkippedEntityHandler = self._skip
        self.root: Tag | None = None
        self.units: list[XliffUnit] = []
        self._stack: list[Tag] = []
        self._unit: XliffUnit | None = None
        self._content: Content | None = None
        self._opaque: Tag | None = None  # an element that is one code with all that is in it
        self._sentinels = (
            character for number in count(_FIRST_SENTINEL) if (character := chr(number)).encode() not in body
        )
        self._spare: list[str] = []

    def _refuse(self, *_: object) -> None:
        raise InputError(f"line {self.parser.CurrentLineNumber}: entities may not be declared")

    def _start(self, full_name: str, attributes: dict[str, str]) -> None:
        start = self.parser.CurrentByteIndex
        end = _end_of_tag(self._body, start)
        empty = self._body[end - 2 : end - 1] == b"/"
        prefix, colon, name = full_name.rpartition(":")
        tag = Tag(name, prefix + colon, attributes, start, end, empty, self.parser.CurrentLineNumber)
        self.root = self.root or tag
        if self._content is not None:
            self._start_inside(tag)
        elif tag.prefix != self.root.prefix:  # some tool's own
            if self._unit and full_name == "sdl:seg" and attributes.get("locked") == "true":
                self._unit.locked.add(attributes.get("id", ""))
        elif name in {"trans-unit", "segment"}:
            self._unit = XliffUnit(tag) if self._is_translated(tag) else None
        elif (
            name in {"source", "seg-source", "target"}
            and self._unit
            and self._stack[-1] is self._unit.segment
        ):
            self._content = Content(tag)
        self._stack.append(tag)

    def _is_translated(self, tag: Tag) -> bool:
        if tag.attributes.get("restype") == _PO_HEADER or any(map(_is_lock, tag.attributes.items())):
            return False
        said = [
            each.attributes["translate"] for each in (*self._stack, tag) if "translate" in each.attributes
        ]
        return not said or said[-1] != "no"

    def _start_inside(self, tag: Tag) -> None:
        if self._opaque is not None:
            return
        kept = tag.attributes.get("mtype") == "protected" or tag.attributes.get("translate") == "no"
        if tag.name in _PAIRED and not kept and not tag.empty:
            self._add(Code("open", _pair_name(tag)), self._body[tag.start : tag.end])
        else:
            self._opaque = tag

    def _end(self, _: str) -> None:
        tag = self._stack.pop()
        place = self.parser.CurrentByteIndex
        end = tag.end if tag.empty else self._body.index(b">", place) + 1
        content = self._content
        if content is None:
            if self._unit and tag is self._unit.segment:
                self.units.append(self._unit)
                self._unit = None
        elif tag is content.tag:
            content.end = end
            self._keep(content)
        elif tag is self._opaque:
            self._opaque = None
            self._add(_code_of(tag), self._body[tag.start : end])
        elif self._opaque is None:
            self._add(Code("close", _pair_name(tag)), self._body[place:end])

    def _keep(self, content: Content) -> None:
        assert self._unit is not None  # a content is one of a unit
        kinds = {"source": "source", "seg-source": "segmented", "target": "target"}
        setattr(self._unit, kinds[content.tag.name], content)
        self._content = None

    def _text(self, text: str) -> None:
        if self._content is not None and self._opaque is None:
            self._content.text += text

    def _skip(self, name: str, _: bool) -> None:
        """Read an entity of a document type that is not loaded: HTML's as text, others are tags."""
        known = html.unescape(f"&{name};")
        if not known.startswith("&"):
            self._text(known)
        elif self._content is not None and self._opaque is None:
            self._add(Code("tag"), f"&{name};".encode())

    def _other(self, _: str) -> None:
        """Take a comment or a processing instruction inside of a text for a tag."""
        if self._content is not None and self._opaque is None:
            start = self.parser.CurrentByteIndex
            closing = b"-->" if self._body.startswith(b"<!--", start) else b"?>"
            self._add(Code("tag"), self._body[start : self._body.index(closing, start) + len(closing)])

    def _add(self, code: Code, raw: bytes) -> None:
        assert self._content is not None  # codes are parts of texts
        used = len(self._content.codes)
        if used == len(self._spare):
            self._spare.append(next(self._sentinels))
        character = self._spare[used]
        self._content.text += character
        self._content.codes[character] = code
        self._content.raw[character] = raw


def _is_lock(attribute: tuple[str, str]) -> bool:
    """Tell whether an attribute is how memoQ or Phrase locks a unit: mq:locked, m:locked."""
    name, value = attribute
    return name.endswith(":locked") and value.lower() in {"locked", "true", "yes", "1"}


def _pair_name(tag: Tag) -> str:
    """Return the name by which tags are paired."""
    return SENTENCE if tag.attributes.get("mtype") == "seg" else tag.name


def _code_of(tag: Tag) -> Code:
    fixed = tag.attributes.get("canReorder") in {"no", "firstNo"}
    for kind, table in (("open", _BEGIN), ("close", _END)):
        if tag.name in table:
            key = tag.attributes.get(table[tag.name]) or tag.attributes.get("id", "")
            span = "mark" if tag.name in {"sm", "em"} else "span"
            return Code("open" if kind == "open" else "close", f"{span} {key}", fixed)
    if tag.name == "x" and (side := _NAMED.match(tag.attributes.get("id", ""))):
        return Code("open" if side[1] == "START" else "close", f"span {side[2]}", fixed)
    return Code("tag", tag.name, fixed)


def _end_of_tag(body: bytes, start: int) -> int:
    """Return the byte behind a start tag, in whose values there may be `>`."""
    found = _TAG.match(body, start)
    assert found is not None  # expat has seen it
    return found.end()


_TAG = re.compile(rb"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
