"""From scores to actions that respect a user's phrases: how firmly they are kept, and what harm costs.

Without locks an action is the best-scored one everywhere. A locked phrase has a strength: its loss costs that
much of the score, and so does what makes another phrase of it: its tokens torn apart, or a piece glued to
them. 0 is the paper's soft constraint; an infinite one makes it hard. Where phrases go: `moves`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editmt.decoding.policy import Floats, Integers, Policy, Words
from editmt.edits import Canvas
from editmt.text import PLH, Vocabulary

FORBIDDING = 1e6
"""What a placeholder within a hard phrase costs: more than any score."""

CANDIDATES = 16
"""Words to choose from beside a locked phrase."""


@dataclass(frozen=True)
class Keep:
    """How firmly the phrases of one canvas are kept.

    strengths
        Of the phrases with the locks 1, 2, …; infinite for a hard one.
    paper
        Do with hard phrases what the authors' code does: no deletion, nothing inserted inside; but another
        token may come to stand in a locked one's place, so that 95–97 % are kept.
    vocabulary
        Tells which pieces make one word with their neighbour.
    """

    strengths: tuple[float, ...] = ()
    paper: bool = False
    vocabulary: Vocabulary | None = None

    def glues(self, beside: Integers, words: Integers, *, before: bool) -> npt.NDArray[np.bool_]:
        """Tell which words would be part of the same word as the token before them, or behind them."""
        if self.vocabulary is None:
            return np.zeros(words.shape, dtype=np.bool_)
        left, right = (beside, words) if before else (words, beside)
        glued: npt.NDArray[np.bool_] = ~(self.vocabulary.ends[left] | self.vocabulary.begins[right])
        return glued

    def hard(self, locks: Integers) -> npt.NDArray[np.bool_]:
        """Tell which of the places (T,) with such locks hold a hard phrase's tokens."""
        hard: npt.NDArray[np.bool_] = np.isinf((0.0, *self.strengths))[locks]
        return hard


def strengths_at(canvas: Canvas, keeps: Sequence[Keep]) -> Floats:
    """Return how firmly the phrase at each place (B, T) is kept; 0 where none is."""
    table = np.zeros((len(keeps), 1 + max(len(keep.strengths) for keep in keeps)))
    for row, keep in enumerate(keeps):
        table[row, 1 : 1 + len(keep.strengths)] = keep.strengths
    strengths: Floats = table[np.arange(len(keeps))[:, None], canvas.locks]
    return strengths


def weigh_counts(scores: Floats, canvas: Canvas, keeps: Sequence[Keep], penalties: Floats) -> Floats:
    """Return the scores of numbers of placeholders (B, G, 256), with what harm to a phrase costs.

    `penalties` (B,) are γ of Stern et al. (2019): what "none" costs, against outputs that are too short.
    """
    locked = bool(canvas.locks.any())
    if penalties.any() or locked:
        scores = scores.copy()
        scores[:, :, 0] -= penalties[:, None]
    if locked:
        strengths = strengths_at(canvas, keeps)[:, :-1]
        inside = canvas.locks[:, :-1] == canvas.locks[:, 1:]
        harm = np.where(np.isinf(strengths), FORBIDDING, strengths)  # in the paper's mode, too
        scores[:, :, 0] += np.where(inside, harm, 0.0)
    return scores


def choose_words(policy: Policy, canvas: Canvas, keeps: Sequence[Keep]) -> Words:
    """Choose the best-scored word for each placeholder (N, 1), but do not glue it to a locked phrase.

    Where "▁Haus" is locked and "es" the best word for the placeholder behind it, the text would be "Hauses".
    """
    best = policy.words(canvas, 1)
    if not canvas.locks.any():
        return best
    rows, places = np.nonzero(canvas.ids == PLH)
    costs = strengths_at(canvas, keeps)
    costs[np.isinf(costs) & np.array([[keep.paper] for keep in keeps])] = 0.0
    harm = _harm(canvas, keeps, costs, (rows, places), best.ids)[:, 0]
    glued = harm > 0
    if not glued.any():
        return best
    ids, known = policy.words(canvas, CANDIDATES, glued)  # (glued, 16)
    scores = known - _harm(canvas, keeps, costs, (rows[glued], places[glued]), ids)
    others = np.arange(len(ids)), scores.argmax(-1)
    words = Words(best.ids.copy(), best.scores.copy())
    words.ids[glued, 0], words.scores[glued, 0] = ids[others], known[others]
    return words


def _harm(
    canvas: Canvas, keeps: Sequence[Keep], costs: Floats, at: tuple[Integers, Integers], words: Integers
) -> Floats:
    """Return what words (N, count) at placeholders cost that are glued to the phrases beside them."""
    rows, places = at
    harm = np.zeros(words.shape)
    for step in (-1, 1):
        cost = costs[rows, places + step]
        near = np.flatnonzero(cost)  # the placeholders with a phrase on this side
        for row in rows[near[:1]].tolist():  # any will do: a batch is in one language
            beside = canvas.ids[rows[near], places[near] + step]
            glued = keeps[row].glues(beside[:, None], words[near], before=step < 0)
            harm[near] += np.where(glued, cost[near, None], 0.0)
    return harm
