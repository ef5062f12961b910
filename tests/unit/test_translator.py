import math

import numpy as np
import pytest

from editmt import DecodingConfig, Request, Translator
from editmt.data.texts import Texts
from editmt.decoding import translation
from editmt.decoding.job import make_job
from editmt.edits import Trace
from editmt.errors import InputError
from editmt.text import BOS, EOS
from editmt.text.subwords import SentencePiecePipeline
from tests.constraints import PIPELINE, check_cases, random_request, random_translator

KINDS = ["editor", "levenshtein"]
ALL = [*KINDS, "autoregressive"]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("seed", range(3))
def test_hard_words_are_kept_and_forbidden_ones_kept_out(kind, seed):
    check_cases(kind, seed, 100 if kind in KINDS else 25)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(100, 120))
def test_ten_thousand_constraints(kind, seed):
    check_cases(kind, seed, 250, stacks="own" if seed % 2 else "shared")


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("seed", range(4))
def test_hard_phrases_that_overlap_each_other_have_a_place_each(kind, seed):
    generator = np.random.default_rng(seed)
    phrases = ["ja ja", "ja ja ja", "am See am", "See am See", "am am", "ja"]
    requests = [Request.of("the old sea", hard=generator.choice(phrases, 4).tolist()) for _ in range(10)]
    for answer in random_translator(kind, seed).translate_all(requests):
        assert {use.status for use in answer.terms} == {"used"}, answer.text


@pytest.mark.parametrize("kind", KINDS)
def test_permuting_requests_permutes_translations(kind):
    translator = random_translator(kind, 5)
    generator = np.random.default_rng(5)
    requests = [random_request(generator) for _ in range(40)]
    order = generator.permutation(40)
    straight = [answer.text for answer in translator.translate_all(requests)]
    shuffled = [answer.text for answer in translator.translate_all([requests[row] for row in order])]
    assert shuffled == [straight[row] for row in order]
    assert [translator.translate_all([request])[0].text for request in requests] == straight
    assert translator.translate_all(["ein Haus"])[0].text == translator.translate("ein Haus").text


def test_traces_of_constrained_translations_replay():
    translator = random_translator("editor", 3)
    generator = np.random.default_rng(3)
    for answer in translator.translate_all([random_request(generator) for _ in range(40)]):
        trace = answer.trace
        again = Trace.replay(trace.first, [action for action, _ in trace.steps])
        assert PIPELINE.decode(again.output.rows()[0]) == answer.text
        assert np.isfinite(answer.score)
        assert answer.score <= 0


def test_what_became_of_terms_is_worked_out_when_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(translation, "report_terms", lambda request, text: asked.append((request, text)))
    request = Request.of("The old lighthouse", terms=["Boot"])
    (answer,) = random_translator("editor", 1).translate_all([request])
    assert asked == []
    assert [answer.terms, answer.terms] == [None, None]
    assert asked == [(request, answer.text)]


def test_one_sentence_and_what_became_of_its_terms():
    translator = random_translator("editor", 1)
    answer = translator.translate("The old lighthouse", hard=["Leuchtturm"], terms=["Boot", ["See", "Meer"]])
    hard, *soft = answer.terms
    assert (hard.term, hard.hard, hard.status, hard.form) == ("Leuchtturm", True, "used", "Leuchtturm")
    assert answer.text[slice(*hard.span)] == "Leuchtturm"
    assert [use.term for use in soft] == ["Boot", "See"]
    assert answer.iterations <= 10
    assert answer.counts.insertions >= 0


def test_a_draft_keeps_its_locked_parts_in_place():
    translator = random_translator("editor", 2)
    draft = "Am Dienstag kommen zwei kleine Boote nach Hause."
    start = draft.index("zwei")
    answer = translator.translate("x", draft=draft, locked=[(start, start + len("zwei kleine"))])
    assert "zwei kleine" in answer.text
    assert PIPELINE.decode(answer.trace.first.rows()[0]) == draft
    widened = translator.translate("x", draft=draft, locked=[(start + 1, start + 2)])
    assert "zwei" in widened.text.split()
    both = translator.translate("x", draft=draft, hard=["Hause", "Sturm"])
    assert both.trace.first.locks.max() == 2
    assert PIPELINE.decode(both.trace.first.rows()[0]) == draft + " Sturm"


LOCKS = {
    "after an emoji, which is several tokens": ("👍 ja nein", [(2, 4)], ["ja"]),
    "within an emoji": ("👩\u200d🚀 ja", [(1, 2)], ["👩\u200d🚀"]),
    "a space at the end belongs to no word": ("zwei kleine Boote", [(0, 5)], ["zwei"]),
    "a space alone": ("zwei kleine Boote", [(4, 5)], []),
    "spans that share words": (
        "zwei kleine Boote ja",
        [(0, 6), (5, 13), (18, 20)],
        ["zwei kleine Boote", "ja"],
    ),
    "a span within a span": ("zwei kleine Boote", [(0, 17), (5, 11)], ["zwei kleine Boote"]),
}


@pytest.mark.parametrize("name", LOCKS)
def test_locked_spans_are_widened_to_words_and_no_more(name):
    draft, spans, expected = LOCKS[name]
    translator = random_translator("editor", 2, DecodingConfig(iterations=1))
    answer = translator.translate("x", draft=draft, locked=spans)
    ids, locks = answer.trace.first.ids[0].tolist(), answer.trace.first.locks[0].tolist()
    parts = [[i for i, lock in zip(ids, locks, strict=True) if lock == n] for n in sorted({*locks} - {0})]
    assert [PIPELINE.decode(part).strip() for part in parts] == expected
    assert all(part in answer.text for part in expected)


def test_a_hard_word_does_not_take_the_place_of_a_longer_one_in_the_draft():
    translator = random_translator("editor", 2, DecodingConfig(iterations=1))
    answer = translator.translate("x", draft="ja ?! am See", hard=["See", "!", "am See", "?!"])
    assert PIPELINE.decode(answer.trace.first.rows()[0]) == "ja ?! am See See !"
    assert {use.status for use in answer.terms} == {"used"}


def test_a_part_of_a_word_of_the_draft_is_not_locked_alone():
    translator = random_translator("editor", 2)
    answer = translator.translate("x", draft="ja 🇩🇪🇪🇸", hard=["🇩🇪"])
    assert PIPELINE.decode(answer.trace.first.rows()[0]) == "ja 🇩🇪🇪🇸 🇩🇪"
    assert answer.text.count("🇩🇪") == 1


def test_a_long_draft_is_refused_before_its_words_are_looked_for():
    class Slow(SentencePiecePipeline):
        decoded = 0

        def decode(self, ids):
            self.decoded += 1
            return super().decode(ids)

    pipeline = Slow(PIPELINE._model)
    request = Request.of("x", draft="ja " * 900, hard=["ja"], locked=[(0, 2)])
    with pytest.raises(InputError, match="the draft has 2701 tokens, and the model has room for 254"):
        make_job(request, Texts(pipeline, pipeline), DecodingConfig(), 256)
    assert pipeline.decoded <= 1


def test_strength_leads_from_soft_to_kept():
    requests = [Request.of(f"the harbour {number}", terms=["Hafen", "Lampe"]) for number in range(60)]

    def used(strength):
        answers = random_translator("editor", 4, DecodingConfig(strength=strength)).translate_all(requests)
        return sum(use.status == "used" for answer in answers for use in answer.terms)

    counts = [used(strength) for strength in (0.0, 0.5, 1e9)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


@pytest.mark.parametrize("kind", ALL)
def test_with_infinite_strength_a_term_is_a_hard_word(kind):
    translator = random_translator(kind, 4, DecodingConfig(strength=math.inf))
    suffix = PIPELINE.vocabulary.id_of("en")
    job = make_job(Request.of("x", terms=["Lampe"]), translator.texts, translator.options, 256)
    assert job.mender.misses(PIPELINE.encode("die Lampe")) == 0
    assert job.mender.misses([*PIPELINE.encode("die Lampe"), suffix]) == 1, "Lampeen"
    with pytest.raises(InputError, match="'Lampe' is forbidden, and 'Lampe' has to be kept"):
        translator.translate("x", terms=["Lampe"], forbidden=["Lampe"])
    answer = translator.translate("x", terms=["Lampe", "am See"])
    assert {use.status for use in answer.terms} == {"used"}


@pytest.mark.parametrize(("strength", "locks"), [(0.0, []), (2.0, ["Lampe"]), (math.inf, ["Lampe"])])
def test_a_term_that_stands_in_the_draft_has_its_strength_there(strength, locks):
    translator = random_translator("editor", 4, DecodingConfig(strength=strength))
    answer = translator.translate("x", draft="die alte Lampe ist an", terms=[["Leuchte", "Lampe"]])
    first = answer.trace.first
    locked = [[i for i, lock in zip(first.ids[0], first.locks[0], strict=True) if lock]]
    assert [PIPELINE.decode([int(i) for i in part]) for part in locked if part] == locks
    assert PIPELINE.decode(first.rows()[0]) == "die alte Lampe ist an"
    if math.isinf(strength):
        assert [(use.status, use.form) for use in answer.terms] == [("other form", "Lampe")]


def test_hard_and_forbidden_words_come_before_soft_ones_of_any_strength():
    translator = random_translator("editor", 1, DecodingConfig(strength=1e9))
    mended = translator.translate("the sea", terms=["Boot"], forbidden=["Boot"])
    assert "Boot" not in mended.text, "it is taken out, not spoilt by what is put behind it"
    twice = translator.translate("the sea", terms=["Boot"], hard=["Boot"])
    assert twice.text.count("Boot") == 1


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("source", ["", " \t"])
def test_nothing_is_translated_to_nothing(kind, source):
    translator = random_translator(kind, 1)
    assert translator.translate(source).text == ""
    assert translator.translate(source, hard=["am See"]).text == "am See"


@pytest.mark.parametrize("kind", ALL)
def test_a_forbidden_word_cannot_hide(kind):
    translator = random_translator(kind, 1)
    job = make_job(Request.of("x", forbidden=["Bötchen"]), translator.texts, translator.options, 256)
    for hidden in ("Bo\u0308tchen", "Böt\u00adchen", "B\u200böt\u2060chen", "Bötchen\u200d"):
        assert job.mender.misses(PIPELINE.encode(f"das {hidden} da")) == 1
    assert job.mender.misses(PIPELINE.encode("Böt\u00adchens")) == 0
    with pytest.raises(InputError, match="is forbidden, and"):
        translator.translate("x", hard=["Bötchen"], forbidden=["Bo\u0308tchen"])


def test_mending_keeps_to_the_model_s_positions():
    translator = random_translator("editor", 1)
    hard = ["am"] * 20  # with "am am" forbidden, each needs a word before the next
    room = len(PIPELINE.encode("am")) * 20 + 19 + 2
    request = Request.of("x", hard=hard, forbidden=["am am"])
    for limit, fits in ((room, True), (room - 1, False)):
        job = make_job(request, translator.texts, translator.options, limit)
        ids = [BOS, *job.first, EOS]
        mended = job.mender.mend(
            ids, [0, *job.locks, 0], lambda _ids, _count: [(PIPELINE.encode("d")[0], -1.0)]
        )
        assert len(mended) <= limit
        assert (job.mender.misses([piece.id for piece in mended]) == 0) == fits


def test_the_paper_s_hard_mode_loses_some():
    requests = [Request.of(f"the sea {n}", hard=["See", "am Hafen"]) for n in range(60)]
    for kind, all_kept in (("editor", False), ("levenshtein", True)):
        answers = random_translator(kind, 4, DecodingConfig(hard_mode="paper")).translate_all(requests)
        locks = [set(answer.trace.output.locks[0].tolist()) - {0} for answer in answers]
        assert all(held == {1, 2} for held in locks) == all_kept, "what is never deleted may be overwritten"


def test_alternatives_are_accepted_and_cases_told():
    translator = random_translator("editor", 1, DecodingConfig(iterations=1))
    draft = "die lampe und der Unfalls"
    answer = translator.translate(
        "x", draft=draft, locked=[(0, len(draft))], terms=["Lampe", ["Unfall", "Unfalls"]]
    )
    assert [(use.status, use.form) for use in answer.terms] == [
        ("other form", "lampe"),
        ("other form", "Unfalls"),
    ]
    assert "Unfall" not in PIPELINE.decode(answer.trace.first.rows()[0])[len(draft) :], "one form is there"


BAD = {
    "the source has": {"source": "wörter " * 400},
    "hard words and locked parts have": {"source": "x", "hard": ["langes Wort " * 100]},
    "the words to start from have": {"source": "x", "terms": ["langes Wort " * 100]},
    "'See' is forbidden, and 'am See' has to be kept": {
        "source": "x",
        "hard": ["am See"],
        "forbidden": ["See"],
    },
    "hard: item 2 is empty": {"source": "x", "hard": ["a", " "]},
    "terms: item 1 is neither a text nor a list": {"source": "x", "terms": [3]},
    "terms is not a list": {"source": "x", "terms": "Boot"},
    "locked: item 1 is not within the draft's 4 characters": {
        "source": "x",
        "draft": "Boot",
        "locked": [[0, 9]],
    },
    "locked: item 1 is not \\[start, end\\]": {"source": "x", "draft": "Boot", "locked": ["Boot"]},
    "source is not a text": {"source": 3},
    "half a surrogate": {"source": "x", "hard": ["\ud800"]},
}


@pytest.mark.parametrize("message", BAD)
def test_what_cannot_be_done_is_told(message):
    with pytest.raises(InputError, match=message):
        random_translator("editor", 1).translate(**BAD[message])


def test_a_beam_that_no_memory_holds_is_refused():
    with pytest.raises(InputError, match="a beam of 1,000,000 needs some "):
        random_translator("autoregressive", 1, DecodingConfig(beam=10**6)).translate("the sea")


def test_one_bad_request_does_not_hinder_the_others():
    good, bad = Request.of("the sea"), Request.of("wörter " * 400)
    answers = random_translator("editor", 1).translate_all([good, bad, good])
    assert [isinstance(answer, InputError) for answer in answers] == [False, True, False]
    assert answers[0].text == answers[2].text


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(InputError, match="there is no such folder"):
        Translator.load(tmp_path / "nothing")
