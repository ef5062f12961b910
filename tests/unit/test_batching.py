import numpy as np
import pytest

from editmt.data import oversized, plan_epoch
from editmt.errors import InputError


def padding_share(lengths, batches):
    """The part of both sides' cells that is padding."""
    cells = sum(len(rows) * int((lengths[rows] + 2).max(axis=0).sum()) for rows in batches)
    tokens = sum(int((lengths[rows] + 2).sum()) for rows in batches)
    return 1 - tokens / cells


def test_little_padding_on_lengths_like_real_ones():
    generator = np.random.default_rng(1)
    source = generator.poisson(14, size=20_000) + 1
    lengths = np.stack([source, np.maximum(1, source + generator.integers(-4, 5, size=20_000))], axis=1)
    assert padding_share(lengths, plan_epoch(lengths, tokens=1_024, seed=1, epoch=0)) < 0.03
    assert padding_share(lengths, plan_epoch(lengths, tokens=8_100, seed=1, epoch=0)) < 0.08


def test_epochs_and_seeds_differ():
    lengths = np.random.default_rng(1).integers(1, 9, size=(500, 2))
    plans = [
        [rows.tolist() for rows in plan_epoch(lengths, tokens=64, seed=seed, epoch=epoch)]
        for seed, epoch in ((1, 0), (1, 1), (2, 0), (0, 1))
    ]
    assert all(left != right for i, left in enumerate(plans) for right in plans[:i])
    assert sorted(map(sorted, plans[0])) != sorted(map(sorted, plans[1])), "ties are shuffled, too"


def test_what_is_too_long_is_left_out_and_named():
    lengths = np.array([[3, 3], [100, 2], [2, 99], [7, 1]])
    batches = plan_epoch(lengths, tokens=50, seed=1, epoch=0)
    assert sorted(np.concatenate(batches).tolist()) == [0, 3]
    assert oversized(lengths, tokens=50).tolist() == [1, 2]


@pytest.mark.parametrize("lengths", [np.zeros((0, 2), dtype=np.int64), np.array([[99, 99]])])
def test_no_batch_at_all_is_said(lengths):
    with pytest.raises(InputError, match="fits into 50 tokens"):
        plan_epoch(lengths, tokens=50, seed=1, epoch=0)
