"""Where a task's intermediate files are, and the stamps that tell what they were made from."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from editmt.data.prepare import TRAIN
from editmt.data.prepared import PREPARED_FILE
from editmt.errors import InputError
from editmt.experiments.task import Task
from editmt.records import JsonObject
from editmt.storage import MANIFEST_FILE, MODEL_OF_RUN, hash_file, write_json

OUTPUTS = Path("outputs")
LATENCY_FILE, RESULTS_FILE = "latency.json", "results.json"


@dataclass(frozen=True)
class Places:
    """The folders of a task: intermediate files in `outputs/NAME`, results in `experiments/NAME`."""

    task: Task

    @property
    def work(self) -> Path:
        """What need not be kept: requests, answers, logs, stamps."""
        return OUTPUTS / self.task.name

    @property
    def lock(self) -> Path:
        """Held by whoever works on the task."""
        return self.work / "lock"

    @property
    def latency(self) -> Path:
        """The measured times; kept apart from the results, which are the same every time."""
        return self.task.results / LATENCY_FILE

    @property
    def results(self) -> Path:
        """All other numbers."""
        return self.task.results / RESULTS_FILE

    def log(self, step: str) -> Path:
        """What a step's command said."""
        return self.work / "logs" / f"{step}.log"

    def stamp(self, step: str) -> Path:
        """What a step's product was made from."""
        return self.work / "stamps" / f"{step}.json"

    def requests(self, name: str) -> Path:
        """A set of requests, such as `soft-1`."""
        return self.work / "requests" / f"{name}.jsonl"

    def answers(self, condition: str, requests: str) -> Path:
        """The answers to a set of requests under a condition, such as `editor-soft`."""
        return self.work / "answers" / condition / f"{requests}.jsonl"


def fingerprint(settings: JsonObject, files: Iterable[Path] = ()) -> str:
    """Return a checksum of settings and the content of files; a missing file has none.

    >>> fingerprint({"beam": 4}) == fingerprint({"beam": 4}) != fingerprint({"beam": 5})
    True
    """
    content = [json.dumps(settings, sort_keys=True, default=str)]
    content += [hash_file(path) if path.exists() else "missing" for path in files]
    return hashlib.sha256("\n".join(content).encode()).hexdigest()


def has_stamp(path: Path, print_of_inputs: str) -> bool:
    """Whether the stamp is there, and of these inputs."""
    return read_stamp(path) == print_of_inputs


def read_stamp(path: Path) -> str | None:
    """Return the fingerprint of a stamp, if it is there."""
    try:
        stamp = json.loads(path.read_text(encoding="utf-8"))
        return str(stamp["fingerprint"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: damaged: not a stamp (remove it to do the step again)") from None


def write_stamp(path: Path, print_of_inputs: str) -> None:
    """Note what was made, and from what."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, {"fingerprint": print_of_inputs})


def manifest_of_run(run: Path) -> Path:
    """Return the file that stands for a run's model: it holds the checksums of all others."""
    return run / MODEL_OF_RUN / MANIFEST_FILE


def manifests_of_data(data: Path) -> tuple[Path, Path]:
    """Return the files that stand for prepared data: its pipelines and its training set."""
    return data / PREPARED_FILE, data / f"{TRAIN}.json"
