"""Edit a sentence until its text keeps the user's rules, whatever the model wrote.

Words are told apart in the text, not in the tokens: many token sequences spell a forbidden word, and a free
piece behind a locked word makes another word of it. So the text is what is looked at, and free words are
exchanged or taken out until nothing is missing and nothing too much. The edits are actions like all others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from editmt.decoding.rules import Rules
from editmt.decoding.wording import Phrase, write
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
Proposals = list[tuple[int, float]]
Propose = Callable[[list[int], int], Proposals]
"""Returns, for ids with one placeholder, so many words that may stand there, the best first, with scores."""


Tries = Iterator[tuple[tuple[int, int], Pieces]]


@dataclass(frozen=True, eq=False)
class Mender:
    """Knows the rules of one sentence, how long it may be, and which phrases its locks stand for."""

    rules: Rules
    pipeline: TextPipeline
    most_tokens: int  # boundaries included
    phrases: tuple[Phrase, ...] = ()

    def misses(self, ids: Sequence[int], locks: Sequence[int] = ()) -> int:
        """Return by how many occurrences the text of the ids breaks the rules."""
        return self.rules.misses(write(self.pipeline, ids, locks, self.phrases))

    def mend(self, ids: list[int], locks: list[int], propose: Propose) -> Pieces:
        """Return the sentence (with boundaries), changed as little as it takes.

        Each round leaves fewer breaches. Where none can, or there is no room, only the locked words stay,
        once; what is broken even then cannot be kept.
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
        return sum(self._breaches(pieces))

    def _breaches(self, pieces: Pieces) -> tuple[int, int]:
        ids, locks = [piece.id for piece in pieces], [piece.lock for piece in pieces]
        return self.rules.breaches(write(self.pipeline, ids, locks, self.phrases))

    def _exchange(self, pieces: Pieces, misses: int, propose: Propose) -> Pieces | None:
        """Put another word in the place of the one whose loss mends the most, or none."""
        without = [(self._misses(pieces[:a] + pieces[b:]), a, b) for a, b in self._free_stretches(pieces)]
        fewest, start, end = min(without, default=(misses, 0, 0))
        if fewest >= misses:
            return None
        before, after = pieces[:start], pieces[end:]
        proposals = self._whole_words(before, after, propose(_open(before, after), CANDIDATES))
        tries = self._tries(before, after, proposals)
        return next((found for breaches, found in tries if sum(breaches) <= fewest), before + after)

    def _separate(self, pieces: Pieces, misses: int, propose: Propose) -> Pieces | None:
        """Put words between locked phrases that break rules together, in one go from left to right.

        Better a phrase too many than one that is lacking: the next word may mend that.
        """
        fewest, place = misses, 1
        while fewest and place < len(pieces) < self.most_tokens:
            if pieces[place - 1].lock != pieces[place].lock:
                tries = self._separations(pieces[:place], pieces[place:], propose)
                breaches, found = min(tries, key=itemgetter(0), default=((0, fewest), pieces))
                if sum(breaches) < fewest:
                    fewest, pieces = sum(breaches), found
                    place += 1  # the new word
            place += 1
        return pieces if fewest < misses else None

    def _separations(self, before: Pieces, after: Pieces, propose: Propose) -> Tries:
        """Try words of the whole vocabulary that are words of their own between these two.

        What is glued to a phrase keeps it from being there too often, but then it is lacking.
        """
        proposals = propose(_open(before, after), len(self.pipeline.vocabulary))
        return self._tries(before, after, self._whole_words(before, after, proposals)[:CANDIDATES])

    def _whole_words(self, before: Pieces, after: Pieces, proposals: Proposals) -> Proposals:
        """Leave out what would be a part of the word before it or behind it: "dieatei" is no word."""
        rows = np.array([[before[-1].id, word, after[0].id] for word, _ in proposals], dtype=np.int64)
        starts = np.diff(self.pipeline.vocabulary.words(rows.reshape(-1, 3))) > 0
        return [proposals[number] for number in np.flatnonzero(starts.all(axis=1))]

    def _tries(self, before: Pieces, after: Pieces, proposals: Proposals) -> Tries:
        """Put each word in between, the best first, and tell the breaches it leaves."""
        for word, score in proposals:
            found = [*before, Piece(word, score=score), *after]
            yield self._breaches(found), found

    def _free_stretches(self, pieces: Pieces) -> Iterator[tuple[int, int]]:
        """Yield where the free tokens of one word are."""
        words = self.pipeline.vocabulary.words(np.array([piece.id for piece in pieces]))
        keys = [(word, piece.lock) for word, piece in zip(words.tolist(), pieces, strict=True)]
        for (_, lock), group in groupby(range(len(pieces)), key=keys.__getitem__):
            places = list(group)
            if not lock and places[0] > 0 and places[-1] < len(pieces) - 1:  # no boundary
                yield places[0], places[-1] + 1


def _open(before: Pieces, after: Pieces) -> list[int]:
    return [*(piece.id for piece in before), PLH, *(piece.id for piece in after)]


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
