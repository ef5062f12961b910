"""A trained edit model as a policy, where arrays become tensors and tensors arrays."""

from typing import Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from editmt.edits import Canvas, Placeholders, Reposition, Tokens
from editmt.models.editor import EditModel, EditSource
from editmt.models.heads import best_word
from editmt.text import PLH


class ModelPolicy:
    """Takes the best-scored action everywhere."""

    def __init__(self, model: EditModel, source: EditSource) -> None:
        self._model = model
        self._source = source

    @classmethod
    def start(cls, model: EditModel, source_ids: Tensor, source_mask: Tensor) -> Self:
        """Encode the sources, once for all iterations."""
        with torch.inference_mode():
            return cls(model, model.encode(source_ids, source_mask))

    @torch.inference_mode()
    def reposition(self, canvas: Canvas) -> Reposition:
        """Choose which token comes to stand at each place."""
        logits = self._model.reposition_logits(self._source, self._on_device(canvas))
        return Reposition(logits.argmax(-1).cpu().numpy())

    @torch.inference_mode()
    def placeholders(self, canvas: Canvas) -> Placeholders:
        """Choose how many placeholders to put into each gap."""
        logits = self._model.placeholder_logits(self._source, self._on_device(canvas))
        return Placeholders(logits.argmax(-1).cpu().numpy())

    @torch.inference_mode()
    def tokens(self, canvas: Canvas) -> Tokens:
        """Choose a word for each placeholder; special symbols are no words."""
        tensors = self._on_device(canvas)
        places = tensors.ids == PLH
        logits = self._model.output(self._model.token_states(self._source, tensors, places))
        words = tensors.ids.masked_scatter(places, best_word(logits))
        return Tokens(words.cpu().numpy())

    def select(self, rows: npt.NDArray[np.int64]) -> Self:
        """Return the policy for some of its sources only."""
        insertion, reposition = self._source
        index = torch.from_numpy(rows).to(insertion.mask.device)
        chosen = insertion.select(index)
        shared = reposition is insertion
        return type(self)(self._model, EditSource(chosen, chosen if shared else reposition.select(index)))

    def _on_device(self, canvas: Canvas) -> Canvas:
        return to_torch(canvas, self._source.insertion.mask.device)


def to_torch(canvas: Canvas, device: torch.device) -> Canvas:
    """Return the canvas as tensors on a device."""
    return Canvas(*(torch.from_numpy(part).to(device) for part in vars(canvas).values()))
