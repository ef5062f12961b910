"""Where a user's words will stand: what the model would write without them tells.

From an empty canvas an edit model foresees the length of the translation well, since it is one count, and
roughly which word goes where. Around words in any order it has to guess both at once, and its first canvas
comes out short and in disorder. So the first iteration puts each phrase where the model, writing from
nothing, finds it likeliest, with as many placeholders around as that leaves; these are filled as ever.

Differs: the paper repositions the words as the model likes, and inserts the likeliest count into each gap.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from editmt.decoding.policy import Floats, Integers, Policy, Words
from editmt.edits import Canvas
from editmt.text import BOS, EOS, PLH

CANDIDATES = 16
"""Words of each place whose scores are known; any other is a little less likely than the last of them."""


@dataclass(frozen=True, eq=False)
class Foreseen:
    """What the first iteration does with one canvas of phrases."""

    order: Integers  # (T,) of its tokens, boundaries included
    counts: Integers  # (T - 1,) placeholders in its gaps, once it is in that order


def foresee(
    policy: Policy, canvas: Canvas, phrases: Mapping[int, Sequence[int]], factor: float
) -> dict[int, Foreseen]:
    """Foresee the first iteration of the rows that are made of phrases, of so many tokens each.

    `factor` is how long they become, of the length that the model foresees.
    """
    rows = np.array(list(phrases), dtype=np.int64)
    policy = policy.select(rows) if len(rows) < len(canvas.ids) else policy
    scores = policy.placeholder_scores(Canvas.of([[BOS, EOS]] * len(rows)))  # (R, 1, 256)
    foreseen = np.rint(factor * scores[:, 0].argmax(-1)).astype(np.int64)
    lengths = np.maximum(foreseen, [sum(sizes) for sizes in phrases.values()])
    words = policy.words(Canvas.of([[BOS, *[PLH] * length, EOS] for length in lengths.tolist()]), CANDIDATES)
    found, ends = {}, np.cumsum(lengths)
    for (row, sizes), start, end in zip(phrases.items(), ends - lengths, ends, strict=True):
        likely = Words(words.ids[start:end], words.scores[start:end])
        found[row] = arrange(canvas.ids[row, 1 : 1 + sum(sizes)], sizes, likely)
    return found


def arrange(tokens: Integers, sizes: Sequence[int], likely: Words) -> Foreseen:
    """Put phrases, of so many of the tokens each, where they are likeliest; what finds no room comes last.

    >>> likely = Words(np.array([[5], [6], [7]]), np.array([[-0.1], [-0.1], [-0.1]]))
    >>> found = arrange(np.array([7, 5]), [1, 1], likely)
    >>> found.order.tolist(), found.counts.tolist()
    ([0, 2, 1, 3], [0, 1, 0])
    """
    length, starts = len(likely.ids), list(accumulate(sizes, initial=0))[:-1]
    scores = score_tokens(tokens, likely)
    parts = [scores[:, start : start + size] for start, size in zip(starts, sizes, strict=True)]
    places = _take_places([score_places(part) for part in parts], sizes, length)
    order, counts, cursor = [0], [], 0
    for phrase in sorted(range(len(sizes)), key=lambda phrase: places.get(phrase, length)):
        order += range(1 + starts[phrase], 1 + starts[phrase] + sizes[phrase])
        start = places.get(phrase, max(cursor, length))
        counts += [start - cursor, *[0] * (sizes[phrase] - 1)]
        cursor = start + sizes[phrase]
    return Foreseen(np.array([*order, len(tokens) + 1]), np.array([*counts, max(length - cursor, 0)]))


def score_tokens(tokens: Integers, likely: Words) -> Floats:
    """Return how likely tokens (K,) are at each place of a draft: (length, K)."""
    same = likely.ids[:, :, None] == tokens  # (length, count, K)
    known: Floats = np.where(same, likely.scores[:, :, None], -np.inf).max(1)
    return np.maximum(known, likely.scores[:, -1:] - 1)


def score_places(scores: Floats) -> Floats:
    """Return how likely a phrase is to begin at each place, from its tokens' scores (length, K): their mean.

    >>> likely = Words(np.array([[5, 6], [6, 7]]), np.array([[-1.0, -2.0], [-1.0, -3.0]]))
    >>> [score_places(score_tokens(np.array(phrase), likely)).tolist() for phrase in ([6], [5, 6])]
    [[-2.0, -1.0], [-1.0]]
    """
    starts, size = max(len(scores) - scores.shape[1] + 1, 0), scores.shape[1]
    total: Floats = sum(scores[number : number + starts, number] for number in range(size)) / size
    return total


def _take_places(scores: Sequence[Floats], sizes: Sequence[int], length: int) -> dict[int, int]:
    """Give each phrase the best place that is free, the likeliest phrase first."""
    choices = [
        (-score, phrase, place)
        for phrase, row in enumerate(scores)
        for place, score in enumerate(row.tolist())
    ]
    free, taken = [True] * length, dict[int, int]()
    for _, phrase, place in sorted(choices):
        end = place + sizes[phrase]
        if phrase not in taken and all(free[place:end]):
            taken[phrase] = place
            free[place:end] = [False] * sizes[phrase]
            if len(taken) == len(scores):
                break
    return taken
