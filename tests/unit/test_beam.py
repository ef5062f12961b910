import itertools

import pytest
import torch

from editmt.config import DecodingConfig
from editmt.decoding.beam import beam_search
from editmt.decoding.engine import translate_ids
from editmt.decoding.job import most_tokens
from editmt.decoding.torch_engine import make_engine
from editmt.text import BOS, EOS, NEVER_WRITTEN, SYMBOLS
from tests.tiny import canvas_of, tiny_model

SOURCES = [[7, 8, 9, 10], [11], [12, 13], [14, 15, 16, 17, 18, 7]]


def search(model, sources, limits, **options):
    source = canvas_of(sources)
    return [found[0] for found in beam_search(model, source.ids, source.mask, limits, **options)]


def log_probabilities(model, source, words):
    """Score each next token of `<s> words`, without a cache, special symbols ruled out: (T + 1, V)."""
    source, ids = canvas_of([source]), torch.tensor([[BOS, *words]])
    states = model.states(model.encode(source.ids, source.mask), ids, torch.ones_like(ids).bool())
    logits = model.output(states).detach()
    logits[:, NEVER_WRITTEN] = -torch.inf
    return logits.log_softmax(-1)


def eager_model(seed=1, vocabulary=23):
    """A model that likes to end, so that lengths differ."""
    model = tiny_model("autoregressive", vocabulary, seed, tied=False).eval()
    with torch.no_grad():
        model.output.weight.mul_(3)
    return model


@pytest.mark.parametrize("seed", range(4))
def test_a_beam_of_one_is_greedy_search(seed):
    model, limits = eager_model(seed), [6, 3, 9, 12]
    found = search(model, SOURCES, limits, beam=1)
    for source, limit, hypothesis in zip(SOURCES, limits, found, strict=True):
        words = []
        while (
            len(words) < limit and (best := int(log_probabilities(model, source, words)[-1].argmax())) != EOS
        ):
            words.append(best)
        assert hypothesis.ids == words


@pytest.mark.parametrize("power", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_wide_beam_finds_what_exhaustive_search_finds(seed, power):
    model, limit = eager_model(seed, vocabulary=8), 3
    letters = range(len(SYMBOLS), 8)
    for source in ([5, 6], [7]):
        scores = {}
        for length in range(limit + 1):
            for words in itertools.product(letters, repeat=length):
                steps = log_probabilities(model, source, words)
                total = sum(float(steps[t, word]) for t, word in enumerate(words))
                total += 0.0 if length == limit else float(steps[length, EOS])  # there all must end
                scores[words] = total / (length + 1) ** power
        (found,) = search(model, [source], [limit], beam=64, length_power=power)
        best = max(scores, key=scores.__getitem__)
        assert tuple(found.ids) == best
        assert found.score == pytest.approx(scores[best], abs=1e-5)


@pytest.mark.parametrize("beam", [1, 3])
def test_a_batch_gives_what_its_sentences_give_alone_in_any_order(beam):
    model, limits = eager_model(2), [6, 3, 9, 12]
    together = search(model, SOURCES, limits, beam=beam)
    alone = [search(model, [s], [n], beam=beam)[0] for s, n in zip(SOURCES, limits, strict=True)]
    backwards = search(model, SOURCES[::-1], limits[::-1], beam=beam)[::-1]
    assert [each.ids for each in together] == [each.ids for each in alone] == [each.ids for each in backwards]
    assert [each.score for each in together] == pytest.approx([each.score for each in alone], abs=1e-5)


def test_limits_hold_and_outputs_are_words():
    model = tiny_model("autoregressive").eval()
    for beam in (1, 4):
        for limit, found in zip([0, 1, 5, 9], search(model, SOURCES, [0, 1, 5, 9], beam=beam), strict=True):
            assert len(found.ids) <= limit
            assert all(word >= len(SYMBOLS) for word in found.ids)


def test_sentences_leave_when_they_are_done(monkeypatch):
    model, rows = tiny_model("autoregressive").eval(), []
    step = model.step
    monkeypatch.setattr(model, "step", lambda s, c, ids: rows.append(len(ids)) or step(s, c, ids))
    search(model, SOURCES, [2, 8, 2, 5], beam=2)
    assert rows == sorted(rows, reverse=True)
    assert rows[0] == 4
    assert rows[-1] < 4
    assert len(rows) <= 9
    assert search(model, [], [], beam=2) == []


@pytest.mark.parametrize("kind", ["autoregressive", "editor", "levenshtein"])
def test_many_sentences_come_back_in_order_whatever_the_batches(kind):
    model = make_engine(tiny_model(kind).eval())
    outputs = translate_ids(model, SOURCES)
    assert outputs == translate_ids(model, SOURCES, DecodingConfig(batch_tokens=1))
    assert outputs == translate_ids(model, SOURCES[::-1])[::-1]
    assert all(
        len(output) <= most_tokens(len(source) + 2) - 2
        for output, source in zip(outputs, SOURCES, strict=True)
    )
    assert translate_ids(model, []) == []
