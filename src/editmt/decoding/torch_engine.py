"""Engines of trained models in PyTorch: refinement, and beam search."""

from collections.abc import Sequence

import torch

from editmt.config import DecodingConfig
from editmt.decoding.beam import beam_search
from editmt.decoding.engine import Engine, Searched
from editmt.decoding.job import BOUNDARIES, Job
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.refine import Refined, RefineOptions, Sentence, refine
from editmt.edits import Canvas
from editmt.errors import InputError
from editmt.models import AutoregressiveModel, EditModel, Model
from editmt.text import BOS, EOS


def make_engine(model: Model) -> Engine:
    """Return the engine of a model, which must be in evaluation mode."""
    return BeamEngine(model) if isinstance(model, AutoregressiveModel) else RefinementEngine(model)


class RefinementEngine:
    """An edit model, refining."""

    searches = False

    def __init__(self, model: EditModel) -> None:
        self._model = model

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._model.config.max_length

    def check(self, job: Job) -> None:
        """Take any job."""

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Refined]:
        """Refine the first canvases of the jobs."""
        source = _sources(self._model, jobs)
        policy = ModelPolicy.start(self._model, source.ids, source.mask)
        canvas = Canvas.of([[BOS, *job.first, EOS] for job in jobs], [[0, *job.locks, 0] for job in jobs])
        sentences = [Sentence(job.most_tokens, job.keep, job.mender) for job in jobs]
        return refine(policy, canvas, sentences, RefineOptions(options.iterations, options.penalty))


class BeamEngine:
    """An autoregressive model, searching."""

    searches = True

    def __init__(self, model: AutoregressiveModel) -> None:
        self._model = model

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._model.config.max_length

    def check(self, job: Job) -> None:
        """Refuse a draft: a search begins with nothing."""
        if job.draft:
            raise InputError("an autoregressive model cannot start from a draft")

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Searched]:
        """Search for the best translation of each job's source."""
        source = _sources(self._model, jobs)
        words = [job.most_tokens - BOUNDARIES for job in jobs]
        found = beam_search(
            self._model, source.ids, source.mask, words, beam=options.beam, length_power=options.length_power
        )
        return [Searched(hypothesis.ids, hypothesis.score) for hypothesis in found]


def _sources(model: torch.nn.Module, jobs: Sequence[Job]) -> Canvas:
    rows = Canvas.of([[BOS, *job.source, EOS] for job in jobs])
    return to_torch(rows, next(model.parameters()).device)
