"""`editmt reproduce` as a user runs it, on a miniature task: whole, killed and resumed, in two processes."""

import json
import os
import signal
import time

import pytest

from editmt.cli.main import main
from tests.miniature import Reproduction, write_task

RESULTS = "experiments/mini/results.json"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """A task that was reproduced in one go."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_task(folder)
    code, said = Reproduction(folder).end()
    assert code == 0, said
    return folder


@pytest.mark.slow
def test_all_of_it(undisturbed):
    results = json.loads((undisturbed / RESULTS).read_text())
    assert set(results["translation"]["systems"]) == {
        "ar-beam4", "ar-beam10", "ar-distilled-beam10", "levenshtein", "editor",
    }  # fmt: skip
    constrained = results["constrained"]
    assert set(constrained["systems"]) == {
        "dba-beam4", "dba-beam10", "levenshtein-soft", "levenshtein-hard", "editor-soft", "editor-hard",
        "levenshtein-foreseen", "editor-foreseen", "editor-foreseen-hard", "single_path-soft", "editor",
    }  # fmt: skip
    assert (constrained["runs"], constrained["sentences"]) == (3, 6)
    for name in ("editor-hard", "editor-foreseen-hard", "levenshtein-hard", "dba-beam10"):
        assert constrained["systems"][name]["cpr"]["score"] == 100, name
    assert {name: list(points) for name, points in results["counts"].items()} == {
        name: ["2", "4"]
        for name in ("dba-beam4", "dba-beam10", "levenshtein-soft", "editor-soft", "editor-foreseen")
    }
    assert {name: len(points) for name, points in results["strengths"].items()} == {
        "editor": 2,
        "editor-foreseen": 2,
        "levenshtein-foreseen": 2,
        "other-ties": 2,
    }
    assert len(results["terminology"]["Wiktionary"]["systems"]) == 8
    assert not [claim for claim in results["claims"] if claim["verdict"] == "not run"]
    assert results["failures"] == {}
    times = json.loads((undisturbed / "experiments/mini/latency.json").read_text())["conditions"]
    assert len(times) == 15
    assert all(time["mean"] > 0 for time in times.values())
    report = (undisturbed / "experiments/mini/report.md").read_text()
    assert "not run" not in report
    for name in ("speed", "constraints", "strength", "f1", "learning"):
        for ending in ("png", "svg"):
            assert (undisturbed / f"experiments/mini/figures/{name}.{ending}").stat().st_size > 1000


@pytest.mark.soak  # not yet seen to pass as a whole
def test_done_is_done_and_the_answers_are_those_of_the_commands(undisturbed, monkeypatch, capsys):
    monkeypatch.chdir(undisturbed)
    before = {path: path.stat().st_mtime_ns for path in undisturbed.rglob("*") if path.is_file()}
    assert main(["reproduce", "mini"]) == 0
    changed = [path.name for path, when in before.items() if path.stat().st_mtime_ns != when]
    assert changed == ["commands.sh"]
    assert main(["reproduce", "mini", "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "left to do: nothing" in shown
    assert " to do" not in shown.replace("left to do", "")
    commands = (undisturbed / "experiments/mini/commands.sh").read_text().splitlines()
    line = next(each for each in commands if "answers/editor-soft/soft-2.jsonl" in each)
    ours = (undisturbed / "outputs/mini/answers/editor-soft/soft-2.jsonl").read_text()
    asked = undisturbed / "outputs/mini/requests/soft-2.jsonl"
    assert line == (
        "editmt translate --model runs/mini-editor --jsonl < outputs/mini/requests/soft-2.jsonl "
        "> outputs/mini/answers/editor-soft/soft-2.jsonl"
    )
    with asked.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert main(["translate", "--model", "runs/mini-editor", "--jsonl"]) == 0
    assert capsys.readouterr().out == ours


@pytest.mark.slow
def test_killed_at_five_places_it_ends_with_the_same_results(undisturbed, tmp_path):
    write_task(tmp_path)

    def there(pattern):
        return lambda: any(tmp_path.glob(pattern))

    places = (
        "runs/mini-autoregressive/checkpoints/step-*",  # while the teacher learns
        "data/mini-distilled.shards",  # while it translates
        "runs/mini-editor/config.json",  # while EDITOR learns
        "outputs/mini/answers/editor-soft/soft-1.jsonl",  # while it translates
        "experiments/mini/results.json",  # while the report is written
    )
    for place in places:
        assert not any(tmp_path.glob(place)), place
        Reproduction(tmp_path).kill_when(there(place))
    code, said = Reproduction(tmp_path).end()
    assert code == 0, said
    assert (tmp_path / RESULTS).read_bytes() == (undisturbed / RESULTS).read_bytes()
    assert (tmp_path / "experiments/mini/report.html").exists()


@pytest.mark.slow
def test_two_processes_a_signal_and_a_second_reproduction(tmp_path):
    write_task(tmp_path, processes=2, steps=400)
    first = Reproduction(tmp_path)
    begun = tmp_path / "runs/mini-autoregressive/checkpoints"
    limit = time.monotonic() + 300
    while not any(begun.glob("step-*")):
        assert time.monotonic() < limit
        assert first.process.poll() is None, first.end()
        time.sleep(0.05)
    os.kill(first.process.pid, signal.SIGTERM)
    code, said = first.end()
    assert code == 143
    assert said.endswith("editmt: stopped; the same command goes on\n")
    assert "stopped after step" in (tmp_path / "outputs/mini/logs/train-teacher.log").read_text()
