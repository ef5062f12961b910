"""Text to ids on many cores: chunks of lines go out, arrays of ids come back, in order."""

import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import wait
from pathlib import Path

from editmt.data.filters import LengthFilter
from editmt.data.lines import Chunk
from editmt.data.pairs import Sentences, join_sentences
from editmt.data.texts import Texts, open_texts
from editmt.errors import EditMTError

AHEAD = 2
"""Chunks under way for each process: enough to keep it busy, and no more in memory than that."""


@dataclass(frozen=True, eq=False)
class EncodedChunk:
    """The pairs of a chunk that were kept, and how many were not, by reason."""

    source: Sentences
    target: Sentences
    dropped: Counter[str]
    read: int


@dataclass(frozen=True, eq=False)
class Encoder:
    """Turns a chunk of text into ids and leaves out what the filter objects to, if there is one."""

    texts: Texts
    filter: LengthFilter | None

    def encode(self, chunk: Chunk) -> EncodedChunk:
        """Return the ids of the pairs that stay."""
        source, target, dropped = [], [], Counter[str]()
        for source_line, target_line in zip(*chunk, strict=True):
            source_ids, target_ids = (
                self.texts.source.encode(source_line),
                self.texts.target.encode(target_line),
            )
            objection = self.filter and self.filter.objection(len(source_ids), len(target_ids))
            if objection:
                dropped[objection] += 1
                continue
            source.append(source_ids)
            target.append(target_ids)
        return EncodedChunk(join_sentences(source), join_sentences(target), dropped, len(chunk[0]))


def encode_chunks(
    chunks: Iterable[Chunk], text_folder: Path, length_filter: LengthFilter | None, *, workers: int
) -> Iterator[EncodedChunk]:
    """Encode chunks with the pipelines saved in a folder, on `workers` processes (1: in this one)."""
    if workers == 1:
        yield from map(Encoder(open_texts(text_folder), length_filter).encode, chunks)
        return
    # Spawned, not forked: a progress bar's thread runs here, and a fork could copy its locks.
    pool = ProcessPoolExecutor(
        workers, get_context("spawn"), initializer=_start, initargs=(text_folder, length_filter)
    )
    try:
        yield from _in_order(pool, chunks, ahead=workers * AHEAD)
    except BrokenProcessPool:
        raise EditMTError("a process that encodes text was killed; is there too little memory?") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ProcessPoolExecutor, chunks: Iterable[Chunk], *, ahead: int) -> Iterator[EncodedChunk]:
    """Yield results in the order of the chunks, never having more than `ahead` of them under way."""
    waiting: deque[Future[EncodedChunk]] = deque()
    for chunk in chunks:
        if len(waiting) == ahead:
            yield waiting.popleft().result()
        with _holding_interrupts():
            waiting.append(pool.submit(_encode, chunk))
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def _holding_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started: they inherit that, and only the parent answers it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # when it starts, it lets signals through again
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


_encoder: Encoder
"""A worker's own; a process is the one place where a global is what it says."""


def _start(text_folder: Path, length_filter: LengthFilter | None) -> None:
    global _encoder  # noqa: PLW0603
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    _encoder = Encoder(open_texts(text_folder), length_filter)


def _encode(chunk: Chunk) -> EncodedChunk:
    return _encoder.encode(chunk)


def _die_with_parent() -> None:
    """End this process when the parent is killed; it would wait for more work forever."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
