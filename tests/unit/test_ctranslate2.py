"""CTranslate2 against our own search, with tiny models of random weights."""

import itertools
import random
import subprocess
import sys

import pytest
import torch

from editmt.data.texts import Texts
from editmt.decoding.beam import beam_search
from editmt.errors import InputError
from editmt.models.saved import SavedModel, save_model, weights_of
from editmt.runtime.ctranslate2_export import save_export
from editmt.runtime.ctranslate2_search import Beam, CTranslate2Search
from editmt.text import EOS, SYMBOLS, UNK
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


def load(saved, folder, precision="float32"):
    save_export(saved.model, saved.texts, folder, precision)
    return CTranslate2Search(folder)


def examples(saved, count, seed=1):
    """Return random sources and limits; some limits are so low that they matter."""
    generator = random.Random(seed)
    types = range(UNK, saved.texts.sizes[0])
    sources = [generator.choices(types, k=generator.randint(0, 12)) for _ in range(count)]
    return sources, [generator.choice((0, 1, 2, 5, 9, 20, 40)) for _ in sources]


def ours(saved, sources, limits, beam):
    source = canvas_of(sources)
    found = beam_search(
        saved.model, source.ids, source.mask, limits, beam=beam.width, length_power=beam.length_power
    )
    return [hypotheses[0] for hypotheses in found]


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


def test_limits_batches_and_order_change_nothing_else(texts, tmp_path):
    saved = make(texts, seed=3, positions="sinusoidal", tied=False)
    search = load(saved, tmp_path / "model")
    sources, limits = examples(saved, 30, seed=2)
    found = search.translate(sources, limits, Beam(3))
    assert_same(search.translate(sources, limits, Beam(3), batch=1), found)
    assert_same(search.translate(sources[::-1], limits[::-1], Beam(3), batch=4)[::-1], found)
    assert any(len(each.ids) == limit > 0 for each, limit in zip(found, limits, strict=True))
    assert any(len(each.ids) < limit for each, limit in zip(found, limits, strict=True))
    assert search.translate([], [], Beam()) == []


@pytest.mark.parametrize("precision", ["int8", "float16"])
def test_fewer_bits(texts, tmp_path, precision):
    saved = make(texts, seed=3)
    before = {name: weight.clone() for name, weight in weights_of(saved.model).items()}
    load(saved, tmp_path / "float32")
    search = load(saved, tmp_path / precision, precision)
    assert all(torch.equal(weight, before[name]) for name, weight in weights_of(saved.model).items())
    sizes = [(tmp_path / name / "model.bin").stat().st_size for name in ("float32", precision)]
    assert sizes[1] < 0.7 * sizes[0]
    sources, limits = examples(saved, 10)
    for found, limit in zip(search.translate(sources, limits, Beam()), limits, strict=True):
        assert len(found.ids) <= limit
        assert all(word >= len(SYMBOLS) for word in found.ids)


def test_it_translates_where_there_is_no_torch(texts, tmp_path):
    saved = make(texts)
    search = load(saved, tmp_path / "model")
    program = f"""
import sys
sys.modules["torch"] = None  # importing it fails
from pathlib import Path
from editmt.runtime.ctranslate2_search import Beam, CTranslate2Search
search = CTranslate2Search(Path({str(tmp_path / "model")!r}))
print(search.translate([search.texts.source.encode("1 2")], [6], Beam())[0].ids)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == f"{search.translate([texts.source.encode('1 2')], [6], Beam())[0].ids}\n"


def test_what_cannot_be_used_is_refused(texts, tmp_path):
    saved = make(texts)
    save_model(tmp_path / "ours", saved.model.config, weights_of(saved.model), saved.texts)
    with pytest.raises(InputError, match=r"export\.json is missing"):
        CTranslate2Search(tmp_path / "ours")
    search = load(saved, tmp_path / "model")
    with pytest.raises(InputError, match="source 2: 63 tokens; this model reads 62"):
        search.translate([[7], [7] * 63], [3, 3], Beam())
    with pytest.raises(InputError, match="source 1: limit 64; this model writes 63 tokens"):
        search.translate([[7]], [64], Beam())
    assert len(search.translate([[7] * 62], [63], Beam())) == 1
    with (tmp_path / "model" / "model.bin").open("ab") as stream:
        stream.write(b"0")
    with pytest.raises(InputError, match="damaged"):
        CTranslate2Search(tmp_path / "model")
