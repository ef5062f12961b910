import math

import numpy as np
import pytest
import sacrebleu

from editmt.errors import InputError, MissingPackage
from editmt.evaluation.constraints import LemmaUse, Preservation, TermUse
from editmt.evaluation.effort import Latency, edit_counts
from editmt.evaluation.metric import Effort, Segment
from editmt.evaluation.overlap import Bleu, Chrf, WordBleu
from editmt.evaluation.ribes import Ribes, align, rank_agreement, sentence_ribes
from editmt.evaluation.word_f1 import CUTOFFS, f1_by_frequency
from editmt.evaluation.words import find_splitter
from editmt.text.lemmas import load_lemmatiser
from tests.sentences import ENGLISH, GERMAN

SWAPPED = [" ".join(line.split()[::-1][:-1]) for line in GERMAN]


def segments(outputs, references, splitter="13a", **more):
    split = find_splitter(splitter)
    return [
        Segment(output, reference, split(output), split(reference), **more)
        for output, reference in zip(outputs, references, strict=True)
    ]


def wanting(output, *constraints):
    forms = tuple((term,) if isinstance(term, str) else term for term in constraints)
    return Segment(output, "", (), (), constraints=forms)


@pytest.mark.parametrize("outputs", [GERMAN, SWAPPED, ENGLISH, [""] * len(GERMAN)])
def test_bleu_and_chrf_are_sacrebleus_to_the_digit(outputs):
    given = segments(outputs, GERMAN)
    assert Bleu().corpus_score(given) == sacrebleu.corpus_bleu(outputs, [GERMAN]).score
    assert Chrf().corpus_score(given) == sacrebleu.corpus_chrf(outputs, [GERMAN]).score
    assert WordBleu("13a").corpus_score(given) == pytest.approx(Bleu().corpus_score(given))


def test_bleu_of_the_papers_tokenisation():
    given = segments(SWAPPED, GERMAN, "moses:de")
    tokenised = [
        [" ".join(words) for words in side]
        for side in zip(*((s.words, s.reference_words) for s in given), strict=True)
    ]
    expected = sacrebleu.corpus_bleu(tokenised[0], [tokenised[1]], tokenize="none", force=True)
    assert WordBleu("moses:de").corpus_score(given) == expected.score


def test_signatures_are_sacrebleus():
    metric = sacrebleu.metrics.BLEU()
    metric.corpus_score(SWAPPED, [GERMAN])
    assert Bleu().signature == str(metric.get_signature())
    assert WordBleu("moses:de").signature.startswith("words:moses:de|nrefs:1|case:mixed|eff:no|tok:none")


# Isozaki et al. 2010, worked by hand: (output, reference, places, the share of pairs in order, RIBES).
# BP = exp(1 - |reference| / |output|) for shorter outputs.
RIBES_CASES = [
    ("a b c d", "a b c d", [0, 1, 2, 3], 1.0, 1.0),
    ("Bob hit John yesterday", "John hit Bob yesterday", [2, 1, 0, 3], 3 / 6, 0.5),
    ("the book was read by the boy", "the boy read the book", [3, 4, 2, 0, 1], 2 / 10, 0.2 * (5 / 7) ** 0.25),
    (
        "he read the book because he was interested in world history",
        "he was interested in world history because he read the book",
        [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5],
        21 / 55,
        21 / 55,
    ),
    ("a b d e", "a b x d e", [0, 1, 3, 4], 1.0, math.exp(1 - 5 / 4) ** 0.1),
    ("x a y a b", "x a b", [0, 1, 1, 2], 5 / 6, 5 / 6 * (4 / 5) ** 0.25),  # one place twice: no pair in order
    ("a", "a", [0], 1.0, 1.0),  # nltk: 0
    ("a b", "a", [0], 1.0, 0.5**0.25),  # nltk: 0
    ("a", "a b", [0], 0.0, 0.0),  # one word has no order
    ("a a a", "a a a", [0, 2], 1.0, (2 / 3) ** 0.25),  # by the whole sentence; nltk finds [0] only
    ("x y", "a b", [], 0.0, 0.0),
    ("", "a b", [], 0.0, 0.0),
    ("a b", "", [], 0.0, 0.0),
    ("", "", [], 0.0, 0.0),
]


@pytest.mark.parametrize(("output", "reference", "places", "agreement", "score"), RIBES_CASES)
def test_ribes(output, reference, places, agreement, score):
    words = output.split(), reference.split()
    assert align(*words) == places
    assert rank_agreement(places, len(words[1])) == pytest.approx(agreement)
    assert sentence_ribes(*words) == pytest.approx(score)


def test_ribes_of_a_corpus_is_the_mean():
    given = segments(["a b", "b a"], ["a b", "a b"])
    assert Ribes("13a").corpus_score(given) == 50


@pytest.mark.parametrize(
    ("output", "wanted", "row"),
    [
        ("Das Haus steht.", ["Haus", "steht"], (2, 2)),
        ("Das Haus steht.", ["haus", "Hau"], (0, 2)),  # capitals and whole words matter
        ("die die", ["die", "die", "die"], (2, 3)),  # with multiplicity
        ("die Katze", ["die", "die"], (1, 2)),
        ("Haus am See", ["Haus am See", "am Haus"], (1, 2)),
        ("a, b.", [",", "."], (2, 2)),
        ("世界が好き", ["世界", "好き"], (2, 2)),  # written without spaces
        ("", ["x"], (0, 1)),
        ("x", [], (0, 0)),
        ("Unfalls", [("Unfall", "Unfalls")], (0, 1)),  # the form that was asked for
    ],
)
def test_constraint_preservation(output, wanted, row):
    assert tuple(Preservation().row(wanting(output, *wanted))) == row


def test_cpr_is_a_share_of_all_constraints():
    given = [wanting("a", "a", "b", "c"), wanting("x", "x"), wanting("y")]
    assert Preservation().corpus_score(given) == 50
    assert math.isnan(Preservation().corpus_score([wanting("y")]))


@pytest.mark.parametrize(
    ("output", "terms", "exact", "by_lemma"),
    [
        ("des Unfalls wegen", [("Unfall",)], 0, 1),
        ("des Unfalls wegen", [("Unfall", "Unfalls")], 1, 1),
        ("vieler Unfälle", [("Unfall",), ("viel",)], 0, 1),
        ("rote Häuser", [("rot Haus",)], 0, 1),
        ("Häuser, rote", [("rot Haus",)], 0, 0),
        ("Haus", [("Haus",), ("Haus",)], 2, 2),
    ],
)
def test_term_usage(output, terms, exact, by_lemma):
    lemmas = {"unfalls": "unfall", "unfälle": "unfall", "rote": "rot", "häuser": "haus"}
    stub = LemmaUse(lambda word: lemmas.get(word.lower(), word.lower()), find_splitter("13a"), "stub")
    given = wanting(output, *terms)
    assert tuple(TermUse().row(given)) == (exact, len(terms))
    assert tuple(stub.row(given)) == (by_lemma, len(terms))


def test_lemmas_need_a_package(monkeypatch):
    load_lemmatiser.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "simplemma", None)
    with pytest.raises(MissingPackage, match=r"simplemma\[marisa-trie\]: pip install 'editmt\[eval\]'"):
        load_lemmatiser("de", extra="eval")


def test_f1_by_frequency():
    references = [["the", "cat"]] * 12 + [["the", "dog"]]  # the 13, cat 12, dog 1
    metrics = f1_by_frequency(references, "none")
    assert [metric.title for metric in metrics] == [
        "F1 <5",
        "F1 [5,10)",
        "F1 [10,100)",
        "F1 [100,1000)",
        "F1 ≥1000",
    ]
    assert CUTOFFS == (5, 10, 100, 1000)
    given = [
        Segment("", "", ("the", "the", "cat"), ("the", "cat")),  # 2 right of 2 and 3
        Segment("", "", ("the", "cow"), ("the", "dog")),  # 1 right of 1 and 1; 0 of 1 and 1 rare ones
    ]
    scores = [metric.corpus_score(given) for metric in metrics]
    assert scores[0] == 0
    assert scores[2] == pytest.approx(100 * 2 * 3 / (3 + 4))
    assert all(math.isnan(scores[number]) for number in (1, 3, 4))


def test_effort():
    given = [
        Segment("", "", (), (), effort=effort) for effort in (Effort(1, 2, 3, 4), Effort(3, 0, 1, 2), None)
    ]
    assert [metric.corpus_score(given) for metric in edit_counts()] == [2, 1, 2, 5, 3]


def test_latency_is_of_the_sentences_that_were_timed():
    given = [Segment("", "", (), (), latency_ms=time) for time in (10.0, None)]
    assert Latency().corpus_score(given) == 10
    assert math.isnan(Latency().corpus_score(given[1:]))


@pytest.mark.parametrize("name", ["", "moses", "moses:", "moses:d3", "mecab", "13A"])
def test_no_such_tokenisation(name):
    with pytest.raises(InputError, match="there is no tokenisation"):
        find_splitter(name)


def test_statistics_are_rows():
    given = segments(SWAPPED, GERMAN)
    for metric in (Bleu(), Chrf(), Ribes("13a"), *f1_by_frequency([s.reference_words for s in given], "13a")):
        rows = metric.statistics(given)
        assert rows.shape[0] == len(given)
        assert rows.dtype == np.float64
