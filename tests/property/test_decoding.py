"""Refinement with the oracle as the policy, and phrases in texts, for anything hypothesis comes up with."""

import re

from hypothesis import given
from hypothesis import strategies as st

from editmt.decoding.refine import Sentence, refine
from editmt.text.phrases import find_phrase, tidy
from tests.policies import OraclePolicy, batch
from tests.property.strategies import PAIRS

LETTERS = "ab1_äé"
TEXTS = st.text(st.sampled_from(LETTERS + " ,.-東"), max_size=12).map(tidy)


@given(PAIRS)
def test_with_the_oracle_any_draft_reaches_the_reference_in_one_iteration(pairs):
    drafts, references = ([side[1:-1] for side in sides] for sides in zip(*pairs, strict=True))
    outcomes = refine(OraclePolicy(references), batch(drafts), [Sentence(50)] * len(pairs))
    for draft, reference, outcome in zip(drafts, references, outcomes, strict=True):
        assert outcome.ids == reference
        assert outcome.iterations == (1 if draft == reference else 2), "the second confirms"


@given(TEXTS, TEXTS.filter(bool))
def test_phrases_are_found_where_a_regular_expression_finds_them(text, phrase):
    """In scripts with spaces a word's neighbours are no letters, of whichever script."""
    left = "(?<![ab1_äé東])" if phrase[0] in LETTERS else ""
    right = "(?![ab1_äé東])" if phrase[-1] in LETTERS else ""
    found = re.finditer(f"(?={left}{re.escape(phrase)}{right})", text)
    assert list(find_phrase(text, phrase)) == [(m.start(), m.start() + len(phrase)) for m in found]
