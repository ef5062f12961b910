"""What a server asks of a model, and what it is told: little, since it goes from process to process."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.edits import EditCounts, Trace
from editmt.errors import InputError

Answer = Translation | InputError


class Question(NamedTuple):
    """A request, and whether every edit is wanted with its translation."""

    request: Request
    trace: bool = False


@dataclass(frozen=True, eq=False)
class Told:
    """An `Outcome` without the batch it came of."""

    ids: list[int]
    locks: list[int]
    score: float
    token_scores: list[float] | None
    iterations: int
    counts: EditCounts
    trace: Trace | None


def shorten(answer: Answer, *, trace: bool) -> Answer:
    """Leave away what nobody asked for: an outcome has the edits of all sentences of its batch."""
    if isinstance(answer, InputError):
        return answer
    outcome = answer.outcome
    told = Told(
        outcome.ids,
        outcome.locks,
        outcome.score,
        outcome.token_scores,
        outcome.iterations,
        outcome.counts,
        outcome.trace if trace else None,
    )
    return replace(answer, outcome=told)
