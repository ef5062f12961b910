"""How far a growing hypothesis has come with the phrases it has to hold.

Each phrase needs tokens of its own: phrases may be prefixes or parts of each other, or be wanted twice. So
what a token belongs to may only show later, and a hypothesis has several readings. Each is one way to share
its tokens among the phrases; that some reading has all of them is what "met" means.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from editmt.text import BOS, SYMBOLS, Vocabulary

MOST_READINGS = 8
"""Of more, the best are kept: what is told to be met still is, though another way to it may be missed."""


@dataclass(frozen=True, eq=False)
class WordBoundaries:
    """Where words begin and end, by token id: (V,) each; special symbols are words.

    Differs from `Vocabulary.words`: a lone `▁` is a word here, so that a phrase may begin after it.
    """

    begins: npt.NDArray[np.bool_]
    ends: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Self:
        """Take them from a vocabulary."""
        return cls(vocabulary.begins, vocabulary.ends)

    @classmethod
    def everywhere(cls, size: int) -> Self:
        """Take each of so many tokens for a word of its own: there are no words to be split."""
        return cls(np.ones(size, dtype=np.bool_), np.ones(size, dtype=np.bool_))


class Reading(NamedTuple):
    """One way to share a hypothesis' tokens among the phrases."""

    lacking: tuple[int, ...]  # how often each phrase is still to come, the one that is begun included
    met: int = 0  # tokens of phrases, those of the one that is begun included
    phrase: int = 0  # the one that is begun,
    place: int = 0  # and how much of it is there: 0 = none is begun
    complete: bool = False  # the last token was a phrase's last


@dataclass(frozen=True, eq=False)
class Progress:
    """What is known of a hypothesis."""

    readings: tuple[Reading, ...]  # those that still fit, the one with most tokens met first
    left: int  # how many tokens may still come,
    slack: int  # and how many of these need not belong to phrases
    last: int  # the newest token

    @property
    def met(self) -> int:
        """The tokens of phrases that are there."""
        return self.readings[0].met


class PhraseTracker:
    """The phrases of one sentence, and the rules of how they may come."""

    def __init__(self, phrases: Sequence[Sequence[int]], boundaries: WordBoundaries) -> None:
        counts = Counter(tuple(phrase) for phrase in phrases)
        self._phrases = tuple(counts)
        self._counts = tuple(counts.values())
        self._begins, self._ends = boundaries.begins, boundaries.ends
        self._words_begin = bool(boundaries.begins[len(SYMBOLS) :].any())
        self.total = sum(len(phrase) for phrase in phrases)

    def start(self, most_tokens: int) -> Progress:
        """Return the progress of an empty hypothesis."""
        return Progress((Reading(self._counts),), most_tokens, most_tokens - self.total, BOS)

    def wanted(self, progress: Progress) -> set[int]:
        """Return the tokens that carry a phrase on, or begin one where it may begin."""
        return {token for reading in progress.readings for token in self._next(progress, reading)}

    def advance(self, progress: Progress, token: int) -> Progress | None:
        """Return the progress after one more token that is no `</s>`, or None if it must not come.

        It must not if the phrases would no longer fit, or if it goes on with the word of a complete phrase.
        From every progress some token leads on: each that is wanted, or, if none is, each that is allowed.
        """
        must_begin = self._must_begin(progress) and not self._begins[token]
        if must_begin and token not in self.wanted(progress):
            return None
        found = {new for reading in progress.readings for new in self._read(progress, reading, token)}
        readings = sorted(found, key=lambda reading: (-reading.met, reading))
        most, left = readings[0].met, progress.left - 1
        needed = max(self.total - left, self.total if most == self.total else 0)
        readings = [reading for reading in readings if reading.met >= needed]
        new = Progress(tuple(readings[:MOST_READINGS]), left, left - (self.total - most), token)
        return None if not readings or (self._is_stuck(new) and self._can_avoid(progress)) else new

    def allowed(self, progress: Progress) -> npt.NDArray[np.bool_] | None:
        """Tell which tokens (V,) may come that are not wanted, as far as whole words matter: None = all."""
        if progress.slack == 1 and progress.met < self.total and not self.wanted(progress):
            closing = self._closing(progress)
            if closing.any():  # the last chance to end this word, so that a phrase can begin
                return closing
        return self._begins if self._must_begin(progress) else None

    def _read(self, progress: Progress, reading: Reading, token: int) -> list[Reading]:
        """Return what a reading may become: what is begun goes on or goes back, another may begin."""
        begun, place, before = reading.phrase, reading.place, reading.met - reading.place
        new = [self._move(reading)] if place and self._phrases[begun][place] == token else []
        new += [
            self._move(Reading(reading.lacking, before, phrase))
            for phrase in self._beginnings(progress, reading)
            if self._phrases[phrase][0] == token
        ]
        if new or (reading.complete and self._must_begin(progress) and not self._begins[token]):
            return new  # without any, the word of a complete phrase goes on: it is another word
        return [Reading(reading.lacking, before)]

    def _move(self, reading: Reading) -> Reading:
        """Return the reading one token further in its phrase."""
        lacking, met, phrase, place, _ = reading
        if place + 1 < len(self._phrases[phrase]):
            return Reading(lacking, met + 1, phrase, place + 1)
        fewer = (*lacking[:phrase], lacking[phrase] - 1, *lacking[phrase + 1 :])
        return Reading(fewer, met + 1, complete=True)

    def _next(self, progress: Progress, reading: Reading) -> Iterator[int]:
        if reading.place:
            yield self._phrases[reading.phrase][reading.place]
        if self.total - (reading.met - reading.place) <= progress.left:  # what is begun would go back
            for phrase in self._beginnings(progress, reading):
                yield self._phrases[phrase][0]

    def _beginnings(self, progress: Progress, reading: Reading) -> Iterator[int]:
        """Yield the phrases that may begin: where a word does, or anywhere if else they would not fit."""
        anywhere = self._ends[progress.last] or not progress.slack
        for phrase, count in enumerate(reading.lacking):
            if count and (anywhere or self._begins[self._phrases[phrase][0]]):
                yield phrase

    def _must_begin(self, progress: Progress) -> bool:
        """Tell whether a complete phrase waits for the end of its word."""
        return (
            self._words_begin
            and not self._ends[progress.last]
            and any(reading.complete for reading in progress.readings)
        )

    def _is_stuck(self, progress: Progress) -> bool:
        """Tell whether there is room for phrases alone, but none may begin, as a word goes on here."""
        if progress.slack or progress.met == self.total or self._ends[progress.last]:
            return False
        return not any(
            reading.place or reading.complete or self._begins[phrase[0]]
            for reading in progress.readings
            for phrase, count in zip(self._phrases, reading.lacking, strict=True)
            if count
        )

    def _can_avoid(self, progress: Progress) -> bool:
        return bool(self.wanted(progress)) or bool(self._closing(progress).any())

    def _closing(self, progress: Progress) -> npt.NDArray[np.bool_]:
        """Tell which tokens (V,) may come next, as far as whole words matter, and end a word."""
        closing = self._ends & self._begins if self._must_begin(progress) else self._ends.copy()
        closing[: len(SYMBOLS)] = False  # these never come
        return closing
