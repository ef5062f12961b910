"""Engines of trained models in PyTorch: refinement, and beam search."""

from collections.abc import Sequence
from functools import partial

import torch

from editmt.config import DecodingConfig
from editmt.decoding.beam import beam_search
from editmt.decoding.dba import Constraints, constrained_search
from editmt.decoding.engine import Engine, Searched
from editmt.decoding.job import Job
from editmt.decoding.memory import check_beam
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.phrase_progress import WordBoundaries
from editmt.decoding.refinement import RefinementEngine, source_canvas
from editmt.decoding.search_mending import SearchMender
from editmt.edits import Canvas
from editmt.errors import InputError
from editmt.models import AutoregressiveModel, EditModel, Model
from editmt.text import BOUNDARIES, Vocabulary


def make_engine(model: Model, vocabulary: Vocabulary | None = None) -> Engine:
    """Return the engine of a model, which must be in evaluation mode.

    The target's vocabulary tells a beam search where words end, so that those that are wanted stay whole.
    """
    if isinstance(model, EditModel):
        return RefinementEngine(partial(_start, model), model.config.max_length)
    return BeamEngine(model, WordBoundaries.of(vocabulary) if vocabulary else None)


class BeamEngine:
    """An autoregressive model, searching; where words are wanted, by dynamic beam allocation."""

    searches = True

    def __init__(self, model: AutoregressiveModel, boundaries: WordBoundaries | None = None) -> None:
        self._model = model
        self._boundaries = boundaries

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._model.config.max_length

    def check(self, job: Job) -> None:
        """Refuse a draft: a search begins with nothing."""
        if job.draft:
            raise InputError("an autoregressive model cannot start from a draft")

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Searched]:
        """Search for the best translation of each job's source that keeps its rules."""
        source = _sources(self._model, jobs)
        phrases = [[*job.hard, *job.soft] for job in jobs]
        words = [job.most_tokens - BOUNDARIES for job in jobs]
        beam, power = options.beam, options.length_power
        vocabulary = self._model.output.out_features
        check_beam(beam, self._model.config, vocabulary, rows=len(jobs), length=max(words))
        if any(phrases):
            wanted = Constraints(phrases, words, self._boundaries)
            found = constrained_search(
                self._model, source.ids, source.mask, wanted, beam=beam, length_power=power
            )
        else:
            found = beam_search(self._model, source.ids, source.mask, words, beam=beam, length_power=power)
        mender = SearchMender(self._model, source, power)
        return [mender.choose(row, *both) for row, both in enumerate(zip(jobs, found, strict=True))]


def _sources(model: torch.nn.Module, jobs: Sequence[Job]) -> Canvas:
    return to_torch(source_canvas(jobs), next(model.parameters()).device)


def _start(model: EditModel, source: Canvas) -> ModelPolicy:
    tensors = to_torch(source, next(model.parameters()).device)
    return ModelPolicy.start(model, tensors.ids, tensors.mask)
