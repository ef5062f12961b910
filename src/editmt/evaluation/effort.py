"""What a translation took: edits and iterations (the paper's Table 4), and latency (Tables 2 and 3)."""

from collections.abc import Callable, Sequence

from editmt.evaluation.metric import Better, Effort, Metric, Segment, Table, share

Count = Callable[[Effort], float]


class MeanEffort(Metric):
    """A mean over sentences.

    >>> metric = MeanEffort("deletions", "Del.", lambda effort: effort.deletions)
    >>> metric.corpus_score([Segment("", "", (), (), effort=Effort(0, count, 9, 2)) for count in (1, 4)])
    2.5
    """

    table: Table = "effort"
    better: Better = "neither"
    decimals = 2

    def __init__(self, name: str, title: str, count: Count) -> None:
        self.name, self.title = name, title
        self.signature = "mean of sentences"
        self._count = count

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the count, and 1; a sentence that tells nothing counts for nothing."""
        return (0, 0) if segment.effort is None else (self._count(segment.effort), 1)

    def score(self, sums: Sequence[float]) -> float:
        """Return the mean."""
        return share(sums)


class Latency(Metric):
    """Milliseconds per sentence, where the answers tell: one sentence at a time, as in the paper.

    >>> Latency().corpus_score([Segment("", "", (), (), latency_ms=time) for time in (20, None, 30)])
    25.0
    """

    name, title = "latency", "Latency (ms)"
    signature = "mean of sentences"
    better = "lower"
    decimals = 2

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the milliseconds, and 1; a sentence that was not timed counts for nothing."""
        return (0, 0) if segment.latency_ms is None else (segment.latency_ms, 1)

    def score(self, sums: Sequence[float]) -> float:
        """Return the mean."""
        return share(sums)


def edit_counts() -> list[Metric]:
    """Return the columns of the paper's Table 4."""
    return [
        MeanEffort("repositions", "Repos.", lambda effort: effort.repositions),
        MeanEffort("deletions", "Del.", lambda effort: effort.deletions),
        MeanEffort("insertions", "Ins.", lambda effort: effort.insertions),
        MeanEffort(
            "edits", "Total", lambda effort: effort.repositions + effort.deletions + effort.insertions
        ),
        MeanEffort("iterations", "Iter.", lambda effort: effort.iterations),
    ]
