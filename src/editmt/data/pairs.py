"""Sentence pairs as ids on disk: written as a stream, read as memory maps.

A set called `train` is five files: `train.{source,target}.{ids,offsets}.npy` and the manifest `train.json`,
which is written last; without it there is no set.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.errors import InputError
from editmt.storage import check_files, describe_files, read_manifest, write_json

Ids: TypeAlias = npt.NDArray[Any]
"""Ids in the narrowest type that holds the vocabulary: uint16 or uint32."""

Integers: TypeAlias = npt.NDArray[np.int64]
SIDES = ("source", "target")
PARTS = ("ids", "offsets")


@dataclass(frozen=True, eq=False)
class Sentences:
    """Many sentences as one array of ids and the places where they begin (and the last one ends)."""

    ids: Ids
    offsets: Integers

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Ids:
        if not 0 <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        return self.ids[self.offsets[index] : self.offsets[index + 1]]

    @property
    def lengths(self) -> Integers:
        """The number of ids of each sentence: (N,)."""
        return np.diff(self.offsets)


@dataclass(frozen=True, eq=False)
class PairSet:
    """A set of sentence pairs in memory-mapped files; ids without `<s>` and `</s>`.

    Processes that open the same set share its memory; sent to another process, it is opened anew there.
    """

    folder: Path
    name: str
    _source: Sentences
    _target: Sentences

    @classmethod
    def open(cls, folder: Path, name: str, *, checksums: bool = True) -> Self:
        """Open the set `name` of a folder; a damaged file is an `InputError` that names it.

        Sizes are always checked. SHA-256 takes 0.06 s for 200,000 pairs, and a second or two for millions:
        processes that open what another one has just checked may do without.
        """
        path = folder / f"{name}.json"
        manifest = read_manifest(path)
        check_files(folder, manifest["files"], checksums=checksums)
        sides = [Sentences(*(_map(_file(folder, name, side, part)) for part in PARTS)) for side in SIDES]
        if any(len(side) != manifest.get("pairs") or side.offsets[-1] != len(side.ids) for side in sides):
            raise InputError(f"{path}: damaged: its files do not hold {manifest.get('pairs')} pairs")
        return cls(folder, name, *sides)

    def __len__(self) -> int:
        return len(self._source)

    def source(self, index: int) -> Ids:
        """Return the ids of one source sentence, a view of the file."""
        return self._source[index]

    def target(self, index: int) -> Ids:
        """Return the ids of one target sentence, a view of the file."""
        return self._target[index]

    @cached_property
    def lengths(self) -> Integers:
        """Source and target length of each pair, without the boundary symbols: (N, 2)."""
        return np.stack([self._source.lengths, self._target.lengths], axis=1)

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self.folder, self.name)


class PairWriter:
    """Writes a set as its pairs come, in constant memory; made by `write_pairs`."""

    def __init__(self, folder: Path, name: str, vocabulary_sizes: tuple[int, int]) -> None:
        self._streams = [
            (
                _ArrayStream(_beside(_file(folder, name, side, "ids")), narrowest_type(size)),
                _ArrayStream(_beside(_file(folder, name, side, "offsets")), np.dtype(np.int64)),
            )
            for side, size in zip(SIDES, vocabulary_sizes, strict=True)
        ]
        for _, offsets in self._streams:
            offsets.append(np.zeros(1, dtype=np.int64))

    def add(self, source: Sentences, target: Sentences) -> None:
        """Append pairs, the i-th source sentence with the i-th target sentence."""
        if len(source) != len(target):
            raise ValueError(f"{len(source)} source sentences and {len(target)} target sentences")
        for (ids, offsets), side in zip(self._streams, (source, target), strict=True):
            offsets.append(side.offsets[1:] - side.offsets[0] + ids.length)
            ids.append(side.ids[side.offsets[0] : side.offsets[-1]])

    @property
    def pairs(self) -> int:
        """How many pairs were added so far."""
        return self._streams[0][1].length - 1

    def close(self) -> None:
        """Write the headers, now that the lengths are known."""
        for stream in (stream for side in self._streams for stream in side):
            stream.close()


@contextmanager
def write_pairs(folder: Path, name: str, vocabulary_sizes: tuple[int, int]) -> Iterator[PairWriter]:
    """Open a writer for the set `name`; the set appears when the block ends, and not if it fails.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with write_pairs(folder, "train", (100, 100)) as writer:
    ...     writer.add(join_sentences([[5, 6], [7]]), join_sentences([[8], [9, 5, 6]]))
    >>> pairs = PairSet.open(folder, "train")
    >>> pairs.target(1).tolist(), pairs.lengths.tolist()
    ([9, 5, 6], [[2, 1], [1, 3]])
    """
    files = [_file(folder, name, side, part) for side in SIDES for part in PARTS]
    manifest = folder / f"{name}.json"
    writer = PairWriter(folder, name, vocabulary_sizes)
    try:
        yield writer
        writer.close()
        manifest.unlink(
            missing_ok=True
        )  # from here to its successor there is no set, rather than a mixed one
        for file in files:
            _beside(file).replace(file)
        records = describe_files(folder, [file.name for file in files])
        write_json(manifest, {"pairs": writer.pairs, "files": records})
    finally:
        writer.close()
        for file in files:
            _beside(file).unlink(missing_ok=True)


def join_sentences(rows: list[list[int]]) -> Sentences:
    """Put sentences one after the other into one array.

    >>> join_sentences([[7, 8], [], [9]]).offsets.tolist()
    [0, 2, 2, 3]
    """
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    ids = np.fromiter((index for row in rows for index in row), dtype=np.uint32, count=int(offsets[-1]))
    return Sentences(ids, offsets)


def narrowest_type(vocabulary_size: int) -> np.dtype[Any]:
    """Return uint16 where every id fits, else uint32.

    >>> narrowest_type(65_536).name, narrowest_type(65_537).name
    ('uint16', 'uint32')
    """
    return np.dtype(np.uint16 if vocabulary_size <= 1 << 16 else np.uint32)


class _ArrayStream:
    """A one-dimensional .npy file that grows; NumPy's header has room for the length it will have."""

    def __init__(self, path: Path, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype.newbyteorder("<")
        self._stream = path.open("wb")
        self.length = 0
        self._write_header()
        self._header_size = self._stream.tell()

    def append(self, values: npt.NDArray[Any]) -> None:
        """Write more values at the end."""
        self._stream.write(values.astype(self._dtype, casting="unsafe").tobytes())
        self.length += len(values)

    def close(self) -> None:
        """Correct the header and close the file; a second time does nothing."""
        if self._stream.closed:
            return
        with self._stream:
            self._stream.seek(0)
            self._write_header()
            if self._stream.tell() != self._header_size:
                raise RuntimeError("NumPy's header has grown with the array")

    def _write_header(self) -> None:
        description = {"descr": self._dtype.str, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._stream, description)


def _map(path: Path) -> npt.NDArray[Any]:
    try:
        array: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: damaged: {error}") from None
    return array.view(np.ndarray)  # the same memory; slices of a memmap are many times slower


def _reopen(folder: Path, name: str) -> PairSet:
    return PairSet.open(folder, name, checksums=False)


def _file(folder: Path, name: str, side: str, part: str) -> Path:
    return folder / f"{name}.{side}.{part}.npy"


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".part")
