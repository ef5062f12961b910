"""Policies without a model: the oracle, and chance."""

import numpy as np

from editmt.decoding.policy import Words
from editmt.edits import Canvas, Oracle
from editmt.text import BOS, EOS, PLH, SYMBOLS


def batch(rows, locks=None):
    """Return a batch with boundaries around rows of words."""
    return Canvas.of([[BOS, *row, EOS] for row in rows], locks and [[0, *lock, 0] for lock in locks])


def one_hot(choices, classes):
    """Return scores (…, classes) of which the chosen one is the best."""
    return np.eye(classes)[np.clip(choices, 0, classes - 1)]


class OraclePolicy:
    """Does what the oracle says leads to the references."""

    def __init__(self, references, moves=True):
        self.references, self.moves = references, moves

    def _actions(self, canvas):
        reference = batch(self.references)
        return Oracle(moves=self.moves, compiled=False).label(canvas, reference).actions(reference)

    def reposition_scores(self, canvas):
        return one_hot(self._actions(canvas)[0].index, canvas.ids.shape[1])

    def placeholder_scores(self, canvas):
        return one_hot(self._actions(canvas)[1].count, 256)

    def words(self, canvas, count, only=slice(None)):
        ids = batch(self.references).ids[:, : canvas.ids.shape[1]][canvas.ids == PLH][only]
        return Words(np.repeat(ids[:, None], count, axis=1), np.zeros((len(ids), count)))

    def select(self, rows):
        return OraclePolicy([self.references[row] for row in rows], self.moves)


class RandomPolicy:
    """Scores by chance; deletion and many placeholders no less than anything sensible."""

    def __init__(self, seed, vocabulary=20):
        self.generator, self.vocabulary = np.random.default_rng(seed), vocabulary

    def reposition_scores(self, canvas):
        return self.generator.normal(size=(*canvas.ids.shape, canvas.ids.shape[1]))

    def placeholder_scores(self, canvas):
        return self.generator.normal(size=(len(canvas.ids), canvas.ids.shape[1] - 1, 4))

    def words(self, canvas, count, only=None):
        shape = (int((canvas.ids == PLH).sum() if only is None else only.sum()), count)
        words = self.generator.integers(len(SYMBOLS), self.vocabulary, shape)
        return Words(words, np.log(self.generator.random(shape)))

    def select(self, _rows):
        return self
