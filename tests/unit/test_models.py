import itertools

import pytest
import torch
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from editmt.config import preset
from editmt.edits import Canvas
from editmt.models import count_parameters, make_model, packing
from editmt.models.heads import IMPOSSIBLE, MOST_PLACEHOLDERS, score_best_word
from editmt.models.layers import FEW_STATES, Attention, Dropout, KeysValues, Memory, Projection, attend
from editmt.text import BOS, PLH, SYMBOLS
from tests.tiny import VOCABULARY, canvas_of, tiny_model

SOURCES = [[7, 8, 9, 10, 11], [12], [13, 14, 15]]
CANVASES = [[5, PLH, 7], [], [8, 9, PLH, PLH, 8, 10]]
WAYS = [
    {"norm": norm, "positions": positions, "tied": tied, "stacks": stacks}
    for norm, positions, tied, stacks in itertools.product(
        ("pre", "post"), ("learned", "sinusoidal"), (True, False), ("own", "shared")
    )
]


def answers(model, sources, canvases):
    """Return the logits of all heads."""
    source, canvas = canvas_of(sources), canvas_of(canvases)
    encoded = model.encode(source.ids, source.mask)
    places = canvas.ids == PLH
    return (
        model.reposition_logits(encoded, canvas),
        model.placeholder_logits(encoded, canvas),
        model.output(model.token_states(encoded, canvas, places)),
    )


@pytest.mark.parametrize(
    ("kind", "vocabulary", "millions"),
    [("editor", 39_840, 91.1), ("levenshtein", 39_840, 91.1), ("autoregressive", 40_624, 64.9)],
)
def test_base_has_the_papers_sizes(kind, vocabulary, millions):
    with torch.device("meta"):
        model = make_model(preset("base", kind), vocabulary, vocabulary)
    assert round(count_parameters(model) / 1e6, 1) == millions


@pytest.mark.parametrize("kind", ["editor", "levenshtein", "autoregressive"])
def test_ties_and_shared_stacks_count_once(kind):
    def count(**changes):
        return count_parameters(tiny_model(kind, **changes))

    assert count(tied=False) - count() == 2 * VOCABULARY * 16
    assert count(positions="learned") - count(positions="sinusoidal") == 2 * 64 * 16
    stack = sum(parameter.numel() for parameter in tiny_model(kind).stacks[0].parameters())
    assert count(stacks="own") - count(stacks="shared") == (0 if kind == "autoregressive" else stack)


def test_the_paper_s_decoder_has_no_final_norm_and_pre_norm_has():
    assert not list(tiny_model(norm="post").encoder.norm.parameters())
    assert list(tiny_model(norm="pre").encoder.norm.parameters())


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(map(str, way.values())))
@pytest.mark.parametrize("kind", ["editor", "levenshtein"])
def test_padding_changes_nothing_for_the_edit_models(kind, way):
    model = tiny_model(kind, **way).eval()
    moves, counts, tokens = answers(model, SOURCES, CANVASES)
    singles = [answers(model, [s], [c]) for s, c in zip(SOURCES, CANVASES, strict=True)]
    for row, (move, count, _) in enumerate(singles):
        width = move.shape[1]
        torch.testing.assert_close(moves[row, :width, :width], move[0], atol=1e-5, rtol=1e-5)
        assert (moves[row, :width, width:] == IMPOSSIBLE).all(), "padding is masked"
        torch.testing.assert_close(counts[row, : width - 1], count[0], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(tokens, torch.cat([token for _, _, token in singles]), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("way", WAYS[::2], ids=lambda way: "-".join(map(str, way.values())))
def test_padding_changes_nothing_for_the_autoregressive_model(way):
    model = tiny_model("autoregressive", **way).eval()

    def states(sources, targets):
        source, target = canvas_of(sources), canvas_of(targets)
        return model.states(model.encode(source.ids, source.mask), target.ids, target.mask)

    singles = [states([s], [c]) for s, c in zip(SOURCES, CANVASES, strict=True)]
    torch.testing.assert_close(states(SOURCES, CANVASES), torch.cat(singles), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["editor", "levenshtein"])
def test_what_a_reposition_may_choose(kind):
    logits = answers(tiny_model(kind), SOURCES, CANVASES)[0]
    chances = logits.softmax(-1)
    for row, words in enumerate(CANVASES):
        last = len(words) + 1
        for place in range(logits.shape[1]):
            allowed = set(chances[row, place].nonzero()[:, 0].tolist())
            if 0 < place < last:
                others = {place} if kind == "levenshtein" else set(range(1, last))
                assert allowed == {0} | others
            else:
                assert allowed == {place}, "boundaries and padding stay"


def test_reposition_scores_are_products_with_the_canvas_and_the_deletion_vector():
    model = tiny_model("editor").double()
    head, canvas = model.reposition_head, canvas_of([[5, 6, 7]])
    states = torch.randn(1, 5, 16, dtype=torch.float64)
    embeddings = model.target_embedding.tokens(canvas.ids)
    logits = head(states, embeddings, canvas)
    for i in (1, 2, 3):
        torch.testing.assert_close(logits[0, i, 0], states[0, i] @ head.delete)
        for j in (1, 2, 3):
            torch.testing.assert_close(logits[0, i, j], states[0, i] @ embeddings[0, j])


def test_placeholders_are_scored_from_both_neighbours():
    model = tiny_model("editor")
    states = torch.randn(2, 4, 16)
    logits = model.placeholder_head(states)
    assert logits.shape == (2, 3, MOST_PLACEHOLDERS + 1)
    wanted = torch.cat([states[1, 1], states[1, 2]]) @ model.placeholder_head.classes.weight.T
    torch.testing.assert_close(logits[1, 1], wanted)


def test_narrow_types_do_not_overflow_in_the_reposition_head():
    model = tiny_model("editor").half()
    canvas, states = canvas_of([[5, 6]]), torch.randn(1, 4, 16, dtype=torch.float16)
    logits = model.reposition_head(states, model.target_embedding.tokens(canvas.ids), canvas)
    assert logits.dtype == torch.float32
    assert logits.isfinite().all()


@pytest.mark.parametrize("kind", ["editor", "levenshtein", "autoregressive"])
def test_a_batch_without_rows(kind):
    model, none = tiny_model(kind), torch.zeros(0, 4, dtype=torch.int64)
    source = model.encode(none, none.bool())
    if kind == "autoregressive":
        assert model.states(source, none, none.bool()).shape == (0, 16)
        return
    canvas = Canvas(none, none.bool(), none)
    assert model.reposition_logits(source, canvas).shape == (0, 4, 4)
    assert model.placeholder_logits(source, canvas).shape == (0, 3, 256)
    assert model.token_states(source, canvas, none.bool()).shape == (0, 16)


def test_a_canvas_past_the_last_position_is_no_error():
    model = tiny_model("editor", max_length=4)
    assert answers(model, [[7] * 9], [[5] * 9])[0].isfinite().all()


def test_the_causal_decoder_does_not_see_the_future():
    model = tiny_model("autoregressive").eval()
    source = canvas_of(SOURCES[:1])
    encoded = model.encode(source.ids, source.mask)
    ids = torch.tensor([[BOS, 5, 6, 7, 8, 9]])
    before = model.states(encoded, ids, torch.ones_like(ids).bool())
    for place in range(1, 6):
        changed = ids.clone()
        changed[0, place:] = 11
        after = model.states(encoded, changed, torch.ones_like(ids).bool())
        torch.testing.assert_close(after[:place], before[:place])
        assert not torch.allclose(after[place], before[place])
    alone = model.states(encoded, ids[:, :1], torch.ones(1, 1).bool())
    torch.testing.assert_close(alone, before[:1])


def test_the_edit_models_see_the_whole_canvas():
    model = tiny_model("editor").eval()
    first, last = (answers(model, SOURCES[:1], [[5, 6, 7, word]])[1] for word in (8, 9))
    assert not torch.allclose(first[0, 0], last[0, 0])


@pytest.mark.parametrize("way", WAYS[::4], ids=lambda way: "-".join(map(str, way.values())))
def test_cached_steps_score_as_the_whole_sequence_does(way):
    model = tiny_model("autoregressive", **way).eval()
    source, rows = canvas_of(SOURCES), torch.randint(5, VOCABULARY, (3, 2, 6))  # (B, K, T)
    rows[:, :, 0] = BOS
    encoded = model.encode(source.ids, source.mask)
    cache = model.start_cache(3, 2, 6)
    stepwise = torch.stack([model.step(encoded, cache, rows[:, :, t]) for t in range(6)], dim=2)
    for beam in range(2):
        ids = rows[:, beam]
        states = model.states(encoded, ids, torch.ones_like(ids).bool())
        wanted = model.output(states).view(3, 6, -1)
        torch.testing.assert_close(stepwise[:, beam], wanted, atol=1e-5, rtol=1e-5)


def test_a_cache_goes_on_with_the_hypotheses_chosen():
    model = tiny_model("autoregressive").eval()
    source = canvas_of(SOURCES[:2])
    encoded = model.encode(source.ids, source.mask)
    cache = model.start_cache(2, 2, 5)
    for ids in ([[BOS, BOS], [BOS, BOS]], [[5, 6], [7, 8]]):
        model.step(encoded, cache, torch.tensor(ids))
    kept = torch.tensor([1])
    cache.select(kept, torch.tensor([[1, 0]]))  # the second sentence's hypotheses, crossed
    found = model.step(encoded.select(kept), cache, torch.tensor([[9, 10]]))
    source = encoded.select(kept)
    for beam, row in enumerate(([BOS, 8, 9], [BOS, 7, 10])):
        ids = torch.tensor([row])
        wanted = model.output(model.states(source, ids, torch.ones_like(ids).bool()))[-1]
        torch.testing.assert_close(found[0, beam], wanted, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(("stacks", "times"), [("own", 2), ("shared", 1)])
def test_the_source_is_projected_once_for_each_stack(monkeypatch, stacks, times):
    model, calls = tiny_model("editor", stacks=stacks), []
    read = Attention.read
    monkeypatch.setattr(Attention, "read", lambda self, *rest: calls.append(self) or read(self, *rest))
    answers(model, SOURCES, CANVASES)
    asked = [layer.source_attention for stack in model.stacks for layer in stack.decoder_layers]
    assert len(asked) == times * model.config.decoder_layers
    assert all(calls.count(attention) == 1 for attention in asked)


def test_selected_sources_answer_as_before():
    model = tiny_model("autoregressive").eval()
    source = canvas_of(SOURCES)
    encoded = model.encode(source.ids, source.mask)
    rows, ids = torch.tensor([2, 0]), torch.tensor([[BOS, 5, 6]] * 3)
    mask = torch.ones_like(ids).bool()
    whole = model.states(encoded, ids, mask).view(3, 3, -1)
    part = model.states(encoded.select(rows), ids[:2], mask[:2]).view(2, 3, -1)
    torch.testing.assert_close(part, whole[rows])


def test_padding_costs_the_layers_nothing():
    model = tiny_model("editor")

    def work(width):
        rows = [[5] * width, *([[5]] * 9)]
        with FlopCounterMode(display=False) as counter:
            source = canvas_of(SOURCES[:1] * 10)
            model.token_states(
                model.encode(source.ids, source.mask),
                canvas := canvas_of(rows),
                torch.zeros_like(canvas.mask),
            )
        products = counter.get_flop_counts()["Global"]
        return sum(count for name, count in products.items() if "attention" not in str(name))

    per_token = (work(12) - work(11), work(13) - work(12))
    assert per_token[0] == per_token[1] < work(11) / 20


def test_dropout_drops_its_share_and_keeps_the_mean():
    torch.manual_seed(1)
    dropout, ones = Dropout(0.3), torch.ones(400, 501, requires_grad=True)
    dropped = dropout(ones)
    assert (dropped == 0).float().mean() == pytest.approx(0.3, abs=0.005)
    assert dropped.mean().item() == pytest.approx(1, abs=0.01)
    dropped.sum().backward()
    assert torch.equal(ones.grad, dropped.detach())
    by_column = (dropped == 0).float().mean(0)
    assert by_column.std() == pytest.approx((0.3 * 0.7 / 400) ** 0.5, rel=0.15), "places are independent"
    assert not torch.equal(dropout(ones), dropped)
    torch.manual_seed(1)
    assert torch.equal(dropout(ones), dropped), "the seed decides"
    assert dropout.eval()(ones) is ones
    assert Dropout(0.0)(ones) is ones


def test_narrow_attention_with_a_gradient_is_computed_in_float32():
    """On CPUs; the outcome is float32's of the narrow numbers, and so is its gradient."""
    torch.manual_seed(1)
    narrow = [torch.randn(2, 4, 5, 8).bfloat16().requires_grad_() for _ in range(3)]
    queries, keys, values = narrow
    with torch.autocast("cpu", dtype=torch.bfloat16):
        read = attend(queries, Memory(KeysValues(keys, values), None), causal=True)
    wanted = functional.scaled_dot_product_attention(*(part.float() for part in narrow), is_causal=True)
    assert torch.equal(read, wanted)
    found = torch.autograd.grad(read.sum(), narrow)
    for mine, plain in zip(found, torch.autograd.grad(wanted.sum(), narrow), strict=True):
        assert torch.equal(mine, plain)
    without = attend(queries.detach(), Memory(KeysValues(keys.detach(), values.detach()), None), causal=True)
    assert without.dtype == torch.bfloat16


@pytest.mark.parametrize("shape", [(6, 9), (9, 6)], ids=["higher than wide", "wider than high"])
@pytest.mark.parametrize("bias", [True, False])
def test_a_projection_is_the_same_from_either_side(shape, bias):
    projection = Projection(*shape, bias=bias).double()
    for count in (0, 1, 2, FEW_STATES, FEW_STATES + 1):
        states = torch.randn(count, shape[0], dtype=torch.float64, requires_grad=True)
        product = projection(states)
        wanted = functional.linear(states, projection.weight, projection.bias)
        torch.testing.assert_close(product, wanted)
        assert product.is_contiguous()
        torch.testing.assert_close(projection(states[None]), wanted[None])
        ours, theirs = (torch.autograd.grad(y.square().sum(), states)[0] for y in (product, wanted))
        torch.testing.assert_close(ours, theirs)


def test_attention_gets_a_mask_only_where_there_is_padding():
    model, whole, padded = tiny_model(), canvas_of([[7, 8], [9, 5]]), canvas_of([[7, 8], [9]])
    for batch, masked in ((whole, False), (padded, True)):
        source = model.encode(batch.ids, batch.mask).insertion
        assert (source.memory(0).mask is not None) == masked
        assert (source.select(torch.tensor([1])).memory(0).mask is not None) == masked


def test_the_best_word_and_its_probability():
    logits = torch.randn(4, VOCABULARY)
    logits[0, BOS] = 100.0  # no word
    words = logits[:, len(SYMBOLS) :].log_softmax(-1).max(-1)
    best, scores = score_best_word(logits.clone())
    assert best.tolist() == (words.indices + len(SYMBOLS)).tolist()
    torch.testing.assert_close(scores, words.values)


def test_repeated_tokens_that_make_numbers_round_teach_nothing(monkeypatch):
    """A model learns the same from tokens packed to a multiple of 64, 7 or 1."""
    model = tiny_model().eval()
    source, canvas = canvas_of(SOURCES), canvas_of(CANVASES)
    found = []
    for multiple in (64, 7, 1):
        monkeypatch.setattr(packing, "MULTIPLE", multiple)
        model.zero_grad()
        encoded = model.encode(source.ids, source.mask)
        moved = model.reposition_states(encoded, canvas)[canvas.mask]
        written = model.token_states(encoded, canvas, canvas.ids == PLH)
        assert len(written) == (canvas.ids == PLH).sum()
        (moved.square().sum() + written.square().sum()).backward()
        weights = {name: each.grad for name, each in model.named_parameters() if each.grad is not None}
        found.append({"moved": moved, "written": written, **weights})
    for other in found[1:]:
        torch.testing.assert_close(other, found[0], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_only_the_states_that_words_are_wanted_at_leave_the_last_layer(norm):
    model = tiny_model(norm=norm).eval()
    source, canvas = canvas_of(SOURCES), canvas_of(CANVASES)
    encoded = model.encode(source.ids, source.mask)
    places = canvas.ids == PLH
    states = model.insertion_states(encoded, canvas)[places]
    torch.testing.assert_close(model.token_states(encoded, canvas, places), states, atol=1e-5, rtol=1e-5)

    def work(wanted):
        with torch.inference_mode(), FlopCounterMode(display=False) as counter:
            model.token_states(encoded, canvas, wanted)
        return counter.get_total_flops()

    assert work(places) < work(canvas.mask)
