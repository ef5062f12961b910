"""Where a phrase stands in a text, as a reader sees it: whole words, in this very form."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from editmt.text.vocabulary import is_written_without_spaces

Span = tuple[int, int]
"""Characters from the first up to, but without, the second."""

BREAKING_SPACES = re.compile(r"[^\S\u00a0\u2007\u202f]+")
"""Spaces, tabs and line ends; those that keep "5 kg" in one line are a user's choice."""

JOINERS = "\u00ad\u200c\u200d\u2060"
"""Soft hyphen, zero-width non-joiner and joiner, word joiner: what is left and right of them is one word."""

SKIN_TONES = "🏻🏼🏽🏾🏿"


def tidy(phrase: str) -> str:
    """Return the phrase with one space between its words and none around; `▁` is SentencePiece's space."""
    return BREAKING_SPACES.sub(" ", phrase.replace("▁", " ")).strip()


def find_phrase(text: str, phrase: str) -> Iterator[Span]:
    """Yield where the phrase stands at word boundaries; places may overlap, and any space is like another.

    >>> list(find_phrase("Haus, Hauses, Haus", "Haus"))
    [(0, 4), (14, 18)]
    """
    words = phrase.split()
    start = text.find(words[0]) if words else -1
    while start >= 0:
        end = _end_of_match(text, start, words)
        if end is not None and is_whole(text, (start, end)):
            yield start, end
        start = text.find(words[0], start + 1)


def is_whole(text: str, span: Span) -> bool:
    """Tell whether the span begins and ends where words do.

    >>> is_whole("Haus, Hauses", (0, 4)), is_whole("Haus, Hauses", (6, 10))
    (True, False)
    """
    start, end = span
    return not (_is_joined(text, start, start) or _is_joined(text, end, end - 1))


def count_phrase(text: str, phrase: str) -> int:
    """Return how often the phrase stands in the text."""
    return sum(1 for _ in find_phrase(text, phrase))


def count_lacking(text: str, wanted: Mapping[str, int]) -> int:
    """Return how many phrases, each wanted so often, have no place of their own; the longest choose first.

    >>> count_lacking("ja ja ja", {"ja ja": 2}), count_lacking("ja ja und ja ja", {"ja ja": 2})
    (1, 0)
    """
    lacking, taken = 0, bytearray(len(text))
    for phrase in sorted(wanted, key=len, reverse=True):
        left = wanted[phrase]
        for start, end in find_phrase(text, phrase):
            if left and not any(taken[start:end]):
                taken[start:end] = b"x" * (end - start)
                left -= 1
        lacking += left
    return lacking


def _end_of_match(text: str, start: int, words: Sequence[str]) -> int | None:
    """Return where the words end that begin at the start, if they stand there with spaces between them."""
    end = start + len(words[0])  # which was found
    for word in words[1:]:
        after_space = end
        while text[after_space : after_space + 1].isspace():
            after_space += 1
        if after_space == end or not text.startswith(word, after_space):
            return None
        end = after_space + len(word)
    return end


def _is_joined(text: str, place: int, edge: int) -> bool:
    """Tell whether the characters before and after the place belong to one word, or are one character.

    `edge` is the phrase's own one of the two: of a script without spaces, any place may be a boundary.
    """
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before.isspace() or after.isspace():
        return False
    if unicodedata.category(after)[0] == "M" or after in SKIN_TONES:
        return True  # an accent of the letter before it, the colour of the hand before it
    if before in JOINERS or after in JOINERS:
        return True
    if _is_within_flag(text, place):
        return True
    return _is_letter(before) and _is_letter(after) and not is_written_without_spaces(text[edge])


def _is_within_flag(text: str, place: int) -> bool:
    """Tell whether the place is between the two letters of a flag; flags in a row are told apart by pairs."""
    letters = 0
    while letters < place and _is_flag_letter(text[place - 1 - letters]):
        letters += 1
    return letters % 2 == 1 and _is_flag_letter(text[place])


def _is_flag_letter(character: str) -> bool:
    return "🇦" <= character <= "🇿"


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMN" or character == "_"
