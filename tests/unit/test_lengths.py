import numpy as np
import pytest

from editmt.config import DecodingConfig
from editmt.decoding.lengths import reach
from editmt.decoding.locks import Keep
from editmt.decoding.policy import Words
from editmt.decoding.refine import Sentence, refine
from editmt.edits import Placeholders
from editmt.text import PLH
from tests.policies import batch

COUNTS = 8


def chosen(rows, scores, lengths):
    """Return the counts that reach the lengths, from scores of a few counts for each gap."""
    canvas = batch(rows)
    table = np.full((*canvas.mask[:, 1:].shape, COUNTS), -99.0)
    for row, gaps in enumerate(scores):
        for gap, known in enumerate(gaps):
            table[row, gap, : len(known)] = known
    action = Placeholders(table.argmax(-1))
    return reach(table, canvas, action, np.array(lengths)).count.tolist()


def test_tokens_are_added_where_they_cost_the_least():
    scores = [[[0, -1], [0, -2], [0, -3]]]
    assert chosen([[7, 8]], scores, [2]) == [[0, 0, 0]]
    assert chosen([[7, 8]], scores, [3]) == [[1, 0, 0]]
    assert chosen([[7, 8]], scores, [5]) == [[1, 1, 1]]


def test_counts_that_are_likely_only_together_are_found():
    assert chosen([[7]], [[[0, -9, -9, -1], [0, -2]]], [4]) == [[3, 0]]
    assert chosen([[7]], [[[0, -9, -9, -1], [0, -2]]], [3]) == [[0, 1]], "three are too many"


def test_what_is_long_enough_or_would_cost_too_much_stays():
    assert chosen([[7]], [[[-9, -9, 0], [0, -1]]], [2]) == [[2, 0]]
    assert chosen([[7]], [[[0, -5], [0, -6]]], [9]) == [[0, 0]]


def test_each_sentence_has_its_own_length():
    scores = [[[0, -1], [0, -1], [0, -1]]] * 2
    assert chosen([[7, 8], [7]], scores, [5, 2]) == [[1, 1, 1], [1, 0, 0]]


class Shy:
    """Foresees six tokens from nothing, and never likes to insert more than one into a canvas."""

    def __init__(self, asked):
        self.asked = asked

    def reposition_scores(self, canvas):
        return np.broadcast_to(np.eye(canvas.ids.shape[1]), (len(canvas.ids), *[canvas.ids.shape[1]] * 2))

    def placeholder_scores(self, canvas):
        self.asked.append(canvas.ids.shape[1])
        scores = np.zeros((len(canvas.ids), canvas.ids.shape[1] - 1, COUNTS))
        empty = canvas.ids.shape[1] == 2
        scores[:, :, 6 if empty else 0] = 1
        return scores

    def words(self, canvas, count):
        shape = (int((canvas.ids == PLH).sum()), count)
        return Words(np.full(shape, 9), np.zeros(shape))

    def select(self, _rows):
        return self


@pytest.mark.parametrize(("foresight", "length"), [(0.0, 2), (0.5, 3), (1.0, 6)])
def test_the_first_insertion_around_words_is_as_long_as_foreseen(foresight, length):
    options = DecodingConfig(foresight=foresight)
    (found,) = refine(Shy([]), batch([[7, 8]]), [Sentence(20, from_words=True)], options)
    assert len(found.ids) == length
    (draft,) = refine(Shy([]), batch([[7, 8]]), [Sentence(20)], options)
    assert draft.ids == [7, 8], "a draft is as long as its writer wants it"


def test_phrases_stay_whole_and_the_limit_holds():
    options = DecodingConfig(foresight=1.0)
    canvas = batch([[7, 8]], [[1, 1]])
    (found,) = refine(Shy([]), canvas, [Sentence(20, Keep((np.inf,)), from_words=True)], options)
    assert len(found.ids) == 6
    assert (7, 8) in zip(found.ids, found.ids[1:], strict=False)
    (short,) = refine(Shy([]), canvas, [Sentence(6, Keep((np.inf,)), from_words=True)], options)
    assert len(short.ids) == 4


def test_nothing_is_asked_in_vain():
    asked = []
    refine(Shy(asked), batch([[7, 8]]), [Sentence(20)], DecodingConfig(foresight=1.0))
    assert 2 not in asked
