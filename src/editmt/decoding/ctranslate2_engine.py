"""The engine of a model exported to CTranslate2: beam search without torch, and without constraints."""

from collections.abc import Sequence

from editmt.config import DecodingConfig
from editmt.decoding.engine import Searched
from editmt.decoding.job import Job
from editmt.decoding.memory import check_beam
from editmt.errors import InputError
from editmt.runtime.ctranslate2_search import Beam, CTranslate2Search
from editmt.text import BOUNDARIES


class CTranslate2Engine:
    """An exported autoregressive model, searching."""

    searches = True

    def __init__(self, search: CTranslate2Search) -> None:
        self._search = search

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._search.config.max_length

    def check(self, job: Job) -> None:
        """Refuse what this search cannot do."""
        if job.first or job.mender:
            raise InputError(
                "a model exported to CTranslate2 translates without terms, forbidden words and drafts"
            )

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Searched]:
        """Search for the best translation of each job's source."""
        limits = [job.most_tokens - BOUNDARIES for job in jobs]
        vocabulary = self._search.texts.sizes[1]
        check_beam(options.beam, self._search.config, vocabulary, rows=len(jobs), length=max(limits))
        found = self._search.translate(
            [job.source for job in jobs],
            limits,
            Beam(options.beam, options.length_power),
            batch=len(jobs),
        )
        return [Searched(translation.ids, translation.score) for translation in found]
