"""Text → ids → text is exact for any line of text, U+2581 apart, which SentencePiece keeps for the space."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from editmt.text import SYMBOLS
from editmt.text.phrases import BREAKING_SPACES, tidy
from editmt.text.subwords import SentencePiecePipeline
from editmt.text.visible import INVISIBLE, see
from tests.sentences import ENGLISH, GERMAN

LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n▁"), max_size=60)
PIPELINES = {
    model_type: SentencePiecePipeline.train(ENGLISH + GERMAN, size=420, model_type=model_type)
    for model_type in ("bpe", "unigram")
}


@pytest.mark.parametrize("model_type", list(PIPELINES))
@given(line=LINES)
@example("\r\n"[:1])
@example("the \u2028 harbour\x85")
@example("<s>the<plh>▢\ufffd")
def test_any_line_comes_back(model_type, line):
    pipeline = PIPELINES[model_type]
    ids = pipeline.encode(line)
    assert pipeline.decode(ids) == line
    assert all(index >= len(SYMBOLS) for index in ids)


ACCENTS = "aeou\u0308\u0301\u0323\u00ad\u200b\u1112\u1161\u11ab한\u09c7\u09be 👩"


@given(line=LINES | st.text(ACCENTS, max_size=20))
def test_folding_composes_what_is_visible_and_knows_where_it_stood(line):
    folded = see(line)
    visible = INVISIBLE.sub("", line)
    assert INVISIBLE.sub("", folded.text) == unicodedata.normalize("NFC", visible)
    for character, start, end in zip(*folded, strict=True):
        part = INVISIBLE.sub("", line[start:end]) or line[start:end]
        assert character in unicodedata.normalize("NFC", part)
    assert see(folded.text).text == folded.text


@given(line=st.text("ab ü\u0308▁\t\n\x1c\u00a0\u2003\u202f\u00ad\u200b\u3164\ufe0f👩", max_size=12) | LINES)
def test_a_tidy_phrase_has_one_space_between_words_and_is_seen(line):
    spaced = BREAKING_SPACES.sub(" ", line.replace("▁", " ")).strip()
    assert tidy(line) == (spaced if see(spaced).text.strip() else "")
