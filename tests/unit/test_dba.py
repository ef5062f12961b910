import random

import numpy as np
import pytest
import torch

from editmt.decoding.beam import beam_search
from editmt.decoding.dba import Constraints, bank_sizes, constrained_search
from editmt.decoding.phrase_progress import PhraseTracker, WordBoundaries
from editmt.errors import InputError
from editmt.text import BOS, EOS, SYMBOLS, Vocabulary
from tests.tiny import VOCABULARY, canvas_of, tiny_model

SOURCES = [[7, 8, 9, 10], [11], [12, 13], [14, 15, 16, 17, 18, 7]]
WORDS = range(len(SYMBOLS), VOCABULARY)
SENTENCEPIECE = WordBoundaries.of(  # 5 … 13 begin words, 14 … 20 go on with them, 21 and 22 are punctuation
    Vocabulary((*SYMBOLS, *map(str, WORDS)), begins_word=[*range(5, 14), 21, 22], ends_word=[21, 22])
)
BPE = WordBoundaries.of(  # 5 … 13 end words, 14 … 22 are continued
    Vocabulary((*SYMBOLS, *map(str, WORDS)), begins_word=[], ends_word=range(5, 14))
)


def eager_model(seed=1):
    """A model that has its own ideas, and likes to end."""
    model = tiny_model("autoregressive", VOCABULARY, seed, tied=False).eval()
    with torch.no_grad():
        model.output.weight.mul_(3)
    return model


def search(model, sources, constraints, **options):
    source = canvas_of(sources)
    return [found[0] for found in constrained_search(model, source.ids, source.mask, constraints, **options)]


def occurs(ids, start, phrase, boundaries):
    """Tell whether a phrase stands there, as whole words if boundaries are given."""
    end = start + len(phrase)
    if ids[start:end] != phrase or boundaries is None:
        return ids[start:end] == phrase
    framed = [BOS, *ids, EOS]
    return all(
        boundaries.ends[framed[i]] or boundaries.begins[framed[i + 1]]
        for i in (start, end)  # the tokens before the phrase's first, and of its last
    )


def holds(ids, phrases, boundaries=None, used=frozenset()):
    """Tell whether each phrase has tokens of its own: all ways to place them are tried."""
    if not phrases:
        return True
    first, *others = phrases
    ways = (range(start, start + len(first)) for start in range(len(ids) - len(first) + 1))
    return any(
        used.isdisjoint(way)
        and occurs(ids, way.start, first, boundaries)
        and holds(ids, others, boundaries, used | set(way))
        for way in ways
    )


def draw_phrases(rng, letters, most):
    """Draw phrases of few letters, which often overlap, begin alike or are the same."""
    phrases = []
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4])):
        kind, length = rng.random(), rng.choice([1, 1, 2, 2, 3, 4])
        old = rng.choice(phrases) if phrases and kind < 0.6 else None
        if old is None:
            new = [rng.choice(letters) for _ in range(length)]
        elif kind < 0.25:
            new = list(old)
        elif kind < 0.4:
            new = old[:length]
        else:
            new = [*old[-length:], rng.choice(letters)]
        if sum(map(len, phrases)) + len(new) <= most:
            phrases.append(new)
    return phrases


def check_random_cases(batches, draw, boundaries):
    """Search with constraints that are often as long as the limit; return how many sentences had some."""
    rng, models = random.Random(5), [eager_model(seed) for seed in range(5)]
    cases = 0
    for _ in range(batches):
        size, beam = rng.randint(1, 16), rng.choice([1, 2, 4, 4, 10, 20])
        sources = [[rng.choice(WORDS) for _ in range(rng.randint(1, 5))] for _ in range(size)]
        limits = [rng.randint(0, 12) for _ in range(size)]
        phrases = [draw(rng, most) for most in limits]
        limits = [
            sum(map(len, p)) if p and rng.random() < 0.3 else most
            for p, most in zip(phrases, limits, strict=True)
        ]
        constraints = Constraints(phrases, limits, boundaries)
        for found, wanted, limit in zip(
            search(rng.choice(models), sources, constraints, beam=beam), phrases, limits, strict=True
        ):
            assert holds(found.ids, wanted, boundaries), (found.ids, wanted, limit, beam)
            assert len(found.ids) <= limit
            assert all(word >= len(SYMBOLS) for word in found.ids)
            assert np.isfinite(found.score)
            cases += bool(wanted)
    return cases


def draw_any(rng, most):
    return draw_phrases(rng, rng.sample(WORDS, rng.choice([1, 2, 3, 8])), most)


def draw_words(rng, most):
    """Draw SentencePiece phrases that begin words: whatever comes after them, they can be whole."""
    phrases = draw_phrases(rng, rng.sample(range(5, 22), rng.choice([2, 3, 8])), most)
    return [[rng.choice([5, 6]), *phrase[1:]] for phrase in phrases]


def draw_bpe_words(rng, most):
    """Draw BPE phrases that end words."""
    phrases = draw_phrases(rng, rng.sample(range(5, 22), rng.choice([2, 3, 8])), most)
    return [[*phrase[:-1], rng.choice([5, 6])] for phrase in phrases]


@pytest.mark.parametrize(
    ("beam", "counts", "sizes"),
    [
        (4, [9], [4]),
        (4, [3], [3]),
        (4, [0], [0]),
        (5, [9, 9], [2, 3]),
        (10, [9, 9, 9, 9], [2, 2, 2, 4]),
        (10, [9, 9, 9, 0], [2, 2, 6, 0]),
        (10, [9, 1, 0, 0], [9, 1, 0, 0]),
        (10, [9, 2, 1, 0], [7, 2, 1, 0]),
        (10, [1, 9, 9, 9], [1, 2, 2, 5]),  # what the lowest cannot fill goes to the top
        (10, [0, 3, 3, 3], [0, 3, 3, 3]),
        (10, [0, 2, 9, 4], [0, 2, 4, 4]),
        (1, [9, 9, 9], [0, 0, 1]),
        (1, [9, 9, 0], [0, 1, 0]),
        (1, [9, 0, 0], [1, 0, 0]),
        (2, [0, 9, 0, 0, 1], [0, 1, 0, 0, 1]),
        (4, [1, 0, 1], [1, 0, 1]),
    ],
)
def test_the_beam_is_shared_out(beam, counts, sizes):
    assert bank_sizes(beam, counts) == sizes


def test_no_place_is_lost_and_no_bank_is_overfull():
    rng = random.Random(1)
    for _ in range(500):
        beam, counts = rng.randint(1, 20), [rng.choice([0, 0, 1, 3, 9]) for _ in range(rng.randint(1, 9))]
        sizes = bank_sizes(beam, counts)
        assert sum(sizes) == min(beam, sum(counts))
        assert all(0 <= size <= count for size, count in zip(sizes, counts, strict=True))


@pytest.mark.parametrize("boundaries", [None, SENTENCEPIECE])
@pytest.mark.parametrize("beam", [1, 4, 10])
def test_without_constraints_it_is_beam_search(beam, boundaries):
    limits, source = [6, 3, 9, 12], canvas_of(SOURCES)
    for seed in range(3):
        model = eager_model(seed)
        plain = [found[0] for found in beam_search(model, source.ids, source.mask, limits, beam=beam)]
        found = search(model, SOURCES, Constraints([[]] * 4, limits, boundaries), beam=beam)
        assert [each.ids for each in found] == [each.ids for each in plain]
        assert [each.score for each in found] == pytest.approx([each.score for each in plain], abs=1e-6)
        # Beside sentences with constraints, too.
        mixed = search(model, SOURCES, Constraints([[], [[5]], [], [[6, 7]]], limits, boundaries), beam=beam)
        assert [mixed[0].ids, mixed[2].ids] == [plain[0].ids, plain[2].ids]


@pytest.mark.parametrize(
    ("draw", "boundaries"),
    [(draw_any, None), (draw_words, SENTENCEPIECE), (draw_bpe_words, BPE)],
    ids=["any", "sentencepiece", "bpe"],
)
def test_constraints_always_hold(draw, boundaries):
    assert check_random_cases(25, draw, boundaries) > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("draw", "boundaries"),
    [(draw_any, None), (draw_words, SENTENCEPIECE), (draw_bpe_words, BPE)],
    ids=["any", "sentencepiece", "bpe"],
)
def test_constraints_always_hold_in_two_thousand_cases(draw, boundaries):
    assert check_random_cases(350, draw, boundaries) > 2000


@pytest.mark.parametrize("boundaries", [SENTENCEPIECE, BPE], ids=["sentencepiece", "bpe"])
def test_phrases_that_are_no_whole_words_lead_to_no_dead_end(boundaries):
    """They hold as tokens at least."""
    rng = random.Random(3)
    for _ in range(30):
        limits = [rng.randint(1, 8) for _ in SOURCES]
        phrases = [draw_any(rng, most) for most in limits]
        found = search(
            eager_model(rng.randint(0, 3)), SOURCES, Constraints(phrases, limits, boundaries), beam=4
        )
        assert all(holds(each.ids, wanted) for each, wanted in zip(found, phrases, strict=True))


@pytest.mark.parametrize("beam", [1, 4])
def test_a_phrase_that_no_word_ends_with_is_no_dead_end(beam):
    for seed in range(6):
        wanted = [[14], [15, 5]]  # after the first a word goes on
        for found in search(eager_model(seed), SOURCES, Constraints([wanted] * 4, [4] * 4, BPE), beam=beam):
            assert holds(found.ids, wanted)


@pytest.mark.parametrize("beam", [1, 4, 10])
def test_a_batch_gives_what_its_sentences_give_alone(beam):
    model, limits = eager_model(2), [6, 3, 9, 12]
    phrases = [[[5, 6], [6]], [], [[9]], [[14, 15], [14, 15], [14, 16, 17]]]
    together = search(model, SOURCES, Constraints(phrases, limits), beam=beam)
    alone = [
        search(model, [source], Constraints([wanted], [limit]), beam=beam)[0]
        for source, wanted, limit in zip(SOURCES, phrases, limits, strict=True)
    ]
    assert [each.ids for each in together] == [each.ids for each in alone]
    assert [each.score for each in together] == pytest.approx([each.score for each in alone], abs=1e-5)


@pytest.mark.parametrize("beam", [4, 10])
def test_constraints_that_hold_anyway_cost_nothing(beam):
    limits, source = [6, 3, 9, 12], canvas_of(SOURCES)
    differences = []
    for seed in range(6):
        model = eager_model(seed)
        plain = [found[0] for found in beam_search(model, source.ids, source.mask, limits, beam=beam)]
        phrases = [[each.ids[1:3]] if len(each.ids) > 2 else [] for each in plain]
        found = search(model, SOURCES, Constraints(phrases, limits), beam=beam)
        differences += [ours.score - free.score for ours, free in zip(found, plain, strict=True)]
    # A bank is narrower than the beam, so that a few may be lost, but others are found.
    assert np.mean(np.array(differences) > -1e-5) > 0.8
    assert np.mean(differences) > -0.05


def test_sentences_leave_when_they_are_done(monkeypatch):
    model, rows = eager_model(), []
    step = model.step
    monkeypatch.setattr(model, "step", lambda s, c, ids: rows.append(len(ids)) or step(s, c, ids))
    search(model, SOURCES, Constraints([[[5]], [], [[6, 7]], []], [2, 8, 2, 5]), beam=2)
    assert rows == sorted(rows, reverse=True)
    assert rows[-1] < 4
    assert search(model, [], Constraints([], [])) == []


@pytest.mark.parametrize(
    ("phrases", "limit", "message"),
    [([[5, 6], [7]], 2, "limit"), ([[]], 3, "empty"), ([[EOS]], 3, "special")],
)
def test_what_cannot_be_is_refused(phrases, limit, message):
    with pytest.raises(InputError, match=message):
        Constraints([phrases], [limit])


def met_after(tokens, phrases, boundaries=None, most=20):
    tracker = PhraseTracker(phrases, boundaries or WordBoundaries.everywhere(VOCABULARY))
    progress = tracker.start(most)
    for token in tokens:
        progress = tracker.advance(progress, token)
        if progress is None:
            return None
    return progress.met


@pytest.mark.parametrize(
    ("tokens", "phrases", "met"),
    [
        ([5, 6], [[5, 6, 7]], 2),
        ([5, 6, 8], [[5, 6, 7]], 0),  # what is begun goes back
        ([5, 5, 5, 6], [[5, 5, 6]], 3),  # and what was begun within it counts
        ([5, 6, 7], [[5, 6], [5, 6, 7]], 3),
        ([5, 6, 7, 5, 6], [[5, 6], [5, 6, 7]], 5),
        ([5, 6, 5, 6, 7], [[5, 6], [5, 6, 7]], 5),
        ([5, 6], [[5, 6], [5, 6]], 2),
        ([5, 6, 5, 6], [[5, 6], [5, 6]], 4),
        ([5, 6, 7, 8], [[5, 6, 7], [6, 7, 8]], 3),  # each has tokens of its own
        ([5, 6, 8], [[5, 6, 7], [6, 8]], 2),
        ([5, 6, 7], [[5, 6], [6, 7], [7]], 3),
    ],
)
def test_progress(tokens, phrases, met):
    assert met_after(tokens, phrases) == met


def test_words_stay_whole():
    assert met_after([5, 14], [[5]], SENTENCEPIECE) is None  # Haus|es
    assert met_after([5, 6], [[5]], SENTENCEPIECE) == 1
    assert met_after([5, 21], [[5]], SENTENCEPIECE) == 1
    assert met_after([5, 14, 6], [[5], [5, 14]], SENTENCEPIECE) == 2  # Haus|boot, and no Haus
    assert met_after([5, 14, 5, 14], [[5], [5, 14], [6]], SENTENCEPIECE) is None  # only the second is a Haus
    assert met_after([21, 14], [[14]], SENTENCEPIECE) == 1
    assert met_after([5, 14], [[14]], SENTENCEPIECE) == 0  # not within a word,
    assert met_after([5, 14], [[14]], SENTENCEPIECE, most=2) is None
    assert met_after([5, 14], [[5], [14]], SENTENCEPIECE, most=2) == 2  # unless there is no other room
    assert met_after([14, 5], [[5]], BPE) == 0
    assert met_after([14, 5, 5], [[5]], BPE) == 1


def test_phrases_have_to_fit():
    assert met_after([7], [[5, 6]], most=2) is None
    assert met_after([5, 7], [[5, 6]], most=3) is None
    assert met_after([5, 7], [[5, 6]], most=4) == 0
    assert met_after([7, 5, 6], [[5, 6]], most=3) == 2
    assert met_after([14], [[5]], BPE, most=2) is None  # one could only go on with this word
    assert met_after([13], [[5]], BPE, most=2) == 0
