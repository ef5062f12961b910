import numpy as np
import pytest

from editmt import DecodingConfig, Request, Translator
from editmt.edits import Trace
from editmt.errors import InputError
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


def test_traces_of_constrained_translations_replay():
    translator = random_translator("editor", 3)
    generator = np.random.default_rng(3)
    for answer in translator.translate_all([random_request(generator) for _ in range(40)]):
        trace = answer.trace
        again = Trace.replay(trace.first, [action for action, _ in trace.steps])
        assert PIPELINE.decode(again.output.rows()[0]) == answer.text
        assert np.isfinite(answer.score)
        assert answer.score <= 0


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


def test_strength_leads_from_soft_to_kept():
    requests = [Request.of(f"the harbour {number}", terms=["Hafen", "Lampe"]) for number in range(60)]

    def used(strength):
        answers = random_translator("editor", 4, DecodingConfig(strength=strength)).translate_all(requests)
        return sum(use.status == "used" for answer in answers for use in answer.terms)

    counts = [used(strength) for strength in (0.0, 0.5, 1e9)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("source", ["", " \t"])
def test_nothing_is_translated_to_nothing(kind, source):
    translator = random_translator(kind, 1)
    assert translator.translate(source).text == ""
    assert translator.translate(source, hard=["am See"]).text == "am See"


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


def test_one_bad_request_does_not_hinder_the_others():
    good, bad = Request.of("the sea"), Request.of("wörter " * 400)
    answers = random_translator("editor", 1).translate_all([good, bad, good])
    assert [isinstance(answer, InputError) for answer in answers] == [False, True, False]
    assert answers[0].text == answers[2].text


def test_a_folder_that_is_none(tmp_path):
    with pytest.raises(InputError, match="there is no such folder"):
        Translator.load(tmp_path / "nothing")
