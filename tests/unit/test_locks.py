import numpy as np
import pytest

from editmt.decoding import moves as moving
from editmt.decoding.locks import CANDIDATES, Keep, choose_words, weigh_counts
from editmt.decoding.moves import choose_moves
from editmt.decoding.policy import Words
from editmt.edits import apply
from editmt.text import PLH, SYMBOLS, Vocabulary
from tests.policies import batch

HARD = np.inf


def moves(rows, scores, strengths, *, paper=False):
    """Choose for one canvas, given as (words, locks), from the scores of its inner places."""
    words, locks = rows
    size = len(words) + 2
    table = np.full((1, size, size), -1e9)
    table[0, 0, 0] = table[0, -1, -1] = 0
    table[0, 1:-1, : size - 1] = scores
    canvas = batch([words], [locks])
    action = choose_moves(table, canvas, [Keep(strengths, paper=paper)])
    after = apply(canvas, action)
    return after.rows()[0][1:-1], after.locks[0, 1:-1].tolist(), action.index[0, 1:-1].tolist()


def best(*choices, classes=5):
    return np.eye(classes)[list(choices)] * 10.0


CASES = {
    "nothing is in danger": ([7, 8, 9, 10], [0, 1, 1, 0], best(1, 2, 3, 4), [7, 8, 9, 10]),
    "no deletion": ([7, 8, 9, 10], [0, 1, 0, 0], best(1, 0, 3, 4), [7, 8, 9, 10]),
    "no overwriting": ([7, 8, 9, 10], [0, 1, 0, 0], best(1, 3, 3, 4), [7, 8, 9, 10]),
    "no copy": ([7, 8, 9, 10], [0, 1, 0, 0], best(2, 2, 3, 4), [8, 9, 10]),
    "a phrase moves as one": ([7, 8, 9, 10], [0, 0, 1, 1], best(3, 4, 1, 2), [9, 10, 7, 8]),
    "a phrase is not broken": ([7, 8, 9, 10], [0, 0, 1, 1], best(3, 1, 2, 4), [9, 10, 7, 8]),
    "a phrase is not turned": ([7, 8, 9, 10], [1, 1, 0, 0], best(2, 1, 3, 4), [7, 8, 9, 10]),
    "two phrases change places": ([7, 8, 9, 10], [1, 2, 2, 2], best(2, 3, 4, 1), [8, 9, 10, 7]),
    "all deleted": ([7, 8, 9, 10], [1, 2, 2, 3], best(0, 0, 0, 0), [7, 8, 9, 10]),
}


@pytest.mark.parametrize("name", CASES)
def test_hard_phrases_stay_whole_and_once(name):
    words, locks, scores, expected = CASES[name]
    after, _, _ = moves((words, locks), scores, (HARD,) * 3)
    assert after == expected


def test_what_stays_keeps_its_place_in_the_action():
    _, _, index = moves(([7, 8, 9, 10], [0, 1, 0, 0]), best(1, 0, 3, 4), (HARD,))
    assert index == [1, 2, 3, 4], "a kept word is counted neither as moved nor as deleted"


def test_of_two_equal_words_both_are_kept():
    """The model moves the first to the second's place, and deletes it at its own."""
    after, locks, _ = moves(([7, 8, 7, 10], [1, 0, 2, 0]), best(0, 2, 1, 4), (11.0, 11.0))
    assert (after, sorted(locks)) == ([7, 8, 7, 10], [0, 0, 1, 2])


def test_a_strength_is_what_a_word_s_loss_costs():
    scores = best(1, 0, 3, 4)  # deleting the second word is better by 10
    rows = [7, 8, 9, 10], [0, 1, 0, 0]
    assert moves(rows, scores, (9.0,))[0] == [7, 9, 10]
    assert moves(rows, scores, (11.0,))[0] == [7, 8, 9, 10]
    overwritten = best(1, 3, 3, 4)
    assert moves(rows, overwritten, (9.0,))[0] == [7, 9, 9, 10]
    assert moves(rows, overwritten, (11.0,))[0] == [7, 8, 9, 10]
    moved = best(2, 1, 3, 4)
    assert moves(rows, moved, (11.0,))[0] == [8, 7, 9, 10], "moving is no loss"


def test_the_paper_s_mode_forbids_deletion_and_nothing_else():
    rows = [7, 8, 9, 10], [0, 1, 0, 0]
    assert moves(rows, best(1, 0, 3, 4) + np.eye(4, 5, 1), (HARD,), paper=True)[0] == [7, 8, 9, 10]
    assert moves(rows, best(1, 3, 3, 4), (HARD,), paper=True)[0] == [7, 9, 9, 10]


def test_strengths_count_in_the_paper_s_mode_too():
    rows = [7, 8, 9, 10], [0, 1, 0, 2]
    scores = best(1, 3, 3, 0)  # the hard one is overwritten, the soft one deleted
    assert moves(rows, scores, (HARD, 9.0), paper=True)[0] == [7, 9, 9]
    assert moves(rows, scores, (HARD, 11.0), paper=True)[0] == [7, 9, 9, 10]


def test_nothing_is_put_into_a_hard_phrase():
    canvas = batch([[7, 8, 9, 10], [7, 8, 9]], [[1, 1, 2, 2], [1, 1, 0]])
    scores = np.zeros((2, 5, 3))
    scores[:, :, 1] = 1
    keeps = [Keep((HARD, HARD)), Keep((0.9,))]
    counts = weigh_counts(scores, canvas, keeps, np.zeros(2)).argmax(-1)
    assert counts.tolist() == [[1, 0, 1, 0, 1], [1, 1, 1, 1, 1]]
    keeps = [Keep((HARD, HARD), paper=True), Keep((1.1,))]
    counts = weigh_counts(scores, canvas, keeps, np.zeros(2)).argmax(-1)
    assert counts.tolist() == [[1, 0, 1, 0, 1], [1, 0, 1, 1, 1]], "a strength is what that costs, too"


def test_a_soft_phrase_is_not_torn_apart():
    rows = [7, 8, 9, 10], [0, 1, 1, 0]
    assert moves((rows[0], [0] * 4), best(2, 1, 3, 4), ())[0] == [8, 7, 9, 10]
    assert moves(rows, best(2, 1, 3, 4), (11.0,))[0] == [8, 9, 7, 10]
    twice = best(2, 3, 2, 3)  # 8 9 8 9
    assert moves(rows, twice, (11.0,))[0] == [8, 9, 8, 9], "no harm is done"


PIECES = Vocabulary((*SYMBOLS, "▁Haus", "es", "▁am", ","), begins_word=(5, 7, 8), ends_word=(8,))


class FixedWords:
    """Offers the same words for each placeholder."""

    def __init__(self, ids, scores):
        self.offered = Words(np.array([ids]), np.array([scores]))
        self.asked = []

    def words(self, canvas, count, only=None):
        self.asked.append(count if only is None else (count, only.tolist()))
        repeats = int((canvas.ids == PLH).sum() if only is None else only.sum())
        return Words(*(np.repeat(part[:, :count], repeats, axis=0) for part in self.offered))


@pytest.mark.parametrize(
    ("strength", "paper", "chosen"),
    [(0.0, False, 6), (0.9, False, 6), (1.1, False, 8), (HARD, False, 8), (HARD, True, 6)],
)
def test_no_piece_is_glued_to_a_phrase_but_for_its_strength(strength, paper, chosen):
    policy = FixedWords([6, 8, 7], [-1.0, -2.0, -3.0])  # "es", ",", "▁am"
    canvas = batch([[5, PLH, PLH], [5, PLH, 7]], [[1, 0, 0], [0, 0, 1]])
    keeps = [Keep((strength,), paper, PIECES)] * 2
    words = choose_words(policy, canvas, keeps)
    assert words.ids[:, 0].tolist() == [chosen, 6, 6], "beside the locked word only, and not before ▁am"
    assert words.scores[0, 0] == {6: -1.0, 8: -2.0}[chosen]


def test_a_piece_before_a_phrase_can_be_glued_to_it_too():
    suffixes = Vocabulary((*SYMBOLS, "Haus", "Treib@@", "am"), begins_word=(), ends_word=(5, 7))
    policy = FixedWords([6, 7], [-1.0, -2.0])
    canvas = batch([[PLH, 5]], [[0, 1]])
    assert choose_words(policy, canvas, [Keep((0.9,), vocabulary=suffixes)]).ids.tolist() == [[6]]
    assert choose_words(policy, canvas, [Keep((1.1,), vocabulary=suffixes)]).ids.tolist() == [[7]]


@pytest.mark.parametrize("seed", range(200))
def test_whatever_the_scores_hard_phrases_are_whole_and_once(seed):
    generator = np.random.default_rng(seed)
    rows, locks = [], []
    for _ in range(4):
        sizes = generator.integers(1, 4, generator.integers(0, 6))
        marks = [mark for number, size in enumerate(sizes, start=1) for mark in [number] * size]
        for place in sorted(generator.integers(0, len(marks) + 1, generator.integers(0, 5)), reverse=True):
            if 0 < place < len(marks) and marks[place - 1] == marks[place] != 0:
                continue  # free words stand between phrases
            marks.insert(place, 0)
        rows.append(generator.integers(5, 9, len(marks)).tolist())
        locks.append(marks)
    canvas = batch(rows, locks)
    size = canvas.ids.shape[1]
    keeps = [Keep((HARD,) * max(marks, default=0)) for marks in locks]
    after = apply(canvas, choose_moves(generator.normal(size=(4, size, size)), canvas, keeps))
    for row, (words, marks) in enumerate(zip(rows, locks, strict=True)):
        new, new_marks = after.rows()[row][1:-1], after.locks[row, 1:].tolist()
        for lock in range(1, max(marks, default=0) + 1):
            places = [place for place, mark in enumerate(new_marks) if mark == lock]
            assert places == list(range(places[0], places[0] + marks.count(lock)))
            phrase = [word for word, mark in zip(words, marks, strict=True) if mark == lock]
            assert [new[place] for place in places] == phrase


@pytest.mark.parametrize("seed", range(60))
def test_phrases_that_all_stay_are_placed_as_if_they_were_assigned(seed, monkeypatch):
    generator = np.random.default_rng(seed)
    held = [[0, 1, 1, 0, 2, 0, 3, 3, 3], [1, 2, 3, 0, 0, 0, 0, 4, 4]][seed % 2]
    canvas = batch([generator.integers(5, 9, len(held)).tolist()], [held])
    size = len(held) + 2
    scores = 4 * generator.normal(size=(1, size, size)) + 3 * np.eye(size)
    scores[:, :, 0] += seed % 5  # some would rather delete
    keeps = [Keep(tuple(generator.choice([0.5, 4.0, HARD], 4).tolist()))]
    quick = choose_moves(scores, canvas, keeps).index
    monkeypatch.setattr(moving, "_stay", lambda *_: False)
    assert quick.tolist() == choose_moves(scores, canvas, keeps).index.tolist()


def random_canvas(generator, sentences):
    """Make sentences with phrases of one to three tokens in them; some are there twice."""
    rows, locks = [], []
    for _ in range(sentences):
        sizes = generator.integers(1, 4, generator.integers(0, 6))
        marks = [mark for number, size in enumerate(sizes, start=1) for mark in [number] * size]
        for place in sorted(generator.integers(0, len(marks) + 1, generator.integers(0, 8)), reverse=True):
            if not 0 < place < len(marks) or marks[place - 1] != marks[place]:
                marks.insert(place, 0)
        rows.append(generator.integers(5, 9, len(marks)).tolist())
        locks.append(marks)
    return batch(rows, locks)


@pytest.mark.parametrize("seed", range(150))
def test_a_batch_is_moved_as_its_sentences_alone(seed, monkeypatch):
    generator = np.random.default_rng(seed)
    canvas = random_canvas(generator, 8)
    size, inside = canvas.ids.shape[1], canvas.interior
    words = (
        generator.normal(size=(8, size, 10)) * 3
    )  # equal words have nearly equal scores, as a model's have
    scores = np.take_along_axis(words, np.broadcast_to(canvas.ids[:, None], (8, size, size)), axis=2)
    scores = scores + 0.1 * generator.normal(size=scores.shape) + (seed % 4) * np.eye(size)
    scores[:, :, 0] = words[:, :, 1] + seed % 5
    allowed = inside[:, :, None] & (inside[:, None] | (np.arange(size) == 0))
    scores = np.where(allowed, scores, -1e9).astype(np.float32)
    kinds = [0.5, 4.0, 9.0] if seed % 3 else [0.5, 4.0, HARD]
    keeps = [Keep(tuple(generator.choice(kinds, 6).tolist()), paper=seed % 7 == 0) for _ in range(8)]
    monkeypatch.setattr(moving, "WORTH_A_BATCH", 99)
    expected = np.where(inside, choose_moves(scores, canvas, keeps).index, 0)
    monkeypatch.setattr(moving, "WORTH_A_BATCH", 1)
    assert np.where(inside, choose_moves(scores, canvas, keeps).index, 0).tolist() == expected.tolist()


@pytest.mark.parametrize("strength", [11.0, HARD])
def test_phrases_that_stay_are_settled_at_once(strength, monkeypatch):
    monkeypatch.setattr(moving, "_choose", None)  # nothing is left to do one by one
    canvas = batch([[7, 8, 9, 10]] * 8, [[0, 1, 1, 2]] * 8)
    scores = np.full((8, 6, 6), -1e9)
    scores[:, 1:-1, :5] = best(1, 0, 0, 0)
    index = choose_moves(scores, canvas, [Keep((strength, strength))] * 8).index
    assert index[:, 1:-1].tolist() == [[1, 2, 3, 4]] * 8


def test_of_two_equal_words_both_are_settled_at_once(monkeypatch):
    monkeypatch.setattr(moving, "_choose", None)
    canvas = batch([[7, 8, 7, 10]] * 8, [[1, 0, 2, 0]] * 8)
    scores = np.full((8, 6, 6), -1e9)
    scores[:, 1:-1, :5] = [[0, 9, 0, 9, 0], [0, 0, 9, 0, 0], [9, 7, 0, 7, 0], [0, 0, 0, 0, 9]]
    index = choose_moves(scores, canvas, [Keep((4.0, 4.0))] * 8).index
    assert index[:, 1:-1].tolist() == [[1, 2, 3, 4]] * 8


def test_only_placeholders_beside_a_phrase_are_watched_in_a_batch():
    policy = FixedWords([6, 8, 7], [-1.0, -2.0, -3.0])
    canvas = batch([[7, PLH], [5, PLH]], [[0, 0], [1, 0]])
    keeps = [Keep(), Keep((HARD,), vocabulary=PIECES)]
    assert choose_words(policy, canvas, keeps).ids[:, 0].tolist() == [6, 8]
    assert policy.asked == [1, (CANDIDATES, [False, True])], "others are asked for only where one is glued"
