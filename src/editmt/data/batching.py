"""Which pairs make up which batch of an epoch: a pure function of lengths, budget, seed and epoch.

Nothing is remembered between epochs, so a run that was stopped finds its next batch by counting.
"""

import numpy as np
import numpy.typing as npt

from editmt.errors import InputError
from editmt.text import BOUNDARIES


def plan_epoch(
    lengths: npt.NDArray[np.int64], *, tokens: int, seed: int, epoch: int
) -> list[npt.NDArray[np.int64]]:
    """Return the batches of an epoch, each an array of pair indices.

    `lengths` (N, 2) are those of `PairSet.lengths`. The size of a batch is its rows times its longest
    sentence of either side, boundaries included, and stays within `tokens` (the paper's max-tokens).
    Pairs are sorted by length, those of one length in random order; then the batches are shuffled.
    A pair that alone exceeds the budget is in no batch; `oversized` finds these.

    >>> lengths = np.array([[3, 4], [9, 8], [4, 4], [2, 1]])
    >>> [batch.tolist() for batch in plan_epoch(lengths, tokens=12, seed=1, epoch=0)]
    [[3], [1], [2, 0]]
    """
    widths = pair_widths(lengths)
    generator = np.random.default_rng([seed, epoch])
    shuffled = generator.permutation(len(lengths))
    shuffled = shuffled[widths[shuffled] <= tokens]
    order = shuffled[_sort(lengths[shuffled])]
    if not len(order):
        raise InputError(f"no batch: none of the {len(lengths):,} pairs fits into {tokens} tokens")
    batches = _cut(order, widths[order], tokens)
    return [batches[index] for index in generator.permutation(len(batches))]


def pair_widths(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the columns each pair (N, 2) takes in a batch: its longer side with both boundaries: (N,)."""
    widths: npt.NDArray[np.int64] = lengths.max(axis=1, initial=0) + BOUNDARIES
    return widths


def oversized(lengths: npt.NDArray[np.int64], *, tokens: int) -> npt.NDArray[np.int64]:
    """Return the indices of the pairs that no batch of `tokens` can hold.

    >>> oversized(np.array([[3, 4], [9, 8]]), tokens=10).tolist()
    [1]
    """
    return np.flatnonzero(pair_widths(lengths) > tokens)


def _sort(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Sort pairs (N, 2) by their longer side, then by how much longer the source is than the target.

    The shorter side is padded, too. At each next width the second order is turned round, so that the last
    pairs of one width are like the first of the next: it halves the padding of small batches.
    """
    widths = pair_widths(lengths)
    surplus = lengths[:, 0] - lengths[:, 1]
    order: npt.NDArray[np.int64] = np.lexsort((np.where(widths % 2, surplus, -surplus), widths))
    return order


def _cut(
    order: npt.NDArray[np.int64], widths: npt.NDArray[np.int64], tokens: int
) -> list[npt.NDArray[np.int64]]:
    """Cut pairs sorted by width, from the widest down: each batch is as full as its widest row allows."""
    batches, end = [], len(order)
    while end:
        rows = min(tokens // int(widths[end - 1]), end)
        batches.append(order[end - rows : end])
        end -= rows
    return batches
