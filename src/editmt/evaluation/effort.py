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


class Latency(MeanEffort):
    """Milliseconds per sentence, where the answers tell: one sentence at a time, as in the paper."""

    table = "quality"
    better = "lower"

    def __init__(self) -> None:
        super().__init__("latency", "Latency (ms)", lambda effort: effort.latency_ms or 0)

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the milliseconds, and 1."""
        measured = segment.effort is not None and segment.effort.latency_ms is not None
        return super().row(segment) if measured else (0, 0)


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
