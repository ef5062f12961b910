"""How sure the model was of each word of a translation."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, pairwise

import numpy as np

from editmt.decoding.translation import Translation
from editmt.text import TextPipeline
from editmt.text.phrases import Span
from editmt.text.subwords import SPACE


@dataclass(frozen=True)
class WordConfidence:
    """A word's characters, and the probability of its least likely token; a user's own words have 1."""

    span: Span
    confidence: float


def rate_words(translation: Translation, pipeline: TextPipeline) -> list[WordConfidence]:
    """Return the words of a translation in order; none, where the model or the pipeline cannot tell."""
    scores, ids, text = translation.outcome.token_scores, translation.outcome.ids, translation.text
    if not scores:
        return []
    numbers = pipeline.vocabulary.words(np.array(ids, dtype=np.int64)).tolist()
    last = [number != following for number, following in pairwise([*numbers, None])]
    ends = _count_letters(ids, text, pipeline) or _decode_words(ids, text, last, pipeline)
    rated, start, worst = [], 0, math.inf
    for place, score in enumerate(scores):
        worst = min(worst, score)
        if not last[place]:
            continue
        end = ends.get(place)
        if end is None:
            return []
        word = text[start:end].lstrip()
        if word:
            rated.append(WordConfidence((end - len(word), end), math.exp(worst)))
        start, worst = end, math.inf
    return rated


def _count_letters(ids: Sequence[int], text: str, pipeline: TextPipeline) -> dict[int, int]:
    """Return where in the text each token ends; none, if the text is not the pieces one after the other."""
    pieces = [pipeline.vocabulary.pieces[index].replace(SPACE, " ") for index in ids]
    if "".join(pieces).removeprefix(" ") != text:
        return {}
    first = -int(pieces[0].startswith(" "))
    return dict(enumerate(accumulate((len(piece) for piece in pieces[1:]), initial=len(pieces[0]) + first)))


def _decode_words(
    ids: Sequence[int], text: str, last: Sequence[bool], pipeline: TextPipeline
) -> dict[int, int]:
    """Return where in the text each token ends that is the `last` of a word; none, where it cannot be told.

    Only whole words are decoded, each with all before it: half of a character's bytes have another length.
    """
    ends = {}
    for place in compress(range(len(ids)), last):
        before = pipeline.decode(ids[: place + 1])
        if not text.startswith(before):  # Moses puts words together only in the end
            return {}
        ends[place] = len(before)
    return ends
