"""Dual-path roll-in (§3.2.1) and the three losses at the canvases it leads to.

Two policies learn: insertion (placeholders, then tokens) and reposition. Each learns either from the noised
reference y⁰ or from what the other makes of it, so that they learn to mend each other's outputs:

    path A   insertion learns from y⁰; its tokens fill the slots; reposition learns from the result
    path B   reposition learns from y⁰; its choice is applied; insertion learns from the result

The roll-in takes the very scores that are trained, their arg-max, and carries no gradient.

Neither path shows the reposition policy what it made itself, as it finds it from the second iteration of
decoding on. So y⁰ may first be edited by the model for an iteration (`objective.refined_share`).
"""

import dataclasses

import torch

from editmt.config import DecodingConfig, ObjectiveConfig
from editmt.decoding.job import most_tokens
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.refine import Sentence, refine
from editmt.edits import Canvas, Labels, Oracle, Placeholders, Reposition, Tokens, apply
from editmt.models.editor import EditModel, EditSource
from editmt.models.heads import MOST_PLACEHOLDERS, best_word
from editmt.models.transformer import Source
from editmt.text import BOS, EOS, PLH
from editmt.training.examples import EditExample
from editmt.training.objectives import HeadLoss, cross_entropy, take_gradient_early, token_cross_entropy


class Imitation:
    """Makes an edit model imitate the oracle on the canvases of an example's path."""

    def __init__(self, oracle: Oracle, objective: ObjectiveConfig) -> None:
        self._oracle = oracle
        self._objective = objective

    def losses(self, model: EditModel, example: EditExample) -> dict[str, HeadLoss]:
        """Return the loss of each head."""
        source = model.encode(example.source_ids, example.source_mask)
        if example.path.refined and len(example.source_ids):  # a rank's share may be empty
            example = self._refine(model, source, example)
        canvas, labels, reference = example.noised, example.labels, example.reference
        losses: dict[str, HeadLoss] = {}
        moved = None
        if example.path.reposition_from_noise:
            losses["reposition"], moved = self.learn_reposition(model, source, canvas, labels)
        if not example.path.insertion_from_noise:
            canvas = roll_reposition(model, source, canvas) if moved is None else moved
            labels = self._oracle.label(canvas, reference)
        losses["placeholder"] = self.learn_placeholders(model, source, canvas, labels)
        losses["token"], filled = self.learn_tokens(model, source, labels, reference)
        if not example.path.reposition_from_noise:
            if self._objective.rollin == "independent":
                filled = roll_insertion(model, source, example)
            labels = self._oracle.label(filled, reference)
            losses["reposition"], _ = self.learn_reposition(model, source, filled, labels)
        return losses

    def _refine(self, model: EditModel, source: EditSource, example: EditExample) -> EditExample:
        """Return the example with the canvases that decoding would make of its noised ones.

        Differs: the paper's canvases are at most one action old.
        """
        noised = roll_iteration(model, source, example)
        return dataclasses.replace(
            example, noised=noised, labels=self._oracle.label(noised, example.reference)
        )

    def learn_reposition(
        self, model: EditModel, source: EditSource, canvas: Canvas, labels: Labels
    ) -> tuple[HeadLoss, Canvas]:
        """Return the reposition head's loss on a canvas, and the canvas after its own choice.

        Differs: the boundaries, fixed in the softmax, take no part; the authors train them, too.
        """

        def learn(apart: Source) -> tuple[HeadLoss, Canvas]:
            logits = model.reposition_logits(source._replace(reposition=apart), canvas)
            inside = canvas.interior
            loss = cross_entropy(logits[inside], labels.reposition[inside])
            return loss, apply(canvas, Reposition(logits.detach().argmax(-1)))

        return take_gradient_early(learn, model, source.reposition)

    def learn_placeholders(
        self, model: EditModel, source: EditSource, canvas: Canvas, labels: Labels
    ) -> HeadLoss:
        """Return the placeholder head's loss on a canvas as it is."""

        def learn(apart: Source) -> tuple[HeadLoss, None]:
            gaps = canvas.gaps
            counts = labels.placeholders[gaps].clamp(max=MOST_PLACEHOLDERS)
            logits = model.placeholder_logits(source._replace(insertion=apart), canvas)[gaps]
            return cross_entropy(logits, counts, self._objective.placeholder_smoothing), None

        return take_gradient_early(learn, model, source.insertion)[0]

    def learn_tokens(
        self, model: EditModel, source: EditSource, labels: Labels, reference: Canvas
    ) -> tuple[HeadLoss, Canvas]:
        """Return the token head's loss, and the reference with its words in it.

        Words are learnt where the oracle's repositions and placeholders lead: on the reference with its
        inserted tokens masked.
        """
        places = labels.inserted == 1
        masked = Canvas(reference.ids.masked_fill(places, PLH), reference.mask, reference.locks)

        def learn(apart: Source) -> tuple[HeadLoss, Canvas]:
            states = model.token_states(source._replace(insertion=apart), masked, places)
            loss, words = token_cross_entropy(
                states, model.output.weight, reference.ids[places], self._objective.token_smoothing
            )
            return loss, apply(masked, Tokens(masked.ids.masked_scatter(places, words)))

        return take_gradient_early(learn, model, source.insertion)


def roll_iteration(model: EditModel, source: EditSource, example: EditExample) -> Canvas:
    """Return the noised canvas after the model's reposition, placeholders and tokens, all at once."""
    lengths = example.source_mask.sum(1).tolist()
    limits = [min(most_tokens(length), model.config.max_length) for length in lengths]
    canvas = Canvas(*(part.cpu().numpy() for part in vars(example.noised).values()))
    sentences = [Sentence(limit) for limit in limits]
    refined = refine(ModelPolicy(model, source), canvas, sentences, DecodingConfig(iterations=1))
    rows = [[BOS, *outcome.ids, EOS] for outcome in refined]
    return to_torch(Canvas.of(rows), example.source_ids.device)


@torch.no_grad()
def roll_reposition(model: EditModel, source: EditSource, canvas: Canvas) -> Canvas:
    """Return E(y, r̃): the canvas after the model's repositions."""
    return apply(canvas, Reposition(model.reposition_logits(source, canvas).argmax(-1)))


@torch.no_grad()
def roll_insertion(model: EditModel, source: EditSource, example: EditExample) -> Canvas:
    """Return E(E(y⁰, p*), t̃) as the paper prints it: y⁰ is not repositioned before.

    Differs: the authors' code, and "dual" here, apply the oracle's repositions first, so that a shuffled
    order never reaches the reposition head on path A.
    """
    canvas = apply(example.noised, Placeholders(example.labels.placeholders))
    places = canvas.ids == PLH
    words = best_word(model.output(model.token_states(source, canvas, places)))
    return apply(canvas, Tokens(canvas.ids.masked_scatter(places, words)))
