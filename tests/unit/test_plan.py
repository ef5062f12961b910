"""The plan: what is done, what is begun, what has changed; commands, locks, and the paper's scale."""

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from editmt.cli.main import main
from editmt.config import read_config
from editmt.errors import InputError
from editmt.experiments import commands, runner
from editmt.experiments.commands import CommandStep, run_command, run_commands
from editmt.experiments.estimates import training_seconds
from editmt.experiments.latency import describe, measure
from editmt.experiments.places import Places
from editmt.experiments.plan import Planner
from editmt.experiments.requests import RequestsStep
from editmt.experiments.runner import hold, run_plan
from editmt.experiments.step import ShellCommand
from editmt.experiments.task import find_task, read_task
from tests.miniature import write_task

ROOT = Path(__file__).parents[2]
NAMES = [
    "prepare", "requests", "train-teacher", "export-teacher", "distill", "train-distilled",
    "train-levenshtein", "train-editor", "train-single_path", "decode-teacher", "decode-distilled",
    "decode-levenshtein", "decode-editor", "decode-single_path", "latency", "report-so-far",
    "train-other-ties",
    "decode-other-ties", "report",
]  # fmt: skip


@pytest.fixture
def places(tmp_path, monkeypatch):
    write_task(tmp_path)
    monkeypatch.chdir(tmp_path)
    return Places(read_task(Path("task.toml")))


def make_step(places, **changes):
    made = Path("made")
    settings = {"makes": made, "settings": {"size": 1}, "files": (Path("task.toml"),)} | changes
    return CommandStep("make", places, ShellCommand(("editmt", "prepare", "made")), **settings)


@pytest.fixture
def called(monkeypatch):
    """Note commands instead of running them; each makes `made`."""
    lines = []

    def note(command, _log):
        lines.append(command.line)
        Path("made").mkdir(exist_ok=True)

    monkeypatch.setattr(commands, "run_command", note)
    return lines


def test_the_steps_in_order(places):
    assert [step.name for step in Planner.of(places.task).steps()] == NAMES


@pytest.mark.usefixtures("places")
def test_dry_run_touches_nothing(capsys, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    assert main(["reproduce", "task.toml", "--dry-run"]) == 0
    assert sorted(tmp_path.rglob("*")) == before
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A miniature"
    assert [line.split()[1] for line in lines[1 : 1 + len(NAMES)]] == NAMES
    assert lines[8].split() == [
        "8", "train-editor", "to", "do", "1", "min", "editmt", "train", "configs/editor.toml", "--out",
        "runs/mini-editor",
    ]  # fmt: skip
    assert lines[-2].startswith("left to do: about ")


def test_estimates_are_the_measured_speeds(monkeypatch):
    """On two cores in one process: 3.3 and 1.5 steps a second (docs/log.md)."""
    monkeypatch.chdir(ROOT)
    for kind, speed in (("autoregressive", 3.3), ("editor", 1.5)):
        config = read_config(Path(f"configs/cpu/multi30k.en-de-{kind}.toml"))
        assert training_seconds(config, 1) == pytest.approx(config.run.steps / speed, rel=0.05)
        assert training_seconds(config, 2) == pytest.approx(config.run.steps / speed / 1.2, rel=0.05)


@pytest.mark.usefixtures("places")
def test_two_processes_are_torchruns():
    Path("task.toml").write_text(Path("task.toml").read_text().replace("processes = 1", "processes = 2"))
    task = read_task(Path("task.toml"))
    train = next(step for step in Planner.of(task).steps() if step.name == "train-editor")
    assert [command.line for command in train.commands()] == [
        "torchrun --standalone --nproc-per-node 2 -m editmt train configs/editor.toml --out runs/mini-editor "
        "--set run.threads=1"
    ]


@pytest.mark.usefixtures("places")
def test_a_task_may_train_its_edit_models_for_fewer_steps():
    Path("task.toml").write_text(
        Path("task.toml").read_text().replace("processes = 1", "processes = 1\nedit_steps = 7")
    )
    planner = Planner.of(read_task(Path("task.toml")))
    lines = {step.name: [command.line for command in step.commands()] for step in planner.steps()}
    for name in ("editor", "levenshtein", "single_path", "other-ties"):
        assert planner.models[name].config.run.steps == 7
        assert lines[f"train-{name}"][0].endswith(" --set run.steps=7")
    for name in ("teacher", "distilled"):
        assert planner.models[name].config.run.steps == 10
        assert "--set" not in lines[f"train-{name}"][0]


@pytest.mark.usefixtures("places")
def test_a_task_may_change_what_all_its_configurations_say():
    Path("task.toml").write_text(
        Path("task.toml")
        .read_text()
        .replace("processes = 1", 'processes = 1\nedit_steps = 7\nchanges = ["run.precision=bfloat16"]')
    )
    planner = Planner.of(read_task(Path("task.toml")))
    lines = {step.name: [command.line for command in step.commands()] for step in planner.steps()}
    assert {model.config.run.precision for model in planner.models.values()} == {"bfloat16"}
    assert lines["train-teacher"][0].endswith(" --set run.precision=bfloat16")
    assert lines["train-editor"][0].endswith(" --set run.precision=bfloat16 --set run.steps=7")


@pytest.mark.usefixtures("places")
def test_trainings_side_by_side_are_one_step(called):
    Path("task.toml").write_text(
        Path("task.toml").read_text().replace("processes = 1", "processes = 1\nside_by_side = 2")
    )
    planner = Planner.of(read_task(Path("task.toml")))
    steps = {step.name: step for step in planner.steps()}
    assert [name for name in steps if name.startswith("train")] == [
        "train-teacher",
        "train",
        "train-other-ties",
    ]
    together = steps["train"]
    assert [command.words[-1] for command in together.commands()] == [
        "runs/mini-autoregressive-distilled", "runs/mini-levenshtein", "runs/mini-editor",
        "runs/mini-single-path",
    ]  # fmt: skip
    assert together.seconds() == sum(step.seconds() for step in together.steps) / 1.4
    assert together.state() == "to do"
    Path("runs/mini-editor").mkdir(parents=True)
    assert together.state() == "begun"
    assert called == []


@pytest.mark.usefixtures("places")
def test_foresight_has_the_strength_of_the_task_and_a_curve_of_its_own():
    Path("task.toml").write_text(
        Path("task.toml").read_text().replace("processes = 1", "processes = 1\nstrength = 3.0")
    )
    steps = {step.name: step for step in Planner.of(read_task(Path("task.toml"))).steps()}
    lines = [
        command.line for command in steps["decode-editor"].commands() if "--foresight 1 " in command.line
    ]
    by_name = {line.split("answers/")[1].split("/")[0]: line for line in lines}
    assert set(by_name) == {
        "editor-foreseen", "editor-foreseen-hard", "editor-foreseen-0", "editor-foreseen-2",
    }  # fmt: skip
    assert " --strength 3 " in by_name["editor-foreseen"]
    assert "--strength" not in by_name["editor-foreseen-hard"]


def write_programs(monkeypatch, **programs):
    """Let commands be Python programs of these names, and return them, each with its log."""
    monkeypatch.setattr(commands, "_executable", lambda words: [sys.executable, "-uc", programs[words[0]]])
    return [(ShellCommand((name,)), Path(f"{name}.log")) for name in programs]


MEET = """
import pathlib, time
pathlib.Path("{}").touch()
while not pathlib.Path("{}").exists():
    time.sleep(0.01)
"""


def test_commands_run_side_by_side(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pairs = {"one": MEET.format(1, 2), "two": MEET.format(2, 1), "three": "print('three')"}
    run_commands(write_programs(monkeypatch, **pairs), at_once=2)  # one by one they would wait for ever
    assert Path("three.log").read_text() == "three\n"


def test_one_that_fails_stops_the_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    waits = "import time; print('here'); time.sleep(60)"
    fails = "import time, pathlib\nwhile not pathlib.Path('waits.log').read_text(): time.sleep(0.01)\n"
    fails += "print('editmt: no'); raise SystemExit(2)"
    given = write_programs(monkeypatch, waits=waits, fails=fails, late="print('late')")
    began = time.monotonic()
    with pytest.raises(InputError, match=r"^fails: failed: no \(all it said: fails.log\)"):
        run_commands(given, at_once=2)
    assert time.monotonic() - began < 30
    assert not Path("late.log").exists()


def test_a_command_is_run_once(places, called):
    step = make_step(places)
    assert step.state() == "to do"
    step.run()
    assert step.state() == "done"
    step.run()
    assert called == ["editmt prepare made"]


def test_what_was_made_from_something_else_is_refused(places, called):
    make_step(places).run()
    other = make_step(places, settings={"size": 2})
    assert other.state() == "stale"
    with pytest.raises(InputError, match=r"^made: was made from something else .* remove it to make it anew"):
        other.run()
    Path("made").rmdir()
    other.run()
    assert other.state() == "done"
    Path("task.toml").write_text("changed")
    assert other.state() == "stale"
    assert len(called) == 2


def test_what_somebody_else_made_is_taken_over(places, called):
    Path("made").mkdir()
    make_step(places).run()
    assert called == []
    assert make_step(places, settings={"size": 2}).state() == "stale"


def test_a_run_of_somebody_else_is_checked_by_train_itself(places, called):
    Path("made").mkdir()
    step = make_step(places, checks_itself=True)
    step.run()
    step.run()
    assert called == ["editmt prepare made"]


def test_a_command_that_makes_nothing(places, monkeypatch):
    monkeypatch.setattr(commands, "run_command", lambda *_: None)
    with pytest.raises(InputError, match="made: is not there, though make said it was done"):
        make_step(places).run()


def test_begun(places):
    step = make_step(places, begun=Path("shards"))
    assert step.state() == "to do"
    Path("shards").mkdir()
    assert step.state() == "begun"


def test_a_failure_is_told_with_its_last_line(places):
    log = places.log("prepare")
    log.parent.mkdir(parents=True)
    log.write_text("editmt: of another time\n")
    wrong = ShellCommand(("editmt", "prepare", "out", "--source", "none.en", "--target", "none.de"))
    with pytest.raises(InputError) as caught:
        run_command(wrong, log)
    message = str(caught.value)
    assert message.startswith("editmt prepare: failed: ")
    assert "none.en" in message
    assert message.endswith(f"(all it said: {log})")


@pytest.mark.usefixtures("called")
def test_a_damaged_stamp_is_named(places):
    make_step(places).run()
    places.stamp("make").write_text("{}")
    with pytest.raises(InputError, match=r"stamps/make.json: damaged: not a stamp"):
        make_step(places).run()


def test_requests_are_those_of_the_command_line(places, capsys):
    step = RequestsStep(places)
    step.run()
    assert step.state() == "done"
    for command in step.commands():
        if command.words[0] == "editmt":
            assert main(list(command.words[1:])) == 0
            assert capsys.readouterr().out == command.writes.read_text(), command.line
    written = {path.stem for path in (places.work / "requests").iterdir()}
    assert {command.writes.stem for command in step.commands()} == written
    source = Path("corpora/test.en")
    source.write_text(source.read_text().replace("a", "o", 1))
    assert step.state() == "to do"


def test_a_bad_line_of_a_terminology_set_is_named(places):
    Path("corpora/terms.jsonl").write_text('{"source": "a", "terms": [{}]}\n')
    with pytest.raises(
        InputError, match=r"corpora/terms.jsonl: line 1: terms: an item has no field 'target'"
    ):
        RequestsStep(places).run()


def test_lemmas_that_there_are_not_show_before_any_training(places):
    unknown = dataclasses.replace(places, task=dataclasses.replace(places.task, lemmas="xx"))
    with pytest.raises(InputError, match="there are no lemmas for the language 'xx'"):
        RequestsStep(unknown).run()


def test_missing_corpora_are_named(places, capsys):
    Path("corpora/test.de").unlink()
    assert RequestsStep(places).state() == "to do"
    with pytest.raises(InputError, match=r"corpora/test.de: there is no such file \(see --mirror\)"):
        RequestsStep(places).run()
    assert main(["reproduce", "task.toml", "--dry-run", "--mirror", "elsewhere"]) == 2
    assert "--mirror elsewhere: there is no such folder" in capsys.readouterr().err


def test_without_a_mirror_the_recipe_downloads(places, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    words = ("--recipe", "multi30k.en-de", "--mirror", "{mirror}", "--workers", "1")
    task = dataclasses.replace(places.task, prepare=words)
    assert task.prepare_words() == ["--recipe", "multi30k.en-de", "--mirror", "corpora", "--workers", "1"]
    nowhere = dataclasses.replace(task, mirror="nowhere")
    assert nowhere.prepare_words() == ["--recipe", "multi30k.en-de", "--workers", "1"]
    assert nowhere.test_files[0] == Path("cache/editmt/corpora/test.en")


def test_a_report_of_nothing(places, capsys):
    assert main(["reproduce", "task.toml", "--report"]) == 0
    assert "report.html: written" in capsys.readouterr().err
    report = (places.task.results / "report.md").read_text()
    assert report.count("not run") > 50
    assert '"translation": null' in places.results.read_text()


def test_one_at_a_time(places, monkeypatch):
    said = []
    monkeypatch.setattr(runner, "PATIENCE_SECONDS", 0.3)
    with hold(places.lock, said.append):
        with pytest.raises(InputError, match="lock: another process works on this task"):
            run_plan([], places, said.append)
        assert said == ["waiting: another process still works on this task"]
    run_plan([], places, said.append)


def test_who_comes_after_waits_for_the_commands_of_the_one_before(places, monkeypatch):
    """A command inherits the lock, and has it until it ends, even if whoever started it is gone."""
    with hold(places.lock, print):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, close_fds=False)
    monkeypatch.setattr(runner, "PATIENCE_SECONDS", 0.3)
    with pytest.raises(InputError, match="another process works"), hold(places.lock, print):
        pass
    child.communicate(b"\n")
    with hold(places.lock, print):
        pass


SLEEPER = """
import signal, sys, time
from pathlib import Path
def stop(*_):
    Path("stopped").touch()
    sys.exit(1)
signal.signal(signal.SIGTERM, stop)
Path("sleeps").touch()
time.sleep(60)
"""


def wait_for(path):
    limit = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_are_passed_on(capsys, number):
    Path("sleeper.py").write_text(SLEEPER)

    def interrupt():
        wait_for(Path("sleeps"))
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(SystemExit) as ended:
        run_command(ShellCommand(("sleeper",)), Path("log"))
    thread.join()
    assert ended.value.code == 128 + number
    assert Path("stopped").exists()
    assert "stopped; the same command goes on" in capsys.readouterr().err


@pytest.mark.usefixtures("places")
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel tells it on Linux only")
def test_a_command_ends_with_us_even_if_we_are_killed():
    Path("sleeper.py").write_text(SLEEPER)
    ours = (
        "from pathlib import Path; from editmt.experiments.commands import run_command; "
        "from editmt.experiments.step import ShellCommand; "
        "run_command(ShellCommand(('sleeper',)), Path('log'))"
    )
    parent = subprocess.Popen([sys.executable, "-c", ours])
    wait_for(Path("sleeps"))
    parent.kill()
    parent.wait()
    wait_for(Path("stopped"))


class Counter:
    """A translator that notes what it is given."""

    def __init__(self):
        self.given = []

    def translate_all(self, requests):
        self.given += requests


def test_latency_takes_turns():
    first, second = Counter(), Counter()
    times = measure({"a": first, "b": second}, {"a": [1, 2, 3, 4], "b": [5, 6, 7, 8]})
    assert first.given == [1, 2, 3, 1, 2, 3, 4], "the first three are a warm-up"
    assert second.given == [5, 6, 7, 5, 6, 7, 8]
    assert [len(each) for each in times.values()] == [4, 4]
    described = describe({"a": [1.0, 2.0, 6.0]}, wanted=3)
    assert described["conditions"] == {"a": {"mean": 3.0, "median": 2.0}}
    assert described["sentences"] == 3


def test_the_papers_scale(tmp_path, monkeypatch, capsys):
    for name in ("experiments", "configs"):
        (tmp_path / name).mkdir()
    for path in (*ROOT.glob("experiments/*/task.toml"), *ROOT.glob("configs/*/*.toml")):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text())
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "tanaka.en-ja", "--scale", "paper"]) == 0
    folder = tmp_path / "experiments/wat17.en-ja"
    assert capsys.readouterr().err == "experiments/wat17.en-ja/commands.sh: written\n"
    script = (folder / "commands.sh").read_text()
    for name in ("autoregressive", "autoregressive-distilled", "editor", "editor-single-path", "levenshtein"):
        config = f"experiments/wat17.en-ja/configs/en-ja-{name}.toml"
        launched = "torchrun --standalone --nproc-per-node 8 -m editmt train"
        assert f"{launched} {config} --out runs/wat17.en-ja-{name}\n" in script
        assert (tmp_path / config).read_text() == (ROOT / f"configs/paper/en-ja-{name}.toml").read_text()
    assert "editmt prepare data/wat17.en-ja --recipe wat17.en-ja\n" in script
    assert subprocess.run(["bash", "-n", folder / "commands.sh"], check=False).returncode == 0
    assert main(["reproduce", "wat17.en-ja", "--scale", "paper", "--dry-run"]) == 0
    assert "left to do: not known, since nothing was measured on GPUs" in capsys.readouterr().out
    assert main(["reproduce", "wat17.en-ja", "--scale", "cpu"]) == 2
    assert main(["reproduce", "shipped.en-de", "--scale", "paper"]) == 2
    assert "the paper has no such task" in capsys.readouterr().err
    with contextlib.chdir(ROOT):
        assert read_task(find_task("wat17.en-ja")).scale == "paper"
