import numpy as np
import pytest
import torch

from editmt.config import Config, DataConfig, ModelConfig, NoiseConfig, ObjectiveConfig
from editmt.data.collation import Batch
from editmt.edits import Canvas
from editmt.text import BOS, EOS, SYMBOLS, Vocabulary
from editmt.training.examples import ExampleMaker

ROWS = 400
WORDS = list(range(5, 15))


def noised(kind, share, empty=0.0):
    """Return the canvases that a batch of the same ten one-token words becomes."""
    config = Config(
        data=DataConfig(folder="unused"),
        model=ModelConfig(kind="levenshtein"),
        objective=ObjectiveConfig(rollin="insertion"),
        noise=NoiseConfig(
            kind=kind,
            shuffle_probability=0,
            constraint_share=share,
            constraint_words=4,
            empty_share=empty,
        ),
    )
    vocabulary = Vocabulary((*SYMBOLS, *map(str, WORDS)), begins_word=WORDS, ends_word=())
    target = Canvas.of([[BOS, *WORDS, EOS]] * ROWS)
    batch = Batch(target.ids, target.mask, target, np.arange(ROWS))
    maker = ExampleMaker(config, vocabulary)
    example = maker.make(batch, np.random.default_rng(1), slice(None), torch.device("cpu"))
    return [row[1:-1] for row in example.noised.rows()]


@pytest.mark.parametrize("kind", ["drop", "drop_and_shuffle"])
def test_the_share_of_canvases_such_as_users_make_holds_for_every_noise(kind):
    assert all(row == sorted(row) for row in noised(kind, 0.0))
    assert max(map(len, noised(kind, 0.0))) == 9
    picked = noised(kind, 1.0)
    assert max(map(len, picked)) == 4
    assert any(row != sorted(row) for row in picked)
    mixed = sum(row != sorted(row) for row in noised(kind, 0.5))
    assert 0 < mixed < sum(row != sorted(row) for row in picked)


def test_a_share_of_the_canvases_is_empty_and_the_others_are_as_before():
    before, some = noised("drop", 0.3), noised("drop", 0.3, 0.5)
    emptied = [row for row, (old, new) in enumerate(zip(before, some, strict=True)) if old != new]
    assert all(not some[row] for row in emptied)
    assert 0.4 * ROWS < len(emptied) < 0.5 * ROWS, "one in ten was empty before"
    assert not any(noised("drop", 0.0, 1.0))
