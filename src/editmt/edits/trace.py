"""The trace: the actions and canvases that led from a first canvas to an output."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Self

from editmt.edits.actions import Action, EditCounts, count_edits, no_edits
from editmt.edits.apply import apply
from editmt.edits.canvas import Canvas


@dataclass(frozen=True, eq=False)
class Trace:
    """The first canvas, each action, and the canvas after it.

    >>> from editmt.edits import Placeholders
    >>> trace = Trace.start(Canvas.of([[1, 2]])).then(Placeholders(np.array([[2]])))
    >>> trace.output.rows(), trace.counts.insertions.tolist()
    ([[1, 4, 4, 2]], [2])
    """

    first: Canvas
    steps: tuple[tuple[Action, Canvas], ...]

    @classmethod
    def start(cls, canvas: Canvas) -> Self:
        """Begin a trace at a canvas."""
        return cls(canvas, ())

    @classmethod
    def replay(cls, canvas: Canvas, actions: Iterable[Action]) -> Self:
        """Apply the actions one after the other from a canvas on."""
        return reduce(cls.then, actions, cls.start(canvas))

    def then(self, action: Action) -> Self:
        """Return the trace with one more action, applied to its output."""
        return type(self)(self.first, (*self.steps, (action, apply(self.output, action))))

    @property
    def output(self) -> Canvas:
        """The last canvas."""
        return self.steps[-1][1] if self.steps else self.first

    @property
    def counts(self) -> EditCounts:
        """The edits of all actions, per sentence."""
        befores = [self.first, *(canvas for _, canvas in self.steps)]
        edits = (
            count_edits(canvas, action) for canvas, (action, _) in zip(befores, self.steps, strict=False)
        )
        return reduce(add, edits, no_edits(self.first))
