"""What holds for any metric and any sentences."""

import math

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from editmt.evaluation.comparison import compare
from editmt.evaluation.constraints import Preservation, TermUse
from editmt.evaluation.effort import edit_counts
from editmt.evaluation.metric import Effort, Segment
from editmt.evaluation.overlap import Bleu, Chrf, WordBleu
from editmt.evaluation.ribes import Ribes
from editmt.evaluation.samples import Amount, draw_words
from editmt.evaluation.word_f1 import f1_by_frequency
from editmt.evaluation.words import find_splitter

TEXTS = st.lists(
    st.sampled_from(["a", "b", "Haus", "am", "See,", "世界", "x_y", "ein-zwei"]), max_size=9
).map(" ".join)
COUNTS = st.integers(0, 9)
SEGMENTS = st.builds(
    lambda output, reference, wanted, counts: Segment(
        output, reference, tuple(output.split()), tuple(reference.split()), tuple(wanted), Effort(*counts)
    ),
    TEXTS,
    TEXTS,
    st.lists(st.sampled_from([("a",), ("Haus",), ("am See", "See")]), max_size=4),
    st.tuples(COUNTS, COUNTS, COUNTS, COUNTS),
)
CORPORA = st.lists(SEGMENTS, min_size=1, max_size=8)


def all_metrics(corpus):
    return [
        *(Bleu(), WordBleu("none"), Chrf(), Ribes("none"), Preservation(), TermUse()),
        *f1_by_frequency([segment.reference_words for segment in corpus], "none"),
        *edit_counts(),
    ]


def same(first, second):
    return first == pytest.approx(second, rel=1e-9, nan_ok=True)


@settings(max_examples=40)
@given(corpus=CORPORA, data=st.data())
def test_the_sum_of_statistics_is_all_that_counts(corpus, data):
    cut = data.draw(st.integers(0, len(corpus)))
    shuffled = data.draw(st.permutations(corpus))
    for metric in all_metrics(corpus):
        whole = metric.corpus_score(corpus)
        assert same(metric.corpus_score(shuffled), whole), metric.name
        parts = [metric.statistics(part).sum(axis=0) for part in (corpus[:cut], corpus[cut:]) if part]
        assert same(metric.score(sum(parts).tolist()), whole), metric.name
        assert math.isnan(whole) or whole >= 0


@settings(max_examples=40)
@given(corpus=CORPORA)
def test_corpus_scores_are_sacrebleus(corpus):
    outputs, references = [s.output for s in corpus], [s.reference for s in corpus]
    assert Bleu().corpus_score(corpus) == sacrebleu.corpus_bleu(outputs, [references], force=True).score
    assert Chrf().corpus_score(corpus) == sacrebleu.corpus_chrf(outputs, [references]).score


@settings(max_examples=15)
@given(corpus=CORPORA)
def test_a_system_does_not_differ_from_itself(corpus):
    comparison = compare({"a": [corpus], "b": [list(corpus)]}, all_metrics(corpus), samples=20, seed=1)
    for metric in comparison.metrics:
        cells = comparison.cells[metric.name]
        if not math.isnan(cells["a"].score):
            assert cells["a"].p == {"b": 1.0}
            assert metric.better == "neither" or (cells["a"].best and cells["b"].tied)


@settings(max_examples=60)
@given(reference=st.one_of(TEXTS, st.text(max_size=30)), bounds=st.tuples(COUNTS, COUNTS), seed=COUNTS)
def test_a_reference_keeps_its_own_words(reference, bounds, seed):
    amount = Amount(min(bounds) + 1, max(bounds) + 1)
    for name in ("13a", "none"):
        words = draw_words(reference, find_splitter(name), amount, np.random.default_rng(seed))
        assert len(words) <= amount.most
        wanted = Segment(reference, "", (), (), tuple((word,) for word in words))
        assert tuple(Preservation().row(wanted)) == (len(words), len(words))
