"""What became of the words a user asked for: constraint preservation and term usage."""

from collections import Counter
from collections.abc import Sequence

from editmt.evaluation.metric import Metric, Segment, share
from editmt.evaluation.words import Splitter
from editmt.text.lemmas import Lemmatiser
from editmt.text.phrases import count_phrase, find_phrase


class Preservation(Metric):
    """CPR: the share of all constraints that stand in the output, in % .

    A constraint stands there as whole words in this very form, capitals included, as often as it was asked
    for: of two "the", an output with one "the" keeps half. The paper gives no formula.

    >>> metric = Preservation()
    >>> metric.row(Segment("the Hauses", "", (), (), constraints=(("the",), ("the",), ("Haus",))))
    (1, 3)
    """

    name, title = "cpr", "CPR"
    signature = "form:exact|match:whole words|count:with multiplicity|share:of all constraints"

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the number of constraints kept, and of all."""
        wanted = Counter(forms[0] for forms in segment.constraints)
        kept = sum(min(count, count_phrase(segment.output, phrase)) for phrase, count in wanted.items())
        return kept, len(segment.constraints)

    def score(self, sums: Sequence[float]) -> float:
        """Return the share in %."""
        return 100 * share(sums)


class TermUse(Metric):
    """Term%: the share of all terms that the output uses in one of their given forms, in %."""

    name, title = "term", "Term%"
    signature = "form:any given|match:whole words|share:of all terms"

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the number of terms used, and of all."""
        used = sum(
            any(next(find_phrase(segment.output, form), None) is not None for form in forms)
            for forms in segment.constraints
        )
        return used, len(segment.constraints)

    def score(self, sums: Sequence[float]) -> float:
        """Return the share in %."""
        return 100 * share(sums)


class LemmaUse(Metric):
    """Term% by lemma: inflected forms count, word by word, in the term's order.

    >>> metric = LemmaUse(lambda word: word.lower().removesuffix("es"), str.split, "none|stub")
    >>> metric.row(Segment("des Hauses wegen", "", (), (), constraints=(("Haus",), ("Dach",))))
    (1, 2)
    """

    name, title = "term-lemma", "Term% (lemma)"

    def __init__(self, lemmatise: Lemmatiser, split: Splitter, description: str) -> None:
        self.signature = f"form:lemma|words:{description}|share:of all terms"
        self._lemmatise, self._split = lemmatise, split

    def row(self, segment: Segment) -> Sequence[float]:
        """Return the number of terms used, and of all."""
        output = self._lemmas(segment.output)
        used = sum(
            any(_contains(output, self._lemmas(form)) for form in forms) for forms in segment.constraints
        )
        return used, len(segment.constraints)

    def score(self, sums: Sequence[float]) -> float:
        """Return the share in %."""
        return 100 * share(sums)

    def _lemmas(self, text: str) -> list[str]:
        return [self._lemmatise(word) for word in self._split(text)]


def _contains(words: Sequence[str], phrase: Sequence[str]) -> bool:
    starts = range(len(words) - len(phrase) + 1)
    return any(list(words[start : start + len(phrase)]) == list(phrase) for start in starts)
