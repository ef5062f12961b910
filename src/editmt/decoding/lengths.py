"""How long a translation is foreseen to become, and how long it may."""

import numpy as np

from editmt.decoding.policy import Floats, Integers
from editmt.edits import Canvas, Placeholders


def foreseen_lengths(scores: Floats, quantile: float) -> Integers:
    """Return how many placeholders an empty canvas gets, by the scores of each number (B, N).

    Lengths are told apart less surely than small counts, and the likeliest of many that are nearly as likely
    is too short more often than too long: a quantile is the least that is enough with that probability.

    >>> scores = np.log([[0.1, 0.4, 0.3, 0.2]])
    >>> foreseen_lengths(scores, 0).tolist(), foreseen_lengths(scores, 0.6).tolist()
    ([1], [2])

    Differs: the paper takes the likeliest, which is quantile 0 here.
    """
    likeliest: Integers = scores.argmax(-1)
    if not quantile:
        return likeliest
    likely = np.exp(scores - scores.max(-1, keepdims=True)).cumsum(-1)
    enough: Integers = (likely < quantile * likely[:, -1:]).sum(-1)
    return enough


def limit(canvas: Canvas, action: Placeholders, most_tokens: Integers) -> Placeholders:
    """Cut the placeholders, from the right, to what the limit leaves room for."""
    room = np.maximum(most_tokens - canvas.lengths, 0)
    wanted = action.count * canvas.gaps
    if (wanted.sum(axis=1) <= room).all():
        return Placeholders(wanted)
    total = np.minimum(np.cumsum(wanted, axis=1), room[:, None])
    return Placeholders(np.diff(total, axis=1, prepend=0))
