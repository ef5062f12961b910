"""One forward pass of training: an example in, the batch's loss out, the same for any number of ranks."""

import torch
from torch import Tensor, nn

from editmt.config import ObjectiveConfig
from editmt.edits import Oracle
from editmt.models import AutoregressiveModel, EditModel, Model
from editmt.training.distributed import Ranks
from editmt.training.examples import EditExample, Example, SequenceExample
from editmt.training.objectives import HeadLoss, token_cross_entropy
from editmt.training.rollin import Imitation


class TrainingStep(nn.Module):
    """The model with its objective; DistributedDataParallel wraps this, so that one call is one step."""

    def __init__(self, model: Model, oracle: Oracle, objective: ObjectiveConfig, ranks: Ranks) -> None:
        super().__init__()
        self.model = model
        self._objective = objective
        self._imitation = Imitation(oracle, objective)
        self._ranks = ranks

    def forward(self, example: Example) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the loss to minimise, and each head's mean over the whole batch.

        Each head's loss is a mean over its positions in the batch of all ranks; DistributedDataParallel
        averages the ranks' gradients, hence the factor.

        Differs: the authors take the mean on each GPU apart, so that short shares weigh as much as long.
        """
        losses = self._losses(example)
        counts = self._ranks.sum(torch.stack([losses[name].positions for name in losses])).clamp(min=1)
        parts = [loss.total / count for loss, count in zip(losses.values(), counts, strict=True)]
        means = self._ranks.sum(torch.stack([part.detach() for part in parts]))
        return torch.stack(parts).sum() * self._ranks.size, dict(zip(losses, means, strict=True))

    def _losses(self, example: Example) -> dict[str, HeadLoss]:
        match self.model, example:
            case EditModel(), EditExample():
                losses = self._imitation.losses(self.model, example)
                return {name: losses[name] for name in ("reposition", "placeholder", "token")}
            case AutoregressiveModel(), SequenceExample():
                return {"token": self._next_token_loss(self.model, example)}
        raise TypeError(f"{type(self.model).__name__} does not learn from {type(example).__name__}")

    def _next_token_loss(self, model: AutoregressiveModel, example: SequenceExample) -> HeadLoss:
        source = model.encode(example.source_ids, example.source_mask)
        places = example.target.mask[:, 1:]
        states = model.states(source, example.target.ids[:, :-1], places)
        targets = example.target.ids[:, 1:][places]
        loss, _ = token_cross_entropy(states, model.output.weight, targets, self._objective.token_smoothing)
        return loss
