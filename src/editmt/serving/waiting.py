"""What waits to be decoded, and which of it is decoded together."""

import asyncio
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from editmt.data.texts import Texts
from editmt.decoding.request import Request
from editmt.errors import InputError
from editmt.serving.answers import Answer, Question
from editmt.serving.settings import BatchLimits
from editmt.text import BOUNDARIES, TextPipeline
from editmt.text.subwords import SentencePiecePipeline

Count: TypeAlias = Callable[[Request], int]

QUICK = SentencePiecePipeline
"""The pipeline that is quick enough to count tokens with; of others' texts the characters are counted."""

MOST_CHARACTERS = 2_000
"""Of a text whose tokens are counted; no model has room for more."""

CHARACTERS = 3
"""Of a token, about."""


class Broken(Exception):  # noqa: N818 - what came of a text, beside `Answer`
    """The engine raised something that no request should make it raise."""


@dataclass(eq=False)
class Ticket:
    """The texts of one request, and those of their answers that are there."""

    questions: Sequence[Question]
    tokens: Sequence[int]  # of each of them
    done: asyncio.Future[list[Answer]]
    arrived: float
    answers: dict[int, Answer | Broken] = field(default_factory=dict)
    next: int = 0  # the first text that has not had its turn


class Item(NamedTuple):
    """One text of a ticket."""

    ticket: Ticket
    number: int

    @property
    def question(self) -> Question:
        """What is asked for."""
        return self.ticket.questions[self.number]

    @property
    def tokens(self) -> int:
        """How long it is."""
        return self.ticket.tokens[self.number]


class Waiting:
    """Tickets take turns, a text at a time: fifty texts of one client do not stand before one of another.

    Those whose turn it is become batches of texts of a length: without that a fifth of the work was for
    padding. The batches take about as long as each other: where all had as many texts, the slowest answers
    took 1.8 times as long as the mean, and 1.4 times so.
    """

    def __init__(self, limits: BatchLimits) -> None:
        self._limits = limits
        self._tickets: deque[Ticket] = deque()
        self._planned: deque[list[Item]] = deque()
        self.texts = self.characters = 0

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return self.texts > 0

    @property
    def planned(self) -> bool:
        """Whether there is a batch that waits for nothing but its turn."""
        return bool(self._planned)

    @property
    def first_arrival(self) -> float:
        """When the first of what is not planned came."""
        return self._tickets[0].arrived

    def has_room(self, questions: Sequence[Question]) -> bool:
        """Tell whether so many more may wait; alone, any may."""
        crowded = self.texts + len(questions) > self._limits.waiting_texts
        heavy = self.characters + sum(map(weigh, questions)) > self._limits.waiting_characters
        return not self.texts or not (crowded or heavy)

    def enter(self, ticket: Ticket) -> None:
        """Stand in the queue."""
        self.texts += len(ticket.questions)
        self.characters += sum(map(weigh, ticket.questions))
        self._tickets.append(ticket)

    def leave(self, ticket: Ticket) -> None:
        """Make room for others."""
        left = [Item(ticket, number) for number in range(ticket.next, len(ticket.questions))]
        if ticket in self._tickets:
            self._tickets.remove(ticket)
        plans, self._planned = self._planned, deque()
        for plan in plans:
            left += [item for item in plan if item.ticket is ticket]
            if kept := [item for item in plan if item.ticket is not ticket]:
                self._planned.append(kept)
        self._count_out(left)

    def take(self, free: int) -> list[Item]:
        """Return the next batch; if it has to be planned first, there is one for each that is free."""
        if not self._planned:
            self._plan(free)
        batch = self._planned.popleft()
        self._count_out(batch)
        return batch

    def _plan(self, free: int) -> None:
        """Put those whose turn it is into batches, and the one with the first of them first."""
        items = sorted(self._take_turns(), key=lambda item: item.tokens)
        batches = list(self._cut(items))
        if len(batches) < min(free, len(items)):
            size = math.ceil(len(items) / free)
            batches = [items[start : start + size] for start in range(0, len(items), size)]
        batches.sort(key=lambda batch: min(item.ticket.arrived for item in batch))
        self._planned.extend(batches)

    def _cut(self, items: Sequence[Item]) -> Iterator[list[Item]]:
        """Cut items that are sorted by length into batches of about the same work, padding included."""
        batch: list[Item] = []
        for item in items:
            if batch and (len(batch) + 1) * (item.tokens + BOUNDARIES) > self._limits.tokens:
                yield batch
                batch = []
            batch.append(item)
        yield batch

    def _take_turns(self) -> list[Item]:
        """Take a text of each ticket in turn, as many as are planned together."""
        items: list[Item] = []
        while self._tickets and len(items) < self._limits.texts:
            ticket = self._tickets.popleft()
            items.append(Item(ticket, ticket.next))
            ticket.next += 1
            if ticket.next < len(ticket.questions):
                self._tickets.append(ticket)
        return items

    def _count_out(self, items: Sequence[Item]) -> None:
        self.texts -= len(items)
        self.characters -= sum(weigh(item.question) for item in items)


def weigh(question: Question) -> int:
    """Return how many characters there are to keep."""
    return len(question.request.source) + len(question.request.draft or "")


def counter_of(texts: Texts) -> Count:
    """Return what counts the tokens of a request, or guesses where that would take long."""

    def count(request: Request) -> int:
        draft = _count(request.draft, texts.target) if request.draft else 0
        return max(_count(request.source, texts.source), draft)

    return count


def _count(text: str, pipeline: TextPipeline) -> int:
    if not isinstance(pipeline, QUICK) or len(text) > MOST_CHARACTERS:
        return len(text) // CHARACTERS
    try:
        return len(pipeline.encode(text))
    except InputError:  # who decodes it will say so
        return 0
