"""The engines of models exported for CPUs: refinement and beam search, without torch."""

from collections.abc import Sequence
from functools import partial

from editmt.config import DecodingConfig
from editmt.decoding.cpu_beam import cpu_beam_search
from editmt.decoding.cpu_policy import CpuPolicy
from editmt.decoding.engine import Engine, Searched
from editmt.decoding.job import Job
from editmt.decoding.memory import check_beam
from editmt.decoding.refinement import RefinementEngine, source_canvas
from editmt.errors import InputError
from editmt.runtime.cpu_folder import CpuExport
from editmt.runtime.cpu_model import CpuEditModel
from editmt.runtime.cpu_search import CpuSearchModel
from editmt.text import BOUNDARIES


def make_cpu_engine(export: CpuExport, precision: str | None, *, shortlist: bool = False) -> Engine:
    """Return the engine of an exported model; without a precision, of its fastest weights."""
    part = export.part(precision)
    if export.config.kind == "autoregressive":
        if shortlist:
            raise InputError(f"{export.folder}: only edit models have shortlists")
        return CpuBeamEngine(CpuSearchModel(export.config, part))
    model = CpuEditModel(export.config, part, shortlist=shortlist)
    return RefinementEngine(partial(CpuPolicy.start, model), export.config.max_length)


class CpuBeamEngine:
    """An exported autoregressive model, searching."""

    searches = True

    def __init__(self, model: CpuSearchModel) -> None:
        self._model = model

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._model.config.max_length

    def check(self, job: Job) -> None:
        """Refuse what this search cannot do."""
        if job.first or job.mender:
            raise InputError(
                "an exported autoregressive model translates without terms, forbidden words and drafts"
            )

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Searched]:
        """Search for the best translation of each job's source."""
        limits = [job.most_tokens - BOUNDARIES for job in jobs]
        check_beam(
            options.beam, self._model.config, self._model.vocabulary, rows=len(jobs), length=max(limits)
        )
        return cpu_beam_search(
            self._model, source_canvas(jobs), limits, beam=options.beam, length_power=options.length_power
        )
