"""What a step learns from: a batch, its noised canvases, their labels, and the path, all drawn ahead.

Chance is drawn for the whole batch from one generator; a rank then takes its rows. So one process with a
batch and two with half of it each see the same canvases and the same path.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from editmt.config import Config, ObjectiveConfig
from editmt.data.collation import Batch
from editmt.decoding.model_policy import to_torch
from editmt.edits import Canvas, Labels, Oracle, Reposition, apply
from editmt.edits.noise import Chances, drop, drop_and_shuffle, leave_nothing, pick_phrases
from editmt.text import Vocabulary


class Path(NamedTuple):
    """From which canvas each policy learns: the noised reference, or what the other made of it (§3.2.1).

    With `refined` the model edits the noised reference for an iteration before all that.
    """

    insertion_from_noise: bool
    reposition_from_noise: bool
    refined: bool = False


@dataclass(frozen=True, eq=False)
class EditExample:
    """One rank's share of a batch for an edit model, on its device."""

    source_ids: Tensor  # (B, S)
    source_mask: Tensor  # (B, S)
    reference: Canvas  # y*
    noised: Canvas  # y⁰
    labels: Labels  # from the noised canvas to the reference
    path: Path


@dataclass(frozen=True, eq=False)
class SequenceExample:
    """One rank's share of a batch for the autoregressive model, on its device."""

    source_ids: Tensor  # (B, S)
    source_mask: Tensor  # (B, S)
    target: Canvas


Example = EditExample | SequenceExample


class ExampleMaker:
    """Makes examples of batches; the same generator makes the same example."""

    def __init__(self, config: Config, vocabulary: Vocabulary) -> None:
        self._config = config
        self._vocabulary = vocabulary
        self.oracle = Oracle(moves=config.model.kind == "editor", prefer=config.oracle.prefer)

    def make(
        self, batch: Batch, generator: np.random.Generator, rows: slice, device: torch.device
    ) -> Example:
        """Draw for the whole batch, and return the example of some of its rows."""
        source_ids = torch.from_numpy(batch.source_ids[rows]).to(device)
        source_mask = torch.from_numpy(batch.source_mask[rows]).to(device)
        reference = batch.target.take(rows)
        if self._config.model.kind == "autoregressive":
            return SequenceExample(source_ids, source_mask, to_torch(reference, device))
        path = draw_path(self._config.objective, generator)
        noised = self._noise(batch.target, generator).take(rows)
        labels = self.oracle.label(noised, reference)
        on_device = Labels(*(torch.from_numpy(part).to(device) for part in vars(labels).values()))
        return EditExample(
            source_ids, source_mask, to_torch(reference, device), to_torch(noised, device), on_device, path
        )

    def _noise(self, reference: Canvas, generator: np.random.Generator) -> Canvas:
        noise = self._config.noise
        chances = Chances.draw(generator, reference.ids.shape)
        words = self._vocabulary.words(reference.ids)
        if noise.kind == "drop":
            action = drop(reference, chances, complete=noise.complete)
        else:
            action = drop_and_shuffle(
                reference,
                words,
                chances,
                probability=noise.shuffle_probability,
                distance=noise.shuffle_distance,
                complete=noise.complete,
            )
        if noise.constraint_share or noise.empty_share:
            picked = pick_phrases(
                reference, words, chances, most=noise.constraint_words, joined=noise.constraint_joined
            )
            lot = generator.random(len(words))[:, None]  # one for each sentence
            index = np.where(lot < noise.constraint_share, picked.index, action.index)
            empty = lot >= 1 - noise.empty_share
            action = Reposition(np.where(empty, leave_nothing(reference).index, index))
        return apply(reference, action)


def draw_path(objective: ObjectiveConfig, generator: np.random.Generator) -> Path:
    """Toss the coins of a batch.

    "dual" tosses one coin with α: insertion learns from the noised canvas and reposition from what insertion
    made, or the other way round. "independent" tosses α and β apart. "insertion" is always the first.
    Whether the model refines the canvas before is another coin.
    """
    first, second = generator.random(2)
    refined = bool(objective.refined_share) and generator.random() < objective.refined_share
    if objective.rollin == "dual":
        return Path(bool(first < objective.alpha), bool(first >= objective.alpha), refined)
    if objective.rollin == "independent":
        return Path(bool(first < objective.alpha), bool(second < objective.beta), refined)
    return Path(insertion_from_noise=True, reposition_from_noise=False, refined=refined)
