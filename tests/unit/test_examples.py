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


def noised(kind, share):
    """Return the canvases that a batch of the same ten one-token words becomes."""
    config = Config(
        data=DataConfig(folder="unused"),
        model=ModelConfig(kind="levenshtein"),
        objective=ObjectiveConfig(rollin="insertion"),
        noise=NoiseConfig(kind=kind, shuffle_probability=0, constraint_share=share, constraint_words=4),
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
