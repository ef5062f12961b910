"""A task small enough to be reproduced many times: some captions, models of a few thousand weights."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.sentences import ENGLISH, GERMAN

TASK = """
name = "mini"
title = "A miniature"
languages = ["en", "de"]
paper = "en-de"
mirror = "corpora"
prepare = [
    "--source", "corpora/train.en", "--target", "corpora/train.de",
    "--valid-source", "corpora/valid.en", "--valid-target", "corpora/valid.de",
    "--size", "400", "--workers", "1",
]
test = "test"
tokenise = "moses:de"
lemmas = "de"
processes = {processes}
latency_sentences = 2
bootstrap_samples = 20
examples = 4

[constraints]
samples = 3
counts = [2, 4]
strengths = [0, 2]

[models]
teacher = "configs/autoregressive.toml"
distilled = "configs/autoregressive-distilled.toml"
levenshtein = "configs/levenshtein.toml"
editor = "configs/editor.toml"
single_path = "configs/single-path.toml"

[[terminology]]
name = "Wiktionary"
file = "terms.jsonl"

[variants]
other-ties = "configs/other-ties.toml"
"""
CONFIG = """
[data]
folder = "data/{data}"
batch_tokens = 400
[model]
kind = "{kind}"
preset = "tiny"
width = 32
feedforward = 48
positions = "learned"
max_length = 256
[objective]
rollin = "{rollin}"
[oracle]
prefer = "{prefer}"
[noise]
kind = "{noise}"
complete = true
constraint_share = 0.3
[optimiser]
rate = 3e-3
warmup = 5
clip = 1.0
[run]
steps = {steps}
validate_every = {steps}
validation_sentences = 4
save_every = 5
keep = 2
threads = 1
init_from = "{start}"
"""
PLAIN = {"rollin": "dual", "prefer": "delete", "noise": "drop_and_shuffle", "data": "mini-distilled"}
TEACHER = {"kind": "autoregressive", "start": ""}
STUDENT = {"kind": "editor", "start": "runs/mini-autoregressive"}
MODELS = {
    "autoregressive": TEACHER | {"data": "mini"},
    "autoregressive-distilled": TEACHER,
    "levenshtein": STUDENT | {"kind": "levenshtein", "rollin": "insertion", "noise": "drop"},
    "editor": STUDENT,
    "single-path": STUDENT | {"rollin": "insertion"},
    "other-ties": STUDENT | {"prefer": "reposition"},
}


def write_task(folder: Path, *, steps: int = 10, processes: int = 1, train: int = 80, test: int = 6) -> None:
    """Write texts, configurations and `task.toml`."""
    (folder / "corpora").mkdir(parents=True)
    (folder / "configs").mkdir()
    sides = {}
    for language, lines in read_texts(train + 2 * test).items():
        sides[language] = lines[train + test :]
        for split, part in (
            ("train", lines[:train]),
            ("valid", lines[train : train + test]),
            ("test", sides[language]),
        ):
            (folder / f"corpora/{split}.{language}").write_text("".join(line + "\n" for line in part))
    terms = (
        {"source": source, "reference": target, "terms": [{"source": "?", "target": target.split()[1]}]}
        for source, target in zip(*sides.values(), strict=True)
    )
    (folder / "corpora/terms.jsonl").write_text("".join(json.dumps(record) + "\n" for record in terms))
    for name, changes in MODELS.items():
        text = CONFIG.format(**PLAIN | {"steps": steps} | changes)
        (folder / f"configs/{name}.toml").write_text(text)
    (folder / "task.toml").write_text(TASK.format(processes=processes))


def read_texts(count: int) -> dict[str, list[str]]:
    """Return so many captions of multi30k, or our own sentences again and again where there are none."""
    corpus = Path(__file__).parents[2] / "shared/data/multi30k.en-de"
    if corpus.exists():
        paths = {language: corpus / f"train.{language}" for language in ("en", "de")}
        return {name: path.read_text(encoding="utf-8").split("\n")[:count] for name, path in paths.items()}
    times = count // len(ENGLISH) + 1
    return {"en": (ENGLISH * times)[:count], "de": (GERMAN * times)[:count]}


class Reproduction:
    """`editmt reproduce` as a process that can be killed."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        command = [sys.executable, "-m", "editmt", "reproduce", "task.toml", *arguments]
        self.process = subprocess.Popen(
            command, cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def kill_when(self, condition, timeout=1800) -> None:
        """Kill it as soon as something is so."""
        limit = time.monotonic() + timeout
        while not condition():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < limit
            time.sleep(0.01)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def end(self, timeout=3600) -> tuple[int, str]:
        """Wait, and return the exit code and what was said."""
        said = self.process.communicate(timeout=timeout)[1]
        return self.process.returncode, said
