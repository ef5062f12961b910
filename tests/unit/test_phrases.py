import pytest

from editmt.text.phrases import count_phrase, find_phrase, tidy

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
]


@pytest.mark.parametrize(("text", "phrase"), WHOLE)
def test_whole_words_are_found_whatever_the_spaces(text, phrase):
    assert count_phrase(text, phrase) >= 1
    start, end = next(find_phrase(text, phrase))
    assert text[start:end].split() == phrase.split()


@pytest.mark.parametrize(("text", "phrase"), PART)
def test_parts_of_words_and_of_characters_are_not(text, phrase):
    assert count_phrase(text, phrase) == 0


def test_places_may_overlap():
    assert list(find_phrase("ja ja ja", "ja ja")) == [(0, 5), (3, 8)]


def test_a_phrase_keeps_the_spaces_that_do_not_break():
    assert tidy(" 5\u00a0kg \t am▁See\r\n") == "5\u00a0kg am See"
    assert tidy(" \u00a0 ") == ""
