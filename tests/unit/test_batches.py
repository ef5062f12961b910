import numpy as np
import pytest

from editmt.decoding.batches import most_tokens, translate_ids
from editmt.decoding.model_policy import ModelPolicy
from editmt.decoding.refine import refine
from editmt.edits import Canvas
from editmt.text import BOS, EOS
from tests.tiny import canvas_of, tiny_model

SOURCES = [[5, 6, 7, 8, 9], [10], [11, 12, 13], [6, 6, 6, 6, 6, 6, 6, 6]]


@pytest.mark.parametrize("kind", ["editor", "levenshtein", "autoregressive"])
@pytest.mark.parametrize("batch_tokens", [1, 15, 1000])
def test_sentences_come_back_in_order_whatever_the_batch(kind, batch_tokens):
    model = tiny_model(kind).eval()
    alone = [translate_ids(model, [source])[0] for source in SOURCES]
    assert translate_ids(model, SOURCES, batch_tokens=batch_tokens) == alone


def test_refinement_starts_from_the_words_given():
    model = tiny_model().eval()
    words = [[7, 5], [], [12, 12, 20], [9]]
    for source, start, output in zip(
        SOURCES, words, translate_ids(model, SOURCES, canvases=words), strict=True
    ):
        encoded = canvas_of([source])
        policy = ModelPolicy.start(model, encoded.ids, encoded.mask)
        limits = np.array([most_tokens(len(source) + 2)])
        assert refine(policy, Canvas.of([[BOS, *start, EOS]]), limits)[0].ids == output


def test_nothing_to_translate():
    assert translate_ids(tiny_model().eval(), []) == []
