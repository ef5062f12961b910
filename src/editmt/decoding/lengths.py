"""How long a translation may become, and how long it should.

From an empty canvas an edit model foresees the length of the translation well: it is one count. Around a
user's words it is the sum of many counts, each the likeliest of its gap, and the likeliest is often none; so
the first canvas comes out short. `reach` lets the first insertion come up to what the model foresees.
"""

import numpy as np

from editmt.decoding.policy import Floats, Integers, Policy
from editmt.edits import Canvas, Placeholders
from editmt.text import BOS, EOS

MOST_COST = 4.0
"""Of the score, for one more token: where it costs more, none is inserted."""


def limit(canvas: Canvas, action: Placeholders, most_tokens: Integers) -> Placeholders:
    """Cut the placeholders, from the right, to what the limit leaves room for."""
    room = np.maximum(most_tokens - canvas.lengths, 0)[:, None]
    wanted = action.count * canvas.gaps
    total = np.minimum(np.cumsum(wanted, axis=1), room)
    return Placeholders(np.diff(total, axis=1, prepend=0))


def foresee(policy: Policy, rows: int) -> Integers:
    """Return how many tokens the model would put on an empty canvas, for each source: (B,)."""
    scores = policy.placeholder_scores(Canvas.of([[BOS, EOS]] * rows))  # (B, 1, 256)
    best: Integers = scores[:, 0].argmax(-1)
    return best


def reach(scores: Floats, canvas: Canvas, action: Placeholders, lengths: Integers) -> Placeholders:
    """Add placeholders, where that costs the least of the scores (B, G, 256), up to so many tokens (B,).

    Differs: the paper inserts the likeliest count into each gap, whatever their sum.
    """
    count: Integers = action.count * canvas.gaps
    missing = lengths - canvas.interior.sum(axis=1) - count.sum(axis=1)
    for row in np.flatnonzero(missing > 0).tolist():
        gaps = np.flatnonzero(canvas.gaps[row])
        count[row, gaps] = _add(scores[row, gaps], count[row, gaps], int(missing[row]))
    return Placeholders(count)


def _add(scores: Floats, count: Integers, missing: int) -> Integers:
    """Return the counts (G,) with so many more, each time to the count that is cheapest a token.

    >>> _add(np.array([[0.0, -3.0, -9.0], [0.0, -5.0, -2.0]]), np.array([0, 0]), 3).tolist()
    [1, 2]
    """
    count = count.copy()
    gaps, numbers = np.arange(len(count))[:, None], np.arange(scores.shape[1])
    while missing > 0:
        more = numbers - count[:, None]  # (G, 256) tokens more than now
        possible = (more > 0) & (more <= missing)
        gain = (scores - scores[gaps, count[:, None]]) / np.where(possible, more, 1)
        best = int(np.where(possible, gain, -np.inf).argmax())
        gap, number = divmod(best, scores.shape[1])
        if not possible[gap, number] or gain[gap, number] < -MOST_COST:
            break
        missing -= int(more[gap, number])
        count[gap] = number
    return count
