"""An exported edit model as a policy; it computes nothing twice."""

from typing import Self

import numpy as np
import numpy.typing as npt

from editmt.decoding.known_states import KnownStates
from editmt.decoding.policy import Floats, Integers, Words
from editmt.edits import DELETE, Canvas
from editmt.runtime.cpu_model import CpuEditModel, ShortWords
from editmt.runtime.cpu_source import CpuSource
from editmt.text import PLH

IMPOSSIBLE = -1e9
"""The score of what may not be chosen: finite, as that of the models."""


class CpuPolicy:
    """Scores actions with an exported model, for sources that are encoded once."""

    def __init__(self, model: CpuEditModel, source: CpuSource, words: ShortWords | None = None) -> None:
        self._model = model
        self._source = source
        self._words = words
        self._known = KnownStates[Floats]()

    @classmethod
    def start(cls, model: CpuEditModel, source: Canvas) -> Self:
        """Encode the sources, once for all iterations."""
        return cls(model, model.encode(source.ids, source.mask), model.choose_words(source.ids))

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Score for each place which token comes to stand there: (B, T, T), column 0 is deletion."""
        states = self._model.reposition_states(self._source, canvas.ids, canvas.mask)
        if self._model.shared:
            self._known.keep(canvas, states)
        scores = self._model.reposition_scores(states, canvas.ids)
        return np.where(self._allowed(canvas), scores, IMPOSSIBLE)

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Score each number of placeholders for each gap: (B, G, 256)."""
        return self._model.placeholder_scores(
            self._known.recall(canvas, lambda rows: self._insertion_states(canvas, rows))
        )

    def words(self, canvas: Canvas, count: int) -> Words:
        """Return the `count` best words, or all there are, for each placeholder; special symbols are none.

        In a batch some sentences wait for no word: they are not read.
        """
        places = canvas.ids == PLH
        rows = np.flatnonzero(places.any(axis=1))
        states = self._insertion_states(canvas, rows if len(rows) < len(places) else None)
        return Words(*self._model.best_words(states[places[rows]], count, self._words))

    def select(self, rows: Integers) -> Self:
        """Return the policy for some of its sources only."""
        return type(self)(self._model, self._source.select(rows), self._words)

    def _insertion_states(self, canvas: Canvas, rows: Integers | None) -> Floats:
        """Return the states of the insertion stack, of some rows or all."""
        if rows is None:
            return self._model.insertion_states(self._source, canvas.ids, canvas.mask)
        some = canvas.take(rows)
        return self._model.insertion_states(self._source.select(rows), some.ids, some.mask)

    def _allowed(self, canvas: Canvas) -> npt.NDArray[np.bool_]:
        """Let places inside the sentence choose among its tokens, and boundaries and padding stay."""
        interior = canvas.interior
        own = np.eye(interior.shape[1], dtype=bool)
        if self._model.config.kind == "editor":
            choices = np.broadcast_to(interior[:, None, :], (*interior.shape, interior.shape[1])).copy()
        else:
            choices = np.broadcast_to(own, (*interior.shape, interior.shape[1])).copy()
        choices[:, :, DELETE] = True
        return np.where(interior[:, :, None], choices, own)
