import numpy as np
import pytest

from editmt.config import DecodingConfig
from editmt.decoding.foresight import CANDIDATES, arrange, foresee, score_places, score_tokens
from editmt.decoding.locks import Keep
from editmt.decoding.policy import Words
from editmt.decoding.refine import Sentence, refine
from editmt.text import PLH
from tests.policies import batch

COUNTS = 8
WORDS = [11, 12, 13, 14, 15, 16]
"""What `Drafting` would write from nothing."""


def likely(*places):
    """Make a draft of places, each a table of words and their scores, the best first."""
    ids, scores = zip(*(zip(*place.items(), strict=True) for place in places), strict=True)
    return Words(np.array(ids), np.array(scores))


def arranged(tokens, sizes, draft):
    """Arrange phrases of tokens by a draft."""
    repeated = np.repeat([tokens], len(draft.ids), axis=0)
    return arrange(sizes, score_tokens(repeated, draft))


class Drafting:
    """Foresees six tokens from nothing, and never likes to insert any into a canvas of words."""

    def __init__(self, asked, rows=1):
        self.asked = asked
        self.rows = rows

    def reposition_scores(self, canvas):
        self.asked.append("reposition")
        return np.broadcast_to(np.eye(canvas.ids.shape[1]), (len(canvas.ids), *[canvas.ids.shape[1]] * 2))

    def placeholder_scores(self, canvas):
        assert len(canvas.ids) == self.rows
        self.asked.append(canvas.ids.shape[1])
        scores = np.zeros((len(canvas.ids), canvas.ids.shape[1] - 1, COUNTS))
        scores[~canvas.interior.any(axis=1), :, 6] = 1
        scores[canvas.interior.any(axis=1), :, 0] = 1
        return scores

    def words(self, canvas, count):
        assert len(canvas.ids) == self.rows
        places = np.nonzero(canvas.ids == PLH)[1] - 1
        ids = np.array(WORDS * 4)[places][:, None] + np.arange(count)
        return Words(ids, np.broadcast_to(-np.arange(count, dtype=np.float64), ids.shape))

    def draft_scores(self, canvas, tokens):
        return score_tokens(tokens, self.words(canvas, CANDIDATES))

    def select(self, rows):
        return Drafting(self.asked, len(rows))


def test_phrases_go_where_they_are_likeliest():
    draft = likely({5: -0.1, 6: -3.0}, {6: -0.2, 5: -2.0}, {7: -0.1, 6: -4.0}, {8: -0.1, 9: -5.0})
    found = arranged([8, 6], [1, 1], draft)
    assert found.order.tolist() == [0, 2, 1, 3]
    assert found.counts.tolist() == [1, 1, 0], "one placeholder before 6, one before 8"


def test_a_phrase_counts_with_all_its_tokens_and_stays_whole():
    draft = likely({5: -0.1, 6: -9.0}, {9: -0.1, 5: -1.0}, {6: -0.1, 9: -5.0})
    scores = score_tokens(np.repeat([[5, 6]], 3, axis=0), draft).T.tolist()
    assert np.argmax(score_places(scores)) == 1
    found = arranged([5, 6], [2], draft)
    assert (found.order.tolist(), found.counts.tolist()) == ([0, 1, 2, 3], [1, 0, 0])


def test_the_likelier_phrase_chooses_first():
    draft = likely({5: -0.1, 6: -0.2}, {7: -0.1, 6: -3.0})
    found = arranged([6, 5], [1, 1], draft)
    assert found.order.tolist() == [0, 2, 1, 3]
    assert found.counts.tolist() == [0, 0, 0]


def test_a_phrase_that_nothing_foresees_goes_where_the_model_is_least_sure():
    draft = likely({5: -0.01, 6: -8.0}, {7: -1.0, 8: -1.1}, {9: -0.01, 6: -7.0})
    assert arranged([99], [1], draft).counts.tolist() == [1, 1]


def test_what_finds_no_room_comes_last():
    draft = likely({5: -0.1}, {6: -0.1}, {7: -0.1})
    found = arranged([6, 1, 2, 3], [1, 3], draft)
    assert found.order.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.counts.tolist() == [1, 1, 0, 0, 0]


def test_a_phrase_finds_room_beside_others_however_long_they_are():
    scores = np.array([[-1.0, -1.0, -0.5], [-1.0, -1.0, -3.0], [-1.0, -1.0, -2.0]])
    found = arrange([2, 1], scores)
    assert (found.order.tolist(), found.counts.tolist()) == ([0, 3, 1, 2, 4], [0, 0, 0, 0])


def test_only_rows_of_phrases_are_asked_for():
    found = foresee(Drafting([], 3), batch([[], [16, 12], [7]]), {1: [1, 1]}, DecodingConfig(foresight=1.0))
    assert found.keys() == {1}
    assert found[1].order.tolist() == [0, 2, 1, 3]
    assert found[1].counts.tolist() == [1, 3, 0]


@pytest.mark.parametrize(("foresight", "length"), [(0.0, 2), (0.5, 3), (1.0, 6)])
def test_the_first_canvas_is_as_long_as_foreseen(foresight, length):
    options = DecodingConfig(foresight=foresight)
    (found,) = refine(Drafting([]), batch([[7, 8]]), [Sentence(20, phrases=[1, 1])], options)
    assert len(found.ids) == length
    assert found.trace.output.ids[0, 1:-1].tolist() == found.ids, "what was foreseen is in the trace"
    (draft,) = refine(Drafting([]), batch([[7, 8]]), [Sentence(20)], options)
    assert draft.ids == [7, 8], "a draft is as long as its writer wants it"


def test_a_quantile_is_of_the_length_foreseen_too():
    class Longer(Drafting):
        def placeholder_scores(self, canvas):
            return np.tile(np.log([0.1, 0.1, 0.1, 0.4, 0.3]), (len(canvas.ids), canvas.ids.shape[1] - 1, 1))

    canvas, phrases = batch([[7, 8]]), {0: [1, 1]}
    for quantile, added in ((0.0, 1), (0.8, 2)):
        options = DecodingConfig(foresight=1.0, length_quantile=quantile)
        assert foresee(Longer([]), canvas, phrases, options)[0].counts.sum() == added


def test_words_of_the_draft_take_their_places():
    options = DecodingConfig(foresight=1.0)
    (found,) = refine(Drafting([]), batch([[16, 12]]), [Sentence(20, phrases=[1, 1])], options)
    assert found.ids == WORDS


def test_phrases_stay_whole_and_the_limit_holds():
    options = DecodingConfig(foresight=1.0)
    canvas = batch([[7, 8]], [[1, 1]])
    (found,) = refine(Drafting([]), canvas, [Sentence(20, Keep((np.inf,)), phrases=[2])], options)
    assert len(found.ids) == 6
    assert (7, 8) in zip(found.ids, found.ids[1:], strict=False)
    (short,) = refine(Drafting([]), canvas, [Sentence(6, Keep((np.inf,)), phrases=[2])], options)
    assert len(short.ids) == 4


def test_sentences_beside_each_other_do_as_alone():
    rows = [[], [16, 12], [7, 8]]
    kinds = [Sentence(20), Sentence(20, phrases=[1, 1]), Sentence(20)]
    options = DecodingConfig(foresight=1.0)
    together = refine(Drafting([], 3), batch(rows), kinds, options)
    alone = [
        refine(Drafting([]), batch([row]), [kind], options)[0] for row, kind in zip(rows, kinds, strict=True)
    ]
    assert [found.ids for found in together] == [found.ids for found in alone]
    assert [found.ids for found in together] == [WORDS, WORDS, [7, 8]]


def test_what_is_foreseen_is_not_scored_again():
    asked = []
    kinds = [Sentence(20), Sentence(20, phrases=[1, 1, 1])]
    options = DecodingConfig(foresight=1.0, iterations=1)
    found = refine(Drafting(asked, 2), batch([[], [16, 12, 13]]), kinds, options)
    assert asked == [2, 2], "an empty canvas for each: that with the phrases is not looked at"
    assert [len(each.ids) for each in found] == [6, 6]


def test_nothing_is_asked_in_vain():
    asked = []
    refine(Drafting(asked), batch([[7, 8]]), [Sentence(20)], DecodingConfig(foresight=1.0))
    assert 2 not in asked
    asked.clear()
    options = DecodingConfig(foresight=1.0, iterations=1)
    (found,) = refine(Drafting(asked), batch([[16, 12]]), [Sentence(20, phrases=[1, 1])], options)
    assert asked == [2], "the order and the counts are known"
    assert found.counts.repositions == 2, "and are edits like any others"
