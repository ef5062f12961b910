"""CTranslate2 against our own search, with tiny models of random weights."""

import dataclasses
import itertools
import random
import subprocess
import sys

import pytest
import torch

from editmt.data.texts import Texts
from editmt.decoding.beam import beam_search
from editmt.errors import InputError
from editmt.models.saved import SavedModel
from editmt.runtime.ctranslate2_export import save_export
from editmt.runtime.ctranslate2_search import Beam, CTranslate2Search
from editmt.text import EOS
from editmt.text.subwords import SentencePiecePipeline
from tests.tiny import canvas_of, tiny_model

SHAPES = list(itertools.product(("pre", "post"), ("learned", "sinusoidal"), (True, False)))


@pytest.fixture(scope="module")
def texts():
    """Two pipelines of different sizes; tied models take the first for both sides."""
    generator = random.Random(1)
    lines = [" ".join(generator.choices("0123456789", k=8)) for _ in range(100)]
    return Texts(*(SentencePiecePipeline.train(lines, size=size) for size in (273, 276)))


def make(texts, seed=1, **changes):
    """Return a model that likes to end, so that lengths differ, with its texts."""
    pipelines = Texts(texts.source, texts.source) if changes.get("tied", True) else texts
    model = tiny_model("autoregressive", pipelines.sizes[1], seed, **changes)
    if not changes.get("tied", True):
        tokens = torch.nn.Embedding(pipelines.sizes[0], model.config.width)
        model.source_embedding.tokens = tokens
    with torch.no_grad():
        model.output.weight.mul_(2)
        model.output.weight[EOS] *= 3
    return SavedModel(model.eval(), pipelines)


def load(saved, folder, quantization="none"):
    save_export(saved, folder, quantization)
    return CTranslate2Search(folder)


def examples(saved, count, seed=1):
    """Return random sources and limits; some limits are so low that they matter."""
    generator = random.Random(seed)
    sources = [generator.choices(range(3, saved.texts.sizes[0]), k=generator.randint(0, 12)) for _ in range(count)]
    return sources, [generator.choice((0, 1, 2, 5, 9, 20, 40)) for _ in sources]


def ours(saved, sources, limits, beam):
    source = canvas_of(sources)
    return beam_search(
        saved.model, source.ids, source.mask, limits, beam=beam.width, length_power=beam.length_power
    )


def assert_same(found, expected):
    assert [each.ids for each in found] == [each.ids for each in expected]
    assert [each.score for each in found] == pytest.approx([each.score for each in expected], abs=1e-4)


@pytest.mark.parametrize(("norm", "positions", "tied"), SHAPES)
def test_it_finds_what_our_search_finds(texts, tmp_path, norm, positions, tied):
    saved = make(texts, norm=norm, positions=positions, tied=tied)
    search = load(saved, tmp_path / "model")
    sources, limits = examples(saved, 40)
    for width, power in ((1, 1.0), (1, 0.0), (4, 1.0), (4, 0.0), (4, 0.6), (7, 1.0)):
        beam = Beam(width, power)
        assert_same(search.translate(sources, limits, beam), ours(saved, sources, limits, beam))
