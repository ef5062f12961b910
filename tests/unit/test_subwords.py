import numpy as np
import pytest

from editmt.errors import InputError
from editmt.text import BOS, EOS, SYMBOLS, UNK, load_pipeline
from editmt.text.subwords import SentencePiecePipeline
from tests.sentences import ENGLISH, GERMAN


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def pipeline(request):
    return SentencePiecePipeline.train(ENGLISH + GERMAN, size=450, model_type=request.param)


def test_the_vocabulary_begins_with_the_symbols(pipeline):
    assert pipeline.vocabulary.pieces[: len(SYMBOLS)] == SYMBOLS
    assert len(pipeline.vocabulary) == 450


@pytest.mark.parametrize(
    "text",
    [
        "The keeper sleeps.",
        "",
        " ",
        "  two  spaces  ",
        "tab\tand\u00a0no-break",
        "emoji 👩‍🚀, 東京, \x00, \ufeff, e\u0301",
        "<s> <plh> </s> <unk> <0x41>",
    ],
)
def test_text_comes_back_exactly(pipeline, text):
    ids = pipeline.encode(text)
    assert pipeline.decode(ids) == text
    assert not any(index < len(SYMBOLS) for index in ids), "no unknown word, no symbol out of text"


def test_symbols_are_passed_over(pipeline):
    assert pipeline.decode([BOS, *pipeline.encode("the harbour"), UNK, EOS]) == "the harbour"


def test_word_boundaries(pipeline):
    text = "harbour, Zürich 👩 rock; o'clock"
    ids = np.array(pipeline.encode(text))
    words = pipeline.vocabulary.words(ids)
    spelled = [pipeline.decode(ids[words == word].tolist()) for word in range(words[-1] + 1)]
    assert spelled == ["harbour", ",", "Zürich", "👩", "rock", ";", "o", "'", "clock"]


def test_japanese_has_no_spaces_but_many_words():
    lines = ["灯台は港の上に立っている。", "灯台守は毎晩階段を上る。", "港の子供たちは走る。"] * 3
    pipeline = SentencePiecePipeline.train(lines, size=300)
    ids = np.array(pipeline.encode("港の子供"))
    assert len(set(pipeline.vocabulary.words(ids).tolist())) >= 2


def test_scripts_meet_at_word_boundaries():
    lines = ["東京tower", "東 京", "tower 港"] * 9
    pipeline = SentencePiecePipeline.train(lines, size=280)
    ids = np.array(pipeline.encode("港 東京tower"))
    words = pipeline.vocabulary.words(ids)
    spelled = [pipeline.decode(ids[words == word].tolist()).strip() for word in range(words[-1] + 1)]
    assert spelled[0] == "港", "a space is part of the word after it"
    assert spelled[-1] == "tower"
    assert "" not in spelled


def test_half_a_surrogate_pair_is_refused(pipeline):
    with pytest.raises(InputError, match="surrogate"):
        pipeline.encode("x\ud800y")


def test_a_phrase_is_spelled_as_inside_a_sentence(pipeline):
    assert pipeline.encode_phrase("harbour") == pipeline.encode("the harbour")[len(pipeline.encode("the")) :]


def test_save_and_load(pipeline, tmp_path):
    pipeline.save(tmp_path / "text")
    again = load_pipeline(tmp_path / "text")
    assert isinstance(again, SentencePiecePipeline)
    assert again.vocabulary.pieces == pipeline.vocabulary.pieces
    assert again.encode("Ein Boot fehlt 👩.") == pipeline.encode("Ein Boot fehlt 👩.")


@pytest.mark.parametrize(("lines", "size"), [(ENGLISH, 100), (ENGLISH, 50_000), ([], 400)])
def test_what_cannot_be_learnt_is_said(lines, size):
    with pytest.raises(InputError, match=str(size)):
        SentencePiecePipeline.train(lines, size=size)


def test_damaged_folders_are_said(pipeline, tmp_path):
    with pytest.raises(InputError, match=r"pipeline\.json is missing"):
        load_pipeline(tmp_path)
    pipeline.save(tmp_path)
    (tmp_path / "sentencepiece.model").write_bytes(b"nonsense")
    with pytest.raises(InputError, match=r"sentencepiece\.model"):
        load_pipeline(tmp_path)
    (tmp_path / "pipeline.json").write_text('{"kind": "runes"}')
    with pytest.raises(InputError, match="'runes' is none of: sentencepiece, moses"):
        load_pipeline(tmp_path)
    for broken in ("{", "[]"):
        (tmp_path / "pipeline.json").write_text(broken)
        with pytest.raises(InputError, match="not a description"):
            load_pipeline(tmp_path)
