"""The noise that makes the first canvas y⁰ of a training step out of the reference (§3.2.1).

Dropping words and shuffling them are repositions: noise is drawn as a `Reposition` and applied like any
other. All chance is drawn ahead into `Chances`, from a given generator: the same chances give the same
canvas, so a step can be replayed, and split between processes row by row.
"""

from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from editmt.edits.actions import DELETE, Reposition
from editmt.edits.canvas import Canvas

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]
Booleans: TypeAlias = npt.NDArray[np.bool_]

SHUFFLE_CHANCE = 0.5
SHUFFLE_DISTANCE = 3


@dataclass(frozen=True, eq=False)
class Chances:
    """The random numbers of one batch's noise, each uniform on [0, 1)."""

    kept_share: Floats  # (B,)
    drop_order: Floats  # (B, T)
    shuffled: Floats  # (B,)
    word_shift: Floats  # (B, T)

    @classmethod
    def draw(cls, generator: np.random.Generator, shape: tuple[int, int]) -> Self:
        """Draw for a batch of `shape` (B, T)."""
        return cls(
            generator.random(shape[0]),
            generator.random(shape),
            generator.random(shape[0]),
            generator.random(shape),
        )


def drop(reference: Canvas, chances: Chances, *, complete: bool = False) -> Reposition:
    """Drop tokens at random: the Levenshtein Transformer's noise.

    Of n tokens ⌊n·u⌋ stay, u uniform: any number from none to n − 1, as in the authors' code, or to n if a
    canvas may be `complete`. It is subword tokens that are dropped, so that a canvas may hold a part of a
    word.
    """
    return _arrange(_kept(reference, chances, complete), order=np.arange(reference.ids.shape[1]))


def drop_and_shuffle(
    reference: Canvas,
    words: Integers,
    chances: Chances,
    *,
    probability: float = SHUFFLE_CHANCE,
    distance: int = SHUFFLE_DISTANCE,
    complete: bool = False,
) -> Reposition:
    """Drop tokens, then shuffle the words that are left of some sentences: EDITOR's noise.

    `words` (B, T) numbers the words of the reference (`Vocabulary.words`); tokens of a word stay together.
    The w-th word left is sorted by w + U(0, distance + 1), which moves none further than `distance`.

    Differs: the authors sort by w + U(0, 3), which moves words by 2 at most, where the paper says 3. They
    also tell words apart only after dropping, when the rests of two words may look like one.
    """
    kept = _kept(reference, chances, complete)
    rank = _rank_words(words, kept)  # (B, T) among the words that are left
    shift = np.take_along_axis(chances.word_shift, rank, axis=1) * (distance + 1)
    shuffled = (chances.shuffled < probability)[:, None]
    return _arrange(kept, order=np.where(shuffled, rank + shift, rank))


def pick_phrases(
    reference: Canvas, words: Integers, chances: Chances, *, most: int, joined: float = 0.0
) -> Reposition:
    """Leave up to `most` phrases of the reference, in random order, as users' constraints are.

    A phrase is a word, and with a chance of `joined` the next one, too, and so on.

    Differs: the paper trains on dropped and shuffled references only.
    """
    inside: Booleans = reference.interior
    number = _join_words(_rank_words(words, inside), chances, joined)  # (B, T) of each token's phrase
    count = number.max(axis=1, keepdims=True) + 1
    lots = np.where(np.arange(words.shape[1]) < count, chances.word_shift, np.inf)  # (B, T) a lot a phrase
    place = np.argsort(np.argsort(lots, axis=1), axis=1)
    place = np.take_along_axis(place, number, axis=1)  # (B, T) of each token's phrase in the random order
    wanted = np.floor((most + 1) * chances.kept_share)[:, None]
    return _arrange(inside & (place < wanted), order=place)


def leave_nothing(reference: Canvas) -> Reposition:
    """Drop all tokens: the canvas that a translation without constraints starts from.

    Differs: the paper's noise comes to it for one sentence in as many as it has words.
    """
    return Reposition(np.full(reference.ids.shape, DELETE, dtype=np.int64))


def _kept(reference: Canvas, chances: Chances, complete: bool) -> Booleans:
    """Draw which tokens between the boundaries stay: (B, T)."""
    inside: Booleans = reference.interior
    count = np.floor((inside.sum(axis=1) + complete) * chances.kept_share)
    order = np.where(inside, chances.drop_order, np.inf)
    rank = np.argsort(np.argsort(order, axis=1), axis=1)  # (B, T)
    kept: Booleans = inside & (rank < count[:, None])
    return kept


def _rank_words(words: Integers, kept: Booleans) -> Integers:
    """Number the words that have a kept token from 0, without holes; dropped tokens get any number."""
    last_kept = np.maximum.accumulate(np.where(kept, words, -1), axis=1)
    begins = kept.copy()
    begins[:, 1:] &= words[:, 1:] != last_kept[:, :-1]
    rank: Integers = np.maximum(np.cumsum(begins, axis=1) - 1, 0)
    return rank


def _join_words(number: Integers, chances: Chances, joined: float) -> Integers:
    """Number phrases instead of words: a word joins the one before it with a chance of `joined`."""
    starts = np.diff(number, axis=1, prepend=0) == 1  # (B, T) a word's first token, but of the first word
    alone = np.take_along_axis(chances.drop_order, number, axis=1) >= joined  # the same for a word's tokens
    phrases: Integers = np.cumsum(starts & alone, axis=1)
    return phrases


def _arrange(kept: Booleans, order: Floats | Integers) -> Reposition:
    """Put the kept tokens, sorted by `order`, right after `<s>`; the places after them are deleted."""
    sources = np.argsort(np.where(kept, order, np.inf), axis=1, kind="stable")  # (B, T) kept ones first
    index = np.full(kept.shape, DELETE, dtype=np.int64)
    index[:, 1:] = np.where(np.arange(kept.shape[1] - 1) < kept.sum(axis=1)[:, None], sources[:, :-1], DELETE)
    return Reposition(index)
