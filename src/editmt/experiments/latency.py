"""Latency as the paper measures it: one sentence at a time, loading excluded, the mean over sentences.

All conditions take turns at each sentence, so that whatever else the machine does hits all of them alike.
Measured once and kept, in a file of its own: no two measurements are the same.
"""

import json
import os
import platform
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from editmt.decoding.request import Request
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.evaluation.systems import read_records
from editmt.experiments.answers import decoder_of
from editmt.experiments.conditions import Condition, sample_names
from editmt.experiments.places import Places, fingerprint, has_stamp, manifest_of_run, write_stamp
from editmt.experiments.step import ShellCommand, State, Step
from editmt.experiments.task import TrainedModel
from editmt.records import JsonObject
from editmt.storage import write_json

WARM_UP = 3
"""Sentences before the clock starts: the first passes of a model reserve memory."""


@dataclass(frozen=True, eq=False)
class LatencyStep(Step):
    """Measures all conditions of Tables 2, 3 and 5."""

    places: Places
    models: Mapping[str, TrainedModel]
    conditions: Sequence[Condition]
    estimate: float | None = None
    name: str = "latency"

    def state(self) -> State:
        """Compare the stamp; times that cannot be read any more are measured again."""
        try:
            measured = read_latency(self.places.latency) is not None
        except InputError:
            measured = False
        return "done" if measured and has_stamp(self._stamp, self._fingerprint()) else "to do"

    def run(self) -> None:
        """Measure, unless it was done for these models."""
        if self.state() == "done":
            return
        times = measure(self._prepare(), self._asked())
        self.places.latency.parent.mkdir(parents=True, exist_ok=True)
        write_json(self.places.latency, describe(times, self.places.task.latency_sentences))
        write_stamp(self._stamp, self._fingerprint())

    def seconds(self) -> float | None:
        """The estimate that it was made with."""
        return self.estimate

    def commands(self) -> Sequence[ShellCommand]:
        """None does it."""
        return ()

    @property
    def _stamp(self) -> Path:
        return self.places.stamp(self.name)

    def _prepare(self) -> dict[str, Translator]:
        """Load each model once; a condition is its model with options of its own."""
        loaded = {
            name: Translator.load(self.models[name].run)
            for name in dict.fromkeys(condition.model for condition in self.conditions)
        }
        return {
            condition.name: decoder_of(loaded[condition.model], self.places.task, condition)
            for condition in self.conditions
        }

    def _asked(self) -> dict[str, list[Request]]:
        task = self.places.task
        most = task.latency_sentences or None
        asked = {}
        for condition in self.conditions:
            path = self.places.requests(sample_names(task, condition.wish)[0])
            asked[condition.name] = [
                Request.from_json(record) for _, record in islice(read_records(path), most)
            ]
        return asked

    def _fingerprint(self) -> str:
        task = self.places.task
        names = sorted({sample_names(task, condition.wish)[0] for condition in self.conditions})
        runs = sorted({self.models[condition.model].run for condition in self.conditions})
        settings = {
            "conditions": [each.name for each in self.conditions],
            "sentences": task.latency_sentences,
        }
        return fingerprint(settings, [*map(self.places.requests, names), *map(manifest_of_run, runs)])


def measure(
    translators: Mapping[str, Translator], asked: Mapping[str, Sequence[Request]]
) -> dict[str, list[float]]:
    """Return the milliseconds of each sentence under each condition."""
    times: dict[str, list[float]] = {name: [] for name in translators}
    sentences = len(next(iter(asked.values()), ()))
    for number in (*range(min(WARM_UP, sentences)), *range(sentences)):
        for name, translator in translators.items():
            start = time.perf_counter()
            translator.translate_all([asked[name][number]])
            times[name].append(1000 * (time.perf_counter() - start))
    return {name: each[min(WARM_UP, sentences) :] for name, each in times.items()}


def describe(times: Mapping[str, Sequence[float]], wanted: int) -> JsonObject:
    """Return means and medians by condition, and what they were measured on."""
    count = len(next(iter(times.values()), ()))
    return {
        "unit": "milliseconds a sentence, one at a time, all conditions in turn, loading excluded",
        "sentences": count,
        "of": "the first of the test set" if wanted else "the test set",
        "machine": {"processor": processor(), "cores": os.cpu_count(), "python": platform.python_version()},
        "conditions": {
            name: {"mean": round(statistics.fmean(each), 3), "median": round(statistics.median(each), 3)}
            for name, each in times.items()
            if each
        },
    }


def read_latency(path: Path) -> JsonObject | None:
    """Return the times that were measured, if any were."""
    if not path.exists():
        return None
    try:
        latency: JsonObject = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(latency["conditions"], dict) and isinstance(latency["machine"], dict):
            return latency
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f"{path}: damaged: not the times that were measured (remove it to measure again)")


def processor() -> str:
    """Return the processor's name, as far as the system tells it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
