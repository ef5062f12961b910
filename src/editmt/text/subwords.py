"""Pipeline (a): SentencePiece on raw text, byte fall-back on, so that no word a user types is unknown."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, Self

import sentencepiece

from editmt.errors import InputError
from editmt.text.pipeline import Own, write_description
from editmt.text.vocabulary import (
    BOS,
    EOS,
    PAD,
    PLH,
    SYMBOLS,
    UNK,
    Vocabulary,
    is_punctuation,
    is_written_without_spaces,
)

MODEL_FILE = "sentencepiece.model"
SPACE = "▁"
LEAST_SIZE = len(SYMBOLS) + 256
"""Below this there is no room for the special symbols and the 256 bytes."""


class SentencePiecePipeline:
    """Text → ids → text without loss: any line comes back as it was, but for U+2581, which is a space.

    Nothing is normalised. What the subwords cannot spell is spelled in bytes; `<s>` or `<plh>` typed by
    a user are ordinary characters.
    """

    def __init__(self, model: bytes) -> None:
        self._model = model
        self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        self.vocabulary = _describe_pieces(self._processor)

    @classmethod
    def train(cls, lines: Iterable[str], *, size: int, model_type: Literal["bpe", "unigram"] = "bpe") -> Self:
        """Learn a vocabulary of `size` types, special symbols and bytes included, from lines of text."""
        if size <= LEAST_SIZE:
            raise InputError(
                f"a vocabulary of {size} is too small: symbols and bytes alone take {LEAST_SIZE}"
            )
        model = io.BytesIO()
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=(line.rstrip("\n") for line in lines),
                model_writer=model,
                vocab_size=size,
                model_type=model_type,
                byte_fallback=True,
                character_coverage=0.9999,
                normalization_rule_name="identity",
                remove_extra_whitespaces=False,
                pad_id=PAD,
                bos_id=BOS,
                eos_id=EOS,
                unk_id=UNK,
                pad_piece=SYMBOLS[PAD],
                control_symbols=[SYMBOLS[PLH]],
                minloglevel=2,
            )
        except (RuntimeError, OSError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"no vocabulary of {size} can be learnt from this text: {reason}") from None
        return cls(model.getvalue())

    def encode(self, text: str) -> list[int]:
        """Return the ids of one line of text, without `<s>` and `</s>`."""
        try:
            ids: list[int] = self._processor.encode(text)
        except (RuntimeError, UnicodeEncodeError):
            raise InputError("a text with half a surrogate pair cannot be encoded") from None
        return ids

    def encode_phrase(self, phrase: str) -> list[int]:
        """Return the ids of words as they stand after a space."""
        return self.encode(phrase)

    def decode(self, ids: Sequence[int], _own: Sequence[Own] = (), /) -> str:
        """Return the text of token ids; special symbols are passed over. What it encoded is as it was."""
        text: str = self._processor.decode([index for index in ids if index >= len(SYMBOLS)])
        return text

    def save(self, folder: Path) -> None:
        """Write the SentencePiece model and the description."""
        write_description(folder, {"kind": "sentencepiece"})
        (folder / MODEL_FILE).write_bytes(self._model)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        path = folder / MODEL_FILE
        try:
            return cls(path.read_bytes())
        except (OSError, RuntimeError) as error:
            raise InputError(f"{path}: not a SentencePiece model ({error.__class__.__name__})") from None


def _describe_pieces(processor: sentencepiece.SentencePieceProcessor) -> Vocabulary:
    pieces = tuple(processor.id_to_piece(index) for index in range(processor.get_piece_size()))
    if pieces[: len(SYMBOLS)] != SYMBOLS:
        raise InputError(f"the SentencePiece model begins with {pieces[: len(SYMBOLS)]}, not {SYMBOLS}")
    begins, ends = [], []
    for index, piece in enumerate(pieces):
        if processor.is_byte(index):
            continue  # a byte belongs to the word around it
        bare = piece.removeprefix(SPACE)
        if piece.startswith(SPACE) or is_punctuation(bare) or is_written_without_spaces(bare):
            begins.append(index)
        if is_punctuation(bare) or is_written_without_spaces(bare[-1:]):
            ends.append(index)
    return Vocabulary(pieces, begins, ends, joins_next=[pieces.index(SPACE)] if SPACE in pieces else [])
