import numpy as np
import pytest
import torch

from editmt.config import DecodingConfig
from editmt.decoding.lengths import foreseen_lengths, limit
from editmt.decoding.locks import Keep
from editmt.decoding.mending import Mender
from editmt.decoding.model_policy import ModelPolicy
from editmt.decoding.policy import Words
from editmt.decoding.refine import Sentence, _choose_counts, refine
from editmt.decoding.rules import Rules
from editmt.edits import Placeholders, Reposition, Tokens, Trace
from editmt.text import BOS, EOS, PLH, SYMBOLS
from tests.constraints import PIPELINE
from tests.policies import OraclePolicy, RandomPolicy, batch, one_hot
from tests.tiny import canvas_of, tiny_model

REFERENCES = [[5, 6, 7, 8], [], [9, 10, 9, 11, 12, 13], [14]]
STARTS = [[], [6, 7], [13, 9, 12], [14]]


def sentences(*limits):
    return [Sentence(most) for most in limits]


def run(policy, canvas, most=50, **options):
    return refine(policy, canvas, sentences(*[most] * len(canvas.ids)), DecodingConfig(**options))


class Script:
    """Turns the only word of a canvas into the next of a list."""

    def __init__(self, following):
        self.following = following

    def reposition_scores(self, canvas):
        self.word = int(canvas.ids[0, 1])
        return one_hot(np.zeros(canvas.ids.shape, dtype=int), canvas.ids.shape[1])

    def placeholder_scores(self, canvas):
        return one_hot(np.ones((1, canvas.ids.shape[1] - 1), dtype=int), 3)

    def words(self, _canvas, _count):
        return Words(np.array([[self.following[self.word]]]), np.array([[-1.0]]))

    def select(self, _rows):
        return self


class LockWatcher(RandomPolicy):
    """Keeps everything, and adds one word to each sentence but the first; remembers the locks it saw."""

    def __init__(self):
        super().__init__(1)
        self.first, self.locks = True, []

    def reposition_scores(self, canvas):
        self.locks.append(canvas.locks.tolist())
        return one_hot(np.broadcast_to(np.arange(canvas.ids.shape[1]), canvas.ids.shape), canvas.ids.shape[1])

    def placeholder_scores(self, canvas):
        counts = np.zeros((len(canvas.ids), canvas.ids.shape[1] - 1), dtype=np.int64)
        counts[1 if self.first else 0 :, 0] = 1
        return one_hot(counts, 3)

    def select(self, _rows):
        self.first = False
        return self


@pytest.mark.parametrize("moves", [True, False])
def test_the_oracle_reaches_the_references_at_once_and_then_confirms(moves):
    outcomes = run(OraclePolicy(REFERENCES, moves), batch(STARTS))
    assert [outcome.ids for outcome in outcomes] == REFERENCES
    already = [start == reference for start, reference in zip(STARTS, REFERENCES, strict=True)]
    assert [outcome.iterations for outcome in outcomes] == [1 if same else 2 for same in already]


def test_iterations_are_limited():
    outcomes = run(OraclePolicy(REFERENCES), batch(STARTS), iterations=1)
    assert [outcome.ids for outcome in outcomes] == REFERENCES
    assert {outcome.iterations for outcome in outcomes} == {1}


def test_longer_cycles_end_it():
    (outcome,) = run(Script({7: 8, 8: 9, 9: 10, 10: 8}), batch([[7]]), iterations=50)
    assert (outcome.ids, outcome.iterations) == ([8], 4), "7 → 8 → 9 → 10 → 8"


@pytest.mark.parametrize("seed", range(20))
def test_random_policies_end_within_their_limits_with_words(seed):
    limits = [2, 5, 9, 30]
    canvas = batch([[], [5], [5, 6], [7] * 20])
    outcomes = refine(RandomPolicy(seed), canvas, sentences(*limits), DecodingConfig(iterations=7))
    for outcome, most in zip(outcomes, limits, strict=True):
        assert len(outcome.ids) + 2 <= most
        assert outcome.iterations <= 7
        assert all(word >= len(SYMBOLS) for word in outcome.ids)


@pytest.mark.parametrize("share", [1, 0.3])
@pytest.mark.parametrize("seed", range(20))
def test_a_trace_replayed_gives_the_output_its_counts_and_its_scores(seed, share):
    starts = [[], [5], [5, 6], [7] * 9]
    outcomes = run(RandomPolicy(seed), batch(starts), 20, fill_share=share)
    for start, outcome in zip(starts, outcomes, strict=True):
        actions = [action for action, _ in outcome.trace.steps]
        again = Trace.replay(batch([start]), actions)
        assert again.output.rows() == outcome.trace.output.rows() == [[BOS, *outcome.ids, EOS]]
        assert {name: int(count[0]) for name, count in vars(again.counts).items()} == vars(outcome.counts)
        kinds = [type(action) for action in actions]
        assert (kinds[0] is Reposition) == bool(start), "nothing to reposition in an empty canvas"
        assert kinds.count(Placeholders) == outcome.iterations
        assert kinds.count(Tokens) <= outcome.iterations * (1 if share == 1 else 3)


def test_the_score_is_the_mean_of_the_words_put_in():
    (outcome,) = run(Script({7: 8, 8: 8}), batch([[7]]))
    assert outcome.ids == [8]
    assert outcome.score == pytest.approx(-1 / 3), "of <s>, the word, </s>"
    (outcome,) = run(OraclePolicy([[7]]), batch([[7]]))
    assert outcome.score == 0, "the user's own words have no score"


class Telling(RandomPolicy):
    """The words it puts in have themselves as scores."""

    def words(self, canvas, count, only=None):
        ids = super().words(canvas, count, only).ids
        return Words(ids, -ids.astype(float))


@pytest.mark.parametrize("share", [1, 0.3])
@pytest.mark.parametrize("seed", range(20))
def test_each_word_has_the_score_it_was_put_in_with(seed, share):
    starts = [[], [25], [25, 26], [27] * 9]  # the policy's words are below 20
    outcomes = run(Telling(seed), batch(starts), 20, iterations=4, fill_share=share)
    for outcome in reversed(outcomes):
        assert outcome.token_scores == [0 if word >= 20 else -word for word in outcome.ids]


def test_words_that_mending_puts_in_have_their_scores_too():
    texts = [PIPELINE.decode([word]) for word in range(270, len(PIPELINE.vocabulary))]
    rules = Rules.of(hard=[], locked=[], forbidden=[text for text in texts if text.isalpha()][:40])
    mender, changed = Mender(rules, PIPELINE, 14), 0
    for seed in range(10):
        policy = Telling(seed, len(PIPELINE.vocabulary))
        asked = [Sentence(14, mender=mender), Sentence(14), Sentence(14, mender=mender)]
        for outcome in refine(policy, batch([[], [], []]), asked, DecodingConfig(iterations=3)):
            assert outcome.token_scores == [-word for word in outcome.ids]
            changed += sum(isinstance(action, Tokens) for action, _ in outcome.trace.steps) > 3
    assert changed, "or nothing was mended"


def test_the_limit_is_for_the_sum_and_cuts_from_the_right():
    canvas = batch([[5, 6], [5], [5, 6, 7]])
    action = Placeholders(np.array([[3, 2, 4, 9], [1, 1, 9, 9], [1, 1, 1, 1]]))
    cut = limit(canvas, action, np.array([8, 100, 4]))
    assert cut.count.tolist() == [[3, 1, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert action.count.tolist()[0] == [3, 2, 4, 9], "nothing is mutated"


def test_a_canvas_past_its_limit_gets_nothing_and_loses_nothing():
    (outcome,) = run(OraclePolicy([[5, 6, 7, 8]]), batch([[5, 6, 7]]), 4)
    assert outcome.ids == [5, 6, 7]


def test_an_empty_canvas_is_not_repositioned():
    class Fails(OraclePolicy):
        def reposition_scores(self, _canvas):
            raise AssertionError("there is nothing to reposition")

    outcomes = run(Fails([[5], [6]]), batch([[], []]), iterations=1)
    assert [outcome.ids for outcome in outcomes] == [[5], [6]]


def test_the_penalty_makes_insertions_likelier():
    class Undecided(OraclePolicy):
        def placeholder_scores(self, canvas):
            scores = one_hot(np.zeros((1, canvas.ids.shape[1] - 1), dtype=int), 3)
            scores[:, :, 1] = 0.5
            return scores

    assert run(Undecided([[5]]), batch([[]]))[0].ids == []
    assert run(Undecided([[5]]), batch([[]]), penalty=0.6, iterations=1)[0].ids == [5]


@pytest.mark.parametrize(("quantile", "length"), [(0, 1), (0.3, 1), (0.5, 2), (0.6, 2), (0.8, 3)])
def test_a_quantile_of_the_lengths_is_the_least_that_is_enough(quantile, length):
    scores = np.log([[0.1, 0.3, 0.25, 0.2, 0.15]]) + 7  # logits: only differences count
    lengths = foreseen_lengths(np.concatenate([scores, np.log([[0.01, 0.01, 0.01, 0.01, 0.96]])]), quantile)
    assert lengths.tolist() == [length, 4]


class Counting(OraclePolicy):
    """Its words tell how many stand already, and are the surer the further right."""

    def __init__(self, references):
        super().__init__(references)
        self.asked = []

    def words(self, canvas, _count):
        rows, places = np.nonzero(canvas.ids == PLH)
        self.asked.append(np.bincount(rows).tolist())
        standing = (canvas.interior & (canvas.ids != PLH)).sum(axis=1)[rows]
        return Words(20 + standing[:, None], -1.0 / places[:, None])

    def select(self, rows):
        policy = Counting([self.references[row] for row in rows])
        policy.asked = self.asked
        return policy


@pytest.mark.parametrize(
    ("share", "asked", "ids"),
    [
        (1, [[16, 3]], [20] * 16),
        (0.5, [[16, 3], [8], [2]], [34] * 2 + [28] * 6 + [20] * 8),
        (0.1, [[16, 3], [10], [4]], [32] * 4 + [26] * 6 + [20] * 6),
    ],
)
def test_the_surest_words_come_first_and_the_others_know_them(share, asked, ids):
    policy = Counting([[5] * 16, [5] * 3])
    outcomes = run(policy, batch([[], []]), iterations=1, fill_share=share)
    assert [outcome.ids for outcome in outcomes] == [ids, [20] * 3]
    assert policy.asked == asked, "in later passes only those that wait are read"


class Lengthy(OraclePolicy):
    """Finds no word likeliest, and one or two nearly so, in whichever gap."""

    def placeholder_scores(self, canvas):
        counts = np.log([0.4, 0.3, 0.3])
        return np.tile(counts, (len(canvas.ids), canvas.ids.shape[1] - 1, 1))


def test_a_quantile_is_for_empty_canvases_only():
    policy = Lengthy([[5, 6], [7]])
    found = run(policy, batch([[], [7]]), iterations=1, length_quantile=0.6)
    assert [each.counts.insertions for each in found] == [1, 0]
    found = run(policy, batch([[], [7]]), iterations=1)
    assert [each.counts.insertions for each in found] == [0, 0]


@pytest.mark.parametrize(
    ("foresight", "foreseen", "insertions"),
    [(1, None, [3, 3]), (1, 0.6, [3, 3]), (1, 0.0, [3, 0]), (0, 0.0, [3, 3])],
)
def test_words_in_foreseen_places_have_a_penalty_of_their_own(foresight, foreseen, insertions):
    policy, canvas = Lengthy([[5, 6, 7, 8, 9]] * 2), batch([[5, 6], [5, 6]])
    options = DecodingConfig(penalty=0.6, penalty_foreseen=foreseen, foresight=foresight)
    counts = _choose_counts(policy, canvas, [Sentence(9), Sentence(9, phrases=[1, 1])], options)
    assert counts[:, :3].sum(1).tolist() == insertions


def test_locks_stay_when_other_sentences_leave():
    watcher = LockWatcher()
    canvas = batch([[5], [6, 7]], [[0], [1, 1]])
    refine(watcher, canvas, [Sentence(9), Sentence(9, Keep((np.inf,)))], DecodingConfig(iterations=3))
    assert watcher.locks[1] == [[0, 0, 1, 1, 0]], "the first is done, the second has one word more"


def test_no_sentences():
    assert run(RandomPolicy(1), batch([])) == []


@pytest.mark.parametrize("kind", ["editor", "levenshtein"])
@pytest.mark.parametrize("stacks", ["own", "shared"])
def test_permuting_a_batch_permutes_the_outcomes_of_a_model(kind, stacks):
    model = tiny_model(kind, stacks=stacks).eval()
    sources, starts = [[7, 8, 9], [10], [11, 12, 13, 14], [5, 6]], [[5, 6], [], [7, 8, 9], [10]]
    limits = [12, 7, 15, 9]

    def outcomes(order):
        source = canvas_of([sources[row] for row in order])
        policy = ModelPolicy.start(model, source.ids, source.mask)
        canvas = batch([starts[row] for row in order])
        return refine(policy, canvas, sentences(*(limits[row] for row in order)))

    def facts(outcome):
        return outcome.ids, outcome.iterations, vars(outcome.counts), outcome.trace.output.rows()

    straight = [facts(outcome) for outcome in outcomes([0, 1, 2, 3])]
    assert [facts(outcome) for outcome in outcomes([2, 0, 3, 1])] == [straight[row] for row in (2, 0, 3, 1)]
    assert [facts(outcomes([row])[0]) for row in range(4)] == straight


def test_a_model_as_policy_scores_as_its_heads_do():
    model = tiny_model("editor").eval()
    source, canvas = canvas_of([[7, 8], [9]]), batch([[5, PLH, 6], [PLH]])
    policy = ModelPolicy.start(model, source.ids, source.mask)
    tensors = canvas_of([[5, PLH, 6], [PLH]])
    with torch.no_grad():
        encoded = model.encode(source.ids, source.mask)
        moves = model.reposition_logits(encoded, tensors)
        counts = model.placeholder_logits(encoded, tensors)
        words = model.output(model.token_states(encoded, tensors, tensors.ids == PLH))[:, len(SYMBOLS) :]
    assert np.allclose(policy.reposition_scores(canvas), moves)
    assert np.allclose(policy.placeholder_scores(canvas), counts)
    best = words.log_softmax(-1).topk(4)
    assert policy.words(canvas, 32).ids.shape == (2, len(words[0])), "there are no more"
    for count in (1, 4):
        found = policy.words(canvas, count)
        assert found.ids.tolist() == (best.indices[:, :count] + len(SYMBOLS)).tolist()
        assert np.allclose(found.scores, best.values[:, :count], atol=1e-5)
