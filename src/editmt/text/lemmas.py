"""The dictionary form of a word, by simplemma."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

from editmt.errors import MissingPackage
from editmt.text.phrases import Span, is_whole

_WORD = re.compile(r"\w+|[^\w\s]")

Lemmatiser: TypeAlias = Callable[[str], str]
"""A word → its lemma in small letters."""

KEPT_WORDS = 100_000
"""Whose lemmas are remembered: enough for a language, and an end for a server that runs for months."""


@cache
def load_lemmatiser(language: str, extra: str = "glossary") -> Lemmatiser | None:
    """Return the lemmatiser of a language, or None for one that simplemma does not know.

    Its dictionary is read at the first word. To unpack it takes some tenths of a second for English and
    seconds for German; so simplemma keeps what it unpacked in the user's cache, which is read at once.
    """
    try:
        from simplemma import Lemmatizer  # noqa: PLC0415 - only where lemmas are asked for
        from simplemma.strategies import DefaultStrategy  # noqa: PLC0415
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES  # noqa: PLC0415
        from simplemma.strategies.dictionaries.trie_dictionary_factory import (  # noqa: PLC0415
            TrieDictionaryFactory,
        )

        dictionaries = TrieDictionaryFactory()
    except ImportError:
        raise MissingPackage("simplemma[marisa-trie]", extra) from None
    code = language.replace("_", "-").split("-")[0].lower()
    if code not in SUPPORTED_LANGUAGES:
        return None
    strategy = DefaultStrategy(dictionary_factory=dictionaries)
    lemmatiser = Lemmatizer(KEPT_WORDS, lemmatization_strategy=strategy)
    return lambda word: str(lemmatiser.lemmatize(word, lang=code)).lower()


def find_by_lemma(text: str, phrase: str, lemmatise: Lemmatiser) -> Iterator[Span]:
    """Yield where the phrase stands with words of the same lemmas, in its order.

    >>> list(find_by_lemma("des Hauses wegen", "Haus", lambda word: word.lower().removesuffix("es")))
    [(4, 10)]
    """
    wanted = [_lemmas(word, lemmatise) for word in _WORD.findall(phrase)]
    words = list(_WORD.finditer(text))
    found = [_lemmas(word[0], lemmatise) for word in words]
    for first in range(len(words) - len(wanted) + 1 if wanted else 0):
        if all(ours & theirs for ours, theirs in zip(wanted, found[first:], strict=False)):
            span = words[first].start(), words[first + len(wanted) - 1].end()
            if is_whole(text, span):
                yield span


def _lemmas(word: str, lemmatise: Lemmatiser) -> set[str]:
    return {word.lower(), lemmatise(word)}
