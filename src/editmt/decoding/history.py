"""What happened to a batch while it was refined, and the trace of each of its sentences."""

from typing import NamedTuple

import numpy as np

from editmt.decoding.policy import Floats, Integers
from editmt.edits import (
    Action,
    Canvas,
    EditCounts,
    Placeholders,
    Reposition,
    Tokens,
    Trace,
    apply_with,
    count_edits,
)
from editmt.text import PLH


class Step(NamedTuple):
    """An action on some rows of the batch."""

    rows: Integers  # (R,) of the first batch
    before: Canvas  # (R, T)
    action: Action


class History:
    """All steps, kept as they were applied, for whole batches: a trace is cut out only when asked for."""

    def __init__(self, first: Canvas) -> None:
        self._first = first
        self._steps: list[Step] = []
        none = np.zeros(len(first.ids), dtype=np.int64)
        self._counts = EditCounts(none, none.copy(), none.copy())
        self._counted = 0  # steps that are in `_counts`

    def apply(self, rows: Integers, canvas: Canvas, action: Action, scores: Floats) -> tuple[Canvas, Floats]:
        """Apply the action to the canvas of these rows, and remember it; the tokens' scores go with them."""
        self._steps.append(Step(rows, canvas, action))
        after, carried = apply_with(canvas, action, scores)
        return after, carried

    def counts(self, row: int) -> EditCounts:
        """Return one sentence's edits; they are counted when somebody asks, for the whole batch."""
        for step in self._steps[self._counted :]:
            edits = count_edits(step.before, step.action)
            for total, new in zip(vars(self._counts).values(), vars(edits).values(), strict=True):
                total[step.rows] += new
        self._counted = len(self._steps)
        return EditCounts(*(int(count[row]) for count in vars(self._counts).values()))

    def trace(self, row: int) -> Trace:
        """Return one sentence's trace, without the steps that had nothing to act on."""
        return Trace.replay(self._first.take([row]).trim(), self._of(row))

    def _of(self, row: int) -> list[Action]:
        """Return one sentence's actions, each (1, …)."""
        found = []
        for step in self._steps:
            for place in np.flatnonzero(step.rows == row).tolist():
                before = step.before.take([place]).trim()
                if _acts(step.action, before):
                    found.append(_cut_action(step.action, place, before.ids.shape[1]))
        return found


def _acts(action: Action, canvas: Canvas) -> bool:
    """Tell whether there is something to act on: beside others, a sentence goes through all three."""
    match action:
        case Reposition():
            return bool(canvas.interior.any())
        case Placeholders():
            return True
        case Tokens():
            return bool((canvas.ids == PLH).any())


def _cut_action(action: Action, row: int, length: int) -> Action:
    match action:
        case Reposition(index):
            return Reposition(index[row : row + 1, :length])
        case Placeholders(count):
            return Placeholders(count[row : row + 1, : length - 1])
        case Tokens(ids):
            return Tokens(ids[row : row + 1, :length])
