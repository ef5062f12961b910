"""Where tokens go, such that a user's phrases are kept: whole, in one piece, exactly once."""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editmt.decoding.locks import Keep
from editmt.decoding.policy import Floats, Integers
from editmt.decoding.staying import OWN_PLACE, let_stay
from editmt.edits import DELETE, Canvas, Reposition

WORTH_A_BATCH = 8
"""Sentences with phrases; fewer are sooner done one by one."""


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
    locked = canvas.locks.any(axis=1)
    if np.count_nonzero(locked) >= WORTH_A_BATCH:
        locked &= let_stay(scores, index, canvas, keeps)
    for row in np.flatnonzero(locked).tolist():
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
    tops = free.max(-1)
    if _stay(scores.tolist(), tops.tolist(), units):
        return _leave(best, movable)
    own = [starts.index(unit.start) for unit in movable]
    costs = _costs(scores, tops, np.array(starts), movable)
    costs[own, range(len(own))] -= OWN_PLACE
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


def _costs(scores: Floats, tops: Floats, starts: Integers, units: list[Slot]) -> Floats:
    """Return what a unit costs at a start (starts, units): the score lost against the best free token's."""
    firsts = np.array([unit.start for unit in units])
    costs: Floats = tops[starts][:, None] - scores[starts[:, None], firsts]
    long = [(column, unit) for column, unit in enumerate(units) if unit.size > 1]
    known = scores.tolist() if long else []
    rows = starts.searchsorted([unit.start for _, unit in long]).tolist()
    for column, unit in long:  # where a phrase may go on beyond its first token, all of it counts
        for row, (_, other) in zip(rows, long, strict=True):
            size = min(other.size, unit.size)
            rest = [known[other.start + step][unit.start + step] for step in range(size)]
            costs[row, column] += rest[0] - sum(rest) / size
    return costs


def _stay(scores: list[list[float]], tops: list[float], units: dict[Slot, float]) -> bool:
    """Tell whether each unit costs the least in its own place, and no more than its strength.

    Where it would cost less elsewhere, the unit of that place has to cost even less there, and comes first.
    Then none is in another's way. It is often so: the model would rather be without a term than move it.
    """
    starts = _starts(len(scores), units)
    places = {unit: {start: tops[start] - scores[start][unit.start] for start in starts} for unit in units}
    long = [unit for unit in units if unit.size > 1]
    for unit in long:
        for other in long:
            size = min(other.size, unit.size)
            rest = [scores[other.start + step][unit.start + step] for step in range(size)]
            places[unit][other.start] += rest[0] - sum(rest) / size
    own = {unit.start: costs.pop(unit.start) - OWN_PLACE for unit, costs in places.items()}
    return all(
        own[unit.start] <= strength
        and all(
            cost > own[unit.start] or cost > own.get(start, math.inf) for start, cost in places[unit].items()
        )
        for unit, strength in units.items()
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
