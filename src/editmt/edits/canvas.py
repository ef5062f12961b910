"""The canvas: the token sequences being edited, as one padded batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from editmt.edits.arrays import Array, functions_of
from editmt.text import PAD


@dataclass(frozen=True, eq=False)
class Canvas:
    """A batch of token sequences, each from its `<s>` to its `</s>`, padded on the right.

    Axes: B sentences, T places of the longest one. T tokens have G = T − 1 gaps between them.

    >>> Canvas.of([[1, 7, 8, 2], [1, 2]]).ids.tolist()
    [[1, 7, 8, 2], [1, 2, 0, 0]]
    """

    ids: Array  # (B, T)
    mask: Array  # (B, T) True = a token, False = padding
    locks: Array  # (B, T) 0 = free, n = part of the n-th phrase that must stay whole

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], locks: Sequence[Sequence[int]] | None = None) -> Self:
        """Pad rows of ids, each with its `<s>` and `</s>`, to a NumPy batch; without locks all is free."""
        width = max(map(len, rows), default=0)
        ids = np.full((len(rows), width), PAD, dtype=np.int64)
        locked = np.zeros_like(ids)
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        for index, row in enumerate(rows):
            ids[index, : len(row)] = row
            if locks is not None:
                locked[index, : len(row)] = locks[index]
        return cls(ids, np.arange(width) < lengths[:, None], locked)

    @property
    def lengths(self) -> Array:
        """The number of tokens of each sentence, boundaries included: (B,)."""
        return self.mask.sum(1)

    @property
    def interior(self) -> Array:
        """Where the tokens between `<s>` and `</s>` stand: (B, T)."""
        xp = functions_of(self.mask)
        inside = xp.zeros_like(self.mask)
        inside[:, 1:-1] = self.mask[:, 2:]  # the last token of a row has no token after it
        return inside

    @property
    def gaps(self) -> Array:
        """Which gaps lie between two tokens: (B, G)."""
        return self.mask[:, 1:]

    def take(self, rows: Array | slice) -> Self:
        """Return some of the sentences, with the padding that they had."""
        return type(self)(self.ids[rows], self.mask[rows], self.locks[rows])

    def trim(self) -> Self:
        """Return the canvas without the columns that are padding in all its rows.

        >>> Canvas.of([[1, 7, 8, 2], [1, 2]]).take([1]).trim().ids.tolist()
        [[1, 2]]
        """
        width = int(self.lengths.max()) if len(self.mask) else 0
        return type(self)(self.ids[:, :width], self.mask[:, :width], self.locks[:, :width])

    def rows(self) -> list[list[int]]:
        """Return each sentence as a list of ids, without the padding."""
        pairs = zip(self.ids.tolist(), self.lengths.tolist(), strict=True)
        return [ids[:length] for ids, length in pairs]
