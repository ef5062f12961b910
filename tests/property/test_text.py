"""Text → ids → text is exact for any line of text, U+2581 apart, which SentencePiece keeps for the space."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from editmt.text import SYMBOLS
from editmt.text.subwords import SentencePiecePipeline
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
