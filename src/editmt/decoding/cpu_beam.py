"""Beam search over an exported autoregressive model: what `editmt.decoding.beam` finds, without torch."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.decoding.engine import Searched
from editmt.edits import Canvas
from editmt.runtime.cpu_search import CpuCache, CpuSearchModel
from editmt.runtime.cpu_source import Integers
from editmt.text import BOS, EOS

Scores: TypeAlias = npt.NDArray[np.float64]


class _Search:
    """One sentence's search."""

    def __init__(self, row: int, most_tokens: int) -> None:
        self.row = row
        self.most_tokens = most_tokens
        self.finished: list[Searched] = []

    def best(self) -> Searched:
        """Return the translation with the best score."""
        return max(self.finished, key=lambda found: found.score)


def cpu_beam_search(
    model: CpuSearchModel, source: Canvas, most_tokens: list[int], *, beam: int, length_power: float
) -> list[Searched]:
    """Return the best translation of each source; hypotheses end, and searches stop, as in `beam.search`."""
    encoded = model.encode(source.ids, source.mask)
    searches = [_Search(row, most) for row, most in enumerate(most_tokens)]
    going = list(searches)
    cache = CpuCache(model.config, len(going), beam)
    scores = np.full((len(going), beam), -math.inf)
    scores[:, 0] = 0.0  # the beam starts as one hypothesis
    history = np.full((len(going), beam, 1), BOS)  # (B, K, tokens so far)
    while going:
        length = history.shape[2]  # of a hypothesis that ends now, with its </s>
        norm = length**length_power
        kept = _keep([_must_end(search, history[row], scores[row], norm) for row, search in enumerate(going)])
        if len(kept) < len(going):
            going, encoded = [going[row] for row in kept], encoded.select(kept)
            cache.select(kept, np.tile(np.arange(beam), (len(kept), 1)))
            scores, history = scores[kept], history[kept]
        if not going:
            break
        tokens, steps = model.step(encoded, cache, history[:, :, -1], 2 * beam)  # (B, K, 2K)
        totals, parents, tokens = _best(scores[:, :, None] + steps, tokens)
        for row, search in enumerate(going):
            ends = (tokens[row, :beam] == EOS).nonzero()[0]
            _finish(search, history[row], parents[row, ends], totals[row, ends], norm)
        kept = _keep([len(search.finished) >= beam for search in going])
        if len(kept) < len(going):
            going, encoded = [going[row] for row in kept], encoded.select(kept)
        scores, parents, newest = _going_on(totals[kept], parents[kept], tokens[kept], beam)
        cache.select(kept, parents)
        history = np.concatenate([history[kept[:, None], parents], newest[:, :, None]], axis=2)
    return [search.best() for search in searches]


def _must_end(search: _Search, history: Integers, scores: Scores, norm: float) -> bool:
    """End all hypotheses of a sentence that is at its limit, at no cost; return whether it is."""
    if history.shape[1] <= search.most_tokens:
        return False
    _finish(search, history, np.arange(len(history)), scores, norm)
    return True


def _keep(done: Sequence[bool]) -> Integers:
    return np.array([row for row, is_done in enumerate(done) if not is_done], dtype=np.int64)


def _best(totals: Scores, tokens: Integers) -> tuple[Scores, Integers, Integers]:
    """Return the scores, parents and tokens (B, 2K) of the best candidates of each sentence, best first."""
    rows, beam, count = totals.shape
    flat = totals.reshape(rows, -1)
    order = np.argsort(-flat, axis=1, kind="stable")[:, : 2 * beam]
    chosen = np.take_along_axis(tokens.reshape(rows, -1), order, axis=1)
    return np.take_along_axis(flat, order, axis=1), order // count, chosen


def _going_on(
    totals: Scores, parents: Integers, tokens: Integers, beam: int
) -> tuple[Scores, Integers, Integers]:
    """Return the best candidates that have not ended: (B, K) each."""
    order = np.argsort(tokens == EOS, axis=1, kind="stable")[:, :beam]
    best = np.take_along_axis(totals, order, axis=1)
    return best, np.take_along_axis(parents, order, axis=1), np.take_along_axis(tokens, order, axis=1)


def _finish(search: _Search, history: Integers, parents: Integers, scores: Scores, norm: float) -> None:
    """Set ended hypotheses aside, as many as the beam is wide."""
    for parent, score in zip(parents.tolist(), scores.tolist(), strict=True):
        if score > -math.inf and len(search.finished) < len(history):
            search.finished.append(Searched(history[parent, 1:].tolist(), score / norm))
