"""A request as ids: the source, the first canvas with its locks, and what must hold."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from editmt.config import DecodingConfig
from editmt.data.texts import Texts
from editmt.decoding.locks import Keep
from editmt.decoding.mending import Mender
from editmt.decoding.request import Request
from editmt.decoding.rules import Rules
from editmt.errors import InputError
from editmt.text import UNK, TextPipeline
from editmt.text.phrases import Span, count_phrase, find_phrase

BOUNDARIES = 2


@dataclass(frozen=True, eq=False)
class Job:
    """One sentence to decode; no ids here have boundaries.

    hard, soft
        The phrases themselves: a beam search knows no first canvas.
    """

    source: list[int]
    most_tokens: int  # of the output, boundaries included
    first: list[int] = field(default_factory=list)
    locks: list[int] = field(default_factory=list)
    keep: Keep = field(default_factory=Keep)
    mender: Mender | None = None
    hard: list[list[int]] = field(default_factory=list)
    soft: list[list[int]] = field(default_factory=list)
    draft: bool = False


def most_tokens(source_length: int) -> int:
    """Return the length limit of a canvas, boundaries included, for a source of so many tokens.

    Differs: the authors' is max(10, 2 · source); very short sources may have longer translations.
    """
    return 2 * source_length + 10


def make_job(request: Request, texts: Texts, options: DecodingConfig, max_length: int) -> Job:
    """Turn a request into ids, or say why it cannot be done with a model of `max_length` positions."""
    source = texts.source.encode(request.source)
    _check_room("the source has", len(source), max_length)
    canvas = _FirstCanvas(texts.target)
    if request.draft is not None:
        canvas.start(request.draft, request.locked)
    locked = canvas.locked_texts()
    for phrase in request.hard:
        canvas.add_hard(phrase)
    _check_room("hard words and locked parts have", sum(lock > 0 for lock in canvas.locks), max_length)
    for term in request.terms:
        canvas.add_soft(term, options.strength)
    _check_room("the words to start from have", len(canvas.ids), max_length)
    held = options.hard_mode == "kept"
    rules = Rules.of(
        hard=request.hard if held else (), locked=locked if held else (), forbidden=request.forbidden
    )
    size = len(source) + BOUNDARIES
    room = max(most_tokens(size), size + len(canvas.ids) + BOUNDARIES)
    if not request.source.strip():  # there is nothing to translate, and nothing is made up
        room = len(canvas.ids) + BOUNDARIES
    return Job(
        source,
        min(room, max_length),
        canvas.ids,
        canvas.locks,
        Keep(tuple(canvas.strengths), paper=not held),
        Mender(rules, texts.target) if rules.rules else None,
        [encode_wanted(texts.target, phrase) for phrase in request.hard],
        [encode_wanted(texts.target, term[0]) for term in request.terms],
        request.draft is not None,
    )


def encode_wanted(pipeline: TextPipeline, phrase: str) -> list[int]:
    """Return the ids of a phrase to have in the output; byte fall-back knows any, Moses does not."""
    ids = pipeline.encode_phrase(phrase)
    if UNK in ids:
        raise InputError(f"{phrase!r} has parts that this model's vocabulary cannot spell")
    return ids


def _check_room(what: str, tokens: int, max_length: int) -> None:
    most = max_length - BOUNDARIES
    if tokens > most:
        raise InputError(f"{what} {tokens} tokens, and the model has room for {most}")


class _FirstCanvas:
    """The first canvas as it grows: the draft, then what is wanted and not in it yet."""

    def __init__(self, pipeline: TextPipeline) -> None:
        self._pipeline = pipeline
        self._draft = ""
        self.ids: list[int] = []
        self.locks: list[int] = []
        self.strengths: list[float] = []  # of the locks 1, 2, …

    def start(self, draft: str, locked: Sequence[Span]) -> None:
        """Begin with a draft, parts of which must stay."""
        self.ids = self._pipeline.encode(draft)
        self.locks = [0] * len(self.ids)
        self._draft = self._pipeline.decode(self.ids)
        if locked and self._draft != draft:
            raise InputError("nothing can be locked: the model's text pipeline changes this draft")
        for span in locked:
            self._lock(span)

    def locked_texts(self) -> list[str]:
        """Return the text of each locked part of the draft, which may be wider than what was asked for."""
        numbers = dict.fromkeys(lock for lock in self.locks if lock)
        parts = [[i for i, lock in zip(self.ids, self.locks, strict=True) if lock == n] for n in numbers]
        return [text for part in parts if (text := self._pipeline.decode(part).strip())]

    def add_hard(self, phrase: str) -> None:
        """Lock the phrase where it stands in the draft, or else add it."""
        for span in find_phrase(self._draft, phrase):
            if self._lock(span):
                return
        self._add(phrase, math.inf)

    def add_soft(self, term: Sequence[str], strength: float) -> None:
        """Add the first form of the term, unless one of them stands in the draft."""
        if not any(count_phrase(self._draft, form) for form in term):
            self._add(term[0], strength)

    def _add(self, phrase: str, strength: float) -> None:
        ids = encode_wanted(self._pipeline, phrase)
        if strength:
            self.strengths.append(strength)
        self.ids += ids
        self.locks += [len(self.strengths) if strength else 0] * len(ids)

    def _lock(self, span: Span) -> bool:
        """Lock the words that the span touches; return whether they were free."""
        places = self._places(span)
        if not places or any(self.locks[place] for place in places):
            return False
        self.strengths.append(math.inf)
        for place in places:
            self.locks[place] = len(self.strengths)
        return True

    def _places(self, span: Span) -> list[int]:
        """Return the places of the tokens of all words that the span of the draft touches."""
        ends = [len(self._pipeline.decode(self.ids[: place + 1])) for place in range(len(self.ids))]
        words = self._pipeline.vocabulary.words(np.array(self.ids)).tolist()
        starts = [0, *ends[:-1]]
        places = zip(words, starts, ends, strict=True)
        touched = {word for word, start, end in places if start < span[1] and span[0] < end}
        return [place for place, word in enumerate(words) if word in touched]
