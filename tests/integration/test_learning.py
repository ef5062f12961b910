"""It learns: tiny models, trained through the command line, master strings of digits they have not seen."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from editmt.data.prepared import PreparedData
from editmt.decoding.engine import translate_ids
from editmt.decoding.torch_engine import make_engine
from editmt.models.saved import load_model

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
[run]
validate_every = 500
validation_sentences = 100
save_every = 500
keep = 1
threads = 1
"""
TASKS = {"copy": list, "reverse": lambda digits: digits[::-1], "sort": sorted}
RUNS = {
    ("copy", "autoregressive"): 700,
    ("copy", "levenshtein"): 1500,
    ("copy", "editor"): 1500,
    ("reverse", "editor"): 1500,
    ("sort", "editor"): 1500,
}
"""How many updates each task takes."""

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
        changes |= {"objective.rollin": "insertion", "noise.kind": "drop", "noise.constraint_share": 0}
    changes = [part for name, value in changes.items() for part in ("--set", f"{name}={value}")]
    editmt("train", folder / "config.toml", "--out", folder / f"{task}-{kind}", *changes)


def editmt(*arguments):
    command = [sys.executable, "-m", "editmt", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def translate(folder, task, kind):
    torch.set_num_threads(1)
    model = load_model(folder / f"{task}-{kind}" / "model").model
    pairs = PreparedData.open(folder / task / "data").split("test")
    sources = [pairs.source(row).tolist() for row in range(len(pairs))]
    targets = [pairs.target(row).tolist() for row in range(len(pairs))]
    return translate_ids(make_engine(model), sources), targets


def share_exact(outputs, targets):
    return np.mean([output == target for output, target in zip(outputs, targets, strict=True)])


@pytest.mark.parametrize(("task", "kind"), RUNS)
def test_unseen_inputs_come_out_exact(runs, task, kind):
    assert share_exact(*translate(runs, task, kind)) >= (0.95 if task == "sort" else 0.98)
