"""From scores to actions that respect a user's phrases: kept whole, in one piece, exactly once.

Without locks an action is the best-scored one everywhere. A locked phrase has a strength: its loss costs that
much of the score, and so does what makes another phrase of it: its tokens torn apart, or a piece glued to
them. 0 is the paper's soft constraint; an infinite one makes it hard.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editmt.decoding.policy import Floats, Integers, Policy, Words
from editmt.edits import DELETE, Canvas, Reposition
from editmt.text import PLH, Vocabulary

OWN_PLACE = 1e-6
"""Of two equally good places a phrase takes its own."""

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

    def costs(self, locks: Integers) -> Floats:
        """Return what harm to the phrase at each place (T,) costs; 0 where none is."""
        costs: Floats = np.array((0.0, *self.strengths))[locks]
        return np.where(np.isinf(costs), 0.0, costs) if self.paper else costs

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


class Slot(NamedTuple):
    """Places that go together: those of a locked phrase, or a single one."""

    start: int
    size: int


def choose_moves(scores: Floats, canvas: Canvas, keeps: Sequence[Keep]) -> Reposition:
    """Choose the best-scored token for each place, from (B, T, T), but lose no locked phrase.

    A phrase that would be lost, and a hard one that would not come out whole and once, goes as one to the
    place where it costs the least; if that is more than its strength it is lost.
    """
    index: Integers = scores.argmax(-1)
    for row in np.flatnonzero(canvas.locks.any(axis=1)).tolist():
        length = int(canvas.mask[row].sum())
        index[row, :length] = _choose(scores[row, :length, :length], canvas.locks[row, :length], keeps[row])
    return Reposition(index)


def _choose(scores: Floats, locks: Integers, keep: Keep) -> Integers:
    """Choose the moves of one sentence (T,), from its scores (T, T)."""
    hard = keep.hard(locks)
    if keep.paper:
        scores = scores.copy()
        scores[hard, DELETE] = -np.inf  # and that is all that is done for them
        hard = np.zeros_like(hard)
    best: list[int] = scores.argmax(-1).tolist()
    best[0], best[-1] = 0, len(best) - 1  # the boundaries stay, whatever their scores
    index, units = best, dict[Slot, float]()
    phrases = _phrases(locks.tolist(), keep)
    while len(more := units | _units_in_danger(index, phrases)) > len(units):
        units = more  # of two equal words one may have been moved to the other's place: both are to be placed
        index = _place_units(scores, units, hard, best)
    return np.array(index)


def weigh_counts(scores: Floats, canvas: Canvas, keeps: Sequence[Keep], penalty: float) -> Floats:
    """Return the scores of numbers of placeholders (B, G, 256), with what harm to a phrase costs.

    `penalty` is γ of Stern et al. (2019): what "none" costs, against outputs that are too short.
    """
    locked = np.flatnonzero(canvas.locks.any(axis=1)).tolist()
    if penalty or locked:
        scores = scores.copy()
        scores[:, :, 0] -= penalty
    for row in locked:
        locks, keep = canvas.locks[row], keeps[row]
        inside = locks[:-1] == locks[1:]
        hard = inside & keep.hard(locks)[:-1]  # in the paper's mode, too
        scores[row, inside, 0] += np.where(hard, FORBIDDING, keep.costs(locks)[:-1])[inside]
    return scores


def choose_words(policy: Policy, canvas: Canvas, keeps: Sequence[Keep]) -> Words:
    """Choose the best-scored word for each placeholder (N, 1), but do not glue it to a locked phrase.

    Where "▁Haus" is locked and "es" the best word for the placeholder behind it, the text would be "Hauses".
    """
    if not canvas.locks.any():
        return policy.words(canvas, 1)
    rows, places = np.nonzero(canvas.ids == PLH)
    costs = np.zeros(canvas.ids.shape)
    for row in np.flatnonzero(canvas.locks.any(axis=1)).tolist():
        costs[row] = keeps[row].costs(canvas.locks[row])
    sides = [(step, costs[rows, places + step]) for step in (-1, 1)]
    if not any(cost.any() for _, cost in sides):
        return policy.words(canvas, 1)
    ids, known = policy.words(canvas, CANDIDATES)  # (N, 16)
    scores = known.astype(np.float64)
    for step, cost in sides:
        near = np.flatnonzero(cost)  # the placeholders with a phrase on this side
        for row in rows[near[:1]].tolist():  # any will do: a batch is in one language
            beside = canvas.ids[rows[near], places[near] + step]
            glued = keeps[row].glues(beside[:, None], ids[near], before=step < 0)
            scores[near] -= np.where(glued, cost[near, None], 0.0)
    best = scores.argmax(-1)[:, None]
    return Words(np.take_along_axis(ids, best, axis=1), np.take_along_axis(known, best, axis=1))


def _phrases(locks: list[int], keep: Keep) -> dict[Slot, float]:
    """Return the phrases to watch over, with their strengths; the authors' code does so for no hard one."""
    phrases = {slot: keep.strengths[locks[slot.start] - 1] for slot in _runs(locks)}
    if keep.paper:
        return {slot: strength for slot, strength in phrases.items() if not math.isinf(strength)}
    return phrases


def _units_in_danger(index: list[int], phrases: dict[Slot, float]) -> dict[Slot, float]:
    """Return the phrases that `index` does not keep as they should be, with their strengths.

    If a hard one is among them, all hard ones are: whatever is placed anew must not take another's place.
    """
    units: dict[Slot, float] = {}
    left = [place for place in index if place != DELETE]
    harmed = lost = False
    for slot, strength in phrases.items():
        if math.isinf(strength):
            harmed = harmed or not _is_whole(left, slot)
            units[slot] = strength
        elif not (_is_left(index, slot) or _stands(left, slot)):
            lost = True
            units[slot] = strength
    return units if harmed or lost else {}


def _runs(locks: list[int]) -> list[Slot]:
    """Return the stretches of one lock.

    >>> _runs([0, 1, 1, 0, 2, 3, 0])
    [Slot(start=1, size=2), Slot(start=4, size=1), Slot(start=5, size=1)]
    """
    runs, start = [], 0
    for lock, group in groupby(locks):
        size = len(list(group))
        if lock:
            runs.append(Slot(start, size))
        start += size
    return runs


def _is_left(index: list[int], slot: Slot) -> bool:
    """Tell whether the tokens of a slot stay at its places, as most do."""
    start, size = slot
    if size == 1:
        return index[start] == start
    return index[start : start + size] == list(range(start, start + size))


def _stands(left: list[int], slot: Slot) -> bool:
    """Tell whether the tokens of a slot come to stand in one piece, be it more than once."""
    if slot.size == 1:
        return slot.start in left
    tokens = list(range(slot.start, slot.start + slot.size))
    starts = [place for place, token in enumerate(left) if token == slot.start]
    return any(left[place : place + slot.size] == tokens for place in starts)


def _is_whole(left: list[int], slot: Slot) -> bool:
    """Tell whether the tokens of a slot come to stand, once and in order, with nothing between them."""
    tokens = range(slot.start, slot.start + slot.size)
    places = [place for place, token in enumerate(left) if token in tokens]
    return [left[place] for place in places] == [*tokens] and places[-1] - places[0] == slot.size - 1


def _place_units(
    scores: Floats, units: dict[Slot, float], hard: npt.NDArray[np.bool_], best: list[int]
) -> list[int]:
    """Give each unit the place where it costs the least, and other places the best of what is free.

    `best` are the tokens that the places would choose.
    """
    movable, starts = list(units), _starts(len(scores), units)
    free = scores  # (T, T): what may be chosen where no unit goes
    if hard.any():
        free = scores.copy()
        free[:, hard] = -np.inf
        best = free.argmax(-1).tolist()
    own = [starts.index(unit.start) for unit in movable]
    costs = _costs(scores, free, np.array(starts), movable)
    costs[own, range(len(own))] -= OWN_PLACE
    if _stay(costs, own, list(units.values())):
        return _leave(best, movable)
    taken = _assign(costs, list(units.values()))
    kept = {own[unit] for unit in taken.values()}
    sizes = {row: unit.size for row, unit in zip(own, movable, strict=True)}
    contents: list[list[int]] = []
    for row, start in enumerate(starts):
        if row in taken:
            unit = movable[taken[row]]
            contents.append(list(range(unit.start, unit.start + unit.size)))
        else:  # a phrase that goes elsewhere leaves room for one token: so that all fits
            size = 1 if row in kept else sizes.get(row, 1)
            contents.append([token for token in best[start : start + size] if token != DELETE])
    return _lay_out(starts, contents, len(scores))


def _starts(length: int, units: Iterable[Slot]) -> list[int]:
    """Return the places inside the boundaries where a unit may go: all but those within another.

    >>> _starts(7, [Slot(2, 3)])
    [1, 2, 5]
    """
    within = {place for start, size in units for place in range(start + 1, start + size)}
    return [place for place in range(1, length - 1) if place not in within]


def _costs(scores: Floats, free: Floats, starts: Integers, units: list[Slot]) -> Floats:
    """Return what a unit costs at a start (starts, units): the score lost against the best free token."""
    firsts = np.array([unit.start for unit in units])
    costs: Floats = free[starts].max(-1)[:, None] - scores[starts[:, None], firsts]
    long = [(column, unit) for column, unit in enumerate(units) if unit.size > 1]
    known = scores.tolist() if long else []
    rows = starts.searchsorted([unit.start for _, unit in long]).tolist()
    for column, unit in long:  # where a phrase may go on beyond its first token, all of it counts
        for row, (_, other) in zip(rows, long, strict=True):
            size = min(other.size, unit.size)
            rest = [known[other.start + step][unit.start + step] for step in range(size)]
            costs[row, column] += rest[0] - sum(rest) / size
    return costs


def _stay(costs: Floats, own: list[int], strengths: list[float]) -> bool:
    """Tell whether each unit costs the least in its own row, and no more than its strength.

    Then none is in another's way. It is often so: the model would rather be without a term than move it.
    """
    return costs.argmin(0).tolist() == own and all(
        cost <= strength for cost, strength in zip(costs.min(0).tolist(), strengths, strict=True)
    )


def _leave(best: list[int], units: list[Slot]) -> list[int]:
    """Return the moves that leave units where they are, and give other places what they would choose.

    >>> _leave([0, 2, 0, 0, 4], [Slot(2, 2)])
    [0, 2, 2, 3, 4]
    """
    index = [DELETE, *best[1:-1], len(best) - 1]
    for start, size in units:
        index[start : start + size] = range(start, start + size)
    return index


def _assign(costs: Floats, strengths: list[float]) -> dict[int, int]:
    """Pair rows and units, the cheapest pair first; a unit that costs more than its strength gets none.

    >>> _assign(np.array([[0.0, 1.0], [3.0, 9.0]]), [np.inf, np.inf])
    {0: 0, 1: 1}
    """
    taken: dict[int, int] = {}
    waiting = dict(enumerate(strengths))
    known = costs.ravel().tolist()
    for pair in np.argsort(costs, axis=None, kind="stable").tolist():
        row, unit = divmod(pair, costs.shape[1])
        if row not in taken and unit in waiting and known[pair] <= waiting[unit]:
            taken[row] = unit
            del waiting[unit]
            if not waiting:
                break
    return taken


def _lay_out(starts: list[int], contents: list[list[int]], length: int) -> list[int]:
    """Write what comes to stand at each start as a reposition's index (T,), as near to there as can be."""
    index = [DELETE] * length
    index[-1] = length - 1
    cursor, left = 1, sum(map(len, contents))
    for own, tokens in zip(starts, contents, strict=True):
        start = max(cursor, min(own, length - 1 - left))
        index[start : start + len(tokens)] = tokens
        cursor, left = start + len(tokens), left - len(tokens)
    return index
