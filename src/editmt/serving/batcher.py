"""Concurrent requests become batches: a bounded queue, and as many batches at a time as can be decoded.

All of it runs on the event loop, which never decodes: a slow batch blocks nobody's health check.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from editmt.decoding.request import Request
from editmt.serving.answers import Answer, Question
from editmt.serving.metrics import Metrics
from editmt.serving.problems import Problem
from editmt.serving.reports import report
from editmt.serving.settings import BatchLimits
from editmt.serving.waiting import Broken, Count, Item, Ticket, Waiting

Translate = Callable[[Sequence[Question]], Awaitable[Sequence[Answer]]]

log = logging.getLogger(__name__)


class Batcher:
    """Takes requests, and has them decoded in batches."""

    def __init__(self, translate: Translate, count: Count, limits: BatchLimits, metrics: Metrics) -> None:
        self._translate, self._limits, self._metrics = translate, limits, metrics
        self._count, self._waiting = count, Waiting(limits)
        self._tasks: set[asyncio.Task[None]] = set()
        self._free = limits.at_once
        self._alarm: asyncio.TimerHandle | None = None
        self._stopping = False
        self._texts_a_second = 0.0  # of one batch at a time

    async def stop(self) -> None:
        """Decode what waits, and end."""
        self._stopping = True
        self._begin()
        while self._tasks:
            await asyncio.wait(self._tasks)

    @property
    def full(self) -> bool:
        """Whether one more text would be refused: there is no room, or it would wait too long."""
        late = self._waiting.texts > self._rate * self._limits.seconds / 2 > 0
        return self._waiting.texts >= self._limits.waiting_texts or late

    @property
    def retry_after(self) -> float:
        """Seconds until what waits now will have been decoded, as far as one can tell."""
        return self._waiting.texts / self._rate if self._rate else 1.0

    @property
    def _rate(self) -> float:
        return self._texts_a_second * self._limits.at_once

    async def submit(self, requests: Sequence[Request], *, trace: bool = False) -> list[Answer]:
        """Return an answer for each request, or raise a `Problem`: the queue is full, or it took too long."""
        if not requests:
            return []
        ticket = Ticket(
            [Question(request, trace) for request in requests],
            [self._count(request) for request in requests],
            asyncio.get_running_loop().create_future(),
            time.monotonic(),
        )
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

    def _enter(self, ticket: Ticket) -> None:
        if self._stopping:
            raise Problem(503, "the server is shutting down", 1)
        if self._waiting and (self.full or not self._waiting.has_room(ticket.questions)):
            raise self.refuse()
        self._waiting.enter(ticket)
        self._begin()

    def _leave(self, ticket: Ticket) -> None:
        self._waiting.leave(ticket)
        self._metrics.waiting.set(self._waiting.texts)

    def _begin(self) -> None:
        """Begin to decode what waits, as far as there is room, and more need not be waited for."""
        while self._waiting and self._free:
            left = self._seconds_to_wait()
            if left > 0:
                self._come_again(left)
                break
            task = asyncio.get_running_loop().create_task(self._run(self._waiting.take(self._free)))
            self._free -= 1
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._metrics.waiting.set(self._waiting.texts)

    def _seconds_to_wait(self) -> float:
        """Return how long the first of what waits may wait for others."""
        if self._waiting.planned or self._stopping or self._waiting.texts >= self._limits.texts:
            return 0.0
        return self._waiting.first_arrival + self._limits.wait_ms / 1000 - time.monotonic()

    def _come_again(self, seconds: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().call_later(seconds, self._begin)

    async def _run(self, batch: Sequence[Item]) -> None:
        started = time.monotonic()
        answers = await self._decode([item.question for item in batch])
        self._measure(len(batch), time.monotonic() - started)
        self._free += 1
        self._begin()  # before these are answered, which takes a while
        for item, answer in zip(batch, answers, strict=True):
            item.ticket.answers[item.number] = answer
        _deliver(list(dict.fromkeys(item.ticket for item in batch)))

    def _measure(self, texts: int, seconds: float) -> None:
        rate = texts / max(seconds, 1e-6)
        self._texts_a_second = 0.8 * self._texts_a_second + 0.2 * rate if self._texts_a_second else rate
        self._metrics.batch_texts.observe(texts)
        self._metrics.batch_seconds.observe(seconds)

    async def _decode(self, questions: Sequence[Question]) -> Sequence[Answer | Broken]:
        """Decode the batch; if that breaks, one text after the other, so that only the culprit's breaks."""
        try:
            return await self._translate(questions)
        except Exception as error:  # whatever it is: the server must live on
            report(error, log)
            if len(questions) == 1:
                return [Broken()]
            return [answer for question in questions for answer in await self._decode([question])]


def _deliver(tickets: Sequence[Ticket]) -> None:
    """Answer those that have all their answers, if they still wait."""
    for ticket in tickets:
        if ticket.done.done() or len(ticket.answers) < len(ticket.questions):
            continue
        answers = [ticket.answers[number] for number in range(len(ticket.questions))]
        good = [answer for answer in answers if not isinstance(answer, Broken)]
        if len(good) == len(answers):
            ticket.done.set_result(good)
        else:
            ticket.done.set_exception(Problem(500, "this text could not be translated"))
