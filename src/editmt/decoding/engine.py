"""The engine protocol: whatever decodes a batch of jobs; and how many jobs become batches."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from editmt.config import DecodingConfig
from editmt.decoding.job import Job, job_of_ids
from editmt.edits import EditCounts, Trace
from editmt.text import BOUNDARIES


class Outcome(Protocol):
    """What came of one job."""

    @property
    def ids(self) -> list[int]:
        """The output, without boundaries."""

    @property
    def locks(self) -> list[int]:
        """Which of the user's phrases each token belongs to; empty, if it is none's."""

    @property
    def score(self) -> float:
        """How sure the model is: a mean log-probability."""

    @property
    def token_scores(self) -> list[float] | None:
        """The log-probability of each of the ids, 0 for a user's own; none, if it is not known."""

    @property
    def iterations(self) -> int:
        """The iterations of refinement, or the steps of a beam search."""

    @property
    def counts(self) -> EditCounts:
        """The number of edits of each kind."""

    @property
    def trace(self) -> Trace | None:
        """Every action, if there were any."""


@dataclass(frozen=True, eq=False)
class Searched:
    """A beam search's outcome: one insertion at the end after the other."""

    ids: list[int]
    score: float
    locks: list[int] = field(default_factory=list)
    trace: None = None
    token_scores: None = None

    @property
    def iterations(self) -> int:
        """How often the decoder ran: once for each token and for the end."""
        return len(self.ids) + 1

    @property
    def counts(self) -> EditCounts:
        """Every token is inserted."""
        return EditCounts(0, 0, len(self.ids))


class Engine(Protocol):
    """Decodes batches of jobs."""

    searches: bool  # from left to right, as a teacher does

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""

    def check(self, job: Job) -> None:
        """Raise an `InputError` for a job that this engine cannot do."""

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> Sequence[Outcome]:
        """Decode the jobs as one batch."""


def decode_all(
    engine: Engine, jobs: Sequence[Job], options: DecodingConfig, workers: int = 1
) -> list[Outcome]:
    """Decode any number of jobs, those of a length together, and return the outcomes in the jobs' order.

    `workers` threads decode a batch each, the longest first: so that none is left alone with these.

    In which order they come does not decide which are decoded together: with 8-bit weights a sentence's
    numbers depend a little on its company, and jobs in another order have to give the same outcomes.
    """
    outcomes: dict[int, Outcome] = {}
    batches = list(_batches(jobs, options.batch_tokens))[::-1]

    def decode(rows: list[int]) -> Sequence[Outcome]:
        return engine.decode([jobs[row] for row in rows], options)

    with ThreadPoolExecutor(workers) if workers > 1 < len(batches) else nullcontext() as threads:
        decoded = map(decode, batches) if threads is None else threads.map(decode, batches)
        for rows, found in zip(batches, decoded, strict=True):
            outcomes.update(zip(rows, found, strict=True))
    return [outcomes[row] for row in range(len(jobs))]


def translate_ids(
    engine: Engine,
    sources: Sequence[Sequence[int]],
    options: DecodingConfig | None = None,
    wanted: Sequence[Sequence[Sequence[int]]] | None = None,
) -> list[list[int]]:
    """Return a translation's ids for each source's; none of these has boundaries.

    It starts from nothing, or from the phrases that are wanted of each, as soft as the paper's.
    """
    phrases = [()] * len(sources) if wanted is None else wanted
    jobs = [
        job_of_ids(source, words, engine.max_length) for source, words in zip(sources, phrases, strict=True)
    ]
    return [outcome.ids for outcome in decode_all(engine, jobs, options or DecodingConfig())]


def _batches(jobs: Sequence[Job], tokens: int) -> Iterator[list[int]]:
    sizes = [max(len(job.source), len(job.first)) + BOUNDARIES for job in jobs]
    batch: list[int] = []
    for row in sorted(range(len(jobs)), key=lambda row: (sizes[row], jobs[row].source, jobs[row].first, row)):
        if batch and (len(batch) + 1) * sizes[row] > tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
