import pytest
from hypothesis import given
from hypothesis import strategies as st

from editmt.text.sentences import ends_sentence, split_sentences

CASES = {
    "Hello. How are you? Fine!": ["Hello. ", "How are you? ", "Fine!"],
    "Dr. Smith, e.g. from Bonn, came. He left.": ["Dr. Smith, e.g. from Bonn, came. ", "He left."],
    "Am 3. Mai kam J. R. Tolkien. Dann ging er.": ["Am 3. Mai kam J. R. Tolkien. ", "Dann ging er."],
    "Version 2.0 is out... now": ["Version 2.0 is out... now"],
    "これは本です。それはペンです！": ["これは本です。", "それはペンです！"],
    "A title\n\nA text that\nwraps. And\nMore": ["A title\n\n", "A text that\nwraps. ", "And\n", "More"],
    '"Yes." She (nearly) left.  ': ['"Yes." ', "She (nearly) left.  "],
    "": [],
    " \n": [" \n"],
}


@pytest.mark.parametrize("text", CASES)
def test_sentences(text):
    assert split_sentences(text) == CASES[text]


@given(st.text(alphabet=' \n\r\tabAB.!?。」1"(', max_size=40))
def test_nothing_is_lost(text):
    parts = split_sentences(text)
    assert "".join(parts) == text
    assert all(part.strip() for part in parts) or len(parts) <= 1 or not parts[-1].strip()


def test_the_end_of_a_sentence():
    assert ends_sentence("So. ")
    assert not ends_sentence("Dr. ")
    assert not ends_sentence("So.")
