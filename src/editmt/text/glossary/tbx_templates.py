"""Entries of TBX that differ from others in their texts only, read without parsing XML again.

A program writes its entries alike. A template is the tags of an entry as they stand there, with holes for
texts and identities: what fits it is as well-formed as that entry was. All else is left to an XML parser.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from editmt.text.glossary.tbx_layouts import Layout, Shape, find_shape, renumber
from editmt.text.glossary.words import language_of

_ENTRY = re.compile(r"<((?:[\w.-]+:)?(?:termEntry|conceptEntry|entry))[\s>]")
_SPACE = re.compile(r"[ \t\n]*")
_TOKEN = re.compile(r"<(/?)([\w.:-]+)((?:[^<>\"'/]|/(?!>)|\"[^\"]*\"|'[^']*')*)(/?)>([^<]*)")
_ATTRIBUTE = re.compile(r"(\s+)([\w.:-]+)(\s*=\s*)(\"[^\"<&\t\n]*\"|'[^'<&\t\n]*')")
_NO_XML = "\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff"
_TEXT = f"[^<>&{_NO_XML}]*"
"""What XML allows, but for what stands for something else."""
_TELLING = ("type", "xml:lang", "lang")
"""Attributes that say what an element is; the others are holes."""
_MOST_TEMPLATES = 16
_LEAST_SEEN = 2
"""Entries of one kind before a template is made of it, which takes as long as some dozens of them."""
_LONGEST_ENTRY = 100_000
_PATIENCE = 1000
"""Entries after which templates are given up, if most do not fit any."""


@dataclass(frozen=True, eq=False)
class Template:
    """What the entries of one kind are read by.

    codes, layout
        The languages of an entry's sections, and which of a match's groups are its terms and what is said of
        them; the first group is its identity.
    pair
        If it is nothing but a term in either of two languages, which groups they are.
    """

    pattern: "re.Pattern[str]"
    codes: tuple[str, ...]
    layout: Layout
    pair: tuple[int, int] | None


class Known(NamedTuple):
    """An entry that fits a template: its line, and the texts of the holes."""

    template: Template
    line: int
    groups: tuple[str, ...]


def take_out(text: str) -> tuple[str, list[Known | None]]:
    """Return the text with lines' ends only in the place of entries that are known, and those.

    None stands for an entry that is still in the text; behind the last one there may be more.
    """
    first = _ENTRY.search(text)
    if first is None or not _is_plain(text[: first.start()]):
        return text, []
    return _Taking(text, first[1]).run(first.start())


def _is_plain(head: str) -> bool:
    """Tell whether entries after such a beginning are entries, and what they refer to is XML's own."""
    return "<!ENTITY" not in head and "<![" not in head and head.rfind("<!--") <= head.rfind("-->")


class _Taking:
    """A walk over the entries of a file, one behind the other."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._opening, self._closing = text, f"<{name}", f"</{name}>"
        self._seen: Counter[str] = Counter()
        self._templates: list[Template] = []
        self._found: list[Known | None] = []

    def run(self, place: int) -> tuple[str, list[Known | None]]:
        text, left = self._text, [self._text[:place]]
        line, unknown = 1 + text.count("\n", 0, place), 0
        while text.startswith(self._opening, place):
            known = self._match(place, line)
            end = known[1] if known else self._end(place)
            if end < 0 or (unknown > _PATIENCE and unknown > len(self._found) // 2):
                break
            lines = text.count("\n", place, end)
            if known:
                self._found.append(known[0])
                left.append("\n" * lines)
            else:
                unknown += 1
                self._found.append(None)
                left.append(text[place:end])
                self._learn(text[place:end])
            place, line = end, line + lines
        return "".join([*left, text[place:]]), self._found

    def _match(self, place: int, line: int) -> tuple[Known, int] | None:
        """Return the entry at a place, if it fits a template, and its end."""
        for number, template in enumerate(self._templates):
            if match := template.pattern.match(self._text, place):
                if number:
                    self._templates.insert(0, self._templates.pop(number))  # the next one may be alike
                return Known(template, line, match.groups()), match.end()
        return None

    def _end(self, place: int) -> int:
        """Return where the space behind an entry ends; -1 if that is for a parser to say."""
        end = self._text.find(self._closing, place)
        if end < 0 or "<!" in self._text[place:end] or "<?" in self._text[place:end]:
            return -1
        space = _SPACE.match(self._text, end + len(self._closing))
        assert space is not None  # it may be none
        return space.end()

    def _learn(self, entry: str) -> None:
        if len(self._templates) == _MOST_TEMPLATES or len(entry) > _LONGEST_ENTRY:
            return
        if (draft := _Draft(entry)).is_regular:
            self._seen[draft.pattern] += 1
            if self._seen[draft.pattern] == _LEAST_SEEN:
                self._templates.insert(0, draft.finish())


class _Draft:
    """An entry's tags, and where its texts are; not regular if it has texts with tags in them."""

    def __init__(self, entry: str) -> None:
        self._tags: list[str] = []
        self._sizes: list[int] = []
        self._attributes: list[dict[str, str]] = []
        self._parts: list[str | _Text] = []
        self._open: list[int] = []
        self.is_regular = self._read(entry)

    @cached_property
    def _shape(self) -> Shape:
        return find_shape(tuple(self._tags), tuple(self._sizes))

    @cached_property
    def pattern(self) -> str:
        """A regular expression that such entries match."""
        read = set(self._shape.texts)
        parts = (
            part if isinstance(part, str) else f"({part.pattern})" if part.place in read else part.pattern
            for part in self._parts
        )
        return "".join(parts)

    def finish(self) -> Template:
        """Return the template of entries such as this one."""
        shape = self._shape
        places = [0, *sorted(shape.texts)]  # of the groups
        types = tuple([self._attributes[place].get("type") for place in shape.facts])
        codes = tuple([_language(self._attributes[place]) for place in shape.sections])
        pair = (places.index(shape.pair[1]), places.index(shape.pair[3])) if shape.pair else None
        return Template(re.compile(self.pattern), codes, renumber(shape.layout(types), places), pair)

    def _read(self, entry: str) -> bool:
        """Read the tags; tell whether there was nothing else but texts of elements without others in them."""
        end = 0
        for token in _TOKEN.finditer(entry):
            closing, name, rest, empty, text = token.groups()
            if token.start() != end or (closing and not self._open):
                return False
            end = token.end()
            if closing:
                self._open.pop()
                self._parts.append(re.escape(f"</{name}{rest}>"))
            elif not self._read_start(name, rest, empty):
                return False
            if not closing and not empty and entry.startswith("</", end):
                self._parts.append(_Text(len(self._tags) - 1, _TEXT))
            elif text.strip(" \t\n"):
                return False
            else:
                self._parts.append(_SPACE.pattern)
        return end == len(entry) and not self._open

    def _read_start(self, name: str, rest: str, empty: str) -> bool:
        place = len(self._tags)
        attributes = list(_ATTRIBUTE.finditer(rest))
        told = {each[2]: each[4][1:-1] for each in attributes}
        if "".join(each[0] for each in attributes) != rest.rstrip() or (not place and "\n" in rest):
            return False
        holes = (_hole(each, is_read=not place and each[2] == "id") for each in attributes)
        space = re.escape(rest[len(rest.rstrip()) :])
        identity = "" if place or "id" in told else "()"
        self._parts.append(f"<{re.escape(name)}{''.join(holes)}{space}{empty}>{identity}")
        if empty:
            self._parts.append(_Text(place, ""))
        if self._open:
            self._sizes[self._open[-1]] += 1
        if not empty:
            self._open.append(place)
        self._tags.append(name.rpartition(":")[2])
        self._sizes.append(0)
        self._attributes.append(told)
        return True


class _Text(NamedTuple):
    """A part of a pattern: the text of an element."""

    place: int
    pattern: str


def _hole(attribute: "re.Match[str]", *, is_read: bool) -> str:
    """Return what matches an attribute: of most any value, which may be read."""
    space, name, equals, value = attribute.groups()
    if name in _TELLING:
        return re.escape(attribute[0])
    inside = f"[^{value[0]}<&\t\n{_NO_XML}]*"
    return f"{re.escape(space + name + equals)}{value[0]}{f'({inside})' if is_read else inside}{value[0]}"


def _language(attributes: Mapping[str, str]) -> str:
    code = attributes.get("xml:lang") or attributes.get("lang") or ""
    return language_of(code) or code
