"""Clients of a server, for `bench/serve.py`: as cheap as can be, since they share the cores with it."""

import asyncio
import itertools
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

HEAD = b"POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: "
LENGTH = re.compile(rb"content-length: (\d+)")
BROKEN = 0
CONNECTIONS = 600
RECOVERY_SECONDS, GOOD_ANSWERS, SLOW = 30, 3, 5


@dataclass
class Record:
    """What became of requests: the seconds that each took, by status; 0 is a connection that broke.

    unsent
        Requests for which there was no connection left.
    """

    seconds: dict[int, list[float]] = field(default_factory=dict)
    unsent: int = 0

    def add(self, status: int, seconds: float) -> None:
        """Count one."""
        self.seconds.setdefault(status, []).append(seconds)

    def of(self, status: int) -> list[float]:
        """Return the times of one status."""
        return self.seconds.get(status, [])

    def count_others(self, *expected: int) -> int:
        """Return how many had a status that is none of these."""
        return sum(len(times) for status, times in self.seconds.items() if status not in expected)


class Client(asyncio.Protocol):
    """One connection that is kept open, and no more than HTTP needs."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self._received = b""
        self._answer: asyncio.Future[int] | None = None

    async def translate(self, body: bytes) -> int:
        """Ask, read the answer, and return its status."""
        return await self._ask(b"%s%d\r\n\r\n%s" % (HEAD, len(body), body))

    async def is_ready(self) -> bool:
        """Tell whether the server is."""
        return await self._ask(b"GET /health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n") == 200

    async def _ask(self, request: bytes) -> int:
        loop = asyncio.get_running_loop()
        if self._transport is None:
            try:
                self._transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self._port)
            except OSError:
                return BROKEN
        self._answer = loop.create_future()
        self._transport.write(request)
        return await self._answer

    def data_received(self, data: bytes) -> None:
        """Look whether the answer is complete."""
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        length = LENGTH.search(head) if end else None
        if length is not None and len(body) >= int(length[1]):
            self._finish(int(head[9:12]))

    def connection_lost(self, _error: Exception | None) -> None:
        """Connect again when there is something to ask."""
        self._transport = None
        self._finish(BROKEN)

    def _finish(self, status: int) -> None:
        self._received, answer, self._answer = b"", self._answer, None
        if answer is not None and not answer.done():
            answer.set_result(status)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def ask_side_by_side(port: int, bodies: Sequence[bytes], count: int, seconds: float) -> Record:
    """Let so many clients ask one request after the other for a time."""
    record, shared, until = Record(), itertools.cycle(bodies), time.monotonic() + seconds

    async def be_client() -> None:
        client = Client(port)
        while time.monotonic() < until:
            began = time.perf_counter()
            record.add(await client.translate(next(shared)), time.perf_counter() - began)
        client.close()

    await asyncio.gather(*(be_client() for _ in range(count)))
    return record


async def ask_as_they_come(port: int, bodies: Iterator[bytes], rate: float, seconds: float) -> Record:
    """Send so many requests a second, whatever becomes of those before."""
    record, free = Record(), [Client(port) for _ in range(CONNECTIONS)]
    tasks: set[asyncio.Task[None]] = set()

    async def ask(client: Client) -> None:
        began = time.perf_counter()
        record.add(await client.translate(next(bodies)), time.perf_counter() - began)
        free.append(client)

    began = time.monotonic()
    for number in itertools.count():
        await asyncio.sleep(max(began + number / rate - time.monotonic(), 0))
        if time.monotonic() - began > seconds:
            break
        if not free:
            record.unsent += 1
            continue
        task = asyncio.create_task(ask(free.pop()))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    for client in free:
        client.close()
    return record


async def wait_for_recovery(port: int, body: bytes, usual: float) -> float:
    """Return the seconds until requests are answered again, some in a row, and not much slower than usual."""
    began, client, good = time.monotonic(), Client(port), 0
    while time.monotonic() - began < RECOVERY_SECONDS and good < GOOD_ANSWERS:
        asked = time.perf_counter()
        status = await client.translate(body)
        good = good + 1 if status == 200 and time.perf_counter() - asked < SLOW * usual else 0
        await asyncio.sleep(0.0 if good else 0.05)
    client.close()
    return time.monotonic() - began


async def wait_until_ready(port: int) -> None:
    """Return when the server is ready."""
    client = Client(port)
    while not await client.is_ready():
        await asyncio.sleep(0.01)
    client.close()
