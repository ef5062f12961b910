"""Several processes with a share of each batch do what one does with the whole of it."""

import math
from pathlib import Path

import pytest

from editmt.training.progress import read_metrics
from tests.runs import Life, write_digits

KINDS = {"editor": "dual", "levenshtein": "insertion", "autoregressive": "dual"}
MODELS = [(f"model.kind={kind}", f"objective.rollin={rollin}") for kind, rollin in KINDS.items()]
SAME = ("model.dropout=0.0", "run.log_every=1", "run.save_every=50")
FLOAT64 = "import torch; torch.set_default_dtype(torch.float64); torch.Tensor.float = torch.Tensor.double"
"""Without rounding to speak of; float32's grows with some seeds and rates to 1e-4 and more in 50 steps."""
USUAL_RATE = "optimiser.rate=5e-4"
"""As in the paper and in our configurations; the others' is six times that."""


@pytest.fixture
def folder(tmp_path):
    write_digits(tmp_path)
    return tmp_path


def losses(folder):
    """Return all losses of a run, of training and of validation."""
    found = {}
    for record in read_metrics(folder):
        for kind in {"losses", "validation"} & record.keys():
            found |= {(record["step"], kind, head): loss for head, loss in record[kind].items()}
    return found


def compare(folder, runs, *, first="", tolerance=1e-5):
    """Train with one process and with two, and compare the losses of each run."""
    lives = [Life(folder, f"of{ranks}-", runs=runs, first=first, ranks=ranks) for ranks in (1, 2)]
    for life in lives:
        code, said = life.end()
        assert code == 0, said
    for number, changes in enumerate(runs):
        one, two = (losses(folder / f"of{ranks}-{number}") for ranks in (1, 2))
        assert two == pytest.approx(one, abs=tolerance, rel=0), changes
        assert all(map(math.isfinite, one.values()))


@pytest.mark.slow
def test_two_processes_follow_one(folder):
    runs = [(*SAME, *model, "run.steps=50", "run.validate_every=25") for model in MODELS]
    compare(folder, runs, first=FLOAT64, tolerance=1e-9)


@pytest.mark.slow
def test_two_processes_follow_one_as_the_program_computes(folder):
    """In float32, where sums in another order round otherwise, nothing of the program changed."""
    runs = [(*SAME, *model, USUAL_RATE, "run.steps=50", "run.validate_every=25") for model in MODELS]
    compare(folder, runs)


@pytest.mark.slow
def test_all_ways_of_learning_can_be_shared(folder):
    """In steps of two batches; and in batches of one sentence, of which the second process has none."""
    few = (*SAME, "run.steps=4", "run.validate_every=4")
    independent = ("objective.rollin=independent", "model.stacks=shared", "model.tied=false")
    models = [*MODELS, independent, (*MODELS[0], "objective.refined_share=1")]
    accumulated = [(*few, *model, "data.accumulate=2") for model in models]
    single = [(*few, *model, "data.batch_tokens=11") for model in models]
    compare(folder, accumulated + single)


WRONG = {
    "run.stepz=3": "config.toml: unknown key run.stepz, did you mean 'steps'?",
    "data.folder=nowhere": "nowhere: ",
    "data.batch_tokens=3": "none of the ",
}


@pytest.mark.parametrize(
    "change", [*list(WRONG)[:1], *(pytest.param(c, marks=pytest.mark.slow) for c in list(WRONG)[1:])]
)
def test_what_is_wrong_for_all_is_told_once(folder, change):
    life = Life(folder, "many", change, ranks=2)
    first, second = (process.communicate(timeout=100)[1] for process in life.processes)
    assert [process.returncode for process in life.processes] == [2, 2]
    assert first.startswith(f"editmt: {WRONG[change]}")
    assert first.count("\n") == 1
    assert second == ""


def test_what_only_the_first_process_finds_ends_all(folder):
    (folder / "many").mkdir()
    (folder / "many/letter.txt").write_text("not a run")
    life = Life(folder, "many", ranks=2)
    said = [process.communicate(timeout=100)[1] for process in life.processes]
    wrong = "editmt: many: there is something else of this name, not a training run\n"
    assert [(process.returncode, text) for process, text in zip(life.processes, said, strict=True)] == [
        (2, wrong),
        (2, ""),
    ]


TELL_THREADS = """
import atexit, pathlib
names = lambda: sorted(path.read_text().strip() for path in pathlib.Path("/proc/self/task").glob("*/comm"))
atexit.register(lambda: print(*names(), file=sys.stderr))
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are looked for in /proc")
def test_no_thread_of_the_group_outlives_it(folder):
    """One that still has a tensor to let go of when Python ends would abort the process."""
    (folder / "many0").mkdir()
    (folder / "many0/letter.txt").write_text("not a run")
    life = Life(folder, "many", runs=[()], first=TELL_THREADS, ranks=2)
    for process in life.processes:
        said = process.communicate(timeout=100)[1]
        assert process.returncode == 2
        assert "python" in said
        assert "gloo" not in said
