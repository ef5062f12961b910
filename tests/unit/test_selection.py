"""Which way to decode is chosen on validation: the best, or one nearer to the paper's that is as good."""

import numpy as np
import pytest

from editmt.config import DecodingConfig, RunConfig
from editmt.evaluation.overlap import Bleu
from editmt.training.selection import Selection, first_as_good

SENTENCES = 400


def outputs(share, seed):
    """Return BLEU's statistics of sentences of ten words, of which about such a share is right."""
    right = np.random.default_rng(seed).binomial(10, share, SENTENCES)
    same = np.full(SENTENCES, 10)
    return np.stack(
        [same, same, *[right - less for less in range(4)], *[same - less for less in range(4)]], 1
    )


@pytest.mark.parametrize(
    ("shares", "chosen"),
    [
        ((0.6, 0.7, 0.8), 2),  # the best, if the others are clearly worse
        ((0.7, 0.5, 0.701), 0),  # the first that is as good
        ((0.5, 0.7, 0.701, 0.699), 1),
        ((0.8, 0.7), 0),
        ((0.7,), 0),
    ],
)
def test_the_first_that_is_not_significantly_worse(shares, chosen):
    found = [outputs(share, seed) for seed, share in enumerate(shares)]
    assert first_as_good(Bleu(), found) == chosen


def test_of_equals_the_first():
    assert first_as_good(Bleu(), [outputs(0.7, 1)] * 3) == 0


def choose(run, judge):
    said = []
    return Selection(judge, said.append).choose(run), said


def test_each_is_chosen_with_those_before_it():
    asked = []

    def judge(way, *, with_words):
        asked.append((way.fill_share, way.penalty, way.foresight, way.penalty_foreseen, with_words))
        good = way.fill_share == 0.5, way.penalty == 1, way.foresight == 1, way.penalty_foreseen == 0
        return outputs(0.5 + 0.1 * sum(good), 1)

    run = RunConfig(fill_shares=(1, 0.5), penalties=(0, 1), foresights=(0, 1))
    chosen, said = choose(run, judge)
    assert chosen == DecodingConfig(fill_share=0.5, penalty=1, foresight=1, penalty_foreseen=0)
    assert asked == [
        (1, 0, 0, None, False), (0.5, 0, 0, None, False), (0.5, 0, 0, None, False), (0.5, 1, 0, None, False),
        (0.5, 1, 0, None, True), (0.5, 1, 1, None, True), (0.5, 1, 1, 0, True), (0.5, 1, 1, 1, True),
    ]  # fmt: skip
    assert said[0].startswith("fill_share 1: BLEU ")
    assert said[-1].startswith("penalty_foreseen 1 with words: BLEU ")


def test_a_model_whose_best_way_is_the_paper_s_keeps_none():
    def judge(way, *, with_words):
        assert with_words or not way.foresight
        return outputs(0.7 - 0.1 * (way.penalty + way.foresight), 1)

    assert choose(RunConfig(penalties=(0, 1), foresights=(0, 1)), judge)[0] is None
    assert choose(RunConfig(), judge)[0] is None
