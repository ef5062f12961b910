"""It learns: tiny models, trained through the command line, master strings of digits they have not seen."""

import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from editmt.config import DecodingConfig
from editmt.data.prepared import PreparedData
from editmt.decoding.engine import decode_all
from editmt.decoding.job import Job, most_tokens
from editmt.decoding.torch_engine import make_engine
from editmt.models.saved import load_model
from editmt.text import BOUNDARIES

CONFIG = """
[data]
folder = "unset"
batch_tokens = 600
[model]
preset = "tiny"
positions = "learned"
[optimiser]
rate = 3e-3
schedule = "linear"
warmup = 100
clip = 1.0
[noise]
complete = true
constraint_share = 0.5
constraint_words = 8
[oracle]
prefer = "reposition"
[objective]
refined_share = 0.8
[run]
validate_every = 500
validation_sentences = 100
save_every = 500
keep = 1
threads = 1
"""
TASKS = {"copy": list, "reverse": lambda digits: digits[::-1], "sort": sorted}
RUNS = {
    ("reverse", "editor"): 1500,
    ("sort", "editor"): 1500,
    ("copy", "levenshtein"): 1500,
    ("copy", "editor"): 1000,
    ("copy", "autoregressive"): 700,
}
"""How many updates each task takes; the longest first, so that both cores end together."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Train all models, two at a time, and return their folders."""
    folder = tmp_path_factory.mktemp("digits")
    (folder / "config.toml").write_text(CONFIG)
    for task in TASKS:
        write_task(folder / task, task)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda run: train(folder, *run), RUNS))
    return folder


def write_task(folder, task):
    folder.mkdir()
    generator = np.random.default_rng(1)
    seen = set()
    arguments = []
    for split, size in (("train", 20_000), ("valid", 200), ("test", 500)):
        rows = []
        while len(rows) < size:
            digits = tuple(generator.integers(0, 10, generator.integers(3, 9)).tolist())
            if split == "train":
                seen.add(digits)
            elif digits in seen or len(digits) < 6:
                continue
            rows.append(digits)
        for side, change in (("source", list), ("target", TASKS[task])):
            path = folder / f"{split}.{side}"
            path.write_text("".join(" ".join(map(str, change(digits))) + "\n" for digits in rows))
            arguments += [f"--{side}" if split == "train" else f"--{split}-{side}", path]
    editmt("prepare", folder / "data", *arguments, "--size", 282)


def train(folder, task, kind):
    changes = {
        "data.folder": folder / task / "data",
        "model.kind": kind,
        "run.steps": RUNS[task, kind],
    }
    if kind == "levenshtein":
        changes |= {
            "objective.rollin": "insertion",
            "objective.refined_share": 0,
            "noise.kind": "drop",
            "noise.constraint_share": 0,
        }
    changes = [part for name, value in changes.items() for part in ("--set", f"{name}={value}")]
    editmt("train", folder / "config.toml", "--out", folder / f"{task}-{kind}", *changes)


def editmt(*arguments):
    command = [sys.executable, "-m", "editmt", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def read_test(folder, task):
    """Return the ids of the unseen sources and of their answers."""
    pairs = PreparedData.open(folder / task / "data").split("test")
    rows = range(len(pairs))
    return [pairs.source(row).tolist() for row in rows], [pairs.target(row).tolist() for row in rows]


def translate(folder, task, kind, sources, canvases=None):
    torch.set_num_threads(1)
    model = load_model(folder / f"{task}-{kind}" / "model").model
    starts = canvases or [[]] * len(sources)
    jobs = [
        Job(source, most_tokens(len(source) + BOUNDARIES), first, [0] * len(first))
        for source, first in zip(sources, starts, strict=True)
    ]
    return [outcome.ids for outcome in decode_all(make_engine(model), jobs, DecodingConfig())]


def share_exact(outputs, targets):
    return np.mean([output == target for output, target in zip(outputs, targets, strict=True)])


def share_used(outputs, given):
    """Return how many of the digits given are in the outputs; one given twice must be there twice."""
    used = sum((Counter(own) & Counter(output)).total() for own, output in zip(given, outputs, strict=True))
    return used / sum(map(len, given))


@pytest.mark.parametrize(("task", "kind"), RUNS)
def test_unseen_inputs_come_out_exact(runs, task, kind):
    sources, targets = read_test(runs, task)
    outputs = translate(runs, task, kind, sources)
    assert share_exact(outputs, targets) >= (0.95 if task == "sort" else 0.98)


@pytest.mark.parametrize("task", ["reverse", "sort"])
def test_the_shuffled_digits_of_the_answer_are_used(runs, task):
    sources, targets = read_test(runs, task)
    generator = np.random.default_rng(2)
    given = [generator.permutation(target).tolist() for target in targets]
    outputs = translate(runs, task, "editor", sources, given)
    assert share_used(outputs, given) >= 0.98
    assert share_exact(outputs, targets) >= 0.8, "they are put in order, not left as they are"
