"""The losses of a step against ones computed by hand, in NumPy, from the logits and an oracle of its own."""

import dataclasses

import numpy as np
import pytest
import torch
from torch.nn import functional

from editmt.config import Config, DataConfig, ObjectiveConfig, preset
from editmt.data.collation import Batch
from editmt.edits import Canvas, Oracle
from editmt.text import BOS, EOS, PLH, SYMBOLS, Vocabulary
from editmt.training.distributed import Ranks
from editmt.training.examples import EditExample, ExampleMaker, Path, SequenceExample, draw_path
from editmt.training.rollin import Imitation
from editmt.training.step import TrainingStep
from tests.tiny import canvas_of, tensors, tiny_model

SOURCES = [[7, 8, 9, 10], [11], [12, 13, 5, 6, 7, 8]]
REFERENCES = [[5, 6, 7, 5, 8, 9], [10, 11], [12, 13, 14, 15, 16, 12, 17]]
NOISED = [[7, 5, 9, 8], [], [15, 13, 12, 16, 14]]
SMOOTHING = {"reposition": 0.0, "placeholder": 0.03, "token": 0.2}
A, B = Path(True, False), Path(False, True)
CASES = [
    ("editor", "dual", A),
    ("editor", "dual", B),
    *(("editor", "independent", Path(*coins)) for coins in ((0, 0), (0, 1), (1, 0), (1, 1))),
    ("editor", "insertion", A),
    ("levenshtein", "insertion", A),
]
CASES += [(kind, rollin, path._replace(refined=True)) for kind, rollin, path in CASES]


def oracle_labels(x, y, moves):
    """Label one pair as §3 of the fact sheet says: (reposition, placeholders in each gap, inserted)."""
    d = np.add.outer(np.arange(len(x) + 1), np.arange(len(y) + 1))
    for i, a in enumerate(x, 1):
        for j, b in enumerate(y, 1):
            cost = 0 if a == b else 1 if moves and b in x else 2
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    i, j = len(x), len(y)
    reposition, gaps, inserted = [0] * len(x), [0] * (len(x) - 1), [0] * len(y)
    while i or j:
        if j and d[i, j - 1] < d[i, j]:
            j -= 1
            gaps[i - 1] += 1
            inserted[j] = 1
        elif i and d[i - 1, j] < d[i, j]:
            i -= 1
        else:
            reposition[i - 1] = x.index(y[j - 1]) if d[i - 1, j - 1] < d[i, j] else i - 1
            i, j = i - 1, j - 1
    return reposition, gaps, inserted


class ByHand:
    """Runs the model where the paper and the fact sheet say, on lists, and remembers canvases and labels."""

    def __init__(self, model, rollin, path, moves):
        self.model, self.moves = model, moves
        sources = canvas_of(SOURCES)
        self.source = model.encode(sources.ids, sources.mask)
        self.references = [[BOS, *row, EOS] for row in REFERENCES]
        noised = [[BOS, *row, EOS] for row in NOISED]
        noised = self.refine(noised) if path.refined else noised
        from_insertion = self.fill(self.placed(noised) if rollin == "independent" else self.masked(noised))
        self.reposition_from = noised if path.reposition_from_noise else from_insertion
        self.insertion_from = noised if path.insertion_from_noise else self.move(noised)
        if rollin != "independent" and not path.insertion_from_noise:
            assert path.reposition_from_noise

    def labels(self, rows):
        return [oracle_labels(x, y, self.moves) for x, y in zip(rows, self.references, strict=True)]

    def masked(self, rows):
        """y with the tokens masked that the oracle inserts."""
        return [
            [PLH if flag else token for token, flag in zip(y, inserted, strict=True)]
            for y, (_, _, inserted) in zip(self.references, self.labels(rows), strict=True)
        ]

    def placed(self, rows):
        """E(y⁰, p*)"""
        return [
            [BOS, *(t for token, count in zip(x[1:], gaps, strict=True) for t in [PLH] * count + [token])]
            for x, (_, gaps, _) in zip(rows, self.labels(rows), strict=True)
        ]

    def fill(self, rows):
        """E(y'', t̃), where no special symbol is a word."""
        canvas = tensors(Canvas.of(rows))
        words = iter(self.token_logits(canvas)[:, len(SYMBOLS) :].argmax(1) + len(SYMBOLS))
        return [[int(next(words)) if token == PLH else token for token in row] for row in rows]

    def move(self, rows):
        """E(y, r̃)"""
        logits = self.model.reposition_logits(self.source, tensors(Canvas.of(rows))).detach().numpy()
        return [
            [BOS, *(row[best] for best in scores[1 : len(row) - 1].argmax(1) if best), EOS]
            for row, scores in zip(rows, logits, strict=True)
        ]

    def refine(self, rows):
        """One iteration of decoding, no canvas longer than twice its source and ten."""
        moved = self.move(rows)
        logits = self.model.placeholder_logits(self.source, tensors(Canvas.of(moved))).detach().numpy()
        placed = []
        for source, row, scores in zip(SOURCES, moved, logits, strict=True):
            room = 2 * (len(source) + 2) + 10 - len(row)
            placed.append([BOS])
            for token, count in zip(row[1:], scores.argmax(1), strict=False):
                placed[-1] += [PLH] * min(count, room) + [token]
                room -= min(count, room)
        return self.fill(placed)

    def token_logits(self, canvas):
        states = self.model.token_states(self.source, canvas, canvas.ids == PLH)
        return (states @ self.model.output.weight.T).detach().numpy()

    def rows_and_targets(self):
        """Logits with a label, and the labels, of each head."""
        moved, canvas = self.reposition_from, tensors(Canvas.of(self.reposition_from))
        logits = self.model.reposition_logits(self.source, canvas)
        picked = [(b, i) for b, row in enumerate(moved) for i in range(1, len(row) - 1)]
        target = [self.labels(moved)[b][0][i] for b, i in picked]
        yield "reposition", torch.stack([logits[b, i] for b, i in picked]), target
        rows, canvas = self.insertion_from, tensors(Canvas.of(self.insertion_from))
        logits = self.model.placeholder_logits(self.source, canvas)
        picked = [(b, g) for b, row in enumerate(rows) for g in range(len(row) - 1)]
        target = [self.labels(rows)[b][1][g] for b, g in picked]
        yield "placeholder", torch.stack([logits[b, g] for b, g in picked]), target
        masked = self.masked(rows)
        canvas = tensors(Canvas.of(masked))
        states = self.model.token_states(self.source, canvas, canvas.ids == PLH)
        pairs = zip(self.references, masked, strict=True)
        target = [y for pair in pairs for y, t in zip(*pair, strict=True) if t == PLH]
        yield "token", states @ self.model.output.weight.T, target


def numpy_loss(logits, targets, smoothing):
    """(1 − ε) · mean NLL − ε · mean over places and classes of log p"""
    logits = logits.detach().numpy().astype(np.float64)
    log_p = logits - np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1, keepdims=True))
    log_p -= logits.max(1, keepdims=True)
    nll = -log_p[np.arange(len(targets)), targets].mean()
    return (1 - smoothing) * nll - (smoothing * log_p.mean() if smoothing else 0.0)


def make_example(path, oracle):
    sources, noised, reference = map(canvas_of, (SOURCES, NOISED, REFERENCES))
    return EditExample(sources.ids, sources.mask, reference, noised, oracle.label(noised, reference), path)


def make_step(model, rollin):
    oracle = Oracle(moves=model.config.kind == "editor", compiled=False)
    objective = ObjectiveConfig(
        rollin=rollin,
        token_smoothing=SMOOTHING["token"],
        placeholder_smoothing=SMOOTHING["placeholder"],
    )
    return TrainingStep(model, oracle, objective, Ranks()), oracle, objective


@pytest.mark.parametrize(("kind", "rollin", "path"), CASES)
def test_each_heads_loss_is_the_one_computed_by_hand(kind, rollin, path):
    model = tiny_model(kind)
    step, oracle, _ = make_step(model, rollin)
    loss, means = step(make_example(path, oracle))
    wanted = {
        name: numpy_loss(logits, targets, SMOOTHING[name])
        for name, logits, targets in ByHand(model, rollin, path, kind == "editor").rows_and_targets()
    }
    assert {name: float(mean) for name, mean in means.items()} == pytest.approx(wanted, abs=1e-5)
    assert loss.item() == pytest.approx(sum(wanted.values()), abs=1e-5)


@pytest.mark.parametrize(("kind", "rollin", "path"), CASES)
def test_the_gradient_is_that_of_plain_cross_entropies_where_the_roll_in_led(kind, rollin, path):
    model = tiny_model(kind).double()
    step, oracle, _ = make_step(model, rollin)
    loss, _ = step(make_example(path, oracle))
    found = torch.autograd.grad(loss, list(model.parameters()))
    plain = sum(
        functional.cross_entropy(logits, torch.tensor(targets), label_smoothing=SMOOTHING[name])
        for name, logits, targets in ByHand(model, rollin, path, kind == "editor").rows_and_targets()
    )
    for gradient, wanted in zip(found, torch.autograd.grad(plain, list(model.parameters())), strict=True):
        torch.testing.assert_close(gradient, wanted, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize(("kind", "rollin", "path"), CASES)
def test_the_heads_see_the_canvases_of_the_path(kind, rollin, path):
    model, seen = tiny_model(kind), {}
    by_hand = ByHand(model, rollin, path, kind == "editor")
    wanted = {
        "reposition_states": by_hand.reposition_from,
        "insertion_states": by_hand.insertion_from,
        "token_states": by_hand.masked(by_hand.insertion_from),
    }
    step, oracle, _ = make_step(model, rollin)
    for name in wanted:
        setattr(model, name, _watch(getattr(model, name), seen.setdefault(name, [])))
    step(make_example(path, oracle))
    learnt = {name: [rows for rows, learns in calls if learns] for name, calls in seen.items()}
    assert learnt == {name: [rows] for name, rows in wanted.items()}, "one pass a head with a gradient"
    if rollin != "independent":
        passes = 1 + path.refined
        assert {len(calls) for calls in seen.values()} == {passes}, "the roll-in takes the scores trained"


def _watch(function, calls):
    def watched(source, canvas, *rest):
        calls.append((canvas.rows(), torch.is_grad_enabled()))
        return function(source, canvas, *rest)

    return watched


@pytest.mark.parametrize(("rollin", "path"), [case[1:] for case in CASES if case[0] == "editor"])
def test_roll_in_carries_no_gradient(rollin, path):
    model = tiny_model("editor")
    _, oracle, objective = make_step(model, rollin)
    losses = Imitation(oracle, objective).losses(model, make_example(path, oracle))
    stacks = {"reposition": model.insertion, "placeholder": model.reposition, "token": model.reposition}
    for name, other in stacks.items():
        others = torch.autograd.grad(
            losses[name].total, list(other.parameters()), retain_graph=True, allow_unused=True
        )
        assert all(gradient is None for gradient in others), f"{name} learns through the other's stack"


def test_the_autoregressive_loss_is_the_one_computed_by_hand():
    model = tiny_model("autoregressive")
    sources, target = canvas_of(SOURCES), canvas_of(REFERENCES)
    step, _, _ = make_step(model, "dual")
    loss, means = step(SequenceExample(sources.ids, sources.mask, target))
    logits, targets = [], []
    for source, words in zip(SOURCES, REFERENCES, strict=True):  # one sentence at a time, no padding
        alone, row = canvas_of([source]), torch.tensor([[BOS, *words]])
        states = model.states(model.encode(alone.ids, alone.mask), row, torch.ones_like(row).bool())
        logits.append(states @ model.output.weight.T)
        targets += [*words, EOS]
    wanted = numpy_loss(torch.cat(logits), targets, SMOOTHING["token"])
    assert loss.item() == pytest.approx(wanted, abs=1e-5)
    assert float(means["token"]) == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("path", [A, B, A._replace(refined=True), B._replace(refined=True)])
@pytest.mark.parametrize("kind", ["editor", "autoregressive"])
def test_shares_of_a_batch_add_up_and_a_share_may_be_empty(kind, path):
    model = tiny_model(kind)
    step, oracle, _ = make_step(model, "dual")
    config = Config(data=DataConfig(folder=""), model=preset("tiny", kind))
    maker = ExampleMaker(config, Vocabulary((*SYMBOLS, *map(str, range(18))), range(5, 23), ()))
    maker.oracle = oracle
    source, target = (Canvas.of([[BOS, *row, EOS] for row in side]) for side in (SOURCES, REFERENCES))
    batch = Batch(source.ids, source.mask, target, np.arange(3))

    def losses(rows):
        example = maker.make(batch, np.random.default_rng(1), rows, torch.device("cpu"))
        if kind == "autoregressive":
            return step._losses(example)
        return step._losses(dataclasses.replace(example, path=path))

    whole, parts = losses(slice(None)), [losses(slice(rank, None, 5)) for rank in range(5)]
    for name, loss in whole.items():
        assert float(sum(part[name].positions for part in parts)) == float(loss.positions)
        assert sum(part[name].total for part in parts).item() == pytest.approx(loss.total.item(), rel=1e-5)
    sum(part.total for part in parts[4].values()).backward()  # no rows, no error
    assert all(not gradient.any() for p in model.parameters() if (gradient := p.grad) is not None)


def test_paths_are_drawn_as_the_roll_in_says():
    def share(**changes):
        generator = np.random.default_rng(1)
        objective = ObjectiveConfig(**changes)
        paths = [draw_path(objective, generator) for _ in range(4000)]
        return {path: paths.count(path) / len(paths) for path in set(paths)}

    assert share(rollin="insertion") == {A: 1.0}
    assert share(rollin="dual", alpha=0.3) == pytest.approx({A: 0.3, B: 0.7}, abs=0.03)
    both = {
        Path(a, b): (0.3 if a else 0.7) * (0.6 if b else 0.4) for a in (False, True) for b in (False, True)
    }
    assert share(rollin="independent", alpha=0.3, beta=0.6) == pytest.approx(both, abs=0.03)
    refined = {path._replace(refined=late): 0.4 if late else 0.1 for path in (A, B) for late in (False, True)}
    assert share(refined_share=0.8) == pytest.approx(refined, abs=0.03)


@pytest.mark.parametrize(("kind", "rollin", "path"), CASES)
def test_under_autocast_every_weight_learns_much_the_same(kind, rollin, path):
    model = tiny_model(kind)
    step, oracle, _ = make_step(model, rollin)
    wide = torch.autograd.grad(step(make_example(path, oracle))[0], list(model.parameters()))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = step(make_example(path, oracle))[0]
    narrow = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
    for (name, _), found, wanted in zip(model.named_parameters(), narrow, wide, strict=True):
        assert found is not None, f"{name} does not learn"
        assert found.dtype == torch.float32
        if not path.refined:  # rounding may lead an iteration's arg-maxes elsewhere
            assert found.norm().item() == pytest.approx(wanted.norm().item(), rel=0.3, abs=1e-2), name
