"""240 random sentence pairs scored by nltk 3.10.4: ours must agree, but where nltk leaves the definition."""

import json
from pathlib import Path

import pytest

from editmt.evaluation.ribes import align, sentence_ribes

CASE_FILE = Path(__file__).with_name("ribes-nltk.jsonl")
CASES = [json.loads(line) for line in CASE_FILE.read_text(encoding="utf-8").splitlines()]


def split(case):
    return case["hypothesis"].split(), case["reference"].split()


def is_one_word(case):
    """Tell whether the reference has one word: nltk has 0 for it, whatever the output."""
    return len(case["reference"].split()) == 1


def is_one_type(case):
    """Tell whether only the whole sentence is a context that stands once; nltk stops before it."""
    return len(set(case["hypothesis"].split())) == 1 and case["hypothesis"] == case["reference"]


def test_alignments():
    cases = [case for case in CASES if not is_one_type(case)]
    assert len(cases) > 200
    for case in cases:
        assert align(*split(case)) == case["alignment"], case


def test_scores():
    cases = [case for case in CASES if not is_one_type(case) and not is_one_word(case)]
    assert len(cases) > 200
    for case in cases:
        assert sentence_ribes(*split(case)) == pytest.approx(case["score"], abs=1e-12), case


def test_where_nltk_departs():
    one_word = [case for case in CASES if is_one_word(case)]
    assert {case["score"] for case in one_word} == {0.0}
    for case in one_word:
        words, reference = split(case)
        assert (sentence_ribes(words, reference) > 0) == (words.count(reference[0]) == 1), case
    differing = [case for case in CASES if align(*split(case)) != case["alignment"]]
    assert len(differing) == 2
    for case in differing:
        words, _ = split(case)
        assert (align(words, words), case["alignment"]) == ([0, len(words) - 1], [0])
