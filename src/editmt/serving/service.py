"""What the three wire formats share: one model, its queue, the glossaries, and who may use them."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import ParamSpec, Protocol, TypeVar

from editmt.data.texts import Texts
from editmt.decoding.request import Request
from editmt.decoding.segments import Segment, Translated, translate_segments
from editmt.decoding.translation import Translation
from editmt.errors import InputError
from editmt.serving.answers import Answer, Question
from editmt.serving.batcher import Batcher
from editmt.serving.database import Database
from editmt.serving.glossary_store import GlossaryStore
from editmt.serving.keys import ANYONE, Key, KeyRing, RateLimiter, Usage
from editmt.serving.metrics import Metrics
from editmt.serving.problems import QUOTA, Problem
from editmt.serving.ready_glossaries import ReadyGlossaries
from editmt.serving.settings import ServingConfig
from editmt.serving.waiting import counter_of
from editmt.text.glossary import Glossary
from editmt.text.lemmas import load_lemmatiser

SAVE_SECONDS = 30.0
"""How many seconds of usage a power cut may cost."""

Steps = Generator[list[Request], list[Answer], list[Translated]]
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Engine(Protocol):
    """What decodes batches, beside the event loop; so many of them at a time as the limits say."""

    async def translate(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """Translate requests, and return the answers in order."""


@dataclass(frozen=True)
class Model:
    """A model and what is known of it.

    languages
        The codes of what it translates from and to.
    texts
        The pipelines that its tokens are made with.
    """

    name: str
    languages: tuple[str, str]
    texts: Texts
    engine: Engine


class Service:
    """One running server."""

    def __init__(self, model: Model, config: ServingConfig) -> None:
        self.model, self.config = model, config
        self.metrics = Metrics()
        self.batcher = Batcher(model.engine.translate, counter_of(model.texts), config.batches, self.metrics)
        self._key_file, self._file = Database(config.data), Database(config.data)
        self.keys = KeyRing(self._key_file)  # its own, which is never busy with a large glossary
        self.usage = Usage(self._file)
        self.glossaries = GlossaryStore(self._file)
        self._ready = ReadyGlossaries(self.glossaries)
        self._rates = RateLimiter(config.requests.a_minute)
        self.draining = False
        self._beside: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to answer."""
        warming = self.on_thread(_warm_up, self.model.languages)
        self._beside = [asyncio.create_task(warming), asyncio.create_task(self._save_usage())]
        self.metrics.ready.set(1)

    def begin_draining(self) -> None:
        """Be ready no more, but go on."""
        self.draining = True
        self.metrics.ready.set(0)

    async def stop(self) -> None:
        """Finish what waits, and write down what is new."""
        self.begin_draining()
        await self.batcher.stop()
        for task in self._beside:
            task.cancel()
        await asyncio.to_thread(self.usage.save)
        self._file.close()
        self._key_file.close()

    async def _save_usage(self) -> None:
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            await self.on_thread(self.usage.save)

    def admit(self, given: str) -> Key:
        """Return the key, if it is one of ours and has requests left."""
        key = self.keys.find(given)
        if key is None:
            raise Problem(403, "the API key is wrong")
        early = self._rates.wait_for(key.name)
        if early:
            self.metrics.refused.labels("rate").inc()
            raise Problem(429, "too many requests with this key", early)
        return key

    async def translate(
        self, key: Key | None, requests: Sequence[Request], *, trace: bool = False
    ) -> list[Translation]:
        """Translate all requests, or raise a `Problem` that says which cannot be done."""
        characters = sum(len(request.source) for request in requests)
        await self._charge(key, characters)
        answers = await self.batcher.submit(requests, trace=trace)
        good = [answer for answer in answers if not isinstance(answer, InputError)]
        for number, answer in enumerate(answers, start=1):
            if isinstance(answer, InputError):
                where = f"text {number}: " if len(answers) > 1 else ""
                raise Problem(400, where + str(answer))
        self.metrics.texts.inc(len(good))
        self.metrics.characters.inc(characters)
        self.usage.add(owner_of(key), characters)
        return good

    async def translate_segments(
        self, key: Key | None, segments: Sequence[Segment], glossary: Glossary | None
    ) -> list[Translated]:
        """Translate texts of any length with their markup, sentence by sentence."""
        characters = sum(len(segment.text) for segment in segments)
        await self._charge(key, characters)
        steps = translate_segments(segments, glossary)
        answers: list[Answer] | None = None
        while isinstance(step := await self.on_thread(_advance, steps, answers), list):
            self.metrics.texts.inc(len(step))
            answers = await self.batcher.submit(step)
        found = step.segments
        for number, translated in enumerate(found, start=1):
            if translated.problem is not None:
                raise Problem(400, f"text {number}: {translated.problem}")
        self.metrics.characters.inc(characters)
        self.usage.add(owner_of(key), characters)
        return found

    async def find_glossary(self, key: Key | None, identities: Sequence[str]) -> Glossary | None:
        """Return the glossaries with these names as one, ready for the model's languages."""
        if not identities:
            return None
        return await self._ready.find(owner_of(key), identities, self.model.languages)

    async def on_thread(
        self, work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Result:
        """Do what reads or writes a file, or takes a while, and not on the event loop."""
        return await asyncio.to_thread(work, *args, **kwargs)

    async def _charge(self, key: Key | None, characters: int) -> None:
        if key is not None and key.quota is not None:
            used = await asyncio.to_thread(self.usage.of, key.name)
            if used + characters > key.quota:
                raise Problem(QUOTA, "this month's characters of this key are used up")


def _warm_up(languages: tuple[str, str]) -> None:
    """Load the dictionary of inflected forms, which the first request with a term would wait for."""
    lemmatise = load_lemmatiser(languages[0])
    if lemmatise is not None:
        lemmatise("words")


@dataclass(frozen=True)
class _Done:
    segments: list[Translated]


def _advance(steps: Steps, answers: list[Answer] | None) -> list[Request] | _Done:
    """Return what is asked for next, or what came of it all; terms and tags are looked for here."""
    try:
        return steps.send(answers)  # type: ignore[arg-type]  # None to begin with
    except StopIteration as end:
        return _Done(end.value)


def owner_of(key: Key | None) -> str:
    """Return whose the glossaries and the characters are that a request makes."""
    return ANYONE if key is None else key.name
