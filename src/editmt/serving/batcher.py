"""Concurrent requests become batches: a bounded queue, and threads that decode whatever waits.

The event loop never decodes and a decoding thread never answers, so a slow batch blocks nobody's health
check.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence

from editmt.decoding.request import Request
from editmt.serving.metrics import Metrics
from editmt.serving.problems import Problem, report
from editmt.serving.settings import BatchLimits
from editmt.serving.waiting import Answer, Broken, Item, Ticket, Waiting

Translate = Callable[[Sequence[Request]], Sequence[Answer]]

log = logging.getLogger(__name__)


class Batcher:
    """Takes requests on the event loop, and has them decoded in batches on threads of its own."""

    def __init__(self, translate: Translate, limits: BatchLimits, metrics: Metrics) -> None:
        self._translate, self._limits, self._metrics = translate, limits, metrics
        self._waiting = Waiting(limits)
        self._changed = threading.Condition()
        self._stopping = False
        self._free = 0  # threads that have nothing to decode
        self._texts_a_second = 0.0  # of one thread
        self._threads = [
            threading.Thread(target=self._run, name=f"decoding-{number}", daemon=True)
            for number in range(limits.threads)
        ]
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to decode; to be called on the event loop."""
        self._loop = asyncio.get_running_loop()
        for thread in self._threads:
            thread.start()

    async def stop(self) -> None:
        """Decode what waits, and end."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

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
        return self._texts_a_second * len(self._threads)

    async def submit(self, requests: Sequence[Request]) -> list[Answer]:
        """Return an answer for each request, or raise a `Problem`: the queue is full, or it took too long."""
        if not requests:
            return []
        ticket = Ticket(requests, asyncio.get_running_loop().create_future(), time.monotonic())
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
        with self._changed:
            if self._stopping:
                raise Problem(503, "the server is shutting down", 1)
            if self._waiting and (self.full or not self._waiting.has_room(ticket.requests)):
                raise self.refuse()
            self._waiting.enter(ticket)
            self._metrics.waiting.set(self._waiting.texts)
            self._changed.notify()

    def _leave(self, ticket: Ticket) -> None:
        with self._changed:
            self._waiting.leave(ticket)
            self._metrics.waiting.set(self._waiting.texts)

    def _run(self) -> None:
        while batch := self._take():
            started = time.monotonic()
            answers = self._decode([item.request for item in batch])
            self._measure(len(batch), time.monotonic() - started)
            for item, answer in zip(batch, answers, strict=True):
                item.ticket.answers[item.number] = answer
            assert self._loop is not None
            self._loop.call_soon_threadsafe(_deliver, list(dict.fromkeys(item.ticket for item in batch)))

    def _measure(self, texts: int, seconds: float) -> None:
        rate = texts / max(seconds, 1e-6)
        with self._changed:
            self._texts_a_second = 0.8 * self._texts_a_second + 0.2 * rate if self._texts_a_second else rate
        self._metrics.batch_texts.observe(texts)
        self._metrics.batch_seconds.observe(seconds)

    def _take(self) -> list[Item]:
        """Wait for texts, and for a moment for more; return none when there will be none any more."""
        with self._changed:
            batch: list[Item] = []
            self._free += 1
            while not batch:
                while not self._waiting and not self._stopping:
                    self._changed.wait()
                if not self._waiting:
                    break
                self._wait_for_more()
                batch = self._waiting.take(self._free)  # none, if all have left or were taken meanwhile
            self._free -= 1
            self._metrics.waiting.set(self._waiting.texts)
            if self._waiting.planned:
                self._changed.notify()
            return batch

    def _wait_for_more(self) -> None:
        while self._waiting and not self._waiting.planned and not self._stopping:
            left = self._waiting.first_arrival + self._limits.wait_ms / 1000 - time.monotonic()
            if left <= 0 or self._waiting.texts >= self._limits.texts:
                return
            self._changed.wait(left)

    def _decode(self, requests: Sequence[Request]) -> Sequence[Answer | Broken]:
        """Decode the batch; if that breaks, one text after the other, so that only the culprit's breaks."""
        try:
            return self._translate(requests)
        except Exception as error:  # whatever it is: the thread must live on
            report(error, log)
            if len(requests) == 1:
                return [Broken()]
            return [answer for request in requests for answer in self._decode([request])]


def _deliver(tickets: Sequence[Ticket]) -> None:
    """Answer those that have all their answers, if they still wait."""
    for ticket in tickets:
        if ticket.done.done() or len(ticket.answers) < len(ticket.requests):
            continue
        answers = [ticket.answers[number] for number in range(len(ticket.requests))]
        good = [answer for answer in answers if not isinstance(answer, Broken)]
        if len(good) == len(answers):
            ticket.done.set_result(good)
        else:
            ticket.done.set_exception(Problem(500, "this text could not be translated"))
