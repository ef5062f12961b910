"""Tasks: ours fit together, and what is wrong with one is said in a line."""

import dataclasses
from pathlib import Path

import pytest

from editmt.cli.main import main
from editmt.data.recipes import find_recipe
from editmt.errors import InputError
from editmt.experiments.conditions import decodings
from editmt.experiments.plan import Planner
from editmt.experiments.task import find_task, read_models, read_task
from tests.miniature import write_task

ROOT = Path(__file__).parents[2]
OURS = sorted(path.parent.name for path in ROOT.glob("experiments/*/task.toml"))
EDIT_MODELS = ("levenshtein", "editor", "single_path")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_task(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(folder, old, new):
    path = folder / "task.toml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


def test_the_tasks_are_all_there():
    small = {"multi30k.en-de", "tatoeba-sts.ro-en", "tanaka.en-ja", "shipped.en-de"}
    assert set(OURS) == small | {"wmt14.en-de", "wmt16.ro-en", "wat17.en-ja"}


@pytest.mark.parametrize("name", OURS)
def test_our_tasks_fit_together(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    task = read_task(find_task(name))
    assert task.name == name
    recipe = find_recipe(task.prepare[task.prepare.index("--recipe") + 1])
    assert recipe.languages == task.languages
    models = read_models(task)
    assert {str(model.config_file.parent) for model in models.values()} <= {
        "configs/cpu", "configs/paper", "configs/shipped",
    }  # fmt: skip
    steps = Planner.of(task).steps()
    assert len({step.name for step in steps}) == len(steps)
    decoded = decodings(task, set(models))
    paths = [(each.condition.name, each.requests) for each in decoded]
    assert len(set(paths)) == len(paths)


@pytest.mark.parametrize("name", ["multi30k.en-de", "tatoeba-sts.ro-en", "tanaka.en-ja"])
def test_edit_models_of_a_task_differ_in_nothing_else(name, monkeypatch):
    """The same start, steps, data, batches, rates and seeds: only what the comparison is about differs."""
    monkeypatch.chdir(ROOT)
    models = read_models(read_task(find_task(name)))
    editor = models["editor"].config
    for other in (*EDIT_MODELS, *read_task(find_task(name)).variants):
        config = models[other].config
        assert config.run == editor.run, other
        assert config.optimiser == editor.optimiser
        assert dataclasses.replace(config.model, kind="editor") == editor.model
        assert config.data == editor.data
    assert models["single_path"].config.noise == editor.noise
    assert models["levenshtein"].config.noise == dataclasses.replace(editor.noise, kind="drop")
    twin, teacher = models["distilled"].config, models["teacher"].config
    assert dataclasses.replace(twin, data=teacher.data) == teacher


def test_every_paper_task_has_its_small_one(monkeypatch):
    monkeypatch.chdir(ROOT)
    for name in ("multi30k.en-de", "tatoeba-sts.ro-en", "tanaka.en-ja"):
        small = read_task(find_task(name))
        large = read_task(find_task(small.paper_task))
        assert (large.scale, large.paper, large.processes) == ("paper", small.paper, 8)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('test = "test"', "", "test is missing"),
        ('test = "test"', 'tset = "test"', "unknown key tset, did you mean 'test'?"),
        ('paper = "en-de"', 'paper = "en-fr"', "paper is 'en-fr', not one of"),
        ("samples = 3", "samples = 2", "Student's t needs three"),
        ("counts = [2, 4]", "counts = 2", "constraints.counts is 2, not a list"),
        ("counts = [2, 4]", 'counts = ["a"]', "constraints.counts is 'a', not of type int"),
        ("strengths = [0, 2]", "strengths = [-1]", "constraints.strengths is negative"),
        ("other-ties =", "editor =", "variants.editor has the name of a model"),
        ("other-ties =", '"../other" =', "'../other' is no name"),
        ("other-ties = ", "other-ties = 3 #", "variants.other-ties is 3, not of type str"),
        ("[variants]", "variants = 3\n[other]", "unknown key other"),
        ("configs/editor.toml", "configs/none.toml", "configs/none.toml: cannot be read"),
        ("configs/editor.toml", "configs/levenshtein.toml", "two models have configurations of one name"),
        ('name = "mini"', 'name = "m/i"', "'m/i' is no name"),
        ('name = "mini"', 'name = ".."', "'..' is no name"),
        ("samples = 3", 'words = "4-1"', "'4-1' is no number of words"),
        ("counts = [2, 4]", "counts = [0]", "'0' is no number of words"),
        ("bootstrap_samples = 20", "bootstrap_samples = 0", "must be at least 1"),
        (
            'single_path = "configs/single-path.toml"',
            '[[exports]]\nmodel = "single_path"\nout = "x"\nto = "cpu"',
            "exports.model is 'single_path', which is no model of this task",
        ),
        ("processes = 1", "processes = 0", "constraints.samples must be at least 1"),
        ("processes = 1", "side_by_side = 0", "constraints.samples must be at least 1"),
        ("processes = 1", "processes = 1\nedit_steps = -1", "edit_steps is negative"),
        ("processes = 1", 'changes = ["run.step=1"]', "unknown key run.step, did you mean 'steps'?"),
        ("title", "title = [", "not valid TOML"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, capsys, old, new, message):
    change(folder, old, new)
    assert main(["reproduce", "task.toml", "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


def test_a_start_that_is_no_run_of_the_task(folder):
    config = folder / "configs/editor.toml"
    config.write_text(config.read_text().replace("runs/mini-autoregressive", "runs/other"))
    with pytest.raises(InputError, match=r"editor.toml: run.init_from is 'runs/other', which is no run"):
        read_models(read_task(Path("task.toml")))


def test_models_that_learn_from_too_many_folders(folder, capsys):
    config = folder / "configs/editor.toml"
    config.write_text(config.read_text().replace("data/mini-distilled", "data/third"))
    assert main(["reproduce", "task.toml", "--dry-run"]) == 2
    assert "too many folders: data/mini-distilled, data/third" in capsys.readouterr().err


def test_names_of_tasks(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(ROOT)
    assert main(["reproduce", "multi30k.ende", "--dry-run"]) == 2
    assert "no task is called 'multi30k.ende'; did you mean multi30k.en-de?" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "multi30k.en-de", "--dry-run"]) == 2
    assert "there is no such file (run it where the project's experiments/ is)" in capsys.readouterr().err
    assert main(["reproduce", "none.toml"]) == 2
    assert capsys.readouterr().err == "editmt: none.toml: cannot be read: No such file or directory\n"
    assert list(tmp_path.iterdir()) == []
