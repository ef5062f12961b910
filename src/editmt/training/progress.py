"""How far a run has come: what a checkpoint must know besides weights, and the file of metrics."""

import errno
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editmt.errors import InputError

METRICS_FILE = "metrics.jsonl"


@dataclass(frozen=True)
class Progress:
    """Where to go on; everything else of a step follows from the seed and the step's number."""

    step: int = 0  # updates done
    epoch: int = 0
    batch: int = 0  # batches done of this epoch
    validated: int = 0  # the last step that was judged
    best_bleu: float = -1.0
    best_step: int = 0
    best_loss: float = float("inf")
    validations_since_bleu: int = 0
    validations_since_loss: int = 0
    reductions: int = 0  # of the learning rate, by the plateau schedule
    metrics_bytes: int = 0


class Metrics:
    """A file of JSON lines without times of day, so that an interrupted run ends with the same file."""

    def __init__(self, folder: Path, size: int) -> None:
        """Open the file at a size: what an interrupted run wrote beyond it will be written again."""
        self._path = folder / METRICS_FILE
        self._path.touch()
        found = self._path.stat().st_size
        if found < size:
            print(f"editmt: {self._path}: lines are missing; those to come are added", file=sys.stderr)
        os.truncate(self._path, min(found, size))
        self._stream = self._path.open("ab", buffering=0)

    def write(self, record: dict[str, Any]) -> None:
        """Add a line."""
        line = json.dumps(record).encode() + b"\n"
        try:
            if self._stream.write(line) != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written: {error.strerror}") from None

    def flush(self) -> int:
        """Bring all lines to the disk and return the file's size."""
        os.fsync(self._stream.fileno())
        return self._path.stat().st_size

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()


def read_metrics(folder: Path) -> list[dict[str, Any]]:
    """Return all records of a run."""
    text = (folder / METRICS_FILE).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
