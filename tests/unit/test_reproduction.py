"""The whole plan with commands and models that only pretend: broken off anywhere, it ends the same."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import safetensors.numpy

from editmt.cli.main import main
from editmt.config import DecodingConfig
from editmt.data.lines import read_lines
from editmt.decoding.engine import Searched
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.edits import EditCounts
from editmt.errors import InputError
from editmt.experiments import answers, commands, figures, latency, publish
from editmt.experiments.places import Places
from editmt.experiments.task import read_task
from tests.miniature import write_task

SHARES = {"autoregressive": 0.9, "levenshtein": 0.6}
TRACE = {"first": ["<s>", "▁a", "▁b", "</s>"], "steps": []}


class Pretended(Translation):
    """A translation with a trace that is not one."""

    def to_json(self, pieces):
        answer = super().to_json(pieces)
        return answer | {"trace": TRACE, "counts": vars(EditCounts(2, 1, 5)), "iterations": 2}


OWN = {"penalty": 0.5, "penalty_foreseen": 0.25, "length_quantile": 0.6, "fill_share": 0.5}


class Pretender:
    """Translates by giving words of the reference, more or less of them, and all hard ones."""

    loaded: ClassVar[list[str]] = []

    def __init__(self, run, options=None):
        self.run, self.options = run, options or DecodingConfig(**OWN)
        self.share = next((share for name, share in SHARES.items() if name in run), 0.8)
        self.texts = SimpleNamespace(target=SimpleNamespace(vocabulary=SimpleNamespace(pieces=())))
        self.references = dict(
            zip(*map(read_lines, (Path("corpora/test.en"), Path("corpora/test.de"))), strict=True)
        )

    @classmethod
    def load(cls, run):
        cls.loaded.append(str(run))
        return cls(str(run))

    def with_options(self, options):
        own = {name: getattr(options, name) for name in OWN}
        assert own == OWN, "what is a model's own goes with every condition"
        return Pretender(self.run, options)

    def translate_all(self, requests):
        return [self.translate(request) for request in requests]

    def translate(self, request):
        if "single-path" in self.run and request.hard:
            return InputError("too long")
        words = self.references[request.source].split()
        said = [*words[: int(self.share * len(words))], *request.hard]
        return Pretended(" ".join(said), request, Searched([5] * len(said), -1.0))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_task(tmp_path, test=8)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "run_command", pretend)
    monkeypatch.setattr(Translator, "load", Pretender.load)
    monkeypatch.setattr(figures, "_save", lambda *_: None)  # drawn in other tests
    Pretender.loaded.clear()
    return tmp_path


def pretend(command, _log):
    """Make what the command would make."""
    words = list(command.words)
    if words[1] == "train":
        run = Path(words[words.index("--out") + 1])
        (run / "model").mkdir(parents=True)
        weights = {"a": np.zeros((3, 4), np.float32), "b": np.zeros(5, np.float32)}
        safetensors.numpy.save_file(weights, run / "model/weights.safetensors")
        (run / "metrics.jsonl").write_text('{"step": 5, "losses": {}}\n{"step": 10, "bleu": 31.5}\n')
        (run / "model/manifest.json").write_text(json.dumps({"files": {}, "run": run.name}))
    else:
        out = Path(words[4] if words[1] == "distill" else words[3] if words[1] == "export" else words[2])
        out.mkdir(parents=True)
        for name in ("prepare.json", "train.json"):
            (out / name).write_text("{}")


def reproduce(*arguments):
    return main(["reproduce", "task.toml", *arguments])


def tables_without_gaps(folder):
    """Whether the report says of nothing in its tables that it was not run."""
    text = (folder / "experiments/mini/report.md").read_text()
    return "not run" not in text[: text.index("## Figures")]


def test_all_tables_are_filled(folder):
    assert reproduce() == 0
    results = json.loads((folder / "experiments/mini/results.json").read_text())
    assert results["models"]["editor"]["parameters"] == 17
    assert results["models"]["editor"]["validation"] == [[10, 31.5]]
    assert not [claim for claim in results["claims"] if claim["verdict"] == "not run"]
    systems = results["constrained"]["systems"]
    assert systems["editor-hard"]["cpr"]["score"] == 100
    assert systems["editor-soft"]["bleu"]["score"] > systems["levenshtein-soft"]["bleu"]["score"]
    assert results["examples"][0]["answers"]["editor-soft"]["trace"] == TRACE
    assert tables_without_gaps(folder)
    assert (folder / "experiments/mini/task.toml").read_text() == (folder / "task.toml").read_text()


@pytest.mark.parametrize("calls", [1, 25, 94])
def test_broken_off_anywhere_it_ends_the_same(folder, monkeypatch, calls):
    """Broken off after so many calls of what writes answers and stamps, then done again."""
    left = [calls]

    def counted(function):
        def call(*arguments):
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt
            return function(*arguments)

        return call

    with monkeypatch.context() as patch:
        for module, name in (
            (answers, "write_text"),
            (answers, "write_stamp"),
            (latency, "write_stamp"),
            (publish, "write_text"),
        ):
            patch.setattr(module, name, counted(getattr(module, name)))
        assert reproduce() == 130
    loaded = len(Pretender.loaded)
    assert reproduce() == 0
    first = (folder / "experiments/mini/results.json").read_bytes()
    assert len(Pretender.loaded) > loaded or calls > 90
    again = len(Pretender.loaded)
    (folder / "experiments/mini/results.json").unlink()
    assert reproduce() == 0
    assert (folder / "experiments/mini/results.json").read_bytes() == first
    assert len(Pretender.loaded) == again, "nothing was decoded or measured again"


def test_latencies_are_measured_once_and_kept(folder):
    assert reproduce() == 0
    path = folder / "experiments/mini/latency.json"
    measured = json.loads(path.read_text())
    measured["conditions"]["editor"]["mean"] = 123.4
    path.write_text(json.dumps(measured))
    assert reproduce() == 0
    assert json.loads(path.read_text()) == measured
    assert "123.4" in (folder / "experiments/mini/report.md").read_text()
    assert "latency" not in json.loads((folder / "experiments/mini/results.json").read_text())


@pytest.mark.parametrize(
    "name",
    [
        "outputs/mini/requests/soft-1.jsonl",
        "outputs/mini/requests/terms-wiktionary-hard.jsonl",
        "outputs/mini/answers/editor-soft/soft-2.jsonl",
        "outputs/mini/answers/other-ties-soft/soft-1.jsonl",
        "experiments/mini/results.json",
        "experiments/mini/report.html",
    ],
)
def test_a_damaged_file_is_made_anew_and_nothing_else_changes(folder, capsys, name):
    assert reproduce() == 0
    path, results, loaded = folder / name, folder / "experiments/mini/results.json", len(Pretender.loaded)
    whole, first = path.read_bytes(), results.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 1])  # without its last line
    assert reproduce("--dry-run") == 0
    assert "left to do: nothing" not in capsys.readouterr().out
    assert reproduce() == 0
    assert (path.read_bytes(), results.read_bytes()) == (whole, first)
    assert len(Pretender.loaded) == loaded + ("answers" in name), "requests are the same again"
    assert reproduce("--dry-run") == 0
    assert "left to do: nothing" in capsys.readouterr().out


def test_damaged_latencies_are_measured_again(folder, capsys):
    assert reproduce() == 0
    path = folder / "experiments/mini/latency.json"
    path.write_text('{"conditions"')
    capsys.readouterr()
    assert reproduce("--report") == 2
    assert capsys.readouterr().err == (
        "editmt: experiments/mini/latency.json: damaged: not the times that were measured "
        "(remove it to measure again)\n"
    )
    assert reproduce() == 0
    assert json.loads(path.read_text())["conditions"]["editor"]["mean"] > 0


def test_a_new_model_is_decoded_anew_and_no_other(folder):
    assert reproduce() == 0
    Pretender.loaded.clear()
    manifest = folder / "runs/mini-editor/model/manifest.json"
    manifest.write_text('{"files": {}, "run": "another"}')
    assert reproduce() == 0
    assert Pretender.loaded[0] == "runs/mini-editor"
    assert Pretender.loaded.count("runs/mini-levenshtein") == 1, "for the latency only"


def test_a_changed_configuration_is_not_passed_over(folder, capsys):
    assert reproduce() == 0
    config = folder / "configs/editor.toml"
    config.write_text(config.read_text().replace("steps = 10", "steps = 20"))
    assert reproduce() == 2
    assert "runs/mini-editor/model: was made from something else" in capsys.readouterr().err
    config.write_text(
        config.read_text()
        .replace("steps = 20", "steps = 10 # a remark")
        .replace("threads = 1", "threads = 2")
    )
    assert reproduce() == 0


def test_what_cannot_be_translated_counts_as_wrong_and_is_told(folder, monkeypatch):
    monkeypatch.setattr(
        Pretender,
        "translate",
        lambda self, request: InputError("too long") if request.hard else answer(self, request),
    )
    assert reproduce() == 0
    results = json.loads((folder / "experiments/mini/results.json").read_text())
    assert results["failures"]["editor-hard/hard-1"] == 8
    assert results["constrained"]["systems"]["editor-hard"]["bleu"]["score"] == 0
    assert "sentences could not be translated" in (folder / "experiments/mini/report.html").read_text()


def answer(translator, request):
    return Pretended(translator.references[request.source], request, Searched([5], -1.0))


def test_a_report_of_what_has_been_run_so_far(folder, capsys, monkeypatch):
    def fail(command, log):
        if "configs/single-path.toml" in command.words:
            raise InputError("no room")
        pretend(command, log)

    monkeypatch.setattr(commands, "run_command", fail)
    assert reproduce() == 2
    assert capsys.readouterr().err.endswith("editmt: no room\n")
    assert reproduce("--report") == 0
    assert not tables_without_gaps(folder)
    monkeypatch.setattr(commands, "run_command", pretend)
    assert reproduce() == 0
    assert tables_without_gaps(folder)


def test_the_state_of_the_plan_is_shown(folder, capsys):
    places = Places(read_task(Path("task.toml")))
    assert reproduce() == 0
    capsys.readouterr()
    assert reproduce("--dry-run") == 0
    assert "left to do: nothing" in capsys.readouterr().out
    places.answers("editor-soft", "soft-2").unlink()
    assert reproduce("--dry-run") == 0
    lines = capsys.readouterr().out.splitlines()
    assert next(line for line in lines if "decode-editor" in line).split()[2] == "begun"
    assert (folder / "outputs/mini/logs").exists() is False, "no command was really run"
