import numpy as np
import pytest

from editmt.edits import Canvas, apply
from editmt.edits.noise import Chances, drop, drop_and_shuffle, leave_nothing, pick_phrases
from editmt.text import BOS, EOS

ROWS, LENGTH = 4_000, 12
REFERENCE = Canvas.of([[BOS, *range(10, 10 + LENGTH), EOS]] * ROWS)
ONE_TOKEN_WORDS = np.broadcast_to(np.arange(LENGTH + 2), REFERENCE.ids.shape)
THREE_TOKEN_WORDS = np.broadcast_to(np.array([0, *np.repeat(np.arange(1, 5), 3), 5]), REFERENCE.ids.shape)


def chances(seed=0, shape=REFERENCE.ids.shape):
    return Chances.draw(np.random.default_rng(seed), shape)


def interiors(action):
    return [row[1:-1] for row in apply(REFERENCE, action).rows()]


def displacements(row):
    """Return how far each word moved among those that are left."""
    return [abs(place - sorted(row).index(token)) for place, token in enumerate(row)]


def test_dropping_keeps_any_number_but_all_and_the_order():
    rows = interiors(drop(REFERENCE, chances()))
    assert all(row == sorted(row) for row in rows)
    share = np.bincount([len(row) for row in rows], minlength=LENGTH + 1) / ROWS
    assert share[LENGTH] == 0, "never all kept, as in the authors' code"
    assert share[:LENGTH] == pytest.approx(np.full(LENGTH, 1 / LENGTH), abs=0.02)


def test_a_canvas_may_be_complete_if_it_is_said():
    for action in (
        drop(REFERENCE, chances(), complete=True),
        drop_and_shuffle(REFERENCE, ONE_TOKEN_WORDS, chances(), complete=True),
    ):
        share = np.bincount([len(row) for row in interiors(action)], minlength=LENGTH + 1) / ROWS
        assert share == pytest.approx(np.full(LENGTH + 1, 1 / (LENGTH + 1)), abs=0.02)


def test_dropping_has_no_favourites():
    kept = np.bincount([token for row in interiors(drop(REFERENCE, chances())) for token in row])[10:]
    assert kept / kept.mean() == pytest.approx(np.ones(LENGTH), abs=0.1)


def test_half_of_the_sentences_are_shuffled_and_no_word_moves_further_than_three():
    rows = interiors(drop_and_shuffle(REFERENCE, ONE_TOKEN_WORDS, chances()))
    assert [sorted(row) for row in rows] == interiors(drop(REFERENCE, chances())), (
        "the same tokens are dropped"
    )
    moves = [max(displacements(row), default=0) for row in rows]
    assert max(moves) == 3, "the paper's distance; the authors' code comes to 2 only"
    long = [row for row in rows if len(row) >= 8]
    assert np.mean([row != sorted(row) for row in long]) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("probability", "distance", "furthest"), [(0, 3, 0), (1, 0, 0), (1, 1, 1), (1, 2, 2), (1, 5, 5)]
)
def test_probability_and_distance(probability, distance, furthest):
    action = drop_and_shuffle(
        REFERENCE, ONE_TOKEN_WORDS, chances(), probability=probability, distance=distance
    )
    assert max(max(displacements(row), default=0) for row in interiors(action)) == furthest


def test_words_stay_whole():
    moved = 0
    for row in interiors(drop_and_shuffle(REFERENCE, THREE_TOKEN_WORDS, chances(), probability=1)):
        words = [(token - 10) // 3 for token in row]
        blocks = [word for place, word in enumerate(words) if place == 0 or words[place - 1] != word]
        assert len(blocks) == len(set(blocks)), "the tokens of a word stand together"
        assert all(
            row.index(a) < row.index(b)
            for a, b in zip(sorted(row), sorted(row)[1:], strict=False)
            if (a - 10) // 3 == (b - 10) // 3
        )
        moved += blocks != sorted(blocks)
    assert moved > ROWS / 4


def test_the_same_chances_give_the_same_canvas_and_rows_can_be_split():
    whole = drop_and_shuffle(REFERENCE, ONE_TOKEN_WORDS, chances(seed=7)).index
    assert np.array_equal(whole, drop_and_shuffle(REFERENCE, ONE_TOKEN_WORDS, chances(seed=7)).index)
    assert not np.array_equal(whole, drop_and_shuffle(REFERENCE, ONE_TOKEN_WORDS, chances(seed=8)).index)
    rows = slice(100, 200)
    part = Chances(*(values[rows] for values in vars(chances(seed=7)).values()))
    reference = Canvas(*(values[rows] for values in vars(REFERENCE).values()))
    assert np.array_equal(whole[rows], drop_and_shuffle(reference, ONE_TOKEN_WORDS[rows], part).index)


def test_short_and_padded_sentences():
    reference = Canvas.of([[BOS, EOS], [BOS, 10, EOS], [BOS, 10, 11, 12, EOS]])
    words = np.cumsum(reference.mask, axis=1)
    for seed in range(200):
        drawn = chances(seed, reference.ids.shape)
        for action in (drop(reference, drawn), drop_and_shuffle(reference, words, drawn)):
            empty, single, longer = apply(reference, action).rows()
            assert (empty, single) == ([BOS, EOS], [BOS, EOS])
            assert (longer[0], longer[-1]) == (BOS, EOS)
            assert set(longer[1:-1]) < {10, 11, 12}
            assert len(longer) == len(set(longer))


def test_nothing_is_mutated():
    drawn = chances()
    for array in [*vars(REFERENCE).values(), *vars(drawn).values()]:
        array.flags.writeable = False
    drop(REFERENCE, drawn)
    drop_and_shuffle(REFERENCE, ONE_TOKEN_WORDS, drawn)


def test_picking_leaves_any_number_of_words_up_to_the_most():
    counts = np.bincount(
        [len(row) for row in interiors(pick_phrases(REFERENCE, ONE_TOKEN_WORDS, chances(), most=5))]
    )
    assert counts / ROWS == pytest.approx(np.full(6, 1 / 6), abs=0.02)


def test_picking_knows_no_favourites_and_no_order():
    rows = interiors(pick_phrases(REFERENCE, ONE_TOKEN_WORDS, chances(), most=5))
    assert all(len(row) == len(set(row)) for row in rows)
    for place in range(5):  # each word is as likely as any other at each place
        found = np.bincount([row[place] - 10 for row in rows if len(row) > place], minlength=LENGTH)
        assert found / found.sum() == pytest.approx(np.full(LENGTH, 1 / LENGTH), abs=0.03)
    pairs = [row for row in rows if len(row) == 2]
    assert np.mean([first < second for first, second in pairs]) == pytest.approx(0.5, abs=0.06)


def test_picked_words_are_whole():
    rows = interiors(pick_phrases(REFERENCE, THREE_TOKEN_WORDS, chances(), most=3))
    for row in rows:
        words = np.array(row).reshape(-1, 3)
        assert (words - words[:, :1] == [0, 1, 2]).all(), "in the order of its tokens"
        assert ((words[:, 0] - 10) % 3 == 0).all()
    counts = np.bincount([len(row) // 3 for row in rows])
    assert counts / ROWS == pytest.approx(np.full(4, 1 / 4), abs=0.02)


def test_picked_phrases_are_neighbours():
    rows = interiors(pick_phrases(REFERENCE, ONE_TOKEN_WORDS, chances(), most=1, joined=0.5))
    assert all(row == list(range(row[0], row[0] + len(row))) for row in rows if row)
    lengths = [len(row) for row in rows if row]
    assert 1.5 < np.mean(lengths) < 2.1, "two words, but for the ends of the sentence"
    whole = interiors(pick_phrases(REFERENCE, THREE_TOKEN_WORDS, chances(), most=2, joined=1.0))
    assert {len(row) for row in whole} == {0, LENGTH}, "where all words are joined, all or nothing"


def test_nothing_is_left():
    assert set(map(tuple, interiors(leave_nothing(REFERENCE)))) == {()}


def test_picking_from_short_and_padded_sentences():
    reference = Canvas.of([[BOS, EOS], [BOS, 10, EOS], [BOS, 10, 11, 12, EOS]])
    words = np.cumsum(reference.mask, axis=1)
    seen = set()
    for seed in range(300):
        empty, single, longer = apply(
            reference, pick_phrases(reference, words, chances(seed, reference.ids.shape), most=5)
        ).rows()
        assert empty == [BOS, EOS]
        assert single in ([BOS, EOS], [BOS, 10, EOS])
        assert (longer[0], longer[-1]) == (BOS, EOS)
        seen.add(tuple(longer[1:-1]))
    assert len(seen) == 1 + 3 + 6 + 6, "every choice of words in every order"
