"""What a user demands of the output text: what has to stand in it, and how often at most."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from editmt.errors import InputError
from editmt.text.phrases import count_lacking, count_phrase, find_phrase


@dataclass(frozen=True)
class Rules:
    """All rules of a sentence.

    kept
        Phrases and how often they are wanted, each in a place of its own, as whole words: "ja ja ja" has
        "ja ja" only once.
    most
        How often phrases may stand in the text, wherever that is; "ja ja ja" is "ja ja" twice.

    >>> rules = Rules.of(hard=["Haus", "Haus am See"], locked=[], forbidden=["Boot"])
    >>> rules.misses("Haus und Haus am See"), rules.misses("ein Haus am See mit Boot")
    (0, 2)
    """

    kept: dict[str, int]
    most: dict[str, int]

    @classmethod
    def of(cls, *, hard: Sequence[str], locked: Sequence[str], forbidden: Sequence[str]) -> Self:
        """Make the rules of hard phrases, locked parts of a draft and forbidden phrases.

        A hard phrase stands there exactly as often as it was asked for, alone or within another hard one;
        a locked part at least as often, since the rest of the draft may well hold the same words.
        """
        kept = [*hard, *locked]
        for phrase in forbidden:
            for other in kept:
                if count_phrase(other, phrase):
                    raise InputError(f"{phrase!r} is forbidden, and {other!r} has to be kept")
        most = {phrase: sum(count_phrase(other, phrase) for other in kept) for phrase in hard}
        return cls(dict(Counter(kept)), most | dict.fromkeys(forbidden, 0))

    def __bool__(self) -> bool:
        return bool(self.kept or self.most)

    def breaches(self, text: str) -> tuple[int, int]:
        """Return how many phrases the text lacks, and how many it has too many."""
        places = {phrase: list(find_phrase(text, phrase)) for phrase in {**self.kept, **self.most}}
        surplus = sum(max(len(places[phrase]) - most, 0) for phrase, most in self.most.items())
        return count_lacking(places, self.kept), surplus

    def misses(self, text: str) -> int:
        """Return how many phrases the text lacks or has too many: 0 if it keeps the rules."""
        return sum(self.breaches(text))
