"""A text as a reader sees it: letters composed, invisible characters left out; and where each stood.

"Boot" with a soft hyphen in it looks like "Boot", and a letter with an accent after it like the accented one:
whoever looks for words has to find these, too.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's default ignorable code points: soft hyphens, zero-width spaces, joiners, direction marks …"""

JOINER = "\u200d"
GLUE = re.compile(f"[{JOINER}\U000e0020-\U000e007f]")
"""The joiner and the tags, which between and after symbols make one emoji of several characters."""

HANGUL_PARTS = re.compile("[\u1160-\u11ff]")
"""Vowels and finals, which are composed with what is before them as accents are."""


class Folded(NamedTuple):
    """The text that is seen, and where its characters begin and end in the text that was given."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


@lru_cache(maxsize=512)
def fold(text: str) -> Folded:
    """Return the text as it is seen.

    >>> folded = fold("Bo\u00adot cafe\u0301")
    >>> folded.text, folded.starts[-1], folded.ends[-1]
    ('Boot café', 9, 11)
    """
    if text.isascii() or (unicodedata.is_normalized("NFC", text) and not INVISIBLE.search(text)):
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    shown, starts, ends = "", [], []
    for cluster in _clusters(text, _seen(text)):
        given = "".join(text[place] for place in cluster)
        composed = unicodedata.normalize("NFC", given)
        shown += composed
        same = composed == given
        starts += cluster if same else cluster[:1] * len(composed)
        ends += [place + 1 for place in (cluster if same else cluster[-1:] * len(composed))]
    return Folded(shown, starts, ends)


def is_glue(character: str) -> bool:
    """Tell whether the character is one of those that hold an emoji together."""
    return bool(GLUE.match(character))


def _seen(text: str) -> list[int]:
    """Return the places of what is visible, and of what makes one emoji of the symbols beside it."""
    nexts, after = [], ""
    for character in reversed(text):
        nexts.append(after)
        after = after if INVISIBLE.match(character) else character
    places, before = [], ""
    for place, (character, after) in enumerate(zip(text, reversed(nexts), strict=True)):
        if not INVISIBLE.match(character):
            before = character
            places.append(place)
        elif is_glue(character) and _is_symbol(before) and (character != JOINER or _is_symbol(after)):
            places.append(place)
    return places


def _is_symbol(character: str) -> bool:
    return bool(character) and unicodedata.category(character)[0] == "S"


def _clusters(text: str, places: Sequence[int]) -> list[list[int]]:
    """Group the places of characters that may be composed: a letter and its accents."""
    clusters: list[list[int]] = []
    for place in places:
        character = text[place]
        joins = unicodedata.category(character)[0] == "M" or HANGUL_PARTS.match(character)
        if joins and clusters:
            clusters[-1].append(place)
        else:
            clusters.append([place])
    return clusters
