"""States that were computed for a canvas, and need not be computed again.

Where the heads share a stack, a canvas that reposition leaves as it is has its states already: the
placeholder head reads them, and a confirming iteration costs one pass instead of two.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from editmt.decoding.policy import Integers
from editmt.edits import Canvas

States = TypeVar("States", bound=Any)
"""An array or a tensor (B, T, D)."""


class KnownStates(Generic[States]):
    """Keeps the states of the last canvas for one more reading."""

    def __init__(self) -> None:
        self._last: tuple[Canvas, States] | None = None

    def keep(self, canvas: Canvas, states: States) -> None:
        """Keep the states of a canvas, until they are asked for."""
        self._last = canvas, states

    def recall(self, canvas: Canvas, compute: Callable[[Integers | None], States]) -> States:
        """Return the states of a canvas: those of rows that stayed are known, others get computed.

        `compute` gets the rows that changed, or None for all.
        """
        last, self._last = self._last, None
        width = canvas.ids.shape[1]
        if last is None or last[0].ids.shape[1] < width:
            return compute(None)
        before = last[0]
        states: States = last[1][:, :width]
        changed = (before.ids[:, :width] != canvas.ids).any(axis=1) | (before.lengths != canvas.lengths)
        rows: Integers = changed.nonzero()[0]
        if len(rows) == len(changed):
            return compute(None)
        if len(rows):
            states[rows] = compute(rows)
        return states
