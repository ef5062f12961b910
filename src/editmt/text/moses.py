"""Pipeline (b), the paper's: Moses normalisation, tokenisation and truecasing, then joint BPE (§4.1)."""

import contextlib
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from editmt.errors import InputError, MissingPackage
from editmt.text.pipeline import Own, read_description, write_description
from editmt.text.vocabulary import SYMBOLS, Vocabulary, is_punctuation

try:
    from sacremoses import (
        MosesDetokenizer,
        MosesDetruecaser,
        MosesPunctNormalizer,
        MosesTokenizer,
        MosesTruecaser,
    )
    from subword_nmt.apply_bpe import BPE
    from subword_nmt.learn_bpe import learn_bpe
except ImportError as error:
    raise MissingPackage(error.name or "sacremoses", extra="moses") from None

TRUECASER_FILE = "truecaser.txt"
CODES_FILE = "bpe.codes"
VOCABULARY_FILE = "vocabulary.txt"
CONTINUED = "@@"
FIRST_NAME = "\ue000"
"""A character for private use, and so in no text: names of what Moses must not change begin here."""


class MosesPipeline:
    """One language's way through Moses, with the BPE codes and the vocabulary that both languages share.

    Back to text it is as exact as Moses is, which is not quite: quotation marks, dashes and some spaces
    come back normalised, and case as the truecaser knows it, with a capital after a full stop or a colon.
    A character that the training text lacked becomes `<unk>`.

    Differs: `&`, `|`, `<` and their like are not escaped to `&amp;` …; that serves the Moses decoder only.
    """

    def __init__(self, language: str, truecaser: MosesTruecaser, codes: str, vocabulary: Vocabulary) -> None:
        self.language = language
        self.vocabulary = vocabulary
        self._codes = codes
        self._truecaser = truecaser
        self._normalizer = MosesPunctNormalizer(language)
        self._tokenizer = MosesTokenizer(language)
        self._detokenizer = MosesDetokenizer(language)
        self._detruecaser = MosesDetruecaser()
        self._exact: dict[tuple[str, ...], bool] = {}  # by the pieces of a phrase, and its text
        # What training did not see in one piece is spelled in pieces that it did see.
        self._bpe = BPE(io.StringIO(codes), separator=CONTINUED, vocab=set(vocabulary.pieces))

    def encode(self, text: str) -> list[int]:
        """Return the ids of one line of text, without `<s>` and `</s>`."""
        return self._ids(truecase(self._truecaser, self.tokenise(text)))

    def encode_phrase(self, phrase: str) -> list[int]:
        """Return the ids of words inside a sentence: their case is the user's, not a sentence start's."""
        return self._ids(self.tokenise(phrase))

    def decode(self, ids: Sequence[int], own: Sequence[Own] = (), /) -> str:
        """Return the text of token ids; special symbols are passed over.

        A user's phrase keeps its case at the start of a sentence. One that Moses would change, its quotation
        marks, say, goes through in one piece, under a name that means nothing to Moses.
        """
        pieces = [self.vocabulary.pieces[index] if index >= len(SYMBOLS) else "" for index in ids]
        kept, names = [False] * len(pieces), dict[str, str]()
        for start, end, phrase in own:
            if start and pieces[start - 1].endswith(CONTINUED):
                continue  # a part of a longer word is not what the user wrote
            kept[start:end] = [True] * (end - start)
            if not self._is_exact(pieces[start:end], phrase):
                name = chr(ord(FIRST_NAME) + len(names))
                names[name], pieces[start:end] = phrase, [name] + [""] * (end - start - 1)
        words = join_pieces(pieces, kept)
        cased = self._detruecaser.detruecase(" ".join(word for word, _ in words))
        tokens = [word if own else new for (word, own), new in zip(words, cased, strict=True)]
        text = str(self._detokenizer.detokenize(tokens, unescape=False))
        return "".join(names.get(character, character) for character in text) if names else text

    def tokenise(self, text: str) -> list[str]:
        """Return the words of a text, normalised but in their own case."""
        return tokenise(self._normalizer, self._tokenizer, text)

    def save(self, folder: Path) -> None:
        """Write the truecaser's counts, the BPE codes, the vocabulary and the description."""
        write_description(folder, {"kind": "moses", "language": self.language})
        self._truecaser.save_model(str(folder / TRUECASER_FILE))
        (folder / TRUECASER_FILE).chmod(0o644)  # sacremoses lets nobody else read it; a server must
        (folder / CODES_FILE).write_text(self._codes, encoding="utf-8")
        pieces = "".join(piece + "\n" for piece in self.vocabulary.pieces)
        (folder / VOCABULARY_FILE).write_text(pieces, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        try:
            truecaser = MosesTruecaser(load_from=str(folder / TRUECASER_FILE))
            codes = (folder / CODES_FILE).read_text(encoding="utf-8")
            pieces = (folder / VOCABULARY_FILE).read_text(encoding="utf-8").split("\n")[:-1]
            language = read_description(folder)["language"]
        except (OSError, ValueError, KeyError) as error:
            raise InputError(f"{folder}: the saved Moses pipeline is damaged: {error}") from None
        for number, line in enumerate(codes.splitlines()[1:], start=2):  # subword-nmt would exit on it
            if len(line.split(" ")) != 2:
                raise InputError(f"{folder / CODES_FILE}: line {number}: two pieces are expected")
        return cls(language, truecaser, codes, describe_pieces(pieces))

    def _is_exact(self, pieces: Sequence[str], phrase: str) -> bool:
        """Tell whether the phrase is what Moses makes of its pieces."""
        key = (*pieces, phrase)
        if key not in self._exact:
            words = [word for word, _ in join_pieces(pieces, [True] * len(pieces))]
            self._exact[key] = self._detokenizer.detokenize(words, unescape=False) == phrase
        return self._exact[key]

    def _ids(self, words: list[str]) -> list[int]:
        return [self.vocabulary.id_of(piece) for piece in self._bpe.segment_tokens(words)]


def train_moses(corpora: Mapping[str, Iterable[str]], *, operations: int) -> dict[str, MosesPipeline]:
    """Learn a truecaser for each language, and BPE codes and a vocabulary from all of them together.

    `corpora` maps language codes to lines of text; the answer has a pipeline for each:

    >>> pipelines = train_moses({"en": ["A dog .", "The dog ."], "de": ["Ein Hund ."]}, operations=9)
    >>> pipelines["de"].decode(pipelines["de"].encode("Ein Hund."))
    'Ein Hund.'
    """
    truecasers: dict[str, MosesTruecaser] = {}
    counts: Counter[str] = Counter()
    characters: set[str] = set()
    for language, lines in corpora.items():
        normalizer, tokenizer = MosesPunctNormalizer(language), MosesTokenizer(language)
        sentences = [tokenise(normalizer, tokenizer, line) for line in lines]
        truecasers[language] = MosesTruecaser()
        truecasers[language].train(sentences)
        for sentence in sentences:
            characters.update(*sentence)
            counts.update(truecase(truecasers[language], sentence))
    if not counts:
        raise InputError("no BPE can be learnt: the corpus has no words")
    if all(len(word) == 1 for word in counts):
        raise InputError("no BPE can be learnt: no word of the corpus has two letters to merge")
    codes = _learn_codes(counts, operations)
    vocabulary = describe_pieces([*SYMBOLS, *_pieces_by_frequency(counts, characters, codes)])
    return {
        language: MosesPipeline(language, truecaser, codes, vocabulary)
        for language, truecaser in truecasers.items()
    }


def tokenise(normalizer: MosesPunctNormalizer, tokenizer: MosesTokenizer, text: str) -> list[str]:
    """Return the words of a text by Moses' rules (hyphens split: `-a`, as the paper's data scripts do)."""
    words: list[str] = tokenizer.tokenize(
        normalizer.normalize(text), aggressive_dash_splits=True, escape=False
    )
    return words


def truecase(truecaser: MosesTruecaser, words: list[str]) -> list[str]:
    """Give the first word of a sentence its usual case; elsewhere known forms stay.

    sacremoses reads `<` and `>` as XML and `|` as a factor, and fails on a lone one: such words keep their
    case, and a dash stands for them meanwhile.
    """
    shown = ["-" if _has_markup(word) else word for word in words]
    cased = truecaser.truecase(" ".join(shown), use_known=True)
    return [word if _has_markup(word) else new for word, new in zip(words, cased, strict=True)]


def join_pieces(pieces: Sequence[str], kept: Sequence[bool]) -> list[tuple[str, bool]]:
    """Join BPE pieces to words, and tell of each whether all of its pieces are kept; empty ones are none.

    >>> join_pieces(["a@@", "b", "", "c"], [True, False, False, True])
    [('ab', False), ('c', True)]
    """
    words: list[tuple[str, bool]] = []
    open_word = False
    for piece, own in zip(pieces, kept, strict=True):
        bare = piece.removesuffix(CONTINUED)
        if bare and open_word:
            word, whole = words.pop()
            words.append((word + bare, whole and own))
        elif bare:
            words.append((bare, own))
        open_word = piece != bare if bare else open_word
    return words


def describe_pieces(pieces: Sequence[str]) -> Vocabulary:
    """Tell of each BPE piece whether a word begins or ends there: only `@@` binds to the right."""
    if tuple(pieces[: len(SYMBOLS)]) != SYMBOLS:
        raise InputError(f"the vocabulary begins with {pieces[: len(SYMBOLS)]}, not {list(SYMBOLS)}")
    punctuation = [i for i, piece in enumerate(pieces) if is_punctuation(piece.removesuffix(CONTINUED))]
    whole = [i for i, piece in enumerate(pieces) if not piece.endswith(CONTINUED)]
    return Vocabulary(tuple(pieces), begins_word=punctuation, ends_word=[*whole, *punctuation])


def _has_markup(word: str) -> bool:
    return any(character in word for character in "<>|")


def _learn_codes(counts: Counter[str], operations: int) -> str:
    dictionary = "".join(f"{word} {count}\n" for word, count in counts.items())
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):  # a progress bar that nobody asked for
        learn_bpe(io.StringIO(dictionary), codes, operations, is_dict=True)
    return codes.getvalue()


def _pieces_by_frequency(counts: Counter[str], characters: set[str], codes: str) -> list[str]:
    bpe = BPE(io.StringIO(codes), separator=CONTINUED)
    pieces: Counter[str] = Counter()
    for word, count in counts.items():
        for piece in bpe.segment_tokens([word]):
            pieces[piece] += count
    for character in characters:  # so that any word of known characters can be spelled
        pieces.update({character: 0, character + CONTINUED: 0})
    return sorted(pieces, key=lambda piece: (-pieces[piece], piece))
