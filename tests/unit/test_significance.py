import math

import numpy as np
import pytest

from editmt.evaluation.comparison import compare
from editmt.evaluation.effort import Latency
from editmt.evaluation.metric import Segment
from editmt.evaluation.overlap import Bleu
from editmt.evaluation.significance import Bootstrap, bootstrap_p, student_p, student_tail
from tests.sentences import ENGLISH, GERMAN


@pytest.mark.parametrize(
    ("t", "freedom", "p"),  # scipy 1.17: 2 * stats.t.sf(t, freedom)
    [
        (0.0, 4, 1.0),
        (0.3, 1, 0.8144528418445154),
        (2.5, 2, 0.12961172022151082),
        (4.0, 3, 0.028008456010146152),
        (1.7, 5, 0.149876786848324),
        (2.306, 8, 0.050000322761284174),
        (3.1, 17, 0.006504539385564241),
        (0.01, 40, 0.9920709969599448),
    ],
)
def test_student_distribution(t, freedom, p):
    assert student_tail(t, freedom) == pytest.approx(p, rel=1e-10)


@pytest.mark.parametrize(("t", "freedom"), [(200, 12), (30, 20), (1e4, 18), (1e8, 1), (1e300, 3)])
def test_no_probability_is_negative(t, freedom):
    assert 0 <= student_tail(t, freedom) < 1e-7


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        ([30.1, 30.5, 30.2], [31.0, 31.4, 31.3], 0.004719618724481771),  # scipy's ttest_ind
        ([1, 2], [1, 2], 1.0),
        ([1, 1], [1, 1], 1.0),
        ([1, 1], [2, 2], 0.0),
        ([math.nan, 1], [2, 2], math.nan),
    ],
)
def test_student(first, second, p):
    assert student_p(first, second) == pytest.approx(p, rel=1e-10, nan_ok=True)
    assert student_p(second, first) == pytest.approx(p, rel=1e-10, nan_ok=True)


def test_student_needs_runs():
    with pytest.raises(ValueError, match="three runs"):
        student_p([1], [2])


def test_samples_are_seeded_and_fair():
    first, again, other = (Bootstrap.draw(50, samples=400, seed=seed).counts for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
    assert (first.sum(axis=1) == 50).all()
    assert first.mean(axis=0) == pytest.approx(np.ones(50), abs=0.25)


def test_bootstrap_tells_a_difference_from_chance():
    generator = np.random.default_rng(1)
    scores = generator.normal(size=(2, 1000))
    assert bootstrap_p(scores[0], scores[1], 5.0) < 0.01
    assert bootstrap_p(scores[0], scores[1], 0.1) > 0.5
    assert math.isnan(bootstrap_p(np.array([math.nan]), np.array([1.0]), 0.1))


def read(outputs, latency=None):
    return [[Segment(*pair, (), (), latency_ms=latency) for pair in zip(outputs, GERMAN, strict=True)]]


def test_the_best_and_those_not_worse_are_marked():
    almost = [GERMAN[0] + "!", *GERMAN[1:]]
    systems = {"bad": read(ENGLISH, 1.0), "good": read(GERMAN, 2.0), "almost": read(almost, 3.0)}
    comparison = compare(systems, [Bleu(), Latency()], samples=200, seed=1)
    bleu, latency = comparison.cells["bleu"], comparison.cells["latency"]
    assert {name: (cell.best, cell.tied) for name, cell in bleu.items()} == {
        "bad": (False, False),
        "good": (True, False),
        "almost": (False, True),
    }
    assert latency["bad"].best, "less is better"
    assert bleu["bad"].p["good"] == bleu["good"].p["bad"] < 0.05
    assert "good" not in bleu["good"].p


def test_runs_are_compared_by_students_t():
    runs = {
        "good": [read(lines)[0] for lines in (GERMAN, [GERMAN[0] + "!", *GERMAN[1:]])],
        "bad": [read(lines)[0] for lines in (ENGLISH, ENGLISH[::-1])],
    }
    comparison = compare(runs, [Bleu()], samples=10, seed=1)
    good, bad = (comparison.cells["bleu"][name] for name in runs)
    assert (comparison.runs, comparison.test) == (2, "Student's t over runs")
    assert good.score == sum(good.scores) / 2
    assert good.best
    assert not bad.tied
    assert bad.p["good"] == student_p(good.scores, bad.scores)
