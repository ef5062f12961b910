"""The source side of an exported model on ONNX Runtime, the same for all kinds of models."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.runtime.embedding import EmbeddingTable
from editmt.runtime.sessions import Session

Array: TypeAlias = npt.NDArray[Any]
Integers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float32]
Mask: TypeAlias = npt.NDArray[np.bool_]


class CpuSource(NamedTuple):
    """Encoded sources: the keys and values of each decoder layer, those of the insertion stack first."""

    arrays: tuple[Array, ...]  # (B, H, S, D/H) each
    mask: npt.NDArray[np.int32]  # (B, S)

    def select(self, rows: Integers) -> "CpuSource":
        """Return the sources of these rows only."""
        return CpuSource(tuple(array.take(rows, axis=0) for array in self.arrays), self.mask[rows])


class CpuEncoder:
    """The encoder's graph, and the table of the source's tokens."""

    def __init__(self, arrays: Mapping[str, Array], folder: Path) -> None:
        self._table = EmbeddingTable(arrays, "source")
        self._session = Session(folder / "encoder.onnx")

    def encode(self, ids: Integers, mask: Mask) -> CpuSource:
        """Encode source ids (B, S), and project them once for every decoder layer."""
        tokens = mask.astype(np.int32)
        return CpuSource(tuple(self._session.run([self._table.embed(ids), tokens])), tokens)
