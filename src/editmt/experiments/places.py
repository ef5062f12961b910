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
    """Whether the stamp is there, of these inputs, and what was made is as it was then.

    Else a file that was cut short afterwards would be taken for done, and whatever is made from it be wrong.
    """
    stamp = _read(path)
    return stamp is not None and stamp["fingerprint"] == print_of_inputs and _are_whole(stamp)


def read_stamp(path: Path) -> str | None:
    """Return the fingerprint of a stamp, if it is there."""
    stamp = _read(path)
    return None if stamp is None else str(stamp["fingerprint"])


def write_stamp(path: Path, print_of_inputs: str, products: Iterable[Path] = ()) -> None:
    """Note what was made from what: the files' checksums, and the fingerprint of the inputs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = {str(product): hash_file(product) for product in products}
    write_json(path, {"fingerprint": print_of_inputs} | ({"products": made} if made else {}))


def _read(path: Path) -> JsonObject | None:
    try:
        stamp: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(stamp["fingerprint"], str) and isinstance(stamp.get("products", {}), dict):
            return stamp
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path}: damaged: not a stamp (remove it to do the step again)")


def _are_whole(stamp: JsonObject) -> bool:
    products = {Path(name): checksum for name, checksum in stamp.get("products", {}).items()}
    return all(path.is_file() and hash_file(path) == checksum for path, checksum in products.items())


def manifest_of_run(run: Path) -> Path:
    """Return the file that stands for a run's model: it holds the checksums of all others."""
    return run / MODEL_OF_RUN / MANIFEST_FILE


def manifests_of_data(data: Path) -> tuple[Path, Path]:
    """Return the files that stand for prepared data: its pipelines and its training set."""
    return data / PREPARED_FILE, data / f"{TRAIN}.json"
