"""Texts with markup, as other services' clients send them: what is not to be translated is hidden.

What is hidden is one character while the text is translated, and is put back into the translation.
"""

import html
import re
from collections.abc import Collection, Iterator, Sequence

from editmt.decoding.segments import Segment
from editmt.text.markup import Code, Notation, Unit
from editmt.text.phrases import Span

FIRST_PRIVATE, MOST_PRIVATE = 0xE000, 6_400
"""Characters that mean nothing, and so can stand for what is not to be translated."""

PROGRAMS = ("script", "style")
"""Elements of HTML whose text nobody reads."""

_KEPT = re.compile(
    r"""\stranslate\s*=\s*["']?no\b|\sclass\s*=\s*(?:"[^"]*\bnotranslate\b|'[^']*\bnotranslate\b|notranslate\b)""",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


class PlainText:
    """A text without markup that a client knows of."""

    def __init__(self, text: str) -> None:
        self.segment = Segment(text)

    def restore(self, text: str) -> str:
        """Return it as it is."""
        return text


class HiddenMarkup:
    """A text as it is translated, and the way back.

    >>> hidden = HiddenMarkup("Click <x>Save</x>, don&#39;t wait", ["x"])
    >>> len(hidden.segment.text), hidden.restore(hidden.segment.text)
    (19, "Click <x>Save</x>, don't wait")
    """

    def __init__(self, text: str, ignored: Collection[str], *, is_html: bool = False) -> None:
        names = {name.strip().lower() for name in ignored}
        tags = [unit for unit in Notation().find(text) if unit.kind in ("open", "close", "tag")]
        free = (c for c in map(chr, range(FIRST_PRIVATE, FIRST_PRIVATE + MOST_PRIVATE)) if c not in text)
        self._hidden: dict[str, str] = {}
        shown, done = "", 0
        for start, end in _find_elements(tags, names, is_html=is_html):
            code = next(free, None)
            if code is None:
                break
            self._hidden[code] = text[start:end]
            shown, done = shown + _read(text[done:start]) + code, end
        shown += _read(text[done:])
        self.segment = Segment(shown, Notation(codes={code: Code("placeholder") for code in self._hidden}))

    def restore(self, text: str) -> str:
        """Put back what was hidden."""
        return "".join(self._hidden.get(character, character) for character in text)


def _find_elements(tags: Sequence[Unit], names: Collection[str], *, is_html: bool) -> Iterator[Span]:
    """Yield where the outermost elements are that stay as they are, from their first tag to their last."""
    ends, opened = dict[int, int](), dict[str, list[int]]()
    for number, tag in enumerate(tags):
        if tag.kind == "open":
            opened.setdefault(tag.name, []).append(number)
        elif tag.kind == "close" and opened.get(tag.name):
            ends[opened[tag.name].pop()] = tag.span[1]
        elif tag.kind == "tag":
            ends[number] = tag.span[1]  # it has no end but its own
    done = 0
    for number, tag in enumerate(tags):
        kept = tag.name in names or (is_html and _is_kept(tag))
        if kept and number in ends and tag.span[0] >= done:
            done = ends[number]
            yield tag.span[0], done


def _is_kept(tag: Unit) -> bool:
    """Tell whether HTML says of an element that it is not to be translated."""
    return tag.name in PROGRAMS or bool(_KEPT.search(tag.text))


def _read(text: str) -> str:
    """Return a text with the characters that it refers to, but for those that markup needs, and spaces."""
    if "&" not in text:
        return text
    tags = [unit.span for unit in Notation().find(text) if unit.kind in ("open", "close", "tag")]
    read, done = "", 0
    for start, end in [*tags, (len(text), len(text))]:
        read += _REFERENCE.sub(_resolve, text[done:start]) + text[start:end]
        done = end
    return read


def _resolve(match: "re.Match[str]") -> str:
    found = html.unescape(match[0])
    readable = len(found) == 1 and found.isprintable() and not found.isspace()
    return found if readable and found not in "<>&\ufffd" else match[0]
