"""Processes that decode for a server, so that what the server does in Python holds none of them up.

As threads of the server they waited for Python's lock after every graph that they ran: two of them and the
event loop kept 1.5 of two cores busy.
"""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from editmt.errors import EditMTError
from editmt.serving.frames import LENGTH, pack, read, unpack

if TYPE_CHECKING:  # the processes are started before any of this is imported
    from collections.abc import Sequence

    from editmt.serving.answers import Answer, Question

END_SECONDS = 5.0


class Decoders:
    """An `Engine`: each batch gets a process to itself."""

    def __init__(self, model: Path | None, *, processes: int, threads: int) -> None:
        self.processes = [DecodingProcess(model, threads) for _ in range(processes)]
        self._free = [*self.processes]

    def wait(self) -> Self:
        """Return when all have loaded the model, or raise the `EditMTError` that says why not."""
        for process in self.processes:
            process.wait()
        return self

    async def translate(self, questions: "Sequence[Question]") -> "Sequence[Answer]":
        """Translate requests, and return the answers in order; so many at a time as there are processes.

        Whatever a process died of, the next is asked once more: it may have been told to, or had no memory.
        """
        process = self._free.pop()
        try:
            try:
                return await process.translate(questions)
            except Died:
                return await process.translate(questions)
        finally:
            self._free.append(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.hang_up()
        for process in self.processes:
            process.wait_for_end()


class Died(RuntimeError):  # noqa: N818 - it happens
    """A process ended while it was to decode."""


class DecodingProcess:
    """One process, and its socket; when it dies it is started again."""

    def __init__(self, model: Path | None, threads: int) -> None:
        self._arguments = [str(threads), *([] if model is None else [str(model)])]
        self._start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def _start(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._ready = False
        with theirs:
            command = [sys.executable, "-m", "editmt.serving.decoding_process", str(theirs.fileno())]
            self._process = subprocess.Popen(
                [*command, *self._arguments],
                pass_fds=[theirs.fileno()],
                process_group=0,  # whoever interrupts the server does not interrupt what it waits for
            )

    def wait(self) -> None:
        """Return when the model is loaded; before there is an event loop."""
        with self._socket.makefile("rb") as stream:
            try:
                self._hear(read(stream))
            except EOFError:
                raise EditMTError("a process that was to load the model has died") from None

    async def translate(self, questions: "Sequence[Question]") -> "Sequence[Answer]":
        """Return the answers; if it dies, start it again, and raise `Died`."""
        try:
            self._socket.setblocking(False)
            if not self._ready:
                self._hear(await _receive(self._socket))
            await _send(self._socket, list(questions))
            answers: list[Answer] | None = await _receive(self._socket)
        except (EOFError, OSError):
            self._start_again()
            raise Died from None
        if answers is None:
            raise RuntimeError("a process that decodes has broken down on these")
        return answers

    def _hear(self, said: EditMTError | None) -> None:
        if said is not None:
            raise said
        self._ready = True

    def _start_again(self) -> None:
        self.hang_up()
        self._process.kill()
        self._process.wait()
        self._start()

    def hang_up(self) -> None:
        """Let it end."""
        self._socket.close()

    def wait_for_end(self) -> None:
        """Return when it has ended, and make it if it does not."""
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


async def _send(connection: socket.socket, value: object) -> None:
    """Send a value on the event loop."""
    await asyncio.get_running_loop().sock_sendall(connection, pack(value))


async def _receive(connection: socket.socket) -> Any:
    """Read a value on the event loop, or raise an `EOFError`."""
    (length,) = LENGTH.unpack(await _receive_bytes(connection, LENGTH.size))
    return unpack(await _receive_bytes(connection, length))


async def _receive_bytes(connection: socket.socket, size: int) -> bytearray:
    content = bytearray(size)
    left = memoryview(content)
    while left:
        count = await asyncio.get_running_loop().sock_recv_into(connection, left)
        if not count:
            raise EOFError
        left = left[count:]
    return content
