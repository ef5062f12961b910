"""The engine protocol: whatever decodes a batch of jobs; and how many jobs become batches."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from editmt.config import DecodingConfig
from editmt.decoding.job import BOUNDARIES, Job
from editmt.edits import EditCounts, Trace


class Outcome(Protocol):
    """What came of one job."""

    @property
    def ids(self) -> list[int]:
        """The output, without boundaries."""

    @property
    def score(self) -> float:
        """How sure the model is: a mean log-probability."""

    @property
    def iterations(self) -> int:
        """How often the decoder ran."""

    @property
    def counts(self) -> EditCounts:
        """The number of edits of each kind."""

    @property
    def trace(self) -> Trace | None:
        """Every action, if there were any."""


class Engine(Protocol):
    """Decodes batches of jobs."""

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> Sequence[Outcome]:
        """Decode the jobs as one batch."""


def decode_all(engine: Engine, jobs: Sequence[Job], options: DecodingConfig) -> list[Outcome]:
    """Decode any number of jobs, those of a length together, and return the outcomes in the jobs' order."""
    outcomes: dict[int, Outcome] = {}
    sizes = [max(len(job.source), len(job.first)) + BOUNDARIES for job in jobs]
    for rows in _batches(sizes, options.batch_tokens):
        found = engine.decode([jobs[row] for row in rows], options)
        outcomes.update(zip(rows, found, strict=True))
    return [outcomes[row] for row in range(len(jobs))]


def _batches(sizes: list[int], tokens: int) -> Iterator[list[int]]:
    batch: list[int] = []
    for row in sorted(range(len(sizes)), key=lambda row: (sizes[row], row)):
        if batch and (len(batch) + 1) * sizes[row] > tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
