"""Reading aligned text files: one sentence a line, UTF-8, checked before anything is made of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import hash_file

BYTE_ORDER_MARK = "\ufeff"
CHUNK_LINES = 1000

Chunk: TypeAlias = tuple[list[str], list[str]]
"""Some source sentences and their translations."""


@dataclass(frozen=True)
class AlignedFiles:
    """Two text files whose n-th lines are translations of each other, or should be."""

    source: Path
    target: Path

    def count(self) -> int:
        """Read both files to the end and return their common number of lines."""
        source_count, target_count = count_lines(self.source), count_lines(self.target)
        if source_count != target_count:
            raise InputError(
                f"unequal line counts: {self.source} has {source_count:,} lines, "
                f"{self.target} has {target_count:,}"
            )
        if source_count == 0:
            raise InputError(f"{self.source}: the corpus is empty")
        return source_count

    def chunks(self) -> Iterator[Chunk]:
        """Yield the pairs in order, some at a time."""
        source, target = read_lines(self.source), read_lines(self.target)
        while lines := list(islice(source, CHUNK_LINES)):
            yield lines, list(islice(target, CHUNK_LINES))

    def sample(self, size: int, line_count: int, seed: int) -> Chunk:
        """Return `size` pairs drawn at random, in their order; all of them if there are no more."""
        if size >= line_count:
            return list(read_lines(self.source)), list(read_lines(self.target))
        drawn = np.random.default_rng(seed).choice(line_count, size, replace=False, shuffle=False)
        wanted = np.zeros(line_count, dtype=np.bool_)
        wanted[drawn] = True
        source, target = (
            [line for line, keep in zip(read_lines(path), wanted, strict=True) if keep]
            for path in (self.source, self.target)
        )
        return source, target

    def describe(self) -> JsonObject:
        """Return the names and SHA-256 of both files."""
        return {
            side: {"file": str(path), "sha256": hash_file(path)}
            for side, path in (("source", self.source), ("target", self.target))
        }


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file without their ends (LF or CRLF) and without a byte order mark at the start.

    Only LF ends a line: U+2028 and its like are text.
    """
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                try:
                    line = raw.decode("utf-8")
                except UnicodeDecodeError as error:
                    raise InputError(
                        f"{path}: line {number}: not valid UTF-8 (byte {error.start + 1})"
                    ) from None
                line = line.removesuffix("\n").removesuffix("\r")
                yield line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def count_lines(path: Path) -> int:
    """Return the number of lines of a file, all of them being valid UTF-8."""
    return sum(1 for _ in read_lines(path))
