"""Training runs on strings of digits through the real command line, small enough to be killed many times."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from editmt.cli.main import main
from editmt.data.lines import AlignedFiles
from editmt.data.prepare import PrepareSettings, prepare
from editmt.data.texts import SentencePieceText

CONFIG = """
[data]
folder = "data"
batch_tokens = 300
[model]
preset = "tiny"
dropout = 0.1
[optimiser]
rate = 3e-3
warmup = 10
clip = 1.0
[run]
steps = 40
validate_every = 20
validation_sentences = 4
save_every = 10
keep = 3
threads = 1
"""
VARYING = ("versions.json", "curves.png")
SILENT = {"TORCH_CPP_LOG_LEVEL": "ERROR", "PYTHONWARNINGS": "error::UserWarning:editmt"}
SEVERAL = """
import os, sys
{first}
from editmt.cli.main import main
for line in {lines}:
    if code := main(line):
        sys.exit(code)
    # The ranks meet anew: one that is early must not find the store of the run before.
    os.environ["MASTER_PORT"] = str(int(os.environ.get("MASTER_PORT", 0)) + 1)
"""


def write_digits(folder: Path, name: str = "data", size: int = 275, seed: int = 1) -> None:
    """Prepare data whose target is its source turned round, and the configuration beside it."""
    generator = random.Random(seed)
    files = {}
    for split, count in (("train", 300), ("valid", 12)):
        rows = [generator.choices("0123456789", k=generator.randint(2, 9)) for _ in range(count)]
        paths = [folder / f"{name}.{split}.{side}" for side in ("source", "target")]
        for path, change in zip(paths, (list, lambda digits: digits[::-1]), strict=True):
            path.write_text("".join(" ".join(change(digits)) + "\n" for digits in rows))
        files[split] = AlignedFiles(*paths)
    prepare(folder / name, files, PrepareSettings(SentencePieceText(size=size), workers=1))
    (folder / "config.toml").write_text(CONFIG)


class Life:
    """One process of training, or several ranks, from its start to its end."""

    def __init__(self, folder, run, *changes, ranks=1, runs=None, first="", **options):
        """Start it; `runs` are the changes of several runs, done one after the other in one process.

        `first` is Python that is run before them.
        """
        command = ["-m", "editmt", *command_line(run, changes)]
        if runs is not None:
            lines = [command_line(f"{run}{number}", changes) for number, changes in enumerate(runs)]
            command = ["-c", SEVERAL.format(lines=lines, first=first)]
        port = str(free_port())
        self.processes = []
        for rank in range(ranks):
            world = {
                "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(ranks),
                "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port,
            }  # fmt: skip
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, *command],
                    cwd=folder,
                    env=os.environ | SILENT | (world if ranks > 1 else {}),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                    **options,
                )
            )

    @property
    def runs(self):
        return all(process.poll() is None for process in self.processes)

    def end(self, timeout=300):
        """Wait, and return rank 0's exit code and what it said."""
        outputs = [process.communicate(timeout=timeout) for process in self.processes]
        return self.processes[0].returncode, outputs[0][1]

    def send(self, number):
        for process in self.processes:
            process.send_signal(number)

    def kill(self):
        self.send(signal.SIGKILL)
        return self.end()

    def wait_for(self, condition, timeout=120):
        """Watch until the condition holds; return whether it did before the process ended."""
        limit = time.monotonic() + timeout
        while self.runs and time.monotonic() < limit:
            if condition():
                return True
            time.sleep(0.0005)
        return condition()


def train(folder, run, *changes, **options):
    """Train to the end, and return the exit code and what was said."""
    return Life(folder, run, *changes, **options).end()


def train_here(folder, run, *changes):
    """Train within this process, which saves its start, and return the exit code."""
    with contextlib.chdir(folder):
        return main(command_line(run, changes))


def command_line(run, changes):
    """Return the arguments of `editmt`."""
    return ["train", "config.toml", "--out", run, *(word for change in changes for word in ("--set", change))]


def contents(run: Path):
    """Return the bytes of all files of a run that must not depend on its fate."""
    files = (path for path in run.rglob("*") if path.is_file() and path.name not in VARYING)
    return {str(path.relative_to(run)): path.read_bytes() for path in files}


def differing(first: Path, second: Path):
    """Return the names of the files in which two runs differ."""
    ours, theirs = contents(first), contents(second)
    assert "model/weights.safetensors" in ours
    return [name for name in sorted({*ours, *theirs}) if ours.get(name) != theirs.get(name)]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
