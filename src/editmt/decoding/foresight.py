"""Where a user's words will stand: what the model would write without them tells.

From an empty canvas an edit model foresees the length of the translation well, since it is one count, and
roughly which word goes where. Around words in any order it has to guess both at once, and its first canvas
comes out short and in disorder. So the first iteration puts each phrase where the model, writing from
nothing, finds it likeliest, with as many placeholders around as that leaves; these are filled as ever.

Differs: the paper repositions the words as the model likes, and inserts the likeliest count into each gap.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np

from editmt.config import DecodingConfig
from editmt.decoding.lengths import foreseen_lengths
from editmt.decoding.policy import Floats, Integers, Policy, Words
from editmt.edits import Canvas
from editmt.text import BOS, EOS, PLH

CANDIDATES = 16
"""Best words of a place that tell how likely any is, where nothing else does (`score_tokens`)."""


@dataclass(frozen=True, eq=False)
class Foreseen:
    """What the first iteration does with one canvas of phrases."""

    order: Integers  # (T,) of its tokens, boundaries included
    counts: Integers  # (T - 1,) placeholders in its gaps, once it is in that order


def foresee(
    policy: Policy, canvas: Canvas, phrases: Mapping[int, Sequence[int]], options: DecodingConfig
) -> dict[int, Foreseen]:
    """Foresee the first iteration of the rows that are made of phrases, of so many tokens each.

    They become as long as the model foresees, times `options.foresight`.
    """
    rows = np.array(list(phrases), dtype=np.int64)
    policy = policy.select(rows) if len(rows) < len(canvas.ids) else policy
    scores = policy.placeholder_scores(Canvas.of([[BOS, EOS]] * len(rows)))  # (R, 1, 256)
    foreseen = foreseen_lengths(scores[:, 0], options.length_quantile)
    foreseen = np.rint(options.foresight * foreseen).astype(np.int64)
    totals = [sum(sizes) for sizes in phrases.values()]
    lengths = np.maximum(foreseen, totals)
    draft = Canvas.of([[BOS, *[PLH] * length, EOS] for length in lengths.tolist()])
    tokens = np.repeat(canvas.ids[rows, 1 : 1 + max(totals)], lengths, axis=0)
    likely = policy.draft_scores(draft, tokens)
    found, ends = {}, np.cumsum(lengths)
    for (row, sizes), start, end in zip(phrases.items(), ends - lengths, ends, strict=True):
        found[row] = arrange(sizes, likely[start:end])
    return found


def arrange(sizes: Sequence[int], scores: Floats) -> Foreseen:
    """Put phrases, of so many tokens each, where they are likeliest; what finds no room comes last.

    `scores` (length, K) tell how likely each of the tokens is at each place of the draft.

    >>> found = arrange([1, 1], np.array([[-9.0, -0.1], [-9.0, -9.0], [-0.1, -9.0]]))
    >>> found.order.tolist(), found.counts.tolist()
    ([0, 2, 1, 3], [0, 1, 0])
    """
    length, starts = len(scores), list(accumulate(sizes, initial=0))
    columns = scores.T.tolist()
    likely = [score_places(columns[start:end]) for start, end in pairwise(starts)]
    places = _take_places(likely, sizes)
    order, counts, cursor = [0], [], 0
    for phrase in sorted(range(len(sizes)), key=lambda phrase: places.get(phrase, length)):
        order += range(1 + starts[phrase], 1 + starts[phrase] + sizes[phrase])
        start = places.get(phrase, max(cursor, length))
        counts += [start - cursor, *[0] * (sizes[phrase] - 1)]
        cursor = start + sizes[phrase]
    return Foreseen(np.array([*order, starts[-1] + 1]), np.array([*counts, max(length - cursor, 0)]))


def score_tokens(tokens: Integers, likely: Words) -> Floats:
    """Return how likely tokens (N, K) are at N places of drafts, by the best words there: (N, K).

    Any other word is a little less likely than the last of them.
    """
    same = likely.ids[:, :, None] == tokens[:, None, :]  # (N, count, K)
    known: Floats = np.where(same, likely.scores[:, :, None], -np.inf).max(1)
    return np.maximum(known, likely.scores[:, -1:] - 1)


def score_places(columns: Sequence[list[float]]) -> list[float]:
    """Return how likely a phrase is to begin at each place: the mean of its tokens, each with its own scores.

    >>> score_places([[-1.0, -2.0]])
    [-1.0, -2.0]
    >>> score_places([[-1.0, -2.0], [-2.0, -1.0]])
    [-1.0]
    """
    if len(columns) == 1:
        return columns[0]
    shifted = [column[step:] for step, column in enumerate(columns)]
    return [sum(scores) / len(columns) for scores in zip(*shifted, strict=False)]


def _take_places(scores: Sequence[list[float]], sizes: Sequence[int]) -> dict[int, int]:
    """Give each phrase the best place that is free, the likeliest phrase first."""
    left, taken = [row.copy() for row in scores], dict[int, int]()
    best = {phrase: max(row) for phrase, row in enumerate(scores) if row}
    while best:
        phrase = max(best, key=best.__getitem__)
        taken[phrase] = place = left[phrase].index(best.pop(phrase))
        for other in list(best):
            row = left[other]
            first, end = max(place - sizes[other] + 1, 0), min(place + sizes[phrase], len(row))
            row[first:end] = [-math.inf] * (end - first)
            best[other] = max(row)
            if best[other] == -math.inf:
                del best[other]
    return taken
