"""How long a text is, before it is decoded."""

import pytest

from editmt.data.texts import Texts
from editmt.decoding.request import Request
from editmt.serving.waiting import counter_of
from tests.serving.echo import PIPELINE


class Slow:
    """A pipeline that takes its time."""

    def encode(self, text):
        pytest.fail(f"{text} is encoded, where all wait for it")


def test_tokens_are_counted():
    count = counter_of(Texts(PIPELINE, PIPELINE))
    source, draft = "the old man on the sea", "a much longer draft of its translation, with many words"
    assert count(Request.of(source)) == len(PIPELINE.encode(source))
    assert count(Request.of(source, draft=draft)) == len(PIPELINE.encode(draft))


def test_they_are_guessed_where_that_would_take_long():
    assert counter_of(Texts(Slow(), Slow()))(Request.of("a" * 30, draft="b" * 60)) == 20
    assert counter_of(Texts(PIPELINE, PIPELINE))(Request.of("sea " * 10_000)) == 13_333


def test_what_cannot_be_counted_is_refused_later():
    assert counter_of(Texts(PIPELINE, PIPELINE))(Request.of("\ud800")) == 0
