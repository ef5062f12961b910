"""`editmt bench` as a user runs it, on a model of random weights."""

import json

import pytest

from editmt.cli.main import main
from editmt.data.texts import Texts
from editmt.models.saved import save_model, weights_of
from editmt.runtime.cpu_export import ExportSettings, save_export
from editmt.text.subwords import SentencePiecePipeline
from tests.tiny import tiny_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    pipeline = SentencePiecePipeline.train(["0 1 2 3 4", "5 6 7 8 9"], size=273)
    model = tiny_model("editor", len(pipeline.vocabulary)).eval()
    save_export(model, Texts(pipeline, pipeline), folder / "model", ExportSettings(("int8",)))
    (folder / "source.txt").write_text("1 2 3\n\n4 5\n")
    return folder


def bench(folder, *arguments):
    return main(["bench", "--model", str(folder / "model"), "--threads", "1", "--rounds", "1", *arguments])


def test_it_measures_and_draws(folder, capsys):
    png = folder / "bench.png"
    assert bench(folder, "--source", str(folder / "source.txt"), "--json", "--png", str(png)) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["seconds"]) == ["one by one", "batch of 2"]
    for figures in found["seconds"].values():
        assert {"EDITOR", "EDITOR, 2 terms", "same runtime, beam 4", "CTranslate2, beam 10"} <= set(figures)
        assert all(seconds > 0 for seconds in figures.values())
    assert png.stat().st_size > 10_000


def test_a_table(folder, capsys):
    assert bench(folder, "--source", str(folder / "source.txt")) == 0
    assert "same runtime, greedy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--source", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (["--source", "/dev/null"], "/dev/null: no sentence in it"),
        (["--rounds", "0"], "--rounds is 0, and must be at least 1"),
        (["--model", "nowhere"], "nowhere: there is no such folder"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, capsys, arguments, message):
    assert bench(folder, *arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_search_has_no_row_with_terms_and_other_models_are_refused(folder, capsys):
    pipeline = SentencePiecePipeline.train(["0 1 2 3 4", "5 6 7 8 9"], size=273)
    texts = Texts(pipeline, pipeline)
    model = tiny_model("autoregressive", len(pipeline.vocabulary)).eval()
    save_export(model, texts, folder / "search", ExportSettings(("int8",)))
    save_model(folder / "saved", model.config, weights_of(model), texts)
    assert bench(folder, "--model", str(folder / "search"), "--source", str(folder / "source.txt")) == 0
    assert "terms" not in capsys.readouterr().out
    assert bench(folder, "--model", str(folder / "saved")) == 2
    assert capsys.readouterr().err.endswith("saved: not an export for CPUs (editmt export --to cpu)\n")
