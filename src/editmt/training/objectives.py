"""The losses: smoothed cross-entropies as sums with counts, so that shares of a batch add up."""

from typing import Any, NamedTuple

import torch
from torch import Tensor

from editmt.models.heads import best_word

CHUNK_NUMBERS = 4_000_000
"""Logits that the token loss holds at once."""


class HeadLoss(NamedTuple):
    """The loss of one head over some positions: their sum, and how many they are."""

    total: Tensor  # ()
    positions: Tensor  # ()


def cross_entropy(logits: Tensor, targets: Tensor, smoothing: float = 0.0) -> HeadLoss:
    """Sum the cross-entropy of rows of logits (N, C), of which each class gets ε / C of the target.

    That is (1 − ε) · −log p(target) + ε · the mean over the classes of −log p.
    """
    log_probabilities = logits.float().log_softmax(-1)
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
    total, best = _ChunkedCrossEntropy.apply(states, weight, targets, smoothing)  # type: ignore[no-untyped-call]
    return HeadLoss(total, _count(targets)), best


class _ChunkedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, states: Tensor, weight: Tensor, targets: Tensor, smoothing: float
    ) -> tuple[Tensor, Tensor]:
        wanted = torch.is_grad_enabled() or any(ctx.needs_input_grad)
        states_grad = torch.empty_like(states) if wanted else None
        weight_grad = torch.zeros_like(weight) if wanted else None
        total = torch.zeros((), device=states.device)
        best = torch.empty_like(targets)
        size = max(1, CHUNK_NUMBERS // len(weight))
        for start in range(0, len(states), size):
            part = slice(start, start + size)
            logits = (states[part] @ weight.T).float()
            best[part] = best_word(logits)
            total += _take_loss(logits, targets[part], smoothing)
            if states_grad is not None and weight_grad is not None:
                gradient = logits.to(states.dtype)  # what `_take_loss` left there
                torch.mm(gradient, weight, out=states_grad[part])
                weight_grad.addmm_(gradient.T, states[part])
        ctx.save_for_backward(states_grad, weight_grad)
        ctx.mark_non_differentiable(best)
        return total, best

    @staticmethod
    def backward(ctx: Any, total_grad: Tensor, _best_grad: Tensor) -> tuple[Tensor, Tensor, None, None]:
        states_grad, weight_grad = ctx.saved_tensors
        return states_grad * total_grad.to(states_grad.dtype), weight_grad * total_grad, None, None


def _take_loss(logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    """Return the summed loss of logits (N, V), and leave its gradient in their place."""
    norm = logits.logsumexp(-1)
    target_logits = logits.gather(1, targets[:, None])[:, 0]
    total = norm.sum() - (1 - smoothing) * target_logits.sum() - smoothing * logits.mean(-1).sum()
    # d total / d logits = softmax − (1 − ε)·onehot − ε / V
    logits.sub_(norm[:, None]).exp_().sub_(smoothing / logits.shape[1])
    correction = logits.new_full((len(targets), 1), -(1 - smoothing))
    logits.scatter_add_(1, targets[:, None], correction)
    return total


def _count(targets: Tensor) -> Tensor:
    return torch.tensor(float(len(targets)), device=targets.device)
