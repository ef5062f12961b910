"""Adam with decoupled weight decay, and the learning rate of each step."""

import math

import torch
from torch import nn

from editmt.config import OptimiserConfig


def make_optimiser(model: nn.Module, config: OptimiserConfig) -> torch.optim.AdamW:
    """Return the optimiser; its rate is set before each step."""
    return torch.optim.AdamW(
        model.parameters(),
        lr=config.rate,
        betas=config.betas,
        eps=config.epsilon,
        weight_decay=config.weight_decay,
        fused=True,
    )


def learning_rate(config: OptimiserConfig, step: int, steps: int, reductions: int) -> float:
    """Return the rate of a step, counted from 1.

    It rises linearly over the warm-up; then it falls with the square root of the step, or linearly to 0 at
    the last of `steps`, or by the plateau's factor for each of the `reductions` so far.

    >>> config = OptimiserConfig(rate=0.1, warmup=10)
    >>> [round(learning_rate(config, step, 100, 0), 3) for step in (1, 10, 40)]
    [0.01, 0.1, 0.05]
    """
    if step < config.warmup:
        return config.rate * step / config.warmup
    if config.schedule == "inverse_sqrt":
        return config.rate * math.sqrt(max(config.warmup, 1) / step)
    if config.schedule == "linear":
        return config.rate * (steps - step + 1) / (steps - config.warmup + 1)
    return config.rate * config.plateau_factor**reductions
