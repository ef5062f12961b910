"""The one door to every model: requests in, translations out. Only here does text become ids and ids text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from editmt.config import DecodingConfig
from editmt.data.texts import Texts
from editmt.decoding.engine import Engine, Outcome, decode_all
from editmt.decoding.job import Job, make_job
from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.decoding.wording import write
from editmt.errors import InputError
from editmt.text.phrases import Span


class Translator:
    """Translates with a model, whichever kind it is.

    An edit model starts from the terms of a request; hard ones are kept, forbidden ones kept out. A beam
    search can suggest nothing: there all terms are hard, kept by dynamic beam allocation.

        translator = Translator.load("runs/en-de")  # or load() for the model that ships
        translation = translator.translate("increased safety for pedestrians", terms=["Sicherheit"])
        translation.text, translation.terms
    """

    def __init__(
        self, engine: Engine, texts: Texts, options: DecodingConfig | None = None, workers: int = 1
    ) -> None:
        self._engine = engine
        self._workers = workers
        self.texts = texts
        self.options = options or DecodingConfig()

    @classmethod
    def load(
        cls,
        folder: str | Path | None = None,
        *,
        options: DecodingConfig | None = None,
        threads: int = 0,
        precision: str | None = None,
        shortlist: bool = False,
        bulk: bool = False,
    ) -> "Translator":
        """Load the model that ships (English to German), or that of a run, or one saved or exported.

        0 threads are as many as there are cores; `precision` ("int8", "float32") chooses among an export's
        weights, and with its `shortlist` only likely words are scored: faster, and no longer exact.
        For many sentences at a time `bulk` is faster: its threads decode a batch each, instead of all of
        them one. Without options the model translates as suits it best.
        """
        from editmt.decoding.loading import load_engine  # noqa: PLC0415 - loads what the model needs only

        path = None if folder is None else Path(folder)
        loaded = load_engine(path, threads, precision, shortlist=shortlist, bulk=bulk)
        return cls(loaded.engine, loaded.texts, options or loaded.decoding, loaded.workers)

    def with_options(self, options: DecodingConfig) -> "Translator":
        """Return a translator with the same model that decodes otherwise."""
        return Translator(self._engine, self.texts, options, self._workers)

    def translate(
        self,
        source: str,
        *,
        terms: Sequence[str | Sequence[str]] = (),
        hard: Sequence[str] = (),
        forbidden: Sequence[str] = (),
        draft: str | None = None,
        locked: Sequence[Span] = (),
    ) -> Translation:
        """Translate one sentence; see `Request` for what can be asked for."""
        request = Request.of(source, terms=terms, hard=hard, forbidden=forbidden, draft=draft, locked=locked)
        (answer,) = self.translate_all([request])
        if isinstance(answer, InputError):
            raise answer
        return answer

    def translate_all(self, requests: Iterable[Request | str]) -> list[Translation | InputError]:
        """Translate requests, or plain sentences, in batches; the answers are in order.

        What cannot be done is an error in its place.
        """
        asked = [Request.of(each) if isinstance(each, str) else each for each in requests]
        answers: list[Translation | InputError | None] = []
        jobs: dict[int, Job] = {}
        for number, request in enumerate(asked):
            try:
                job = make_job(request, self.texts, self.options, self._engine.max_length)
                self._engine.check(job)
            except InputError as error:
                answers.append(error)
            else:
                jobs[number] = job
                answers.append(None)
        outcomes = decode_all(self._engine, list(jobs.values()), self.options, self._workers)
        done = {
            number: self._answer(asked[number], jobs[number], outcome)
            for number, outcome in zip(jobs, outcomes, strict=True)
        }
        return [done[number] if answer is None else answer for number, answer in enumerate(answers)]

    def _answer(self, request: Request, job: Job, outcome: Outcome) -> Translation | InputError:
        """Make the translation of an outcome, unless it breaks a rule, which nothing else would tell."""
        text = write(self.texts.target, outcome.ids, outcome.locks, job.phrases)
        if job.mender is not None and job.mender.rules.misses(text):
            return InputError("no output was found that keeps all hard words and has no forbidden one")
        return Translation(text, request, outcome)
