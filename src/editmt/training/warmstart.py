"""`init_from`: start a model from another's weights, as far as they fit."""

from pathlib import Path

import torch
from torch import Tensor, nn

from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.errors import InputError
from editmt.models.saved import read_weights
from editmt.storage import verify

STACKS = {"insertion.": "decoder.", "reposition.": "decoder."}
"""Where an edit model's stacks start: from the autoregressive teacher's one decoder."""


def start_from(model: nn.Module, folder: Path, texts: Texts) -> int:
    """Copy what fits from a saved model, and return how many tensors that was.

    The encoder and the embeddings fit by name; of a teacher, the decoder goes into each decoder stack.
    `texts` are the new model's pipelines: with another vocabulary, ids would take others' embeddings.
    """
    verify(folder)
    saved = open_texts(folder / TEXT_FOLDER)
    for old, new in ((saved.source, texts.source), (saved.target, texts.target)):
        if old.vocabulary.pieces != new.vocabulary.pieces:
            raise InputError(f"{folder}: its vocabulary is not that of the data")
    weights = read_weights(folder)
    copied = 0
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            found = _find(weights, name)
            if found is not None and found.shape == parameter.shape:
                parameter.copy_(found)
                copied += 1
    if not copied:
        raise InputError(f"{folder}: no weight there fits the model that is to start from it")
    return copied


def _find(weights: dict[str, Tensor], name: str) -> Tensor | None:
    if name in weights:
        return weights[name]
    for stack, teacher in STACKS.items():
        if name.startswith(stack):
            return weights.get(teacher + name.removeprefix(stack))
    return None
