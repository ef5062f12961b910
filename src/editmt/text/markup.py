"""Markup and placeholders: what stands in a text for a program, and must come out as it went in.

"Open <b>{name}</b>"   →   text, an element with a placeholder in it
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from editmt.text.phrases import Span

Kind = Literal["open", "close", "tag", "placeholder", "address", "number"]
"""`open` and `close` are tags that may belong together; a `tag` stands alone."""

BREAKING_TAGS = frozenset(
    """
    address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li
    main nav ol p pre section table tbody td tfoot th thead title tr ul
    """.split()  # noqa: SIM905 - words are easier to read so
)
"""HTML's that end a line or a cell: no sentence goes on beyond them."""
_VOID_TAGS = frozenset(("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))

MOST_NESTED = 16
"""Elements within elements; deeper ones are taken for tags that stand alone."""

_CONVERSION = r"(?:hh?|ll?|[Lqjzt])?[diouxXeEfFgGaAcCsSp@]"
_LINK = r"\]\((?:[^()\s]|\([^()\s]*\))+(?: \"[^\"\n]*\")?\)"
_PATTERNS: tuple[tuple[Kind, str], ...] = (
    ("tag", r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<[!?][a-zA-Z][^<>]*>"),
    ("tag", r"</?[a-zA-Z][\w:.-]*(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?>|</?[0-9]{1,3}\s?/?>"),
    ("placeholder", r"<%[^<>%]*%>"),
    ("open", rf"!?\[(?=[^\[\]\n]*{_LINK})"),
    ("close", _LINK),
    (
        "address",
        r"(?:https?://|ftp://|\b(?:file|mailto|tel):/{0,3})[^\s<>\"'«»“”„{}|\\^`]*[^\s<>\"'«»“”„{}|\\^`.,;:!?()\[\]]",
    ),
    ("address", r"\bwww\.[\w-]+(?:\.[\w-]+)+(?:/[^\s<>\"'«»“”„]*[\w/=#-])?"),
    ("address", r"\b[\w.+-]*\w@\w[\w-]*(?:\.\w[\w-]*)+"),
    ("placeholder", r"&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});"),
    ("open", r"\{[0-9biu^_]{1,3}>"),
    ("close", r"<[0-9biu^_]{1,3}\}"),
    ("placeholder", r"[$#%@]?\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\[\[[^\[\]\n]+\]\]"),
    ("placeholder", r"(?<!\w)(?P<around>##|%%|__)[a-zA-Z](?:\w*[a-zA-Z0-9])?(?P=around)(?!\w)"),
    ("placeholder", r"\$(?:tc?\([^()\n]*\)|\([a-zA-Z][\w.:-]*\))|%(?:[0-9]+\$)?#@\w+@"),
    ("placeholder", r"%%|%\([^()\s]+\)[-+#0-9.]*[diouxXeEfFgGcrsa]|%<[^<>\s]+>[-+#0-9.]*[a-zA-Z]"),
    ("placeholder", r"%(?:[0-9]+\$)[-+#0',(]*(?:[0-9]+|\*)?(?:\.(?:[0-9]+|\*))?" + _CONVERSION),
    ("placeholder", r"(?<![\w%])%[a-zA-Z][\w.-]+%(?![\w%])"),
    ("placeholder", r"(?<![\w%])(?:%[a-z][a-z_]+[a-z]|[@!][a-z][\w-]*\w|:[a-z]\w*\w(?!\w*:))(?![\w(%])"),
    ("placeholder", r"(?<![0-9])%[-+#0']*(?:[1-9][0-9]*|\*)?(?:\.(?:[0-9]+|\*))?" + _CONVERSION),
    (
        "placeholder",
        r"%[A-Z][A-Z0-9_]+%?|%[0-9]+(?:%(?![\w%]))?|%L[0-9]+|(?<![0-9])%[a-zA-Z](?![a-zA-Z])|\$[A-Za-z_]\w*|\$[0-9]+\b|@@?[A-Z_]{2,}@@?",
    ),
    ("placeholder", r"\\[nrt\"'\\]|\\u[0-9a-fA-F]{4}"),
    (
        "number",
        r"(?<![\w.])v?[0-9]+(?:[.,:/\u00a0\u202f-][0-9]+)*(?!(?:st|nd|rd|th|s)\b)[A-Za-zµ°]{0,3}(?!\w)",
    ),
)
"""Phrase's tags are open and close: "{1>bold<1}", and so are Markdown's links: "[here](url)".

Drupal's are %name, @count, !x, :url, Symfony's %name%, i18next's $t(key) and __name__, Xcode's %#@name@, and
React's tags are numbers: "<0>bold</0>".
"""
_WIDTH = r"(?:[1-9][0-9]*|\*)?(?:\.(?:[0-9]+|\*))?"
_FORMATS = {
    "%": rf"%[-+#0' ]*{_WIDTH}<PRI\w+>|%[0-9]+:-?{_WIDTH}[a-zA-Z]|%[-+#0' ]* [-+#0' ]*{_WIDTH}{_CONVERSION}"
    rf"|%(?!L[0-9])(?:[0-9]+\$)?[-+#0',I]*{_WIDTH}(?:hh?|ll?|q[+#]*|[Ljztvw])?[a-zA-Z@]"
    r"|%\|[^|\s]*\||%\([^()]*%\)[0-9]*|%<[^\s<>]*%>|%<[^<>\s%]+>[-+#0-9.]*[a-zA-Z]|%\{[^{}\s%]+\}|%[<>{}']",
    "1": r"%L?[0-9]{1,2}|%n\b|%",
    "'": r"'[{}][^'{}]*[{}]?'|(?<![^\W_])''|''(?![^\W_])",
    "~": r"~(?:[-+]?[0-9]+|'.|[,:@])*[a-zA-Z%~&|]",
}
"""Where all with such a sign is a format: a blank may be a flag, and each language has letters of its own.
Java's apostrophes are doubled, or stand around what is no format.

`1` is "%" where only numbers may follow it: there "100% sure" has no format.
"""
_SIGNS = re.compile(r"[<&{%~$@!\\0-9\[:]|www\.|__|##")
"""Each unit has one of these: a text without them, as most are, need not be looked at for long."""
_ORDERED = re.compile(
    r"~(?![%~&|])|%[<>{}']$|%[<(].*%[>)]$|%(?![0-9]+[$:]|[%({]|<(?!PRI)|[A-Z][A-Z0-9_]|[0-9]+%?$|n$|L[0-9])|[$#%@]?\{\}"
)
"""Placeholders that are told apart by their order only: `%s` and `{}`, not `%1$s` and `{0}`."""
_TAG_NAME = re.compile(r"</?([a-zA-Z][\w:.-]*|[0-9]+)")


@dataclass(frozen=True)
class Unit:
    """A stretch of the text that is for a program.

    name
        A tag's; opening and closing ones with the same name may belong together.
    ordered
        Whether it has to keep its place among others of this kind, as `%s` has among `%d`.
    """

    span: Span
    text: str
    kind: Kind
    name: str = ""
    ordered: bool = False

    @property
    def breaking(self) -> bool:
        """Whether no sentence goes on beyond it."""
        return self.kind in {"open", "close", "tag"} and self.name in BREAKING_TAGS


@dataclass(frozen=True)
class Code:
    """What a character stands for that a document's reader has put in the place of its own markup."""

    kind: Kind
    name: str = ""
    ordered: bool = False

    @property
    def unit(self) -> Unit:
        """The unit that it is, without its place."""
        return Unit((0, 0), "", self.kind, self.name, self.ordered)


@dataclass(frozen=True)
class Notation:
    """What counts as markup in a text.

    codes
        Characters that stand for a document's own tags.
    special
        Characters that mean something wherever they stand, so that no other word may have them: "%" where
        gettext reads formats. There a blank may be a flag: in "100% sure" is "% s".
    numbered
        Whether "%" is special before numbers only, as Qt and KDE have it.

    >>> [unit.text for unit in Notation().find("<b>%s</b> has {n} mails, 3.5 MB &nbsp; x@y.org")]
    ['<b>', '%s', '</b>', '{n}', '3.5', '&nbsp;', 'x@y.org']
    """

    codes: Mapping[str, Code] = field(default_factory=dict)
    special: str = ""
    numbered: bool = False

    def find(self, text: str) -> list[Unit]:
        """Return the markup and placeholders of a text, in its order."""
        if not self.codes and not _SIGNS.search(text):
            return []
        signs = self.special.replace("%", "1") if self.numbered else self.special
        pattern = _pattern("".join(sign for sign in _FORMATS if sign in signs))
        found = [_unit(match) for match in pattern.finditer(text)] if _SIGNS.search(text) else []
        if not self.codes:
            return found
        own = [
            replace(self.codes[character].unit, span=(place, place + 1), text=character)
            for place, character in enumerate(text)
            if character in self.codes
        ]
        free = [unit for unit in found if self._is_one(unit)]
        around = [unit.span for unit in free if any(character in self.codes for character in unit.text)]
        alone = [unit for unit in own if not any(start <= unit.span[0] < end for start, end in around)]
        return sorted([*alone, *free], key=lambda unit: unit.span)

    def _is_one(self, unit: Unit) -> bool:
        """Tell whether a unit may have a document's own tags in it, if it has some.

        A plural's forms may: "{n, plural, one {a} other {<x/> b}}". What begins in it has to end in it.
        """
        inside = [self.codes[character] for character in unit.text if character in self.codes]
        if not inside:
            return True
        paired = sorted(code.name for code in inside if code.kind == "open")
        return unit.kind == "placeholder" and paired == sorted(
            code.name for code in inside if code.kind == "close"
        )


def _unit(match: "re.Match[str]") -> Unit:
    assert match.lastgroup is not None  # each alternative is a group
    kind = _PATTERNS[int(match.lastgroup[1:])][0] if match.lastgroup != "format" else "placeholder"
    text = match[0]
    if kind in {"open", "close"}:
        name = text.strip("{<>}") if text[0] in "{<" else "["
        return Unit(match.span(), text, kind, name)
    if kind != "tag":
        return Unit(match.span(), text, kind, ordered=kind == "placeholder" and bool(_ORDERED.match(text)))
    found = _TAG_NAME.match(text)
    name = found[1].lower() if found else ""
    if not name or text.endswith("/>") or name in _VOID_TAGS:
        return Unit(match.span(), text, "tag", name)
    return Unit(match.span(), text, "close" if text.startswith("</") else "open", name)


@cache
def _pattern(signs: str) -> "re.Pattern[str]":
    """Return all patterns as one, compiled when first used; with the formats of some signs."""
    parts = [f"(?P<p{number}>{pattern})" for number, (_, pattern) in enumerate(_PATTERNS)]
    if signs:
        parts.insert(0, f"(?P<format>{'|'.join(_FORMATS[sign] for sign in signs)})")
    return re.compile("|".join(parts), re.DOTALL)


@dataclass(frozen=True)
class Text:
    """Words to translate."""

    text: str


@dataclass(frozen=True)
class Locked:
    """A unit that stays as it is."""

    unit: Unit


@dataclass(frozen=True)
class Element:
    """What stands between two tags that belong together."""

    open: Unit
    nodes: "tuple[Node, ...]"
    close: Unit


Node = Text | Locked | Element


def parse_markup(text: str, units: Sequence[Unit]) -> tuple[Node, ...]:
    """Return the text as a tree: tags that belong together are elements, others stand alone and in order.

    >>> text = "a <b>c</b> <i>"
    >>> [type(node).__name__ for node in parse_markup(text, Notation().find(text))]
    ['Text', 'Element', 'Text', 'Locked']
    """
    partners = _pair_tags(units)
    nodes, _ = _parse(text, units, partners, (0, len(units)), 0)
    rest = text[units[-1].span[1] if units else 0 :]
    return (*nodes, Text(rest)) if rest else nodes


def _parse(
    text: str, units: Sequence[Unit], partners: Mapping[int, int], within: Span, place: int
) -> tuple[tuple[Node, ...], int]:
    """Return the nodes of the units within, and where in the text they end."""
    nodes: list[Node] = []
    number, last = within
    while number < last:
        unit = units[number]
        if place < unit.span[0]:
            nodes.append(Text(text[place : unit.span[0]]))
        place = unit.span[1]
        partner = partners.get(number)
        if partner is None:
            nodes.append(Locked(replace(unit, ordered=unit.ordered or unit.kind in {"open", "close"})))
        else:
            inner, place = _parse(text, units, partners, (number + 1, partner), place)
            close = units[partner]
            if place < close.span[0]:
                inner = (*inner, Text(text[place : close.span[0]]))
            nodes.append(Element(unit, inner, close))
            number, place = partner, close.span[1]
        number += 1
    return tuple(nodes), place


def _pair_tags(units: Sequence[Unit]) -> dict[int, int]:
    """Return which closing tag belongs to which opening one; of those that overlap none does.

    >>> _pair_tags(Notation().find("<p><b>a</b> <i>b<u></i></u></p>"))
    {1: 2, 0: 7}
    """
    open_tags: dict[str, list[int]] = {}
    partners: dict[int, int] = {}
    for number, unit in enumerate(units):
        if unit.kind == "open":
            open_tags.setdefault(unit.name, []).append(number)
        elif unit.kind == "close" and open_tags.get(unit.name):
            partners[open_tags[unit.name].pop()] = number
    inside = _nest(partners)
    return {first: last for first, last in partners.items() if 0 < inside.get(first, 0) <= MOST_NESTED}


def _nest(partners: Mapping[int, int]) -> dict[int, int]:
    """Return how deep each pair lies, from 1; 0 for those that overlap with another."""
    depths: dict[int, int] = {}
    around: list[int] = []
    for first in sorted(partners):
        while around and partners[around[-1]] < first:
            around.pop()
        crossed = [each for each in around if partners[each] < partners[first]]
        for each in crossed:
            depths[each] = depths[first] = 0
        if first not in depths:
            depths[first] = len(around) + 1
        around.append(first)
        around.sort(key=lambda each: -partners[each])
    return depths
