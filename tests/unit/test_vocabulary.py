import numpy as np
import pytest

from editmt.text import BOS, EOS, PAD, PLH, SYMBOLS, UNK, Vocabulary
from editmt.text.moses import describe_pieces
from editmt.text.vocabulary import is_punctuation, is_written_without_spaces


def test_special_symbols_have_their_ids():
    assert (PAD, BOS, EOS, UNK, PLH) == (0, 1, 2, 3, 4)
    assert SYMBOLS == ("<pad>", "<s>", "</s>", "<unk>", "<plh>")


@pytest.mark.parametrize(
    ("pieces", "numbers"),
    [
        ("<s> the li@@ ght@@ house . </s>", [0, 1, 2, 2, 2, 3, 4]),
        ("<s> a <plh> b@@ </s> <pad>", [0, 1, 2, 3, 4, 5]),  # a symbol ends even an unfinished word
        ("<s> z@@ .@@ B@@ . </s>", [0, 1, 2, 3, 4, 5]),  # punctuation is a word of its own
    ],
)
def test_words_of_bpe_pieces(pieces, numbers):
    vocabulary = describe_pieces(
        [*SYMBOLS, "the", "li@@", "ght@@", "house", ".", "a", "b@@", "z@@", ".@@", "B@@"]
    )
    ids = np.array([vocabulary.id_of(piece) for piece in pieces.split()])
    assert UNK not in ids
    assert vocabulary.words(ids).tolist() == numbers


def test_words_of_a_batch_do_not_touch_the_ids():
    vocabulary = describe_pieces([*SYMBOLS, "a", "b@@"])
    ids = np.array([[BOS, 5, 6, EOS], [BOS, 6, 5, EOS]])
    ids.flags.writeable = False
    assert vocabulary.words(ids).tolist() == [[0, 1, 2, 3], [0, 1, 1, 2]]


def test_no_tokens_are_no_words():
    assert describe_pieces([*SYMBOLS, "a"]).words(np.zeros((2, 0), dtype=np.int64)).shape == (2, 0)


def test_unknown_piece():
    assert Vocabulary(SYMBOLS, (), ()).id_of("nope") == UNK


@pytest.mark.parametrize(
    ("text", "yes"),
    [(".", True), ("«", True), ("+", True), ("@-@", True), ("", False), ("a.", False), ("3", False)],
)
def test_punctuation(text, yes):
    assert is_punctuation(text) is yes


@pytest.mark.parametrize(
    ("text", "yes"),
    [("東京", True), ("ラ", True), ("の", True), ("ไทย", True), ("a", False), ("한", False), ("", False)],
)
def test_scripts_without_spaces(text, yes):
    assert is_written_without_spaces(text) is yes
