"""The endless stream of training batches, and where a run stands in it."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.data.batching import plan_epoch
from editmt.data.pairs import PairSet

StreamedBatch: TypeAlias = tuple[int, int, npt.NDArray[np.int64]]
"""The epoch and the number in it of the batch that comes next, and the rows of this one."""


def stream_batches(
    pairs: PairSet, *, tokens: int, seed: int, epoch: int, batch: int
) -> Iterator[StreamedBatch]:
    """Yield batches from the `batch`-th of an epoch on, each with where the next one will be.

    Every epoch is planned anew from its number, so that nothing but these two numbers need be saved.
    """
    while True:
        plan = plan_epoch(pairs.lengths, tokens=tokens, seed=seed, epoch=epoch)
        for rows in plan[batch:]:
            batch += 1
            ends = batch == len(plan)
            yield (epoch + 1, 0, rows) if ends else (epoch, batch, rows)
        epoch, batch = epoch + 1, 0
