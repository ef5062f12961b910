"""How sure the model was of each word of a translation."""

import math
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from editmt.decoding.translation import Translation
from editmt.text import TextPipeline
from editmt.text.phrases import Span


@dataclass(frozen=True)
class WordConfidence:
    """A word's characters, and the probability of its least likely token; a user's own words have 1."""

    span: Span
    confidence: float


def rate_words(translation: Translation, pipeline: TextPipeline) -> list[WordConfidence]:
    """Return the words of a translation in order; none, where the model or the pipeline cannot tell.

    Only whole words are decoded, each with all before it: half of a character's bytes have another length.
    """
    scores, ids = translation.outcome.token_scores, translation.outcome.ids
    if not scores:
        return []
    words, start = [], 0
    numbers = pipeline.vocabulary.words(np.array(ids, dtype=np.int64)).tolist()
    for _, group in groupby(range(len(ids)), key=numbers.__getitem__):
        places = list(group)
        before = pipeline.decode(ids[: places[-1] + 1])
        if not translation.text.startswith(before):  # Moses puts words together only in the end
            return []
        word = before[start:]
        if word.strip():
            span = (len(before) - len(word.lstrip()), len(before))
            words.append(WordConfidence(span, math.exp(min(scores[place] for place in places))))
        start = len(before)
    return words
