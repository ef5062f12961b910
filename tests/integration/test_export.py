"""`editmt export` as a user runs it, and translation with what it wrote."""

import contextlib
import shutil

import numpy as np
import pytest
import torch

from editmt.cli.main import main
from editmt.config import Config, DataConfig, DecodingConfig
from editmt.data.prepared import PreparedData
from editmt.decoding.engine import translate_ids
from editmt.decoding.loading import load_engine
from editmt.models.saved import load_model
from editmt.runtime.ctranslate2_search import Beam, CTranslate2Search
from editmt.training.examples import ExampleMaker
from editmt.training.validation import Validator
from tests.runs import contents, train_here, write_digits


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the runs `teacher` and `editor`, and the teacher's export."""
    folder = tmp_path_factory.mktemp("export")
    write_digits(folder)
    assert train_here(folder, "teacher", "model.kind=autoregressive", "run.steps=60") == 0
    assert train_here(folder, "editor", "run.steps=1") == 0
    assert export(folder, "teacher", "exported") == 0
    return folder


def export(folder, origin, out, *arguments, to="ctranslate2"):
    with contextlib.chdir(folder):
        return main(["export", origin, out, "--to", to, *arguments])


def sources_of(folder):
    pairs = PreparedData.open(folder / "data").split("valid")
    return [pairs.source(row).tolist() for row in range(len(pairs))]


@pytest.mark.parametrize("beam", [1, 4])
def test_the_exported_model_translates_as_ours(folder, beam):
    sources, options = sources_of(folder), DecodingConfig(beam=beam)
    ours, theirs = (
        translate_ids(load_engine(folder / name, threads=1).engine, sources, options)
        for name in ("teacher", "exported")
    )
    assert ours == theirs
    assert any(ours)


def test_distilling_with_the_exported_teacher_is_the_same(folder):
    with contextlib.chdir(folder):
        for teacher in ("teacher", "exported"):
            assert main(["distill", teacher, "data", f"by-{teacher}", "--threads", "1"]) == 0
    ours, theirs = (contents(folder / f"by-{teacher}") for teacher in ("teacher", "exported"))
    assert [name for name in ours if ours[name] != theirs[name]] == ["prepare.json"], "it names the teacher"


def test_a_models_own_folder_and_fewer_bits(folder):
    assert export(folder, "teacher/model", "small", "--precision", "int8") == 0
    sizes = [(folder / name / "model.bin").stat().st_size for name in ("small", "exported")]
    assert sizes[0] < 0.5 * sizes[1]
    assert CTranslate2Search(folder / "small").translate([[7]], [5], Beam())


@pytest.mark.parametrize(
    ("origin", "out", "message"),
    [
        ("editor", "new", "editor: CTranslate2 needs an autoregressive decoder, which editor models"),
        ("teacher", "exported", "exported: is there already"),
        ("teacher", "teacher", "teacher: is there already"),
        ("nobody", "new", "nobody: there is no such folder"),
        ("data", "new", "data: nothing complete is saved here"),
        ("exported", "new", "exported: no model to load (model.json is missing)"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, capsys, origin, out, message):
    before = contents(folder)
    capsys.readouterr()
    assert export(folder, origin, out) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert contents(folder) == before


@pytest.mark.parametrize(("precision", "share", "error"), [("float16", 0.6, 1e-3), ("int8", 0.4, 1e-2)])
def test_fewer_bytes_to_train_on_from(folder, precision, share, error):
    """The weights are all but the same, and another run can start from them."""
    assert export(folder, "editor", precision, "--precision", precision, to="torch") == 0
    whole, small = (folder / name / "weights.safetensors" for name in ("editor/model", precision))
    assert small.stat().st_size < share * whole.stat().st_size
    ours, theirs = (
        dict(load_model(folder / name).model.named_parameters()) for name in ("editor/model", precision)
    )
    for name, tensor in ours.items():
        torch.testing.assert_close(theirs[name], tensor, rtol=error, atol=error)
    assert train_here(folder, f"from-{precision}", "run.steps=1", f"run.init_from={precision}") == 0


def test_for_cpus(folder):
    assert export(folder, "editor", "small-editor", "--strength", "2", to="cpu") == 0
    loaded = load_engine(folder / "small-editor", precision="float32")
    assert loaded.decoding.strength == 2
    sources = sources_of(folder)
    assert translate_ids(loaded.engine, sources, DecodingConfig()) == translate_ids(
        load_engine(folder / "editor", threads=1).engine, sources, DecodingConfig()
    )


def sentences_of(bleu):
    """Return sacreBLEU's statistics of twenty sentences, all alike, with this score."""
    return np.tile([1000, 1000, *[10 * bleu] * 4, *[1000] * 4], (20, 1))


def test_the_decoding_chosen_on_validation_goes_with_the_model(folder, monkeypatch, capsys):
    scores = {(0, 0): 20.0, (0.5, 0): 21.5, (1, 0): 21.0, (0.5, 0.6): 22.0, (0.5, 0.8): 21.8}
    scores_with_words = {(0, None): 23.0, (1, None): 25.0, (1, 0): 25.2, (1, 0.5): 25.0, (1, 1): 25.1}

    def statistics(_self, _model, way, *, with_words=False):
        if not with_words:
            return sentences_of(scores[way.penalty, way.length_quantile])
        assert (way.penalty, way.length_quantile) == (0.5, 0.6)
        return sentences_of(scores_with_words[way.foresight, way.penalty_foreseen])

    monkeypatch.setattr(Validator, "statistics", statistics)
    values = ("run.penalties=[0, 0.5, 1]", "run.length_quantiles=[0, 0.6, 0.8]", "run.foresights=[0, 1]")
    assert train_here(folder, "chosen", "run.steps=1", *values) == 0
    said = capsys.readouterr().err
    assert "penalty 1: BLEU 21.00" in said
    assert "length_quantile 0.6: BLEU 22.00" in said
    assert "foresight 1 with words: BLEU 25.00" in said
    assert "penalty_foreseen 0 with words: BLEU 25.20" in said
    assert export(folder, "chosen", "chosen-cpu", to="cpu") == 0
    assert export(folder, "chosen", "chosen-otherwise", "--penalty", "0", to="cpu") == 0
    assert export(folder, "chosen", "chosen-small", "--precision", "int8", to="torch") == 0
    names = ("chosen", "chosen-cpu", "chosen-otherwise", "chosen-small", "editor")
    decodings = [load_engine(folder / name, threads=1).decoding for name in names]
    names = ("penalty", "penalty_foreseen", "length_quantile", "foresight")
    found = [tuple(getattr(decoding, name) for name in names) for decoding in decodings]
    chosen, default = (0.5, 0.0, 0.6, 1.0), (0.0, None, 0.0, 0.0)
    assert found == [chosen, chosen, (0.0, None, 0.6, 1.0), chosen, default], "a γ that is given is for all"


def test_validation_with_words_starts_from_these(folder):
    """An untrained model writes none of the reference's words, unless they are there."""
    data = PreparedData.open(folder / "data")
    maker = ExampleMaker(Config(data=DataConfig(folder="data")), data.target.vocabulary)
    validator = Validator(data.split("valid"), data.target, maker, sentences=20)
    model = load_model(folder / "editor" / "model").model
    once = DecodingConfig(iterations=1, foresight=1.0)
    given, nothing = (validator.statistics(model, once, with_words=words) for words in (True, False))
    assert given[:, 2].sum() > 2 * nothing[:, 2].sum(), "words in common"


def test_a_damaged_penalty_is_said_in_one_line(folder, capsys):
    shutil.copytree(folder / "editor", folder / "damaged")
    (folder / "damaged/model/decoding.json").write_text("{")
    assert export(folder, "damaged", "never", to="cpu") == 2
    error = capsys.readouterr().err
    assert "decoding.json: damaged" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("to", "arguments", "message"),
    [
        ("cpu", ["--precision", "float16"], "not float16"),
        ("cpu", ["--card", "nowhere.md"], "nowhere.md: cannot be read"),
        ("cpu", ["--shortlist", "nowhere"], "nowhere: no prepared data here"),
        ("ctranslate2", ["--strength", "1"], "go with --to cpu"),
        ("torch", ["--penalty", "0"], "go with --to cpu"),
        (
            "torch",
            ["--length-quantile", "0.6"],
            "--length-quantile, --fill-share, --strength, --foresight, --card, --shortlist go with --to cpu",
        ),
        ("cpu", ["--length-quantile", "1"], "length_quantile is 1.0, and must be"),
    ],
)
def test_what_is_wrong_with_an_export_is_said_in_one_line(folder, capsys, to, arguments, message):
    assert export(folder, "editor", "never", *arguments, to=to) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (folder / "never").exists()
