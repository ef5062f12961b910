"""Processes that decode for a server, so that what the server does in Python holds none of them up.

As threads of the server they waited for Python's lock after every graph that they ran: two of them and the
event loop kept 1.5 of two cores busy.
"""

import socket
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Self

from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.decoding.loading import find_folder
from editmt.decoding.request import Request
from editmt.errors import EditMTError
from editmt.serving.waiting import Answer

END_SECONDS = 5.0


class Decoders:
    """An `Engine`: each thread that calls it gets a process to itself while it waits for the answers."""

    def __init__(self, model: Path | None, *, processes: int, threads: int) -> None:
        self.processes = [DecodingProcess(model, threads) for _ in range(processes)]
        self.texts: Texts = open_texts(find_folder(model) / TEXT_FOLDER)
        self._free: SimpleQueue[DecodingProcess] = SimpleQueue()
        for process in self.processes:
            self._free.put(process)

    def wait(self) -> Self:
        """Return when all have loaded the model, or raise the `EditMTError` that says why not."""
        for process in self.processes:
            process.wait()
        return self

    def translate_all(self, requests: Sequence[Request]) -> Sequence[Answer]:
        """Translate requests, and return the answers in order."""
        process = self._free.get()
        try:
            return process.translate(requests)
        finally:
            self._free.put(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.end()


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
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-m", "editmt.serving.decoding_process", str(theirs.fileno())]
            self._process = subprocess.Popen(
                [*command, *self._arguments],
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # whoever interrupts the server does not interrupt what it waits for
            )
        self._connection = Connection(ours.detach())
        self._ready = False

    def wait(self) -> None:
        """Return when the model is loaded."""
        if not self._ready:
            said = self._connection.recv()
            if isinstance(said, EditMTError):
                raise said
            self._ready = True

    def translate(self, requests: Sequence[Request]) -> Sequence[Answer]:
        """Return the answers; if the process breaks down on these requests, raise a `RuntimeError`."""
        try:
            self.wait()
            self._connection.send(list(requests))
            answers: list[Answer] | None = self._connection.recv()
        except (EOFError, OSError):
            self.end()
            self._start()
            raise RuntimeError("a process that decodes has died") from None
        if answers is None:
            raise RuntimeError("a process that decodes has broken down on these")
        return answers

    def end(self) -> None:
        """Let it end, or make it."""
        self._connection.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
