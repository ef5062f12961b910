"""The sentences of a unit of XLIFF 1.2, where a tool has marked them: those that a target still lacks."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from editmt.text.documents.xliff_events import SENTENCE, Content
from editmt.text.markup import Code

_MARK = re.compile(
    rb"<([\w.-]+:)?mrk\s(?=[^>]*\bmtype\s*=\s*[\"']seg[\"'])[^>]*\bmid\s*=\s*[\"']([^\"'>]*)[\"']"
)


@dataclass(frozen=True)
class Sentence:
    """A marked sentence: its text, in which characters stand for tags, and its tags; one may be all of it."""

    text: str
    opening: bytes
    closing: bytes


@dataclass(frozen=True)
class Place:
    """Where a sentence goes: the bytes that it replaces, and what stands before and behind it."""

    start: int
    end: int
    opening: bytes = b""
    closing: bytes = b""


def find_lacking(
    source: Content, target: Content, body: bytes, locked: Collection[str] = ()
) -> Iterator[tuple[str, Place]]:
    """Yield the source's sentences that are empty in a target that has others, and where they go.

    But for those that are locked.
    """
    given = {name: sentence for name, sentence in _sentences(source) if name.decode() not in locked}
    for name, sentence in _sentences(target):
        if name not in given or not source.words_of(given[name].text) or target.words_of(sentence.text):
            continue
        start = body.index(sentence.opening, target.tag.end)
        after = start + len(sentence.opening)
        if sentence.closing:
            place = Place(after, body.index(sentence.closing, after))
        else:
            mark = _MARK.match(sentence.opening)
            assert mark is not None  # so it was found
            opening = re.sub(rb"\s*/>$", b">", sentence.opening)
            place = Place(start, after, opening, b"</" + (mark[1] or b"") + b"mrk>")
        yield given[name].text, place


def _sentences(content: Content) -> Iterator[tuple[bytes, Sentence]]:
    """Yield the marked sentences, each with its number."""
    name, start = None, 0
    for place, character in enumerate(content.text):
        raw = content.raw.get(character, b"")
        if name is None and (mark := _MARK.match(raw)):
            name, start = mark[2], place
            if content.codes[character].kind == "tag":
                yield name, Sentence("", raw, b"")
                name = None
        elif name is not None and content.codes.get(character) == Code("close", SENTENCE):
            yield name, Sentence(content.text[start + 1 : place], content.raw[content.text[start]], raw)
            name = None
