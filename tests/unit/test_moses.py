import re
import subprocess
import sys

import numpy as np
import pytest

from editmt import Request, Translator
from editmt.data.texts import Texts
from editmt.decoding.torch_engine import make_engine
from editmt.errors import InputError
from editmt.text import SYMBOLS, UNK, load_pipeline
from editmt.text.moses import MosesPipeline, train_moses
from editmt.text.pipeline import Own
from tests.sentences import ENGLISH, GERMAN
from tests.tiny import tiny_model


@pytest.fixture(scope="module")
def pipelines():
    return train_moses({"en": ENGLISH, "de": GERMAN}, operations=150)


def pieces(pipeline, text):
    return [pipeline.vocabulary.pieces[index] for index in pipeline.encode(text)]


def test_both_languages_share_one_vocabulary(pipelines):
    assert pipelines["en"].vocabulary is pipelines["de"].vocabulary
    assert pipelines["en"].vocabulary.pieces[: len(SYMBOLS)] == SYMBOLS


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_training_text_comes_back(pipelines, language):
    lines = {"en": ENGLISH, "de": GERMAN}[language]
    plain = [line for line in lines if ":" not in line]  # after which Moses takes a sentence to begin
    assert len(plain) == 12
    assert [pipelines[language].decode(pipelines[language].encode(line)) for line in plain] == plain


def test_moses_steps(pipelines):
    pipeline = pipelines["en"]
    assert pipeline.tokenise("The “old” rock’s ninety-nine steps…") == [
        "The", '"', "old", '"', "rock", "'s", "ninety", "@-@", "nine", "steps", "...",
    ]  # fmt: skip
    assert pieces(pipeline, "The rock.")[0] == "the", "a sentence's first word gets its usual case"
    assert pieces(pipeline, "Nobody sees The rock.").count("the") == 1


def test_a_phrase_keeps_its_case(pipelines):
    pipeline = pipelines["de"]
    assert pipeline.encode("Die Lampe") != pipeline.encode_phrase("Die Lampe")
    assert pipeline.encode("die Lampe") == pipeline.encode_phrase("die Lampe")


OWN = {
    "the case at the start": ("[die] Lampe ist an.", "Die Lampe ist an."),
    "the case after a full stop": ("Die Lampe. [die] Lampe", "Die Lampe. Die Lampe"),
    "quotation marks": ("Die [„Lampe“], die.", 'Die "Lampe", die.'),
    "dashes, odd spaces, several": ("Die [alte – Lampe] und [‚Boote‘]", "Die alte - Lampe und 'Boote'"),
    "what Moses attaches": ("Die Lampe[, die] Lampe.", "Die Lampe, die Lampe."),
}


@pytest.mark.parametrize("name", OWN)
def test_a_user_s_own_phrases_come_back_as_they_were(pipelines, name):
    marked, without = OWN[name]
    ids, own = [], []
    for number, part in enumerate(re.split(r"[][]", marked)):
        new = pipelines["de"].encode_phrase(part)
        own += [Own(len(ids), len(ids) + len(new), part)] if number % 2 else []
        ids += new
    assert pipelines["de"].decode(ids, own) == marked.replace("[", "").replace("]", "")
    assert pipelines["de"].decode(ids) == without


def test_a_part_of_a_longer_word_is_not_the_user_s(pipelines):
    pipeline = pipelines["de"]
    start = pipeline.vocabulary.id_of("L@@")
    ids = [start, *pipeline.encode_phrase("„die“")]
    assert pipeline.decode(ids, [Own(1, len(ids), "„die“")]) == pipeline.decode(ids)


@pytest.mark.parametrize("kind", ["editor", "autoregressive"])
def test_hard_words_through_moses(pipelines, kind):
    pipeline = pipelines["de"]
    model = tiny_model(kind, vocabulary=len(pipeline.vocabulary), seed=3, max_length=256).eval()
    engine = make_engine(model, pipeline.vocabulary)
    translator = Translator(engine, Texts(pipelines["en"], pipeline))
    wanted = [["die"], ["Lampe", "ist"], ["„Lampe“"], ["am", "am", "See,"], ["der Hafen"], ["ein –", "und"]]
    requests = [Request.of(line, hard=hard) for line, hard in zip(ENGLISH, wanted, strict=False)]
    for request, answer in zip(requests, translator.translate_all(requests), strict=True):
        assert {use.status for use in answer.terms} == {"used"}, answer.text
        assert all(phrase in answer.text for phrase in request.hard)


def test_a_locked_part_of_a_draft_keeps_its_case(pipelines):
    pipeline = pipelines["de"]
    model = tiny_model("editor", vocabulary=len(pipeline.vocabulary), seed=3, max_length=256).eval()
    translator = Translator(make_engine(model), Texts(pipelines["en"], pipeline))
    draft = "Die Lampe ist an."
    for start, end in ((0, 3), (10, 13), (4, 13)):
        assert draft[start:end] in translator.translate("x", draft=draft, locked=[(start, end)]).text


@pytest.mark.parametrize("text", ["a < b", "<b> x </b>", "a | b", "|", "", "  ", "<", "x|y|z & so"])
def test_markup_does_not_disturb(pipelines, text):
    pipelines["en"].decode(pipelines["en"].encode(text))


def test_words_are_known(pipelines):
    pipeline = pipelines["en"]
    ids = np.array(pipeline.encode("The harbour, at last."))
    words = pipeline.vocabulary.words(ids)
    assert words[-1] + 1 == len(["the", "harbour", ",", "at", "last", "."])


def test_words_of_known_characters_are_known(pipelines):
    characters = set("".join(ENGLISH + GERMAN)) - {" "}
    for word in [*characters, *(character + "x" for character in characters), "uft", "lamic"]:
        assert UNK not in pipelines["de"].encode(word)
        assert UNK not in pipelines["de"].encode_phrase(word)
    assert UNK in pipelines["de"].encode("Щ")


def test_save_and_load(pipelines, tmp_path):
    pipelines["de"].save(tmp_path)
    again = load_pipeline(tmp_path)
    assert isinstance(again, MosesPipeline)
    assert again.language == "de"
    for line in [*GERMAN, "Unbekanntes Gelände"]:
        assert again.encode(line) == pipelines["de"].encode(line)


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("bpe.codes", "#version: 0.2\na b c\n", "line 2"),
        ("vocabulary.txt", "a\nb\n", "begins with"),
        ("truecaser.txt", "word\n", "damaged"),
        ("pipeline.json", '{"kind": "moses"}', "damaged"),
    ],
)
def test_damage_is_said(pipelines, tmp_path, file, content, message):
    pipelines["de"].save(tmp_path)
    (tmp_path / file).write_text(content)
    with pytest.raises(InputError, match=message):
        load_pipeline(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"), [("", "no words"), ("1 2 3", "no word of the corpus has two letters")]
)
def test_nothing_to_learn_from(line, message):
    with pytest.raises(InputError, match=message):
        train_moses({"en": [line], "de": []}, operations=10)


def test_missing_package_names_the_extra():
    code = "import sys; sys.modules['sacremoses'] = None; import editmt.text.moses"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'editmt[moses]'" in result.stderr
