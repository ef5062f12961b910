"""From scores to actions that respect a user's phrases: kept whole, in one piece, exactly once.

Without locks an action is the best-scored one everywhere. A locked phrase has a strength: its loss costs that
much of the score, and so does what makes another phrase of it: its tokens torn apart, or a piece glued to
them. 0 is the paper's soft constraint; an infinite one makes it hard.
"""

import math
from collections.abc import Sequence
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
    index: Integers = scores.argmax(-1)
    index[[0, -1]] = 0, len(index) - 1  # the boundaries stay, whatever their scores
    units: dict[Slot, float] = {}
    held = locks.tolist()
    while len(more := units | _units_in_danger(index.tolist(), held, keep)) > len(units):
        units = more  # of two equal words one may have been moved to the other's place: both are to be placed
        index = _place_units(scores, units, hard)
    return index


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
    costs = np.stack([keep.costs(locks) for keep, locks in zip(keeps, canvas.locks, strict=True)])  # (B, T)
    sides = [(step, costs[rows, places + step]) for step in (-1, 1)]
    watched = set(rows[np.any([cost > 0 for _, cost in sides], axis=0)].tolist())
    if not watched:
        return policy.words(canvas, 1)
    words = policy.words(canvas, CANDIDATES)  # (N, 16)
    scores = words.scores.astype(np.float64)
    for row in watched:
        here = rows == row
        for step, cost in sides:
            beside = canvas.ids[row, places[here] + step]
            glued = keeps[row].glues(beside[:, None], words.ids[here], before=step < 0)
            scores[here] -= np.where(glued, cost[here, None], 0.0)
    best = scores.argmax(-1)[:, None]
    ids, known = words
    return Words(np.take_along_axis(ids, best, axis=1), np.take_along_axis(known, best, axis=1))


def _units_in_danger(index: list[int], locks: list[int], keep: Keep) -> dict[Slot, float]:
    """Return the phrases that `index` does not keep as they should be, with their strengths.

    If a hard one is among them, all hard ones are: whatever is placed anew must not take another's place.
    """
    units: dict[Slot, float] = {}
    left = [place for place in index if place != DELETE]
    harmed = lost = False
    for slot in _runs(locks):
        strength = keep.strengths[locks[slot.start] - 1]
        if math.isinf(strength) and keep.paper:
            continue
        if math.isinf(strength):
            harmed |= not _is_whole(left, slot)
            units[slot] = strength
        elif not _stands(left, slot):
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


def _place_units(scores: Floats, units: dict[Slot, float], hard: npt.NDArray[np.bool_]) -> Integers:
    """Give each unit the slot where it costs the least, and the other slots the best of what is free."""
    movable, slots = list(units), _slots(len(scores), list(units))
    free = scores  # (T, T): what may be chosen where no unit goes
    if hard.any():
        free = scores.copy()
        free[:, hard] = -np.inf
    taken = _assign(_costs(scores, free, slots, movable), list(units.values()))
    kept = {movable[unit] for unit in taken.values()}
    best: list[int] = free.argmax(-1).tolist()
    contents: list[list[int]] = []
    for place, slot in enumerate(slots):
        if place in taken:
            unit = movable[taken[place]]
            contents.append(list(range(unit.start, unit.start + unit.size)))
        else:  # a phrase that goes elsewhere leaves room for one token: so that all fits
            size = 1 if slot in kept else slot.size
            contents.append([token for token in best[slot.start : slot.start + size] if token != DELETE])
    return _lay_out(slots, contents, len(scores))


def _slots(length: int, units: list[Slot]) -> list[Slot]:
    """Cut the places inside the boundaries into the units and, between them, single places."""
    starts = {unit.start: unit for unit in units}
    slots, place = [], 1
    while place < length - 1:
        slots.append(starts.get(place) or Slot(place, 1))
        place += slots[-1].size
    return slots


def _costs(scores: Floats, free: Floats, slots: list[Slot], units: list[Slot]) -> Floats:
    """Return what each unit costs at each slot (slots, units): the score lost against the best free token."""
    starts, firsts = (np.array([slot.start for slot in side]) for side in (slots, units))
    costs: Floats = free[starts].max(-1)[:, None] - scores[starts[:, None], firsts]
    long = [row for row, slot in enumerate(slots) if slot.size > 1]
    for column, unit in enumerate(units):  # where a phrase may go on beyond its first token, all of it counts
        for row in long if unit.size > 1 else ():
            start, size = slots[row].start, min(slots[row].size, unit.size)
            rest = scores[start : start + size, unit.start : unit.start + size].diagonal()
            costs[row, column] += rest[0] - rest.sum() / size
        costs[slots.index(unit), column] -= OWN_PLACE
    return costs


def _assign(costs: Floats, strengths: list[float]) -> dict[int, int]:
    """Pair slots and units, the cheapest pair first; a unit that costs more than its strength gets none.

    >>> _assign(np.array([[0.0, 1.0], [3.0, 9.0]]), [np.inf, np.inf])
    {0: 0, 1: 1}
    """
    taken: dict[int, int] = {}
    waiting = dict(enumerate(strengths))
    known = costs.ravel().tolist()
    for pair in np.argsort(costs, axis=None, kind="stable").tolist():
        slot, unit = divmod(pair, costs.shape[1])
        if slot not in taken and unit in waiting and known[pair] <= waiting[unit]:
            taken[slot] = unit
            del waiting[unit]
            if not waiting:
                break
    return taken


def _lay_out(slots: list[Slot], contents: list[list[int]], length: int) -> Integers:
    """Write the slots' contents as a reposition's index (T,), each as near to its own place as can be."""
    index = [DELETE] * length
    index[-1] = length - 1
    cursor, left = 1, sum(map(len, contents))
    for slot, tokens in zip(slots, contents, strict=True):
        start = max(cursor, min(slot.start, length - 1 - left))
        index[start : start + len(tokens)] = tokens
        cursor, left = start + len(tokens), left - len(tokens)
    return np.array(index)
