import pytest
import torch
from torch.nn import functional

from editmt.text import SYMBOLS
from editmt.training import objectives
from editmt.training.objectives import cross_entropy, token_cross_entropy

PLACES, WIDTH, CLASSES = 11, 6, 17


@pytest.fixture
def inputs():
    torch.manual_seed(1)
    states = torch.randn(PLACES, WIDTH, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(CLASSES, WIDTH, dtype=torch.float64, requires_grad=True)
    return states, weight, torch.randint(CLASSES, (PLACES,))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("rows", [1, 2, 5, PLACES, 100])
def test_token_loss_and_gradient_are_those_of_a_plain_cross_entropy(monkeypatch, inputs, rows, smoothing):
    monkeypatch.setattr(objectives, "CHUNK_NUMBERS", rows * CLASSES)
    states, weight, targets = inputs
    loss, best = token_cross_entropy(states, weight, targets, smoothing)
    logits = states @ weight.T
    plain = functional.cross_entropy(logits, targets, reduction="sum", label_smoothing=smoothing)
    torch.testing.assert_close(loss.total, plain)
    assert float(loss.positions) == PLACES
    assert torch.equal(best, logits[:, len(SYMBOLS) :].argmax(1) + len(SYMBOLS))
    for found, wanted in zip(
        torch.autograd.grad(loss.total * 0.3, inputs[:2]),
        torch.autograd.grad(plain * 0.3, inputs[:2]),
        strict=True,
    ):
        torch.testing.assert_close(found, wanted)


def test_token_loss_passes_gradcheck(monkeypatch, inputs):
    monkeypatch.setattr(objectives, "CHUNK_NUMBERS", 4 * CLASSES)
    states, weight, targets = inputs
    assert torch.autograd.gradcheck(
        lambda *learnt: token_cross_entropy(*learnt, targets, 0.1)[0].total, (states, weight)
    )


def test_without_gradient_nothing_is_kept_for_one(monkeypatch, inputs):
    states, weight, targets = inputs
    wanted = token_cross_entropy(*inputs, 0.1)[0].total

    def fail(*_):
        raise AssertionError("a gradient was computed")

    monkeypatch.setattr(objectives, "_add_product", fail)
    with torch.no_grad():
        torch.testing.assert_close(token_cross_entropy(*inputs, 0.1)[0].total, wanted.detach())
    with torch.inference_mode():
        token_cross_entropy(states, weight, targets, 0.1)


@pytest.mark.parametrize("narrow_states", [True, False])
def test_under_autocast_the_gradients_keep_the_types_of_what_they_belong_to(inputs, narrow_states):
    states, weight, targets = (part.detach() for part in inputs)
    states = states.to(torch.bfloat16 if narrow_states else torch.float32).requires_grad_()
    weight = weight.float().requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss, _ = token_cross_entropy(states, weight, targets, 0.1)
    assert loss.total.dtype == torch.float32
    loss.total.backward()
    assert (states.grad.dtype, weight.grad.dtype) == (states.dtype, torch.float32)
    plain = functional.cross_entropy(states.float() @ weight.T, targets, reduction="sum", label_smoothing=0.1)
    assert loss.total.item() == pytest.approx(plain.item(), rel=0.02)
    torch.testing.assert_close(weight.grad, torch.autograd.grad(plain, weight)[0], atol=0.05, rtol=0.05)


def test_no_places_give_a_loss_of_nothing_that_can_be_derived(inputs):
    _, weight, _ = inputs
    states = torch.zeros(0, WIDTH, dtype=torch.float64, requires_grad=True)
    none = torch.zeros(0, dtype=torch.int64)
    loss, best = token_cross_entropy(states, weight, none, 0.1)
    assert (loss.total.item(), float(loss.positions), best.shape) == (0, 0, (0,))
    loss.total.backward()
    assert not weight.grad.any()
    loss = cross_entropy(torch.zeros(0, 4, requires_grad=True), none, 0.1)
    assert (loss.total.item(), float(loss.positions)) == (0, 0)
    loss.total.backward()


@pytest.mark.parametrize("smoothing", [0.0, 0.01, 0.1])
def test_cross_entropy(inputs, smoothing):
    states, weight, targets = inputs
    logits = states @ weight.T
    loss = cross_entropy(logits, targets, smoothing)
    wanted = functional.cross_entropy(logits, targets, reduction="sum", label_smoothing=smoothing)
    torch.testing.assert_close(loss.total, wanted)
    assert float(loss.positions) == PLACES
