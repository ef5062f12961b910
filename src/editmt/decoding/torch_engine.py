"""Engines of trained models in PyTorch: refinement, and beam search."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from editmt.config import DecodingConfig
from editmt.decoding.beam import beam_search
from editmt.decoding.engine import Engine, decode_all
from editmt.decoding.job import BOUNDARIES, Job, most_tokens
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.refine import Refined, RefineOptions, Sentence, refine
from editmt.edits import Canvas, EditCounts
from editmt.models import AutoregressiveModel, EditModel, Model
from editmt.text import BOS, EOS


def make_engine(model: Model) -> Engine:
    """Return the engine of a model, which must be in evaluation mode."""
    return BeamEngine(model) if isinstance(model, AutoregressiveModel) else RefinementEngine(model)


def translate_ids(
    model: Model, sources: Sequence[Sequence[int]], options: DecodingConfig | None = None
) -> list[list[int]]:
    """Return a translation's ids for each source's; none of these has boundaries."""
    longest = model.config.max_length
    jobs = [Job([*source], min(most_tokens(len(source) + BOUNDARIES), longest)) for source in sources]
    return [outcome.ids for outcome in decode_all(make_engine(model), jobs, options or DecodingConfig())]


class RefinementEngine:
    """An edit model, refining."""

    def __init__(self, model: EditModel) -> None:
        self._model = model

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._model.config.max_length

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Refined]:
        """Refine the first canvases of the jobs."""
        source = _sources(self._model, jobs)
        policy = ModelPolicy.start(self._model, source.ids, source.mask)
        canvas = Canvas.of([[BOS, *job.first, EOS] for job in jobs], [[0, *job.locks, 0] for job in jobs])
        sentences = [Sentence(job.most_tokens, job.keep, job.mender) for job in jobs]
        return refine(policy, canvas, sentences, RefineOptions(options.iterations, options.penalty))


@dataclass(frozen=True, eq=False)
class Searched:
    """A beam search's outcome: one insertion at the end after the other."""

    ids: list[int]
    score: float
    trace: None = None

    @property
    def iterations(self) -> int:
        """How often the decoder ran: once for each token and for the end."""
        return len(self.ids) + 1

    @property
    def counts(self) -> EditCounts:
        """Every token is inserted."""
        return EditCounts(0, 0, len(self.ids))


class BeamEngine:
    """An autoregressive model, searching."""

    def __init__(self, model: AutoregressiveModel) -> None:
        self._model = model

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._model.config.max_length

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
