"""The token types of a model: their ids, the special symbols, and where words begin and end."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

SYMBOLS = ("<pad>", "<s>", "</s>", "<unk>", "<plh>")
PAD, BOS, EOS, UNK, PLH = range(len(SYMBOLS))
"""Ids of the special symbols, the same in every vocabulary.

Differs: the authors' code has no placeholder of its own; its `<unk>` doubles as one, so that a user's
unknown word is taken for an empty slot.
"""

BOUNDARIES = 2
"""Each sentence of a batch gets a `<s>` and a `</s>`."""

NEVER_WRITTEN = (PAD, BOS, UNK, PLH)
"""What no search may write: neither words nor the end."""

SCRIPTS_WITHOUT_SPACES = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Pieces by id, and the ids before which a word surely begins or after which it surely ends.

    Between two neighbouring tokens a new word starts if the left one ends a word or the right one begins
    one. SentencePiece marks beginnings (`▁the`), subword-nmt marks the lack of an end (`th@@`); both are
    told by these ids. A piece of `joins_next`, such as a lone `▁`, is part of whatever comes next.

    >>> vocabulary = Vocabulary((*SYMBOLS, "▁un", "fall", "."), begins_word=(5, 7), ends_word=(7,))
    >>> vocabulary.words(np.array([BOS, 5, 6, 7, EOS])).tolist()   # <s> ▁un fall . </s>
    [0, 1, 1, 2, 3]
    """

    pieces: tuple[str, ...]
    begins_word: Sequence[int]
    ends_word: Sequence[int]
    joins_next: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.pieces)

    def id_of(self, piece: str) -> int:
        """Return the id of a piece, or that of `<unk>`."""
        return self._ids.get(piece, UNK)

    def words(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Number the words of token sequences `(…, T)` from 0: tokens of one word share its number.

        A special symbol is always a word of its own.
        """
        before, after = ids[..., :-1], ids[..., 1:]
        begins = self.begins[ids]
        begins[..., 1:] &= ~self._joins[before] | (after < len(SYMBOLS))
        begins[..., 1:] |= self.ends[before]
        begins[..., :1] = False
        return np.cumsum(begins, axis=-1)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {piece: index for index, piece in enumerate(self.pieces)}

    @cached_property
    def begins(self) -> npt.NDArray[np.bool_]:
        """Tell of each id (V,) whether a word surely begins there; special symbols are words."""
        return self._flags([*range(len(SYMBOLS)), *self.begins_word])

    @cached_property
    def ends(self) -> npt.NDArray[np.bool_]:
        """Tell of each id (V,) whether a word surely ends there."""
        return self._flags([*range(len(SYMBOLS)), *self.ends_word])

    @cached_property
    def _joins(self) -> npt.NDArray[np.bool_]:
        return self._flags(self.joins_next)

    def _flags(self, ids: Sequence[int]) -> npt.NDArray[np.bool_]:
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[np.asarray(ids, dtype=np.int64)] = True
        return flags


def is_punctuation(text: str) -> bool:
    """Tell whether the text is nothing but punctuation and symbols: such a piece is a word of its own.

    The paper's tokeniser splits punctuation off; with this, words mean the same in both pipelines.
    """
    return bool(text) and all(unicodedata.category(character)[0] in "PS" for character in text)


def is_written_without_spaces(text: str) -> bool:
    """Tell whether the text starts in a script that does not put spaces between words."""
    return unicodedata.name(text[:1], "").startswith(SCRIPTS_WITHOUT_SPACES) if text else False
