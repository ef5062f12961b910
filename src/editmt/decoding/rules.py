"""What a user demands of the output text: how often a phrase stands in it, at least and at most."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from editmt.errors import InputError
from editmt.text.phrases import count_phrase


@dataclass(frozen=True)
class Rule:
    """A phrase stands in the text at least and at most so many times, as whole words."""

    phrase: str
    least: int
    most: float

    def misses(self, text: str) -> float:
        """Return by how many occurrences the text breaks the rule."""
        count = count_phrase(text, self.phrase)
        return max(self.least - count, 0) + max(count - self.most, 0)


@dataclass(frozen=True)
class Rules:
    """All rules of a sentence.

    >>> rules = Rules.of(hard=["Haus", "Haus am See"], locked=[], forbidden=["Boot"])
    >>> rules.misses("Haus und Haus am See"), rules.misses("ein Haus am See mit Boot")
    (0, 2)
    """

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, *, hard: Sequence[str], locked: Sequence[str], forbidden: Sequence[str]) -> "Rules":
        """Make the rules of hard phrases, locked parts of a draft and forbidden phrases.

        A hard phrase stands there exactly as often as it was asked for, alone or within another hard one;
        a locked part at least as often, since the rest of the draft may well hold the same words.
        """
        kept = [*hard, *locked]
        for phrase in forbidden:
            for other in kept:
                if count_phrase(other, phrase):
                    raise InputError(f"{phrase!r} is forbidden, and {other!r} has to be kept")
        times = {phrase: sum(count_phrase(other, phrase) for other in kept) for phrase in kept}
        return cls(
            (
                *(Rule(phrase, times[phrase], times[phrase]) for phrase in dict.fromkeys(hard)),
                *(Rule(phrase, times[phrase], math.inf) for phrase in dict.fromkeys(locked)),
                *(Rule(phrase, 0, 0) for phrase in dict.fromkeys(forbidden)),
            )
        )

    def misses(self, text: str) -> float:
        """Return by how many occurrences the text breaks the rules: 0 if it keeps them all."""
        return sum(rule.misses(text) for rule in self.rules)
