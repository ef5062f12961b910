"""A lexical shortlist: the words that may come of a source, so that the token head scores hundreds, not all.

Translation is no longer exact then: a word outside of the list cannot be written. It is off unless asked for.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.data.pairs import PairSet
from editmt.text import SYMBOLS

LIKELY = 100
"""Words for each token of the source."""

FREQUENT = 500
"""Words for any source."""

ENOUGH_PAIRS = 300_000
CHUNK = 20_000
"""Pairs whose counts are made at a time."""

Integers: TypeAlias = npt.NDArray[np.int64]


class Shortlist(NamedTuple):
    """The likeliest words of each source token, and the frequent words."""

    likely: Integers  # (source types, LIKELY)
    frequent: Integers  # (FREQUENT,)

    def words(self, source_ids: Integers) -> Integers:
        """Return the words for a batch of sources (B, S), rising."""
        return np.unique(np.concatenate([self.likely[np.unique(source_ids)].ravel(), self.frequent]))


class _Counts(NamedTuple):
    """How often a token and a word stand in a pair together; the two are one number, `code`."""

    codes: Integers
    counts: Integers

    def add(self, codes: Integers) -> "_Counts":
        """Count more."""
        new, times = np.unique(codes, return_counts=True)
        joined, places = np.unique(np.concatenate([self.codes, new]), return_inverse=True)
        total = np.bincount(places, weights=np.concatenate([self.counts, times]))
        return _Counts(joined, total.astype(np.int64))


def learn_shortlist(pairs: PairSet, sizes: tuple[int, int]) -> Shortlist:
    """Learn from pairs which words go with which tokens: those that stand in the same pairs most often.

    Of a token and a word with c pairs in common, and a and b in all, the measure is c² / (a · b).
    """
    found = _Counts(np.empty(0, np.int64), np.empty(0, np.int64))
    codes = _codes(pairs, sizes[1])
    while chunk := list(islice(codes, CHUNK)):
        found = found.add(np.concatenate(chunk))
    tokens, words = np.divmod(found.codes, sizes[1])
    with_token = np.bincount(tokens, weights=found.counts, minlength=sizes[0])
    with_word = np.bincount(words, weights=found.counts, minlength=sizes[1])
    strength = found.counts.astype(np.float64) ** 2 / (with_token[tokens] * with_word[words])
    order = np.lexsort((-strength, tokens))
    tokens, words = tokens[order], words[order]
    rank = np.arange(len(tokens)) - np.searchsorted(tokens, tokens)
    frequent = np.argsort(-with_word, kind="stable")[:FREQUENT]
    frequent = frequent[frequent >= len(SYMBOLS)]
    likely = np.full((sizes[0], LIKELY), frequent[0])
    best = rank < LIKELY
    likely[tokens[best], rank[best]] = words[best]
    return Shortlist(likely, frequent)


def _codes(pairs: PairSet, target_size: int) -> Iterator[Integers]:
    """Yield, for each pair, the codes of its tokens with its words."""
    for row in range(0, len(pairs), -(-len(pairs) // ENOUGH_PAIRS)):
        tokens, words = (np.unique(side).astype(np.int64) for side in (pairs.source(row), pairs.target(row)))
        yield (tokens[:, None] * target_size + words[words >= len(SYMBOLS)]).ravel()
