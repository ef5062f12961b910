"""Edit a sentence until its text keeps the user's rules, whatever the model wrote.

Words are told apart in the text, not in the tokens: many token sequences spell a forbidden word, and a free
piece behind a locked word makes another word of it. So the text is what is looked at, and free words are
exchanged or taken out until nothing is missing and nothing too much. The edits are actions like all others.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from editmt.decoding.rules import Rules
from editmt.edits import DELETE, Placeholders, Reposition, Tokens
from editmt.text import PLH, TextPipeline

CANDIDATES = 32
"""Words to try at a place before it is given up."""


@dataclass(frozen=True)
class Piece:
    """A token of the sentence being mended."""

    id: int
    lock: int = 0
    origin: int | None = None  # where it stood in the canvas; None = new
    score: float = 0.0  # the log-probability of a new one


Pieces = list[Piece]
Propose = Callable[[list[int]], Iterable[tuple[int, float]]]
"""Returns, for ids with one placeholder, the words that may stand there, the best first, and their scores."""


@dataclass(frozen=True, eq=False)
class Mender:
    """Knows the rules of one sentence."""

    rules: Rules
    pipeline: TextPipeline

    def misses(self, ids: Sequence[int]) -> int:
        """Return by how many occurrences the text of the ids breaks the rules."""
        return self.rules.misses(self.pipeline.decode(ids))

    def mend(self, ids: list[int], locks: list[int], propose: Propose) -> Pieces:
        """Return the sentence (with boundaries), changed as little as it takes.

        Each round leaves fewer breaches. Where none can, only the locked words stay, once; what is broken
        even then cannot be kept.
        """
        pieces = [Piece(*both, place) for place, both in enumerate(zip(ids, locks, strict=True))]
        stripped = False
        while misses := self._misses(pieces):
            better = self._exchange(pieces, misses, propose) or self._separate(pieces, misses, propose)
            if better is None and stripped:
                break
            stripped |= better is None
            pieces = better or _locked_only(pieces)
        return pieces

    def _misses(self, pieces: Pieces) -> int:
        return self.misses([piece.id for piece in pieces])

    def _exchange(self, pieces: Pieces, misses: int, propose: Propose) -> Pieces | None:
        """Put another word in the place of the one whose loss mends the most, or none."""
        without = [(self._misses(pieces[:a] + pieces[b:]), a, b) for a, b in self._free_stretches(pieces)]
        fewest, start, end = min(without, default=(misses, 0, 0))
        if fewest >= misses:
            return None
        before, after = pieces[:start], pieces[end:]
        tries = self._tries(before, after, propose)
        return next((found for breaches, found in tries if sum(breaches) <= fewest), before + after)

    def _separate(self, pieces: Pieces, misses: int, propose: Propose) -> Pieces | None:
        """Put words between locked phrases that break rules together, in one go from left to right.

        The best word is one that spoils no phrase: what is glued to one keeps it from being there too often,
        but then it is lacking.
        """
        fewest, place = misses, 1
        while fewest and place < len(pieces):
            if pieces[place - 1].lock != pieces[place].lock:
                tries = self._tries(pieces[:place], pieces[place:], propose)
                breaches, found = min(tries, key=itemgetter(0), default=((0, fewest), pieces))
                if sum(breaches) < fewest:
                    fewest, pieces = sum(breaches), found
                    place += 1  # the new word
            place += 1
        return pieces if fewest < misses else None

    def _tries(
        self, before: Pieces, after: Pieces, propose: Propose
    ) -> Iterator[tuple[tuple[int, int], Pieces]]:
        """Put each word in between that may stand there, the best first, and tell the breaches it leaves."""
        ids = [*(piece.id for piece in before), PLH, *(piece.id for piece in after)]
        for word, score in propose(ids):
            found = [*before, Piece(word, score=score), *after]
            yield self.rules.breaches(self.pipeline.decode([piece.id for piece in found])), found

    def _free_stretches(self, pieces: Pieces) -> Iterator[tuple[int, int]]:
        """Yield where the free tokens of one word are."""
        words = self.pipeline.vocabulary.words(np.array([piece.id for piece in pieces]))
        keys = [(word, piece.lock) for word, piece in zip(words.tolist(), pieces, strict=True)]
        for (_, lock), group in groupby(range(len(pieces)), key=keys.__getitem__):
            places = list(group)
            if not lock and places[0] > 0 and places[-1] < len(pieces) - 1:  # no boundary
                yield places[0], places[-1] + 1


def _locked_only(pieces: Pieces) -> Pieces:
    return [pieces[0], *(piece for piece in pieces if piece.lock), pieces[-1]]


def to_actions(length: int, pieces: Pieces) -> tuple[Reposition, Placeholders, Tokens]:
    """Return the edits that make the pieces of a canvas of such a length, for a batch of one."""
    index = np.full((1, length), DELETE)
    gaps: list[int] = []
    for piece in pieces:
        if piece.origin is None:
            gaps[-1] += 1
        else:
            index[0, piece.origin] = piece.origin
            gaps.append(0)
    ids = np.array([[piece.id for piece in pieces]])
    return Reposition(index), Placeholders(np.array([gaps[:-1]])), Tokens(ids)
