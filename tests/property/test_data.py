"""What holds for any set of pairs: it is read as it was written, and an epoch is a partition of it."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from editmt.data import PairSet, collate, oversized, plan_epoch
from editmt.data.pairs import join_sentences, write_pairs
from editmt.text import BOS, EOS, PAD, SYMBOLS
from editmt.training.distributed import Ranks

LENGTHS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=80).map(
    lambda rows: np.array(rows, dtype=np.int64)
)
SENTENCES = st.lists(st.integers(len(SYMBOLS), 99), max_size=6)
CHUNKS = st.lists(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=5), min_size=1, max_size=4)


@given(lengths=LENGTHS, tokens=st.integers(32, 200), seed=st.integers(0, 9), epoch=st.integers(0, 9))
def test_an_epoch_has_every_pair_once_within_the_budget(lengths, tokens, seed, epoch):
    before = lengths.copy()
    batches = plan_epoch(lengths, tokens=tokens, seed=seed, epoch=epoch)
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(lengths)))
    assert all(len(rows) * (lengths[rows].max() + 2) <= tokens for rows in batches)
    assert all(len(rows) and rows.dtype == np.int64 for rows in batches)
    again = plan_epoch(lengths, tokens=tokens, seed=seed, epoch=epoch)
    assert [rows.tolist() for rows in batches] == [rows.tolist() for rows in again]
    assert np.array_equal(lengths, before)


@given(lengths=LENGTHS, tokens=st.integers(33, 60))
def test_what_an_epoch_lacks_is_what_is_oversized(lengths, tokens):
    lengths = np.vstack([lengths * 2, [[1, 1]]])
    planned = np.concatenate(plan_epoch(lengths, tokens=tokens, seed=1, epoch=0)).tolist()
    assert sorted(planned + oversized(lengths, tokens=tokens).tolist()) == list(range(len(lengths)))


@given(size=st.integers(0, 20), ranks=st.integers(1, 9))
def test_ranks_partition_a_batch_evenly(size, ranks):
    batch = np.arange(size) * 3
    parts = [batch[Ranks(rank, ranks).rows()] for rank in range(ranks)]
    assert sorted(np.concatenate(parts).tolist()) == batch.tolist()
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@settings(max_examples=50)
@given(chunks=CHUNKS)
def test_any_pairs_come_back_from_disk_and_in_a_batch(chunks):
    rows = [pair for chunk in chunks for pair in chunk]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with write_pairs(folder, "train", (100, 100)) as writer:
            for chunk in chunks:
                writer.add(*(join_sentences([pair[side] for pair in chunk]) for side in (0, 1)))
        pairs = PairSet.open(folder, "train")
        assert [(pairs.source(i).tolist(), pairs.target(i).tolist()) for i in range(len(pairs))] == rows
        batch = collate(pairs, np.arange(len(pairs)))
    assert batch.target.rows() == [[BOS, *target, EOS] for _, target in rows]
    for ids, mask, (source, _) in zip(batch.source_ids, batch.source_mask, rows, strict=True):
        assert ids[mask].tolist() == [BOS, *source, EOS]
        assert (ids[~mask] == PAD).all()
