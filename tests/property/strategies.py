"""Random token sequences, canvases and their torch twins, for the property tests."""

import torch
from hypothesis import strategies as st

from editmt.edits import Canvas
from editmt.text import BOS, EOS, SYMBOLS

WORDS = st.integers(len(SYMBOLS), len(SYMBOLS) + 6)
"""Few types, so that repeats and moves abound."""

SENTENCES = st.lists(WORDS, max_size=12).map(lambda words: [BOS, *words, EOS])
PAIRS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=6)


def to_torch(canvas):
    return Canvas(*(torch.from_numpy(part.copy()) for part in vars(canvas).values()))


def split(pairs):
    """Return the canvas and the reference of a list of pairs."""
    return Canvas.of([left for left, _ in pairs]), Canvas.of([right for _, right in pairs])
