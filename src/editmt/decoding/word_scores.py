"""The log-probability that each token of a batch was put in with."""

import numpy as np

from editmt.decoding.policy import Floats, Integers
from editmt.edits import Action, Canvas, Tokens, apply
from editmt.text import PAD, SYMBOLS

FIRST = len(SYMBOLS)
"""Of the numbers of scores, so that none is a special symbol's id."""


class WordScores:
    """Replays a batch's steps, all its sentences at once, with the number of its score as each token's id.

    So a score goes wherever its token goes. What was there from the beginning, boundaries included, has 0,
    as in the authors' code.
    """

    def __init__(self, first: Canvas) -> None:
        self._numbers: Integers = np.where(first.mask, FIRST, PAD)  # (B, T) of the widest canvas so far
        self._scores: Floats = np.zeros(1)

    def replay(self, rows: Integers, before: Canvas, action: Action, scores: Floats | None) -> None:
        """Do what was done to a canvas of these rows; `scores` (R, T) are those of the words it put in."""
        width = before.ids.shape[1]
        shadow = Canvas(self._numbers[rows, :width], before.mask, before.locks)
        if isinstance(action, Tokens):
            given = np.zeros(before.ids.shape) if scores is None else scores
            numbers = FIRST + len(self._scores) + np.arange(given.size).reshape(given.shape)
            self._scores = np.concatenate([self._scores, given.ravel()])
            action = Tokens(numbers)
        after = apply(shadow, action).ids
        wider = max(after.shape[1] - self._numbers.shape[1], 0)
        self._numbers = np.pad(self._numbers, ((0, 0), (0, wider)), constant_values=PAD)
        self._numbers[rows] = PAD
        self._numbers[rows, : after.shape[1]] = after

    def of(self, row: int) -> list[float]:
        """Return one sentence's scores, those of `<s>` and `</s>` included."""
        numbers = self._numbers[row]
        found: list[float] = self._scores[numbers[numbers != PAD] - FIRST].tolist()
        return found
