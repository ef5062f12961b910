"""What waits to be decoded, and which of it is decoded together. No threads here: `Batcher` has a lock."""

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.errors import InputError
from editmt.serving.settings import BatchLimits

Answer = Translation | InputError
SORTED_BATCHES = 4
"""So many batches of what waits are sorted by length: more have less padding, and come less in their turn."""


class Broken(Exception):  # noqa: N818 - what came of a text, beside `Answer`
    """The engine raised something that no request should make it raise."""


@dataclass(eq=False)
class Ticket:
    """The texts of one request, and those of their answers that are there."""

    requests: Sequence[Request]
    done: asyncio.Future[list[Answer]]
    arrived: float
    answers: dict[int, Answer | Broken] = field(default_factory=dict)
    next: int = 0  # the first text that has not had its turn


class Item(NamedTuple):
    """One text of a ticket."""

    ticket: Ticket
    number: int

    @property
    def request(self) -> Request:
        """What is asked for."""
        return self.ticket.requests[self.number]

    @property
    def weight(self) -> int:
        """How many characters it has."""
        return weigh(self.request)


class Waiting:
    """Tickets take turns, a text at a time: fifty texts of one client do not stand before one of another.

    Those whose turn it is become batches of texts of a length, which padding would not: with 16 at a time,
    in no order, a fifth of the work was for padding.
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
        """Whether there is a batch that waits for nothing but a thread."""
        return bool(self._planned)

    @property
    def first_arrival(self) -> float:
        """When the first of what is not planned came."""
        return self._tickets[0].arrived

    def has_room(self, requests: Sequence[Request]) -> bool:
        """Tell whether so many more may wait; alone, any may."""
        crowded = self.texts + len(requests) > self._limits.waiting_texts
        heavy = self.characters + sum(map(weigh, requests)) > self._limits.waiting_characters
        return not self.texts or not (crowded or heavy)

    def enter(self, ticket: Ticket) -> None:
        """Stand in the queue."""
        self.texts += len(ticket.requests)
        self.characters += sum(map(weigh, ticket.requests))
        self._tickets.append(ticket)

    def leave(self, ticket: Ticket) -> None:
        """Make room for others."""
        left = [Item(ticket, number) for number in range(ticket.next, len(ticket.requests))]
        if ticket in self._tickets:
            self._tickets.remove(ticket)
        plans, self._planned = self._planned, deque()
        for plan in plans:
            left += [item for item in plan if item.ticket is ticket]
            if kept := [item for item in plan if item.ticket is not ticket]:
                self._planned.append(kept)
        self._count_out(left)

    def take(self, threads: int) -> list[Item]:
        """Return the next batch; if it has to be planned first, there is one for each of the free threads."""
        if not self._planned:
            self._plan(threads)
        batch = self._planned.popleft() if self._planned else []
        self._count_out(batch)
        return batch

    def _plan(self, threads: int) -> None:
        items = sorted(self._take_turns(), key=lambda item: item.weight)
        if not items:
            return
        count = max(math.ceil(len(items) / self._limits.texts), min(threads, len(items)))
        size, batch, characters = math.ceil(len(items) / count), list[Item](), 0
        for item in items:
            if batch and (len(batch) == size or characters + item.weight > self._limits.characters):
                self._planned.append(batch)
                batch, characters = [], 0
            batch.append(item)
            characters += item.weight
        self._planned.append(batch)

    def _take_turns(self) -> list[Item]:
        """Take a text of each ticket in turn, as many as are sorted together: whole batches, if there are."""
        items: list[Item] = []
        room = SORTED_BATCHES * self._limits.characters
        batches = max(1, min(SORTED_BATCHES, self.texts // self._limits.texts))
        while self._tickets and len(items) < batches * self._limits.texts:
            ticket = self._tickets[0]
            item = Item(ticket, ticket.next)
            room -= item.weight
            if items and room < 0:
                break
            items.append(item)
            ticket.next += 1
            self._tickets.popleft()
            if ticket.next < len(ticket.requests):
                self._tickets.append(ticket)
        return items

    def _count_out(self, items: Sequence[Item]) -> None:
        self.texts -= len(items)
        self.characters -= sum(item.weight for item in items)


def weigh(request: Request) -> int:
    """Return how many characters there are to read."""
    return len(request.source) + len(request.draft or "")
