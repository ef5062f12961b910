"""Plain text: a unit for each paragraph; between them all stays as it is."""

import re
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise

from editmt.errors import InputError
from editmt.text.documents.document import TextUnit
from editmt.text.encodings import decode

_BLANK = re.compile(r"(?:\r?\n[^\S\n]*){2,}")


class PlainText:
    r"""A text file in any common encoding; it is written in the same.

    >>> document = PlainText(b"One\nline.\n\n  Two.\n")
    >>> [unit.text for unit in document.units], document.render({1: "Zwei.\n"})
    (['One\nline.', 'Two.\n'], b'One\nline.\n\n  Zwei.\n')
    """

    def __init__(self, data: bytes, encoding: str | None = None) -> None:
        decoded = decode(data, encoding)
        if decoded.broken:
            line, reason = decoded.broken[0]
            raise InputError(f"line {line}: {reason}")
        if "\0" in decoded.text:
            raise InputError("this is not a text file")
        self._text, self._encoding = decoded.text, decoded.encoding
        self._mark = data[: len(data) - len(self._text.encode(self._encoding))]

    @cached_property
    def _parts(self) -> list[str]:
        """Paragraphs, and between them what parts them."""
        ends = [
            0,
            *(place for match in _BLANK.finditer(self._text) for place in match.span()),
            len(self._text),
        ]
        return [self._text[start:end] for start, end in pairwise(ends)]

    @cached_property
    def units(self) -> list[TextUnit]:
        """The paragraphs."""
        found, line = [], 1
        for number, part in enumerate(self._parts):
            if number % 2 == 0 and part.strip():
                found.append(TextUnit(part, line))
            line += part.count("\n")
        return found

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the text with these paragraphs in the place of its own."""
        parts, number = [], 0
        for place, part in enumerate(self._parts):
            if place % 2 == 0 and part.strip():
                parts.append(translations.get(number, part))
                number += 1
            else:
                parts.append(part)
        return self._mark + "".join(parts).encode(self._encoding, errors="replace")
