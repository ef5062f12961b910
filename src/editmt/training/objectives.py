"""The losses: smoothed cross-entropies as sums with counts, so that shares of a batch add up."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from editmt.models.heads import largest_word, widen
from editmt.models.transformer import Source

Made = TypeVar("Made")

CHUNK_NUMBERS = 2_000_000
"""Logits that the token loss holds at once."""


class HeadLoss(NamedTuple):
    """The loss of one head over some positions: their sum, and how many they are."""

    total: Tensor  # ()
    positions: Tensor  # ()


def take_gradient_early(
    learn: Callable[[Source], tuple[HeadLoss, Made]], model: nn.Module, source: Source
) -> tuple[HeadLoss, Made]:
    """Return what `learn` does, a loss and something made on the way, but let go of all that led there.

    The gradient, for the model's weights and for the source, is taken at once and kept in place of the
    activations. So the passes of three heads take the memory of one, at no cost of time.
    """
    if not torch.is_grad_enabled():
        return learn(source)
    learnt = (*model.parameters(), *source.tensors())
    total, positions, made = _EarlyGradient.apply(learn, source, *learnt)  # type: ignore[no-untyped-call]
    return HeadLoss(total, positions), made


class _EarlyGradient(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, learn: Callable[[Source], tuple[HeadLoss, Made]], source: Source, *learnt: Tensor
    ) -> tuple[Tensor, Tensor, Made]:
        apart = source.detach()  # what led to the source gets its gradient later, from all heads at once
        read = apart.tensors()
        with torch.enable_grad():
            loss, made = learn(apart)
        weights = learnt[: len(learnt) - len(read)]
        ctx.gradients = torch.autograd.grad(loss.total, (*weights, *read), allow_unused=True)
        ctx.mark_non_differentiable(loss.positions)
        return loss.total.detach(), loss.positions, made

    @staticmethod
    def backward(ctx: Any, total_grad: Tensor, *_: Any) -> tuple[Tensor | None, ...]:
        return (
            None,
            None,
            *(part if part is None else part * total_grad.to(part.dtype) for part in ctx.gradients),
        )


def cross_entropy(logits: Tensor, targets: Tensor, smoothing: float = 0.0) -> HeadLoss:
    """Sum the cross-entropy of rows of logits (N, C), of which each class gets ε / C of the target.

    That is (1 − ε) · −log p(target) + ε · the mean over the classes of −log p.
    """
    log_probabilities = widen(logits).log_softmax(-1)
    nll = -log_probabilities.gather(1, targets[:, None]).sum()
    total = nll
    if smoothing:
        total = (1 - smoothing) * nll - smoothing * log_probabilities.mean(-1).sum()
    return HeadLoss(total, _count(targets))


def token_cross_entropy(
    states: Tensor, weight: Tensor, targets: Tensor, smoothing: float
) -> tuple[HeadLoss, Tensor]:
    """Sum the cross-entropy of `states @ weight.T` (N, V), and return the likeliest word of each: (N,).

    The logits live in chunks, and their gradient is taken while they are there: N × V numbers never exist
    at once.

    Differs: a special symbol is never the likeliest word; the authors may roll in a `</s>` mid-sentence.
    """
    numbers = _TokenLoss.apply(states, weight, targets, smoothing, torch.is_grad_enabled())  # type: ignore[no-untyped-call]
    total, best = numbers
    return HeadLoss(total, _count(targets)), best


class _TokenLoss(torch.autograd.Function):
    """Takes loss and gradient chunk by chunk; under autocast the products are of its narrower type."""

    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, targets: Tensor, smoothing: float, learns: bool
    ) -> tuple[Tensor, Tensor]:
        kind = states.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else weight.dtype
        narrow, rows = weight.to(dtype), states.to(dtype)
        states_grad = torch.empty_like(states) if learns else None
        weight_grad = torch.zeros_like(weight) if learns else None
        total = widen(narrow.new_zeros(()))
        best = torch.empty_like(targets)
        size = max(1, CHUNK_NUMBERS // len(weight))
        for start in range(0, len(states), size):
            part = slice(start, start + size)
            product = rows[part] @ narrow.T
            logits = widen(product)
            loss, best[part] = _take_loss(logits, targets[part], smoothing)
            total += loss
            if states_grad is not None and weight_grad is not None:
                gradient = product.copy_(logits)  # what `_take_loss` left there
                states_grad[part] = gradient @ narrow
                _add_product(weight_grad, gradient.T, rows[part])
        ctx.save_for_backward(states_grad, weight_grad)
        ctx.mark_non_differentiable(best)
        return total, best

    @staticmethod
    def backward(ctx: Any, total_grad: Tensor, _best_grad: Tensor) -> tuple[Tensor | None, ...]:
        states_grad, weight_grad = ctx.saved_tensors
        factor = total_grad.to(states_grad.dtype)
        return states_grad * factor, weight_grad * total_grad, None, None, None


def _add_product(total: Tensor, left: Tensor, right: Tensor) -> None:
    """Add a matrix product to a total that may be of a wider type."""
    if total.dtype == left.dtype:
        total.addmm_(left, right)
    else:
        total += left @ right


def _take_loss(logits: Tensor, targets: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
    """Return the summed loss of logits (N, V) and the best words (N,); leave the gradient in their place.

    A pass over the logits costs as much as a product that makes them where that is narrow: there are five.
    """
    largest, best = largest_word(logits)  # (N,) each
    means = logits.mean(-1)
    target_logits = logits.gather(1, targets[:, None])[:, 0]
    sums = logits.sub_(largest[:, None]).exp_().sum(-1)
    norm = sums.log() + largest
    total = norm.sum() - (1 - smoothing) * target_logits.sum() - smoothing * means.sum()
    # d total / d logits = softmax − (1 − ε)·onehot − ε / V
    logits.div_(sums[:, None]).sub_(smoothing / logits.shape[1])
    correction = logits.new_full((len(targets), 1), -(1 - smoothing))
    logits.scatter_add_(1, targets[:, None], correction)
    return total, best


def _count(targets: Tensor) -> Tensor:
    return torch.tensor(float(len(targets)), device=targets.device)
