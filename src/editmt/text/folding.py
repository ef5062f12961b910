"""Text in the form in which it is compared, with the way back to its own characters.

A glossary's "Start value" is to be found as "start value", over the end of a line, in decomposed Unicode.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from editmt.text.phrases import Span

_SAME = {ord(character): "'" for character in "’‘ʼ"} | {ord(character): "-" for character in "‐‑﹣"}
_SAME |= {ord("ς"): "σ"} | {ord("！") + place: chr(ord("!") + place) for place in range(94)}
"""Signs that look alike; and the wide letters, digits and marks of Japanese texts, in ASCII's order."""
_SOFT_HYPHEN = "\u00ad"
_SPACES = re.compile(r"\s\s|[\t\n\r\x0b\x0c\x1c-\x1f]")


@dataclass(frozen=True)
class Folded:
    """A text as it is compared; both strings have the same length.

    cased
        One space between words, composed characters, one kind of apostrophe and of hyphen, and of width.
    text
        The same in small letters.
    starts, ends
        Where each character begins and ends in the text as it was given.
    """

    cased: str
    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Return the given text's characters for a stretch of the folded ones."""
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    r"""Bring a text into the form in which it is compared.

    >>> folded = fold("The  Start\u00a0Value")
    >>> folded.text, folded.span(4, 15)
    ('the start value', (5, 16))
    """
    if text.isascii() and not _SPACES.search(text):
        return Folded(text, text.lower(), range(len(text)), range(1, len(text) + 1))
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end, cluster in _clusters(text):
        if cluster.isspace():
            cluster = " "  # noqa: PLW2901 - any space is like another
            if characters and characters[-1] == " ":
                ends[-1] = end
                continue
        characters.extend(cluster)
        starts += [start] * len(cluster)
        ends += [end] * len(cluster)
    cased = "".join(characters)
    return Folded(cased, _lower(cased), starts, ends)


def _clusters(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each character with its accents, composed; and where it stands."""
    composed = unicodedata.is_normalized("NFC", text)
    place = 0
    while place < len(text):
        end = place + 1
        while not composed and end < len(text) and _belongs_to_last(text[end]):
            end += 1
        cluster = text[place:end] if composed else unicodedata.normalize("NFC", text[place:end])
        if cluster != _SOFT_HYPHEN:
            yield place, end, cluster.translate(_SAME)
        place = end


def _belongs_to_last(character: str) -> bool:
    return (
        unicodedata.combining(character) > 0 or "\u1160" <= character <= "\u11ff"
    )  # accents; Hangul's parts


def _lower(text: str) -> str:
    lower = text.lower()
    if len(lower) == len(text):
        return lower.replace("ς", "σ")
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)
