"""Refinement with the oracle as the policy, and phrases in texts, for anything hypothesis comes up with."""

import re

from hypothesis import given
from hypothesis import strategies as st

from editmt.decoding.refine import Sentence, refine
from editmt.text.phrases import find_phrase, tidy
from tests.policies import OraclePolicy, batch
from tests.property.strategies import PAIRS

TEXTS = st.text(st.sampled_from("ab1_ ,.-äé\u0301東"), max_size=12)


@given(PAIRS)
def test_with_the_oracle_any_draft_reaches_the_reference_in_one_iteration(pairs):
    drafts, references = ([side[1:-1] for side in sides] for sides in zip(*pairs, strict=True))
    outcomes = refine(OraclePolicy(references), batch(drafts), [Sentence(50)] * len(pairs))
    for draft, reference, outcome in zip(drafts, references, outcomes, strict=True):
        assert outcome.ids == reference
        assert outcome.iterations == (1 if draft == reference else 2), "the second confirms"


@given(TEXTS, TEXTS.map(tidy).filter(bool))
def test_phrases_are_found_where_a_regular_expression_finds_them(text, phrase):
    """In scripts with spaces a word's neighbours are no letters; an accent belongs to the letter before."""
    left = r"(?<![ab1_äé\u0301])" if phrase[0] in "ab1_äé" else "(?<!x)"
    right = r"(?![ab1_äé\u0301])" if phrase[-1] in "ab1_äé\u0301" else r"(?!\u0301)"
    if phrase[0] == "\u0301":
        left = r"(?:^|(?<=^))"  # an accent cannot begin a phrase but at the text's beginning
    expected = [
        (m.start(), m.start() + len(phrase))
        for m in re.finditer(f"(?={left}{re.escape(phrase)}{right})", text)
    ]
    assert list(find_phrase(text, phrase)) == expected
