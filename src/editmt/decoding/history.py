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
    apply,
    count_edits,
)
from editmt.text import PLH, SYMBOLS


class Step(NamedTuple):
    """An action on some rows of the batch."""

    rows: Integers  # (R,) of the first batch
    action: Action
    before: Canvas  # (R, T)
    scores: Floats | None  # (R, T) of the words that `Tokens` puts in, as log-probabilities


class History:
    """All steps, kept as they were applied, for whole batches: a trace is cut out only when asked for."""

    def __init__(self, first: Canvas) -> None:
        self._first = first
        self._steps: list[Step] = []
        none = np.zeros(len(first.ids), dtype=np.int64)
        self._counts = EditCounts(none, none.copy(), none.copy())

    def apply(self, rows: Integers, canvas: Canvas, action: Action, scores: Floats | None = None) -> Canvas:
        """Apply the action to the canvas of these rows, and remember it."""
        self._steps.append(Step(rows, action, canvas, scores))
        edits = count_edits(canvas, action)
        for total, new in zip(vars(self._counts).values(), vars(edits).values(), strict=True):
            total[rows] += new
        return apply(canvas, action)

    def counts(self, row: int) -> EditCounts:
        """Return one sentence's edits."""
        return EditCounts(*(int(count[row]) for count in vars(self._counts).values()))

    def trace(self, row: int) -> Trace:
        """Return one sentence's trace, without the steps that had nothing to act on."""
        return Trace.replay(self._first.take([row]).trim(), [action for action, _ in self._of(row)])

    def word_scores(self, row: int) -> list[float]:
        """Return, for each token of the output, the log-probability it was put in with.

        What was there from the beginning, boundaries included, has 0, as in the authors' code. To find out
        where each token came from, the sentence is replayed with the number of its score as its id.
        """
        scores, shadow = [0.0], self._first.take([row]).trim()
        shadow = Canvas(np.full_like(shadow.ids, len(SYMBOLS)), shadow.mask, shadow.locks)
        for action, given in self._of(row):
            if isinstance(action, Tokens) and given is not None:
                numbers = len(SYMBOLS) + len(scores) + np.arange(len(given))
                scores.extend(given.tolist())
                shadow = apply(shadow, Tokens(numbers[None]))
            else:
                shadow = apply(shadow, action)
        return [scores[number - len(SYMBOLS)] for number in shadow.ids[0].tolist()]

    def _of(self, row: int) -> list[tuple[Action, Floats | None]]:
        """Return one sentence's actions, each (1, …), and the scores of the words it put in."""
        found = []
        for step in self._steps:
            for place in np.flatnonzero(step.rows == row).tolist():
                before = step.before.take([place]).trim()
                scores = None if step.scores is None else step.scores[place, : before.ids.shape[1]]
                if _acts(step.action, before):
                    found.append((_cut_action(step.action, place, before.ids.shape[1]), scores))
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
