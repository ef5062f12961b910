"""The one door to every model: requests in, translations out. Only here does text become ids and ids text."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from editmt.config import DecodingConfig
from editmt.data.texts import Texts
from editmt.decoding.engine import Engine, Outcome, decode_all
from editmt.decoding.job import Job, make_job
from editmt.decoding.request import Request
from editmt.decoding.translation import Translation, report_terms
from editmt.errors import InputError
from editmt.text.phrases import Span


class Translator:
    """Translates with a model, whichever kind it is.

    An edit model starts from the terms of a request; hard ones are kept, forbidden ones kept out. A beam
    search can suggest nothing: there all terms are hard, kept by dynamic beam allocation.

        translator = Translator.load("runs/en-de")
        translation = translator.translate("increased safety for pedestrians", terms=["Sicherheit"])
        translation.text, translation.terms
    """

    def __init__(self, engine: Engine, texts: Texts, options: DecodingConfig | None = None) -> None:
        self._engine = engine
        self.texts = texts
        self.options = options or DecodingConfig()

    @classmethod
    def load(
        cls, folder: str | Path, *, options: DecodingConfig | None = None, threads: int = 0
    ) -> "Translator":
        """Load the model of a run, or one saved on its own; 0 threads are as many as there are cores."""
        from editmt.decoding.loading import load_engine  # noqa: PLC0415 - loads what the model needs only

        loaded = load_engine(Path(folder), threads)
        return cls(loaded.engine, loaded.texts, options)

    def with_options(self, options: DecodingConfig) -> "Translator":
        """Return a translator with the same model that decodes otherwise."""
        return Translator(self._engine, self.texts, options)

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

    def translate_all(self, requests: Iterable[Request]) -> list[Translation | InputError]:
        """Translate requests in batches, and return the answers in order; what cannot be done is an error."""
        asked = list(requests)
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
        outcomes = decode_all(self._engine, list(jobs.values()), self.options)
        done = {
            number: self._answer(asked[number], jobs[number], outcome)
            for number, outcome in zip(jobs, outcomes, strict=True)
        }
        return [done[number] if answer is None else answer for number, answer in enumerate(answers)]

    def _answer(self, request: Request, job: Job, outcome: Outcome) -> Translation | InputError:
        """Make the translation of an outcome, unless it breaks a rule, which nothing else would tell."""
        if job.mender is not None and job.mender.misses(outcome.ids):
            return InputError("no output was found that keeps all hard words and has no forbidden one")
        text = self.texts.target.decode(outcome.ids)
        return Translation(text, report_terms(request, text), outcome)
