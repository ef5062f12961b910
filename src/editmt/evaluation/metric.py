"""What every metric is: segment → statistics → score."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Statistics: TypeAlias = npt.NDArray[np.float64]
"""(N, K): a row of K numbers for each of N sentences."""

Better = Literal["higher", "lower", "neither"]
Table = Literal["quality", "f1", "effort"]
"""The tables of a report, as in the paper: Tables 2, 3 and 6, the figure of F1, Table 4."""


@dataclass(frozen=True)
class Effort:
    """What a translation took: the fields of `editmt translate --jsonl`."""

    repositions: float
    deletions: float
    insertions: float
    iterations: float


@dataclass(frozen=True)
class Segment:
    """One sentence of one system, with all that any metric looks at.

    words, reference_words
        Both texts, split once for the metrics on words.
    constraints
        What the user asked for, each with its alternatives, the first of which was suggested.
    effort, latency_ms
        What it took, each where it is known: the time can be told without the edits.
    """

    output: str
    reference: str
    words: tuple[str, ...]
    reference_words: tuple[str, ...]
    constraints: tuple[tuple[str, ...], ...] = ()
    effort: Effort | None = None
    latency_ms: float | None = None


class Metric(ABC):
    """A metric, with what its numbers mean.

    name
        What the command line calls it.
    title
        The head of its column.
    signature
        Everything that decides about the number, so that two numbers with one signature can be compared.
    """

    name: str
    title: str
    signature: str
    better: Better = "higher"
    table: Table = "quality"
    decimals: int = 1

    @abstractmethod
    def row(self, segment: Segment) -> Sequence[float]:
        """Return the K statistics of a sentence."""

    @abstractmethod
    def score(self, sums: Sequence[float]) -> float:
        """Return the score of a corpus from the sums of its rows; NaN where there is nothing to score."""

    def statistics(self, segments: Sequence[Segment]) -> Statistics:
        """Return the rows of all segments."""
        return np.array([self.row(segment) for segment in segments], dtype=np.float64)

    def score_rows(self, statistics: Statistics) -> float:
        """Return the score of a corpus from its rows."""
        return self.score(statistics.sum(axis=0).tolist())

    def corpus_score(self, segments: Sequence[Segment]) -> float:
        """Return the score of the segments together."""
        return self.score_rows(self.statistics(segments))


def share(sums: Sequence[float]) -> float:
    """Return the first sum as a share of the second.

    >>> share([3, 4]), share([0, 0])
    (0.75, nan)
    """
    part, whole = sums
    return part / whole if whole else math.nan
