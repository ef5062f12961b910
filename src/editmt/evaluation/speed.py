"""How long translations take: contestants take turns, so that what else the machine does hits all alike."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from editmt.config import DecodingConfig
from editmt.decoding.engine import Engine
from editmt.decoding.job import Job

Item = TypeVar("Item")
Prepare: TypeAlias = Callable[[Sequence[Job]], Callable[[], object]]
"""Makes ready what need not be timed, and returns what translates the jobs as one batch."""

STATISTICS = Path("/proc/stat")
PAUSE = 0.2  # seconds, in which the threads of the last contestant fall asleep


@dataclass(frozen=True)
class Timing:
    """Seconds a sentence of each contestant, and how much of the machine other processes had meanwhile."""

    seconds: dict[str, float]
    others: float | None  # of 1; None where the system does not tell


def take_turns(
    ways: Mapping[str, Callable[[Sequence[Item]], Callable[[], object]]],
    batches: Sequence[Sequence[Item]],
    rounds: int,
) -> Timing:
    """Time each contestant on all batches: the best of some rounds for each batch.

    A turn is all batches, after the first to warm up, if there are several: as one who translates would find
    it, with the model in the processor's caches. Turns of one sentence made each contestant fetch its weights
    anew, while the last one's threads were still looking for work.
    """
    runs = {name: [prepare(batch) for batch in batches] for name, prepare in ways.items()}
    best = {name: [float("inf")] * len(batches) for name in ways}
    before = _processor_seconds()
    for _ in range(rounds):
        for name, turn in runs.items():
            time.sleep(PAUSE)
            if len(turn) > 1:
                turn[0]()
            for place, run in enumerate(turn):
                start = time.perf_counter()
                run()
                best[name][place] = min(best[name][place], time.perf_counter() - start)
    sentences = sum(map(len, batches))
    return Timing({name: sum(seconds) / sentences for name, seconds in best.items()}, _others(before))


def decoding(engine: Engine, options: DecodingConfig) -> Prepare:
    """Return a contestant: an engine with its options."""
    return lambda jobs: lambda: engine.decode(jobs, options)


def _processor_seconds() -> tuple[float, float, float] | None:
    """Return what the machine has spent, what of it working, and what of that this process has."""
    try:
        fields = [int(field) for field in STATISTICS.read_text(encoding="ascii").split("\n")[0].split()[1:9]]
    except (OSError, ValueError):
        return None
    second = os.sysconf("SC_CLK_TCK")
    idle = fields[3] + fields[4]
    ours = os.times()
    return sum(fields) / second, (sum(fields) - idle) / second, ours.user + ours.system


def _others(before: tuple[float, float, float] | None) -> float | None:
    after = _processor_seconds()
    if before is None or after is None or after[0] <= before[0]:
        return None
    total, busy, ours = (new - old for new, old in zip(after, before, strict=True))
    return max(busy - ours, 0.0) / total
