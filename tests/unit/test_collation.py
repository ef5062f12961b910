import numpy as np
import pytest

from editmt.data import PairSet, collate
from editmt.data.pairs import join_sentences, write_pairs
from editmt.text import BOS, EOS, PAD


@pytest.fixture
def pairs(tmp_path):
    with write_pairs(tmp_path, "train", (100, 100)) as writer:
        writer.add(join_sentences([[5, 6], [7], []]), join_sentences([[8], [9, 9, 9], [5]]))
    return PairSet.open(tmp_path, "train")


def test_both_sides_are_framed_and_padded(pairs):
    batch = collate(pairs, np.array([2, 0]))
    assert batch.source_ids.tolist() == [[BOS, EOS, PAD, PAD], [BOS, 5, 6, EOS]]
    assert batch.source_mask.tolist() == [[True, True, False, False], [True] * 4]
    assert batch.target.ids.tolist() == [[BOS, 5, EOS], [BOS, 8, EOS]]
    assert batch.target.mask.all()
    assert not batch.target.locks.any()
    assert batch.rows.tolist() == [2, 0]
    assert {batch.source_ids.dtype, batch.target.ids.dtype, batch.target.locks.dtype} == {np.dtype(np.int64)}


def test_the_target_is_a_canvas_like_any_other(pairs):
    batch = collate(pairs, np.array([0, 1]))
    assert batch.target.rows() == [[BOS, 8, EOS], [BOS, 9, 9, 9, EOS]]
    assert batch.target.lengths.tolist() == [3, 5]


def test_a_rank_without_rows_gets_an_empty_batch(pairs):
    batch = collate(pairs, np.array([], dtype=np.int64))
    assert len(batch) == 0
    assert batch.source_ids.shape == batch.target.ids.shape == (0, 2)
