"""Tiny models and canvases, for tests of what is built on them."""

import dataclasses

import torch

from editmt.config import preset
from editmt.edits import Canvas
from editmt.models import make_model
from editmt.text import BOS, EOS

VOCABULARY = 23


def tiny_model(kind="editor", vocabulary=VOCABULARY, seed=1, **changes):
    """Make a small model whose weights are spread enough for its choices to differ from place to place."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    sizes = {"width": 16, "feedforward": 24, "heads": 2, "max_length": 64}
    config = dataclasses.replace(preset("tiny", kind), **(sizes | changes))
    model = make_model(config, vocabulary, vocabulary)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return model


def canvas_of(rows):
    """Put boundaries around rows of words, and pad them to a batch of tensors."""
    return tensors(Canvas.of([[BOS, *row, EOS] for row in rows]))


def tensors(canvas):
    return Canvas(*(torch.from_numpy(part) for part in vars(canvas).values()))
