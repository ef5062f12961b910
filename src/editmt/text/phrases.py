"""Where a phrase stands in a text, as a reader sees it: whole words, in this very form."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from editmt.text.visible import INVISIBLE, is_glue, see
from editmt.text.vocabulary import is_written_without_spaces

Span = tuple[int, int]
"""Characters from the first up to, but without, the second."""

BREAKING_SPACES = re.compile(r"[^\S\u00a0\u2007\u202f]+")
"""Spaces, tabs and line ends; those that keep "5 kg" in one line are a user's choice."""

_OTHER_SPACES = re.compile(r" *[^\S ]\s*")

_ASCII_KINDS = {code: "w" if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128)}
"""Letters, digits and what else belongs to a word, and the rest."""

SKIN_TONES = "🏻🏼🏽🏾🏿"


def tidy(phrase: str) -> str:
    """Return the phrase with one space between its words and none around; `▁` is SentencePiece's space.

    >>> tidy(" ein  Haus "), tidy("\u200b")   # what nobody can see is no phrase
    ('ein Haus', '')
    """
    if phrase.isascii():
        return " ".join(phrase.split())  # the same, and most are: a glossary has tens of thousands
    if phrase.isprintable() and "▁" not in phrase:
        text = " ".join(phrase.split())  # the same again: of all spaces only one is printable
    else:
        text = BREAKING_SPACES.sub(" ", phrase.replace("▁", " ")).strip()
    if not INVISIBLE.match(text):
        return text
    return text if see(text).text.strip() else ""


def even_spaces(text: str) -> str:
    r"""Return a text with one space for each stretch of other white space: models have hardly seen any.

    >>> even_spaces("I am\n  old,\tyes.  Two")
    'I am old, yes.  Two'
    """
    return _OTHER_SPACES.sub(" ", text)


def find_phrase(text: str, phrase: str) -> Iterator[Span]:
    """Yield where the phrase stands at word boundaries; places may overlap, and any space is like another.

    Letters may be composed or not, and invisible characters do not count, on either side.

    >>> list(find_phrase("Haus, Hauses, Ha\u00adus", "Haus"))
    [(0, 4), (14, 19)]
    """
    words, (text, starts, ends) = see(phrase).text.split(), see(text)
    start = text.find(words[0]) if words else -1
    while start >= 0:
        end = _end_of_match(text, start, words)
        if end is not None and is_whole(text, (start, end)):
            yield starts[start], ends[end - 1]
        start = text.find(words[0], start + 1)


def is_whole(text: str, span: Span, *, mixed: bool = False) -> bool:
    """Tell whether the span begins and ends where words do.

    Mixed: also where a word of letters with spaces stands right beside a script without, as in "新しいPCの".

    >>> is_whole("Haus, Hauses", (0, 4)), is_whole("Haus, Hauses", (6, 10))
    (True, False)
    """
    start, end = span
    return not any(
        _is_joined(text, place, text[place - 1 : place + 1] if mixed else text[edge : edge + 1])
        for place, edge in ((start, start), (end, end - 1))
    )


def find_edges(text: str, *, mixed: bool = False) -> Callable[[Span], bool]:
    """Return what `is_whole` would tell of spans of a text, when many of them are asked for.

    >>> is_edge = find_edges("Haus, Hauses")
    >>> is_edge((0, 4)), is_edge((6, 10))
    (True, False)
    """
    if not text.isascii():
        return partial(is_whole, text, mixed=mixed)
    kinds = text.translate(_ASCII_KINDS)
    return lambda span: (
        "ww"
        not in (
            kinds[max(span[0] - 1, 0) : span[0] + 1],
            kinds[max(span[1] - 1, 0) : span[1] + 1],
        )
    )


def count_phrase(text: str, phrase: str) -> int:
    """Return how often the phrase stands in the text."""
    return sum(1 for _ in find_phrase(text, phrase))


def count_lacking(places: Mapping[str, Sequence[Span]], wanted: Mapping[str, int]) -> int:
    """Return how many phrases, each wanted so often, have no place of their own; the longest choose first.

    `places` are all that each of them has in the text, whichever others have them, too.

    >>> places = {"ja ja": list(find_phrase("ja ja ja", "ja ja"))}
    >>> count_lacking(places, {"ja ja": 2})
    1
    """
    lacking, taken = 0, Places()
    for phrase in sorted(wanted, key=len, reverse=True):
        left = wanted[phrase]
        for span in places[phrase]:
            if left and taken.are_free(span):
                taken.append(span)
                left -= 1
        lacking += left
    return lacking


class Places(list[Span]):
    """Spans of a text that are spoken for.

    >>> Places([(0, 4)]).are_free((3, 5)), Places([(0, 4)]).are_free((4, 5))
    (False, True)
    """

    def are_free(self, span: Span) -> bool:
        """Tell whether none of them shares a character with the span."""
        return not any(span[0] < end and start < span[1] for start, end in self)


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


def _is_joined(text: str, place: int, edge: str) -> bool:
    """Tell whether the characters before and after the place belong to one word, or are one character.

    `edge` are those, the phrase's own or both, that make the place a boundary in a script without spaces.
    """
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before.isascii() and after.isascii():  # as most are, and nothing of the below
        return (before.isalnum() or before == "_") and (after.isalnum() or after == "_")
    if before.isspace() or after.isspace():
        return False
    if unicodedata.category(after)[0] == "M" or after in SKIN_TONES:
        return True  # an accent of the letter before it, the colour of the hand before it
    if is_glue(before) or is_glue(after) or _is_within_flag(text, place):
        return True
    return _is_letter(before) and _is_letter(after) and not any(map(is_written_without_spaces, edge))


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
