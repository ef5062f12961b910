"""From a sentence's tokens to its text, in which a user's phrases stand as the user wrote them."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from editmt.text import TextPipeline
from editmt.text.pipeline import Own


class Phrase(NamedTuple):
    """A phrase that is locked in a canvas: its tokens, and what the user wrote, if it is hard."""

    ids: tuple[int, ...]
    text: str


def write(pipeline: TextPipeline, ids: Sequence[int], locks: Sequence[int], phrases: Sequence[Phrase]) -> str:
    """Return the text of tokens; `phrases` are those with the locks 1, 2, …; no locks are none.

    What is left of a phrase that lost some of its tokens is text as any other.
    """
    if not phrases or not any(locks):
        return pipeline.decode(ids)
    own = []
    for lock, group in groupby(range(len(ids)), key=locks.__getitem__):
        places = list(group)
        start, end = places[0], places[-1] + 1
        phrase = phrases[lock - 1] if lock else Phrase((), "")
        if phrase.text and tuple(ids[start:end]) == phrase.ids:
            own.append(Own(start, end, phrase.text))
    return pipeline.decode(ids, own)
