"""Constraints as in the paper: words of the reference, drawn at random and shuffled; terminology sets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from editmt.errors import InputError
from editmt.evaluation.systems import read_records
from editmt.evaluation.words import Splitter
from editmt.records import JsonObject
from editmt.text.phrases import count_phrase, tidy

HYPHEN = "@-@"
"""A hyphen inside a word, as Moses marks it."""


@dataclass(frozen=True)
class Amount:
    """How many words to draw: from `least` to `most`, each number equally likely.

    >>> Amount.parse("1-4"), Amount.parse("10")
    (Amount(least=1, most=4), Amount(least=10, most=10))
    """

    least: int
    most: int

    @classmethod
    def parse(cls, text: str) -> "Amount":
        """Read `1-4` or `10`."""
        least, _, most = text.partition("-")
        bounds = least, most or least
        if all(bound.isdecimal() and len(bound) < 4 for bound in bounds):
            amount = cls(int(bounds[0]), int(bounds[1]))
            if 1 <= amount.least <= amount.most:
                return amount
        raise InputError(f"{text!r} is no number of words, such as 4 or 1-4")


def sample_constraints(
    pairs: Iterable[tuple[str, str]], split: Splitter, amount: Amount, *, seed: int, hard: bool
) -> Iterator[JsonObject]:
    """Yield a request for each source and reference, with words of the reference as its constraints.

    Each line has a generator of its own, so that the sample of a line does not depend on the others.
    """
    for number, (source, reference) in enumerate(pairs):
        words = draw_words(reference, split, amount, np.random.default_rng([seed, number]))
        yield {"source": source, "hard" if hard else "terms": words}


def draw_words(reference: str, split: Splitter, amount: Amount, generator: np.random.Generator) -> list[str]:
    """Return some words of the reference, in random order; all of them if it has no more.

    A word that stands twice may be drawn twice. Punctuation is drawn as any word: the paper draws from the
    reference's tokens, and says nothing of leaving some out.

    Differs: a token that does not stand in the reference as whole words (Moses turns “ into ", 13a splits
    `a_b`) is not drawn, so that the reference itself keeps all of its constraints.

    >>> draw_words("a b c d", str.split, Amount(2, 2), np.random.default_rng(1))
    ['b', 'c']
    """
    words = _words_that_stand(reference, split(reference))
    count = min(int(generator.integers(amount.least, amount.most + 1)), len(words))
    return [words[place] for place in generator.choice(len(words), count, replace=False)] if count else []


def terminology_request(record: JsonObject, *, hard: bool) -> JsonObject:
    """Return the request of a line of a terminology set: its source, and the terms that go with it.

    >>> terminology_request({"source": "a dog", "terms": [{"source": "dog", "target": "Hund"}]}, hard=True)
    {'source': 'a dog', 'hard': ['Hund']}
    """
    source, terms = record.get("source"), record.get("terms")
    if not isinstance(source, str):
        raise InputError("the field 'source' is missing or not a text")
    if not isinstance(terms, list):
        raise InputError("the field 'terms' is missing or not a list")
    return {"source": source, "hard" if hard else "terms": [_target(term) for term in terms]}


def read_terminology(path: Path, *, hard: bool) -> Iterator[JsonObject]:
    """Yield the request of each line of a terminology set; what is wrong is told with file and line."""
    for number, record in read_records(path):
        try:
            yield terminology_request(record, hard=hard)
        except InputError as error:
            raise InputError(f"{path}: line {number}: {error}") from None


def _target(term: Any) -> str:
    target = term.get("target") if isinstance(term, dict) else None
    if not isinstance(target, str) or not tidy(target):
        raise InputError("terms: an item has no field 'target' with a text")
    return target


def _words_that_stand(reference: str, tokens: Sequence[str]) -> list[str]:
    seen: Counter[str] = Counter()
    standing = []
    for token in tokens:
        word = tidy("-" if token == HYPHEN else token)
        seen[word] += 1
        if seen[word] <= count_phrase(reference, word):
            standing.append(word)
    return standing
