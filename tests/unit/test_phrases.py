import pytest

from editmt.text.phrases import count_phrase, find_edges, find_phrase, is_whole, tidy
from editmt.text.visible import see

WHOLE = [
    ("Haus am See", "am See"),
    ("Haus am  See", "am See"),
    ("Haus am\u00a0See", "am See"),
    ("Haus am\nSee", "am See"),
    ("5 kg", "5\u00a0kg"),
    ("(Haus)", "Haus"),
    ("Haus-Boot", "Boot"),
    ("東京都", "東京"),
    ("👍 👍🏽", "👍🏽"),
    ("👩👩\u200d🚀", "👩"),
    ("🇩🇪🇪🇸", "🇪🇸"),
    ("x \u0301y", "\u0301y"),
    ("...", ".."),
    ("👍🏽", "👍\ufe0f🏽"),
]

PART = [
    ("Hauses", "Haus"),
    ("amSee", "am See"),
    ("am, See", "am See"),
    ("am", "am See"),
    ("e\u0301", "e"),
    ("👩\u200d🚀", "👩"),
    ("👩\u200d🚀", "🚀"),
    ("👍🏽", "👍"),
    ("🇩🇪🇸🇪", "🇪🇸"),
    ("می\u200cخواهم", "می"),
    ("Lampe\u00adn", "Lampe"),
    ("x", ""),
    ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
    ("👩\ufe0f\u200d🚀", "👩"),
    ("1\ufe0f\u20e3", "1"),
    ("Boot\u0323", "Boot"),
]

HIDDEN = [
    ("cafe\u0301", "café"),
    ("café", "cafe\u0301"),
    ("\u1112\u1161\u11ab", "한"),
    ("Bo\u00adot", "Boot"),
    ("\u200bBo\u200d\u200cot\u2060\ufeff", "Boot"),
    ("Boot\u00ad ist", "Boot"),
    ("am\u200b See", "am See"),
    ("👩\u200dBoot", "Boot"),
    ("Boot\u200d🚀", "Boot"),
    ("B\u034fo\u202eot", "Boot"),
    ("❤\ufe0f", "❤"),
    ("Bo\U000e0061ot", "Boot"),
]


@pytest.mark.parametrize(("text", "phrase"), WHOLE)
def test_whole_words_are_found_whatever_the_spaces(text, phrase):
    assert count_phrase(text, phrase) >= 1
    start, end = next(find_phrase(text, phrase))
    assert text[start:end].split() == phrase.replace("\ufe0f", "").split()


@pytest.mark.parametrize(("text", "phrase"), HIDDEN)
def test_what_looks_the_same_is_found_and_told_by_its_own_characters(text, phrase):
    (span,) = find_phrase(text, phrase)
    assert see(text[slice(*span)]).text == see(phrase).text


@pytest.mark.parametrize(("text", "phrase"), PART)
def test_parts_of_words_and_of_characters_are_not(text, phrase):
    assert count_phrase(text, phrase) == 0


def test_words_right_beside_a_script_without_spaces_are_whole_if_that_is_asked_for():
    assert not is_whole("新しいPCの", (3, 5))
    assert is_whole("新しいPCの", (3, 5), mixed=True)
    assert not is_whole("新しいPCIの", (3, 5), mixed=True)


def test_places_may_overlap():
    assert list(find_phrase("ja ja ja", "ja ja")) == [(0, 5), (3, 8)]


def test_a_phrase_keeps_the_spaces_that_do_not_break():
    assert tidy(" 5\u00a0kg \t am▁See\r\n") == "5\u00a0kg am See"
    assert tidy(" \u00a0 ") == ""


@pytest.mark.parametrize("text", ["Haus, Hauses_2 (x)", " a-b  c.", "Größe, über 5", "東京都 a", ""])
def test_edges_are_told_for_many_spans_as_for_one(text):
    spans = [(start, end) for end in range(1, len(text) + 1) for start in range(end)]
    tell = find_edges(text)
    assert [tell(span) for span in spans] == [is_whole(text, span) for span in spans]
