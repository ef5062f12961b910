"""Where a phrase stands in a text, as a reader sees it: whole words, in this very form."""

import unicodedata
from collections.abc import Iterator

from editmt.text.vocabulary import is_written_without_spaces

Span = tuple[int, int]
"""Characters from the first up to, but without, the second."""


def tidy(phrase: str) -> str:
    """Return the phrase with one space between its words and none around; `▁` is SentencePiece's space."""
    return " ".join(phrase.replace("▁", " ").split())


def find_phrase(text: str, phrase: str) -> Iterator[Span]:
    """Yield where the phrase stands at word boundaries; places may overlap.

    >>> list(find_phrase("Haus, Hauses, Haus", "Haus"))
    [(0, 4), (14, 18)]
    """
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        end = start + len(phrase)
        if not (_is_joined(text, start) or _is_joined(text, end)):
            yield start, end
        start = text.find(phrase, start + 1)


def count_phrase(text: str, phrase: str) -> int:
    """Return how often the phrase stands in the text."""
    return sum(1 for _ in find_phrase(text, phrase))


def _is_joined(text: str, place: int) -> bool:
    """Tell whether the characters before and after the place belong to one word.

    Where words are written without spaces, any place may be a boundary.
    """
    if not 0 < place < len(text):
        return False
    if unicodedata.category(text[place])[0] == "M":
        return True  # an accent of the letter before it
    return all(_is_letter(character) for character in text[place - 1 : place + 1])


def _is_letter(character: str) -> bool:
    marked = unicodedata.category(character)[0] in "LMN" or character == "_"
    return marked and not is_written_without_spaces(character)
