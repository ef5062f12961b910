"""A trained edit model as a policy, where arrays become tensors and tensors arrays."""

from typing import Self

import numpy as np
import torch
from torch import Tensor

from editmt.decoding.known_states import KnownStates
from editmt.decoding.policy import Floats, Integers, Mask, Words
from editmt.edits import Canvas
from editmt.models.editor import EditModel, EditSource
from editmt.models.heads import score_best_word, score_drafted, widen, word_logits
from editmt.text import PLH, SYMBOLS


class ModelPolicy:
    """Scores actions with a model, for sources that are encoded once."""

    def __init__(self, model: EditModel, source: EditSource) -> None:
        self._model = model
        self._source = source
        self._known = KnownStates[Tensor]()
        self._read: tuple[Canvas, Tensor] | None = None  # the states of the last canvas's placeholders

    @classmethod
    def start(cls, model: EditModel, source_ids: Tensor, source_mask: Tensor) -> Self:
        """Encode the sources, once for all iterations."""
        with torch.inference_mode():
            return cls(model, model.encode(source_ids, source_mask))

    @torch.inference_mode()
    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Score for each place which token comes to stand there: (B, T, T), column 0 is deletion."""
        tensors = self._on_device(canvas)
        states = self._model.reposition_states(self._source, tensors)
        if self._model.shared:
            self._known.keep(canvas, states)
        return _to_numpy(self._model.score_moves(states, tensors))

    @torch.inference_mode()
    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Score each number of placeholders for each gap: (B, G, 256)."""
        states = self._known.recall(canvas, lambda rows: self._insertion_states(canvas, rows))
        return _to_numpy(self._model.score_counts(states))

    @torch.inference_mode()
    def words(self, canvas: Canvas, count: int, only: Mask | None = None) -> Words:
        """Return the `count` best words, or all there are, for each placeholder; special symbols are none."""
        states = self._placeholder_states(canvas)
        states = states if only is None else states[self._tensor(only)]
        logits = widen(self._model.output(states))  # (N, V)
        if count == 1:
            ids, scores = score_best_word(logits)
            return Words(ids[:, None].cpu().numpy(), _to_numpy(scores[:, None]))
        logits = word_logits(logits)
        best = logits.topk(min(count, logits.shape[1]), dim=1)
        scores = best.values - logits.logsumexp(1, keepdim=True)
        return Words((best.indices + len(SYMBOLS)).cpu().numpy(), _to_numpy(scores))

    @torch.inference_mode()
    def draft_scores(self, canvas: Canvas, tokens: Integers) -> Floats:
        """Return how likely tokens (N, K) are at the placeholders, roughly."""
        logits = word_logits(widen(self._model.output(self._placeholder_states(canvas))))
        return _to_numpy(score_drafted(logits, self._tensor(np.maximum(tokens - len(SYMBOLS), 0))))

    @torch.inference_mode()
    def select(self, rows: Integers) -> Self:
        """Return the policy for some of its sources only."""
        return type(self)(self._model, self._source.select(self._tensor(rows)))

    def _placeholder_states(self, canvas: Canvas) -> Tensor:
        """Return the states (N, D) of a canvas's placeholders; the last canvas's are known."""
        if self._read is None or self._read[0] is not canvas:
            tensors = self._on_device(canvas)
            self._read = canvas, self._model.token_states(self._source, tensors, tensors.ids == PLH)
        return self._read[1]

    def _insertion_states(self, canvas: Canvas, rows: Integers | None) -> Tensor:
        """Return the states of the insertion stack, of some rows or all."""
        if rows is None:
            return self._model.insertion_states(self._source, self._on_device(canvas))
        source = self._source.select(self._tensor(rows))
        return self._model.insertion_states(source, self._on_device(canvas.take(rows)))

    def _tensor(self, rows: Integers | Mask) -> Tensor:
        return torch.from_numpy(rows).to(self._source.insertion.mask.device)

    def _on_device(self, canvas: Canvas) -> Canvas:
        return to_torch(canvas, self._source.insertion.mask.device)


def to_torch(canvas: Canvas, device: torch.device) -> Canvas:
    """Return the canvas as tensors on a device."""
    return Canvas(*(torch.from_numpy(part).to(device) for part in vars(canvas).values()))


def _to_numpy(scores: Tensor) -> Floats:
    array: Floats = scores.float().cpu().numpy()
    return array
