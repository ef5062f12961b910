"""Phrases that the model would lose, and that stay where they are: settled for a whole batch at once.

It is what becomes of nearly all that are in danger: the model would rather be without a term than move it.
Whatever else happens to phrases is worked out sentence by sentence (`moves`), with the same outcome here.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editmt.decoding.locks import Keep
from editmt.decoding.policy import Floats, Integers
from editmt.edits import Canvas

OWN_PLACE = 1e-6
"""Of two equally good places a phrase takes its own."""

Mask = npt.NDArray[np.bool_]


class Phrases(NamedTuple):
    """Locked phrases of a batch: the row of each, where it begins, its tokens, and how firmly it is kept."""

    rows: Integers
    starts: Integers
    sizes: Integers
    strengths: Floats

    def take(self, some: Mask) -> "Phrases":
        """Return some of them."""
        return Phrases(self.rows[some], self.starts[some], self.sizes[some], self.strengths[some])

    @property
    def places(self) -> tuple[Integers, Integers]:
        """The rows and places of all their tokens."""
        ends = np.cumsum(self.sizes)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - self.sizes, self.sizes)
        return np.repeat(self.rows, self.sizes), np.repeat(self.starts, self.sizes) + within

    def have(self, which: Mask) -> Mask:
        """Tell of each whether one of its tokens is among those (B, T)."""
        owners = np.repeat(np.arange(len(self.rows)), self.sizes)
        found: Mask = np.bincount(owners, which[self.places], len(self.rows)) > 0
        return found


def find_phrases(canvas: Canvas, keeps: Sequence[Keep]) -> Phrases:
    """Return the locked phrases of a batch, row by row."""
    locks = np.pad(canvas.locks, ((0, 0), (1, 1)))
    locked, changes = locks > 0, locks[:, 1:] != locks[:, :-1]
    rows, starts = np.nonzero(locked[:, 1:-1] & changes[:, :-1])
    lasts = np.nonzero(locked[:, 1:-1] & changes[:, 1:])[1]
    numbers = canvas.locks[rows, starts].tolist()
    strengths = [keeps[row].strengths[lock - 1] for row, lock in zip(rows.tolist(), numbers, strict=True)]
    return Phrases(rows, starts, lasts + 1 - starts, np.array(strengths, dtype=np.float64))


def let_stay(scores: Floats, index: Integers, canvas: Canvas, keeps: Sequence[Keep]) -> Mask:
    """Leave phrases in danger in their places, in `index` (B, T), the best-scored moves from (B, T, T).

    Returns the rows (B,) for which this does not do: with phrases that are moved, or would be better off
    elsewhere, with a second copy of a hard one, or in the paper's hard mode. There `index` is as it was.
    """
    phrases, inside = find_phrases(canvas, keeps), canvas.interior
    stays = index == np.arange(index.shape[1])
    wanders = np.zeros_like(stays)
    wanders[np.arange(len(index))[:, None], np.where(inside & ~stays, index, 0)] = True
    danger, moved = phrases.have(~stays), phrases.have(wanders)
    left: Mask = (inside & (index >= canvas.lengths[:, None] - 1)).any(axis=1)  # no boundary
    left |= np.array([keep.paper for keep in keeps])
    left[phrases.rows[moved & (danger | np.isinf(phrases.strengths))]] = True  # it may come out whole
    others = _settle(scores, index, inside, phrases.take(danger & ~left[phrases.rows]))
    # Of two equal words one may well go to the other's place, which then is in danger: there all are settled.
    alike = np.zeros_like(left)
    alike[others] = True
    alike[phrases.rows[moved]] = False
    left[others] = True
    left[alike] = False
    left[_settle(scores, index, inside, phrases.take(alike[phrases.rows]))] = True
    return left


def _settle(scores: Floats, index: Integers, inside: Mask, units: Phrases) -> Integers:
    """Leave units in their places, and return the rows where one would rather take another place.

    It may cost less elsewhere, if the unit of that place costs even less there: that one comes first.
    """
    if not len(units.rows):
        return units.rows
    costs = _costs(scores, index, inside, units)
    numbers = np.arange(len(costs))
    own = costs[numbers, units.starts]
    costs[numbers, units.starts] = np.inf
    first = np.full(index.shape, np.inf)
    first[units.rows, units.starts] = own
    good = ((costs > own[:, None]) | (costs > first[units.rows])).all(axis=1) & (own <= units.strengths)
    others = np.unique(units.rows[~good])
    rows, places = units.take(~np.isin(units.rows, others)).places
    index[rows, places] = places
    return others


def _costs(scores: Floats, index: Integers, inside: Mask, units: Phrases) -> Floats:
    """Return what each unit costs at each place (units, T): the score lost against the best token there."""
    places = np.arange(index.shape[1])
    taken = ~inside
    taken[units.places] = True
    taken[units.rows, units.starts] = False  # units begin at others' first places, or where none is
    top = scores[np.arange(len(index))[:, None], places, index]
    costs: Floats = top[units.rows] - scores[units.rows, :, units.starts]
    long = np.flatnonzero(units.sizes > 1)
    same = units.rows[long][:, None] == units.rows[long]
    ours, others = (long[each] for each in np.nonzero(same))
    if len(ours):  # where a phrase may go on beyond its first token, all of it counts
        sizes = np.minimum(units.sizes[ours], units.sizes[others])
        steps = np.minimum(np.arange(sizes.max()), sizes[:, None] - 1)
        at = (
            units.rows[ours][:, None],
            units.starts[others][:, None] + steps,
            units.starts[ours][:, None] + steps,
        )
        rest = np.where(np.arange(sizes.max()) < sizes[:, None], scores[at].astype(np.float64), 0.0)
        costs[ours, units.starts[others]] += rest[:, 0] - rest.sum(1) / sizes
    costs[np.arange(len(costs)), units.starts] -= OWN_PLACE
    costs[taken[units.rows]] = np.inf
    return costs
