"""The metrics that fit what is at hand, in the order of the report."""

from collections.abc import Mapping, Sequence

from editmt.errors import InputError
from editmt.evaluation.comparison import Runs
from editmt.evaluation.constraints import LemmaUse, Preservation, TermUse
from editmt.evaluation.effort import Latency, edit_counts
from editmt.evaluation.metric import Metric
from editmt.evaluation.overlap import Bleu, Chrf, WordBleu
from editmt.evaluation.ribes import Ribes
from editmt.evaluation.systems import TestSet
from editmt.evaluation.word_f1 import f1_by_frequency
from editmt.text.lemmas import Lemmatiser, load_lemmatiser


def fitting_metrics(
    systems: Mapping[str, Runs], test_set: TestSet, splitter: str, lemma_language: str | None
) -> list[Metric]:
    """Return all metrics that have something to look at.

    `splitter` is the name of the test set's; lemmas need a language. Latency and edits are left out if no
    system tells of them.
    """
    segments = [segment for runs in systems.values() for run in runs for segment in run]
    words_differ = splitter != "13a"  # else it is BLEU once more
    metrics: list[Metric] = [Bleu(), *([WordBleu(splitter)] if words_differ else []), Chrf(), Ribes(splitter)]
    if any(segment.constraints for segment in segments):
        metrics += [Preservation(), TermUse()]
        if lemma_language is not None:
            lemmatise = find_lemmatiser(lemma_language)
            metrics.append(LemmaUse(lemmatise, test_set.split, f"{splitter}|simplemma {lemma_language}"))
    if any(segment.latency_ms is not None for segment in segments):
        metrics.append(Latency())
    metrics += f1_by_frequency(test_set.words, splitter)
    if any(segment.effort is not None for segment in segments):
        metrics += edit_counts()
    return metrics


def find_lemmatiser(language: str) -> Lemmatiser:
    """Return the lemmatiser of a language; one without lemmas is refused."""
    lemmatise = load_lemmatiser(language, extra="eval")
    if lemmatise is None:
        raise InputError(f"there are no lemmas for the language {language!r}")
    return lemmatise


def choose_metrics(metrics: Sequence[Metric], names: Sequence[str]) -> list[Metric]:
    """Return the named ones in the given order, or all if no name is given."""
    known = {metric.name: metric for metric in metrics}
    for name in names:
        if name not in known:
            raise InputError(f"there is no metric {name!r} for these files (only: {', '.join(known)})")
    return [known[name] for name in dict.fromkeys(names)] if names else list(metrics)
