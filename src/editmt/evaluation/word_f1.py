"""F1 of the output's words, by how often they stand in the test set's references (Neubig et al. 2019)."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from editmt.evaluation.metric import Metric, Segment

CUTOFFS = (5, 10, 100, 1000)
"""Frequencies at which bins begin.

The paper's text names [0, 5), 5 to 100 and 5 to 1000; its tool, compare-mt, has 10, 100 and 1000 by default.
"""


class WordF1(Metric):
    """F1, in %, of the words whose frequency is within [least, most).

    A word of the output is right if the reference has it, as often as it has it. A word that no reference
    has belongs to the rarest bin.

    >>> metric = WordF1({"a": 7, "b": 1}, (0, 5), "none")
    >>> metric.row(Segment("", "", ("a", "b", "c"), ("b", "a", "b")))   # b; b, b; b, c
    (1, 2, 2)
    """

    table = "f1"

    def __init__(self, frequencies: Mapping[str, int], bounds: tuple[int, float], splitter: str) -> None:
        self._frequencies = frequencies
        self._least, self._most = bounds
        shown = f"[{bounds[0]},{bounds[1]})" if bounds[1] < math.inf else f"≥{bounds[0]}"
        self.name = f"f1-{bounds[0]}"
        self.title = f"F1 {shown}" if bounds[0] else f"F1 <{bounds[1]}"
        self.signature = f"words:{splitter}|frequency:{shown} in the references|case:mixed"

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the number of right words, of the reference's and of the output's."""
        output, reference = self._count(segment.words), self._count(segment.reference_words)
        return (output & reference).total(), reference.total(), output.total()

    def score(self, sums: Sequence[float]) -> float:
        """Return F1 in %; NaN if there is no such word on either side."""
        right, reference, output = sums
        return 200 * right / (reference + output) if reference + output else math.nan

    def _count(self, words: Iterable[str]) -> Counter[str]:
        frequency = self._frequencies.get
        return Counter(word for word in words if self._least <= frequency(word, 0) < self._most)


def f1_by_frequency(references: Iterable[Iterable[str]], splitter: str) -> list[WordF1]:
    """Return a metric for each bin, from the rarest words to the most frequent."""
    frequencies = Counter(word for words in references for word in words)
    edges = (0, *CUTOFFS, math.inf)
    return [
        WordF1(frequencies, (int(least), most if most == math.inf else int(most)), splitter)
        for least, most in pairwise(edges)
    ]
