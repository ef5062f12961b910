"""Concurrent requests become batches: a bounded queue, and one thread that decodes whatever waits.

The event loop never decodes and the decoding thread never answers, so a slow batch blocks nobody's health
check. Tickets take turns, a text at a time: fifty texts of one client do not stand before one of another.
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.errors import InputError
from editmt.serving.metrics import Metrics
from editmt.serving.problems import Problem, report
from editmt.serving.settings import BatchLimits

Answer = Translation | InputError
Translate = Callable[[Sequence[Request]], Sequence[Answer]]

log = logging.getLogger(__name__)


class Broken(Exception):  # noqa: N818 - what came of a text, beside `Answer`
    """The engine raised something that no request should make it raise."""


@dataclass(eq=False)
class _Ticket:
    """The texts of one request, and those of their answers that are there."""

    requests: Sequence[Request]
    done: asyncio.Future[list[Answer]]
    arrived: float
    answers: dict[int, Answer | Broken] = field(default_factory=dict)
    next: int = 0  # the first text that no batch has taken


class Batcher:
    """Takes requests on the event loop, and has them decoded in batches on a thread of its own."""

    def __init__(self, translate: Translate, limits: BatchLimits, metrics: Metrics) -> None:
        self._translate, self._limits, self._metrics = translate, limits, metrics
        self._tickets: deque[_Ticket] = deque()
        self._texts = self._characters = 0  # that wait
        self._changed = threading.Condition()
        self._stopping = False
        self._texts_a_second = 0.0
        self._thread = threading.Thread(target=self._run, name="decoding", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to decode; to be called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Decode what waits, and end."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        await asyncio.to_thread(self._thread.join)

    @property
    def full(self) -> bool:
        """Whether one more text would be refused: there is no room, or it would wait too long."""
        late = self._texts > self._texts_a_second * self._limits.seconds / 2 > 0
        return self._texts >= self._limits.waiting_texts or late

    @property
    def retry_after(self) -> float:
        """Seconds until what waits now will have been decoded, as far as one can tell."""
        return self._texts / self._texts_a_second if self._texts_a_second else 1.0

    async def submit(self, requests: Sequence[Request]) -> list[Answer]:
        """Return an answer for each request, or raise a `Problem`: the queue is full, or it took too long."""
        if not requests:
            return []
        ticket = _Ticket(requests, asyncio.get_running_loop().create_future(), time.monotonic())
        self._enter(ticket)
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await ticket.done
        except TimeoutError:
            self._metrics.refused.labels("timeout").inc()
            raise Problem(503, "the answer took too long", self.retry_after) from None
        finally:
            if ticket.done.cancelled():  # who waits no longer, is not decoded for
                self._leave(ticket)

    def refuse(self) -> Problem:
        """Return what a request is told that finds the queue full."""
        self._metrics.refused.labels("queue").inc()
        return Problem(429, "too many requests are waiting", self.retry_after)

    def _enter(self, ticket: _Ticket) -> None:
        texts, characters = len(ticket.requests), sum(map(_weigh, ticket.requests))
        with self._changed:
            if self._stopping:
                raise Problem(503, "the server is shutting down", 1)
            crowded = self._texts + texts > self._limits.waiting_texts
            heavy = self._characters + characters > self._limits.waiting_characters
            if self._texts and (crowded or heavy or self.full):  # alone, any request may come in
                raise self.refuse()
            self._count(texts, characters)
            self._tickets.append(ticket)
            self._changed.notify()

    def _leave(self, ticket: _Ticket) -> None:
        """Make room for others."""
        with self._changed:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
                left = ticket.requests[ticket.next :]
                self._count(-len(left), -sum(map(_weigh, left)))

    def _count(self, texts: int, characters: int) -> None:
        self._texts += texts
        self._characters += characters
        self._metrics.waiting.set(self._texts)

    def _run(self) -> None:
        while batch := self._take():
            started = time.monotonic()
            answers = self._decode([ticket.requests[number] for ticket, number in batch])
            seconds = time.monotonic() - started
            rate = len(batch) / max(seconds, 1e-6)
            self._texts_a_second = 0.8 * self._texts_a_second + 0.2 * rate if self._texts_a_second else rate
            self._metrics.batch_texts.observe(len(batch))
            self._metrics.batch_seconds.observe(seconds)
            for (ticket, number), answer in zip(batch, answers, strict=True):
                ticket.answers[number] = answer
            ready = {ticket: None for ticket, _ in batch if len(ticket.answers) == len(ticket.requests)}
            assert self._loop is not None
            self._loop.call_soon_threadsafe(_deliver, list(ready))

    def _take(self) -> list[tuple[_Ticket, int]]:
        """Wait for texts, and for a moment for more; return none when there will be none any more."""
        with self._changed:
            batch: list[tuple[_Ticket, int]] = []
            while not batch:
                while not self._tickets and not self._stopping:
                    self._changed.wait()
                if not self._tickets:
                    break
                self._wait_for_more()
                batch = self._pick()  # none, if all have left meanwhile
            return batch

    def _wait_for_more(self) -> None:
        until = self._tickets[0].arrived + self._limits.wait_ms / 1000
        while self._tickets and not self._stopping and self._texts < self._limits.texts:
            left = until - time.monotonic()
            if left <= 0:
                return
            self._changed.wait(left)

    def _pick(self) -> list[tuple[_Ticket, int]]:
        """Take a text of each ticket in turn, as many as a batch has room for."""
        batch: list[tuple[_Ticket, int]] = []
        characters = 0
        while self._tickets and len(batch) < self._limits.texts:
            ticket = self._tickets[0]
            weight = _weigh(ticket.requests[ticket.next])
            characters += weight
            if batch and characters > self._limits.characters:
                break
            batch.append((ticket, ticket.next))
            ticket.next += 1
            self._count(-1, -weight)
            self._tickets.popleft()
            if ticket.next < len(ticket.requests):
                self._tickets.append(ticket)
        return batch

    def _decode(self, requests: Sequence[Request]) -> Sequence[Answer | Broken]:
        """Decode the batch; if that breaks, one text after the other, so that only the culprit's breaks."""
        try:
            return self._translate(requests)
        except Exception as error:  # whatever it is: the thread must live on
            report(error, log)
            if len(requests) == 1:
                return [Broken()]
            return [answer for request in requests for answer in self._decode([request])]


def _weigh(request: Request) -> int:
    return len(request.source) + len(request.draft or "")


def _deliver(tickets: Sequence[_Ticket]) -> None:
    for ticket in tickets:
        if ticket.done.done():
            continue
        answers = [ticket.answers[number] for number in range(len(ticket.requests))]
        good = [answer for answer in answers if not isinstance(answer, Broken)]
        if len(good) == len(answers):
            ticket.done.set_result(good)
        else:
            ticket.done.set_exception(Problem(500, "this text could not be translated"))
