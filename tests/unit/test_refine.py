import numpy as np
import pytest
import torch

from editmt.decoding.model_policy import ModelPolicy
from editmt.decoding.refine import iterate, limit, refine
from editmt.edits import Canvas, Oracle, Placeholders, Reposition, Tokens
from editmt.text import BOS, EOS, PLH, SYMBOLS
from tests.tiny import canvas_of, tiny_model

REFERENCES = [[5, 6, 7, 8], [], [9, 10, 9, 11, 12, 13], [14]]
STARTS = [[], [6, 7], [13, 9, 12], [14]]


def batch(rows, locks=None):
    return Canvas.of([[BOS, *row, EOS] for row in rows], locks)


class OraclePolicy:
    """Does what the oracle says leads to the references."""

    def __init__(self, references, moves=True):
        self.references, self.moves = references, moves

    def _actions(self, canvas):
        reference = batch(self.references)
        return Oracle(moves=self.moves, compiled=False).label(canvas, reference).actions(reference)

    def reposition(self, canvas):
        return self._actions(canvas)[0]

    def placeholders(self, canvas):
        return self._actions(canvas)[1]

    def tokens(self, _canvas):
        return Tokens(batch(self.references).ids)

    def select(self, rows):
        return OraclePolicy([self.references[row] for row in rows], self.moves)


class RandomPolicy:
    """Does anything at all, be it sensible or not."""

    def __init__(self, seed):
        self.generator = np.random.default_rng(seed)

    def reposition(self, canvas):
        return Reposition(self.generator.integers(0, canvas.ids.shape[1], canvas.ids.shape))

    def placeholders(self, canvas):
        return Placeholders(self.generator.integers(0, 4, (len(canvas.ids), canvas.ids.shape[1] - 1)))

    def tokens(self, canvas):
        return Tokens(self.generator.integers(len(SYMBOLS), 20, canvas.ids.shape))

    def select(self, _rows):
        return self


class LockWatcher(RandomPolicy):
    """Keeps everything, and adds one word to each sentence but the first; remembers the locks it saw."""

    def __init__(self, first=True):
        super().__init__(1)
        self.first, self.locks = first, []

    def reposition(self, canvas):
        self.locks.append(canvas.locks.tolist())
        return Reposition(np.broadcast_to(np.arange(canvas.ids.shape[1]), canvas.ids.shape))

    def placeholders(self, canvas):
        counts = np.zeros((len(canvas.ids), canvas.ids.shape[1] - 1), dtype=np.int64)
        counts[1 if self.first else 0 :, 0] = 1
        return Placeholders(counts)

    def select(self, _rows):
        self.first = False
        return self


@pytest.mark.parametrize("moves", [True, False])
def test_the_oracle_reaches_the_references_at_once_and_then_confirms(moves):
    outcomes = refine(OraclePolicy(REFERENCES, moves), batch(STARTS), np.full(4, 50))
    assert [outcome.ids for outcome in outcomes] == REFERENCES
    already = [start == reference for start, reference in zip(STARTS, REFERENCES, strict=True)]
    assert [outcome.iterations for outcome in outcomes] == [1 if same else 2 for same in already]


def test_iterations_are_limited():
    outcomes = refine(OraclePolicy(REFERENCES), batch(STARTS), np.full(4, 50), most_iterations=1)
    assert [outcome.ids for outcome in outcomes] == REFERENCES
    assert {outcome.iterations for outcome in outcomes} == {1}


@pytest.mark.parametrize("seed", range(20))
def test_random_policies_end_within_their_limits_with_words(seed):
    limits = np.array([2, 5, 9, 30])
    outcomes = refine(RandomPolicy(seed), batch([[], [5], [5, 6], [7] * 20]), limits, most_iterations=7)
    for outcome, most in zip(outcomes, limits, strict=True):
        assert len(outcome.ids) + 2 <= most
        assert outcome.iterations <= 7
        assert all(word >= len(SYMBOLS) for word in outcome.ids)


def test_the_limit_is_for_the_sum_and_cuts_from_the_right():
    canvas = batch([[5, 6], [5], [5, 6, 7]])
    action = Placeholders(np.array([[3, 2, 4, 9], [1, 1, 9, 9], [1, 1, 1, 1]]))
    cut = limit(canvas, action, np.array([8, 100, 4]))
    assert cut.count.tolist() == [[3, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert action.count.tolist()[0] == [3, 2, 4, 9], "nothing is mutated"


def test_a_canvas_past_its_limit_gets_nothing_and_loses_nothing():
    (outcome,) = refine(OraclePolicy([[5, 6, 7, 8]]), batch([[5, 6, 7]]), np.array([4]))
    assert outcome.ids == [5, 6, 7]


def test_an_empty_canvas_is_not_repositioned():
    class Fails(OraclePolicy):
        def reposition(self, _canvas):
            raise AssertionError("there is nothing to reposition")

    assert iterate(Fails([[5], [6]]), batch([[], []]), np.full(2, 9)).rows() == [[BOS, 5, EOS], [BOS, 6, EOS]]


def test_locks_stay_when_other_sentences_leave():
    watcher = LockWatcher()
    locks = [[0, 0, 0], [0, 1, 1, 0]]
    refine(watcher, Canvas.of([[BOS, 5, EOS], [BOS, 6, 7, EOS]], locks), np.full(2, 9), most_iterations=3)
    assert watcher.locks[1] == [[0, 0, 1, 1, 0]], "the first is done, the second has one word more"


def test_no_sentences():
    assert refine(RandomPolicy(1), batch([]), np.zeros(0, dtype=np.int64)) == []


@pytest.mark.parametrize("kind", ["editor", "levenshtein"])
@pytest.mark.parametrize("stacks", ["own", "shared"])
def test_permuting_a_batch_permutes_the_outcomes_of_a_model(kind, stacks):
    model = tiny_model(kind, stacks=stacks).eval()
    sources, starts = [[7, 8, 9], [10], [11, 12, 13, 14], [5, 6]], [[5, 6], [], [7, 8, 9], [10]]
    limits = np.array([12, 7, 15, 9])

    def run(order):
        source = canvas_of([sources[row] for row in order])
        policy = ModelPolicy.start(model, source.ids, source.mask)
        return refine(policy, batch([starts[row] for row in order]), limits[order])

    straight = run([0, 1, 2, 3])
    assert run([2, 0, 3, 1]) == [straight[row] for row in (2, 0, 3, 1)]
    assert [run([row])[0] for row in range(4)] == straight


def test_a_model_as_policy_takes_the_best_scored_actions():
    model = tiny_model("editor").eval()
    source, canvas = canvas_of([[7, 8], [9]]), batch([[5, PLH, 6], [PLH]])
    policy = ModelPolicy.start(model, source.ids, source.mask)
    encoded, tensors = model.encode(source.ids, source.mask), canvas_of([[5, PLH, 6], [PLH]])
    with torch.no_grad():
        moves = model.reposition_logits(encoded, tensors).argmax(-1)
        counts = model.placeholder_logits(encoded, tensors).argmax(-1)
        words = model.output(model.token_states(encoded, tensors, tensors.ids == PLH))
    assert policy.reposition(canvas).index.tolist() == moves.tolist()
    assert policy.placeholders(canvas).count.tolist() == counts.tolist()
    best = (words[:, len(SYMBOLS) :].argmax(-1) + len(SYMBOLS)).tolist()
    assert policy.tokens(canvas).ids[canvas.ids == PLH].tolist() == best
