"""An exported edit model as a policy; it computes nothing twice."""

from typing import Self

import numpy as np
import numpy.typing as npt

from editmt.decoding.foresight import CANDIDATES, score_tokens
from editmt.decoding.known_states import KnownStates
from editmt.decoding.policy import Floats, Integers, Mask, Words
from editmt.edits import DELETE, Canvas
from editmt.runtime.cpu_model import CpuEditModel, ShortWords
from editmt.runtime.cpu_source import CpuSource
from editmt.text import PLH

IMPOSSIBLE = -1e9
"""The score of what may not be chosen: finite, as that of the models."""

WORTH_A_PASS = 64
"""Places of padding that are worth a pass of its own."""


def group_lengths(lengths: Integers) -> list[Integers]:
    """Return which sentences to read together, those of about a length, each group in order.

    >>> [rows.tolist() for rows in group_lengths(np.array([9, 30, 8, 31]))], WORTH_A_PASS
    ([[0, 1, 2, 3]], 64)
    >>> [rows.tolist() for rows in group_lengths(np.array([9, 60, 8, 61]))]
    [[0, 2], [1, 3]]
    """
    order = np.argsort(lengths, kind="stable")
    rising = lengths[order]
    groups, waiting = [], [(0, len(order))]
    while waiting:
        start, end = waiting.pop()
        saved = np.arange(1, end - start) * (rising[end - 1] - rising[start : end - 1])
        cut = 1 + int(saved.argmax()) if len(saved) else 0
        if cut and saved[cut - 1] > WORTH_A_PASS:
            waiting += [(start + cut, end), (start, start + cut)]
        else:
            groups.append(np.sort(order[start:end]))
    return groups


class CpuPolicy:
    """Scores actions with an exported model, for sources that are encoded once."""

    def __init__(self, model: CpuEditModel, source: CpuSource, words: ShortWords | None = None) -> None:
        self._model = model
        self._source = source
        self._words = words
        self._known = KnownStates[Floats]()
        self._read: tuple[Canvas, Floats] | None = None  # the states of the last canvas's placeholders

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

    def words(self, canvas: Canvas, count: int, only: Mask | None = None) -> Words:
        """Return the `count` best words, or all there are, for each placeholder; special symbols are none."""
        states = self._placeholder_states(canvas)
        return Words(*self._model.best_words(states if only is None else states[only], count, self._words))

    def draft_scores(self, canvas: Canvas, tokens: Integers) -> Floats:
        """Return how likely tokens (N, K) are at the placeholders, roughly."""
        if self._words is None:
            scores = self._model.score_drafted(self._placeholder_states(canvas), tokens)
            if scores is not None:
                return scores
        return score_tokens(tokens, self.words(canvas, CANDIDATES))

    def _placeholder_states(self, canvas: Canvas) -> Floats:
        """Return the states (N, D) of a canvas's placeholders; the last canvas's are known."""
        if self._read is None or self._read[0] is not canvas:
            self._read = canvas, self._read_placeholders(canvas)
        return self._read[1]

    def _read_placeholders(self, canvas: Canvas) -> Floats:
        """Return the states (N, D) of a canvas's placeholders, in reading order.

        Sentences are read beside such of about their length: padding takes as long as tokens.
        """
        places = canvas.ids == PLH
        groups = group_lengths(canvas.lengths)
        if len(groups) == 1:
            whole: Floats = self._insertion_states(canvas, None)[places]
            return whole
        states = np.empty((np.count_nonzero(places), self._model.config.width), dtype=np.float32)
        owners = np.nonzero(places)[0]
        for rows in groups:
            some = canvas.take(rows).trim()
            found = self._model.insertion_states(self._source.select(rows), some.ids, some.mask)
            states[np.isin(owners, rows)] = found[some.ids == PLH]
        return states

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
