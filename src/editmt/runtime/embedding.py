"""Tables of embeddings: rows by token, in float32 or as 8-bit numbers with a scale each."""

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]


class EmbeddingTable:
    """√D · token + position, as the model's `Embedding` has it."""

    def __init__(self, arrays: Mapping[str, Array], side: str) -> None:
        own = side if f"{side}_tokens" in arrays else "target"  # one table for both sides
        self._tokens = arrays[f"{own}_tokens"]  # (V, D)
        self._scales = arrays.get(f"{own}_scales")  # (V,) of 8-bit rows
        self._positions = arrays[f"{side}_positions"]  # (max_length, D)

    def tokens(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the embeddings of ids (B, T) alone: (B, T, D)."""
        rows: npt.NDArray[np.float32] = self._tokens[ids].astype(np.float32, copy=False)
        return rows if self._scales is None else rows * self._scales[ids][..., None]

    def embed(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return what the first layer reads of sentences (B, T): (B, T, D)."""
        return self._place(ids, np.arange(ids.shape[1]))

    def embed_at(self, ids: npt.NDArray[np.int64], place: int) -> npt.NDArray[np.float32]:
        """Return what the first layer reads of tokens (B, K) that all stand at one place: (B, K, D)."""
        return self._place(ids, np.array(place))

    def _place(self, ids: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Add positions; places past the table are taken for its last."""
        last = len(self._positions) - 1
        scale = np.float32(math.sqrt(self._tokens.shape[1]))
        states: npt.NDArray[np.float32] = self.tokens(ids) * scale + self._positions[np.minimum(places, last)]
        return states
