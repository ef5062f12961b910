"""From pair indices to padded arrays."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editmt.data.pairs import Ids, PairSet
from editmt.edits import Canvas
from editmt.text import BOS, EOS, PAD


@dataclass(frozen=True, eq=False)
class Batch:
    """Sentence pairs, each side from `<s>` to `</s>` and padded on the right."""

    source_ids: npt.NDArray[np.int64]  # (B, S)
    source_mask: npt.NDArray[np.bool_]  # (B, S) True = a token
    target: Canvas  # (B, T)
    rows: npt.NDArray[np.int64]  # (B,) the pairs' indices in their set

    def __len__(self) -> int:
        return len(self.rows)


def collate(pairs: PairSet, rows: npt.NDArray[np.int64]) -> Batch:
    """Read pairs and pad them; a batch without rows is as wide as the boundaries."""
    lengths = pairs.lengths[rows]  # (B, 2)
    source_ids, source_mask = _pad(pairs.source, rows, lengths[:, 0])
    target_ids, target_mask = _pad(pairs.target, rows, lengths[:, 1])
    target = Canvas(target_ids, target_mask, np.zeros_like(target_ids))
    return Batch(source_ids, source_mask, target, rows)


def _pad(
    sentence: Callable[[int], Ids], rows: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    width = int(lengths.max(initial=0)) + 2
    ids = np.full((len(rows), width), PAD, dtype=np.int64)  # (B, width)
    ids[:, 0] = BOS
    for place, row in enumerate(rows.tolist()):
        ids[place, 1 : lengths[place] + 1] = sentence(row)
    ids[np.arange(len(rows)), lengths + 1] = EOS
    return ids, np.arange(width) < lengths[:, None] + 2
