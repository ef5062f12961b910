"""BLEU and chrF by sacreBLEU: its statistics, its formulas, its signatures."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from editmt.errors import MissingPackage
from editmt.evaluation.metric import Metric, Segment

try:
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
except ImportError:
    raise MissingPackage("sacrebleu", extra="eval") from None


class _SacreBleu(Metric):
    """A metric of sacreBLEU's.

    Its sentence statistics have no public door; these are the methods that sacreBLEU's own significance
    tests call, and the tests compare the scores with those of its public ones.
    """

    def __init__(self, metric: Any, *, name: str, title: str, prefix: str = "") -> None:
        self.name, self.title = name, title
        self._metric = metric
        self._references: dict[str, dict[str, Any]] = {}  # n-grams, the same for all systems
        metric.num_refs = 1
        self.signature = prefix + metric.get_signature().format()

    @abstractmethod
    def texts(self, segment: Segment) -> tuple[str, str]:
        """Return the output and the reference."""

    def row(self, segment: Segment) -> Sequence[float]:
        """Return sacreBLEU's statistics: counts of n-grams, and lengths."""
        output, reference = self.texts(segment)
        known = self._references.get(reference)
        if known is None:
            known = self._metric._extract_reference_info([self._metric._preprocess_segment(reference)])
            self._references[reference] = known
        prepared = self._metric._preprocess_segment(output)
        row: list[int] = self._metric._compute_segment_statistics(prepared, known)
        return row

    def score(self, sums: Sequence[float]) -> float:
        """Return sacreBLEU's score, 0 to 100."""
        return float(self._metric._compute_score_from_stats(sums).score)


class Bleu(_SacreBleu):
    """Case-sensitive BLEU of raw text, tokenised as mteval-v13a does.

    >>> metric = Bleu()
    >>> round(metric.corpus_score([Segment("the cat sat on a mat", "the cat sat on the mat", (), ())]), 1)
    53.7
    """

    def __init__(self) -> None:
        super().__init__(BLEU(tokenize="13a", force=True), name="bleu", title="BLEU")

    def texts(self, segment: Segment) -> tuple[str, str]:
        """Return the raw texts."""
        return segment.output, segment.reference


class WordBleu(_SacreBleu):
    """Case-sensitive BLEU of the segments' words: tokenised BLEU, as in the paper.

    Differs: the paper's is fairseq's libbleu, without smoothing; sacreBLEU smooths, which shows only in a
    corpus without one match of some order.
    """

    def __init__(self, splitter: str) -> None:
        metric = BLEU(tokenize="none", force=True)
        super().__init__(metric, name="bleu-words", title="BLEU (words)", prefix=f"words:{splitter}|")

    def texts(self, segment: Segment) -> tuple[str, str]:
        """Return the words, with spaces between."""
        return " ".join(segment.words), " ".join(segment.reference_words)


class Chrf(_SacreBleu):
    """chrF2: character n-grams up to 6, recall weighs double."""

    def __init__(self) -> None:
        super().__init__(CHRF(), name="chrf", title="chrF")

    def texts(self, segment: Segment) -> tuple[str, str]:
        """Return the raw texts."""
        return segment.output, segment.reference
