"""Text → words, for the metrics on words and for the choice of constraints."""

from collections.abc import Callable
from typing import TypeAlias

from editmt.errors import InputError, MissingPackage

Splitter: TypeAlias = Callable[[str], tuple[str, ...]]

SPLITTERS = ("13a", "char", "none", "moses:LANGUAGE")
"""13a and char are sacreBLEU's; none splits at spaces, for text that is tokenised; moses is the paper's."""

LANGUAGES = 2, 3
"""Letters of a language's code."""


def find_splitter(name: str) -> Splitter:
    """Return the function that splits a text into words.

    Differs: the paper splits Japanese by KyTea; give such text tokenised, and `none`.

    >>> find_splitter("none")("Ein Haus.")
    ('Ein', 'Haus.')
    >>> find_splitter("13a")("Ein Haus.")
    ('Ein', 'Haus', '.')
    """
    if name == "none":
        return _split_at_spaces
    if name in SPLITTERS[:2]:
        return _sacrebleu_splitter(name)
    kind, _, language = name.partition(":")
    if kind == "moses" and len(language) in LANGUAGES and language.isalpha():
        return _moses_splitter(language)
    raise InputError(f"there is no tokenisation {name!r} (only: {', '.join(SPLITTERS)})")


def _split_at_spaces(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _sacrebleu_splitter(name: str) -> Splitter:
    try:
        from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415 - only `eval` brings it
    except ImportError:
        raise MissingPackage("sacrebleu", extra="eval") from None
    tokenise = BLEU(tokenize=name).tokenizer
    return lambda text: tuple(tokenise(text.rstrip()).split())


def _moses_splitter(language: str) -> Splitter:
    from editmt.text.moses import tokenise  # noqa: PLC0415 - names the extra where sacremoses is missing

    # isort: split
    from sacremoses import MosesPunctNormalizer, MosesTokenizer  # noqa: PLC0415

    normalizer, tokenizer = MosesPunctNormalizer(language), MosesTokenizer(language)
    return lambda text: tuple(tokenise(normalizer, tokenizer, text))
