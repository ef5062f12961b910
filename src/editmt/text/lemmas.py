"""The dictionary form of a word, by simplemma."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from editmt.errors import MissingPackage

Lemmatiser: TypeAlias = Callable[[str], str]
"""A word → its lemma in small letters."""

KEPT_WORDS = 100_000
"""Whose lemmas are remembered: enough for a language, and an end for a server that runs for months."""


def load_lemmatiser(language: str, extra: str = "glossary") -> Lemmatiser | None:
    """Return the lemmatiser of a language, or None for one that simplemma does not know.

    Its dictionary is read at the first word, which takes some tenths of a second for English and seconds for
    German.
    """
    try:
        import simplemma  # noqa: PLC0415 - only where lemmas are asked for
        from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES  # noqa: PLC0415
    except ImportError:
        raise MissingPackage("simplemma", extra) from None
    code = language.replace("_", "-").split("-")[0].lower()
    if code not in SUPPORTED_LANGUAGES:
        return None
    return lru_cache(KEPT_WORDS)(lambda word: str(simplemma.lemmatize(word, lang=code)).lower())
