"""The endless stream of training batches, and where a run stands in it."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.config import DataConfig
from editmt.data.batching import plan_epoch
from editmt.data.pairs import PairSet

StreamedBatch: TypeAlias = tuple[int, int, npt.NDArray[np.int64]]
"""The epoch and the number in it of the batch that comes next, and the rows of this one."""


def stream_batches(
    pairs: PairSet, data: DataConfig, *, seed: int, epoch: int, batch: int
) -> Iterator[StreamedBatch]:
    """Yield batches from the `batch`-th of an epoch on, each with where the next one will be.

    Every epoch is planned anew from its number, so that nothing but these two numbers need be saved.
    """
    seen = repeat_long(pairs.lengths[:, 1], long=data.long, times=data.long_times)
    lengths = pairs.lengths[seen]
    while True:
        plan = plan_epoch(lengths, tokens=data.tokens_at_once, seed=seed, epoch=epoch)
        for rows in plan[batch:]:
            batch += 1
            ends = batch == len(plan)
            yield (epoch + 1, 0, seen[rows]) if ends else (epoch, batch, seen[rows])
        epoch, batch = epoch + 1, 0


def repeat_long(targets: npt.NDArray[np.int64], *, long: int, times: int) -> npt.NDArray[np.int64]:
    """Return the pairs an epoch sees, those with a target of at least `long` tokens `times` times.

    >>> repeat_long(np.array([3, 20, 5]), long=16, times=2).tolist()
    [0, 1, 1, 2]
    """
    return np.repeat(np.arange(len(targets)), np.where(targets >= long, times, 1))
