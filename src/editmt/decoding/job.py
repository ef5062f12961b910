"""A request as ids: the source, the first canvas with its locks, and what must hold."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, groupby

import numpy as np

from editmt.config import DecodingConfig
from editmt.data.texts import Texts
from editmt.decoding.locks import Keep
from editmt.decoding.mending import Mender
from editmt.decoding.request import Request
from editmt.decoding.rules import Rules
from editmt.decoding.wording import Phrase
from editmt.errors import InputError
from editmt.text import BOUNDARIES, UNK, TextPipeline
from editmt.text.phrases import Span, find_phrase

KEPT_PHRASES = 10_000
"""Phrases whose ids are remembered: a glossary's terms come again and again."""


@dataclass(frozen=True, eq=False)
class Job:
    """One sentence to decode; no ids here have boundaries.

    hard, soft
        The phrases themselves: a beam search knows no first canvas.
    parts
        How many tokens each phrase of the first canvas has, one behind the other; a draft comes before them.
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
    parts: list[int] = field(default_factory=list)
    phrases: tuple[Phrase, ...] = ()  # those with the locks 1, 2, …


def most_tokens(source_length: int) -> int:
    """Return the length limit of a canvas, boundaries included, for a source of so many tokens.

    Differs: the authors' is max(10, 2 · source); very short sources may have longer translations.
    """
    return 2 * source_length + 10


def make_job(request: Request, texts: Texts, options: DecodingConfig, max_length: int) -> Job:
    """Turn a request into ids, or say why it cannot be done with a model of `max_length` positions."""
    source = texts.source.encode(request.source)
    _check_room("the source has", len(source), max_length)
    canvas = _FirstCanvas(texts.target, request.draft or "")
    _check_room("the draft has", len(canvas.ids), max_length)  # what follows takes time where there is much
    canvas.lock_all(request.locked)
    locked = canvas.locked_texts()
    longest_first = sorted(request.hard, key=len, reverse=True)
    for phrase in longest_first if request.draft else request.hard:  # so that none takes a longer one's place
        canvas.add_hard(phrase)
    _check_room("hard words and locked parts have", sum(lock > 0 for lock in canvas.locks), max_length)
    taken = [canvas.add_soft(term, options.strength) for term in request.terms]
    insisted = [form for form in taken if form is not None] if math.isinf(options.strength) else []
    _check_room("the words to start from have", len(canvas.ids), max_length)
    held = options.hard_mode == "kept"
    rules = Rules.of(
        hard=request.hard if held else (),
        locked=[*locked, *insisted] if held else (),
        forbidden=request.forbidden,
    )
    first = len(canvas.ids) + BOUNDARIES
    empty = not request.source.strip()  # nothing is the translation of nothing
    limit = first if empty else _limit(len(source) + BOUNDARIES, first, max_length)
    room = min(limit + len(canvas.strengths), max_length)  # to part hard phrases from each other
    phrases = tuple(canvas.phrases)
    return Job(
        source,
        limit,
        canvas.ids,
        canvas.locks,
        Keep(tuple(canvas.strengths), paper=not held, vocabulary=texts.target.vocabulary),
        Mender(rules, texts.target, room, phrases) if rules else None,
        [canvas.spell(phrase) for phrase in (*request.hard, *insisted)],
        [canvas.spell(term[0]) for term in request.terms if not insisted],
        request.draft is not None,
        canvas.parts,
        phrases,
    )


def job_of_ids(source: Sequence[int], phrases: Sequence[Sequence[int]], max_length: int) -> Job:
    """Make a job of ids as training has them, with phrases to start from as soft as the paper's.

    >>> job = job_of_ids([7, 8], [[9], [10, 11]], max_length=128)
    >>> job.first, job.locks, job.parts, job.keep.strengths
    ([9, 10, 11], [1, 2, 2], [1, 2], (0.0, 0.0))
    """
    sizes = [len(phrase) for phrase in phrases]
    return Job(
        [*source],
        _limit(len(source) + BOUNDARIES, sum(sizes) + BOUNDARIES, max_length),
        [*chain(*phrases)],
        [lock for lock, size in enumerate(sizes, start=1) for _ in range(size)],
        Keep((0.0,) * len(sizes)),
        soft=[[*phrase] for phrase in phrases],
        parts=sizes,
    )


def _limit(source: int, first: int, max_length: int) -> int:
    """Return the output's length limit, by the lengths of the source and of the first canvas."""
    return min(max(most_tokens(source), source + first), max_length)


@lru_cache(KEPT_PHRASES)
def encode_wanted(pipeline: TextPipeline, phrase: str) -> tuple[int, ...]:
    """Return the ids of a phrase to have in the output; byte fall-back knows any, Moses does not."""
    ids = pipeline.encode_phrase(phrase)
    if UNK in ids:
        raise InputError(f"{phrase!r} has parts that this model's vocabulary cannot spell")
    return tuple(ids)


def _check_room(what: str, tokens: int, max_length: int) -> None:
    most = max_length - BOUNDARIES
    if tokens > most:
        raise InputError(f"{what} {tokens} tokens, and the model has room for {most}")


class _FirstCanvas:
    """The first canvas as it grows: the draft, then what is wanted and not in it yet."""

    def __init__(self, pipeline: TextPipeline, draft: str) -> None:
        self._pipeline = pipeline
        self._given = draft
        self._draft_ids = pipeline.encode(draft) if draft else []
        self._draft = pipeline.decode(self._draft_ids) if draft else ""
        self.ids = list(self._draft_ids)
        self.locks = [0] * len(self.ids)
        self.strengths: list[float] = []  # of the locks 1, 2, …
        self.phrases: list[Phrase] = []
        self.parts: list[int] = []  # the number of tokens of each phrase that was added

    def spell(self, phrase: str) -> list[int]:
        """Return the ids of a phrase to have in the output."""
        return list(encode_wanted(self._pipeline, phrase))  # type: ignore[arg-type]  # hashed by identity

    def lock_all(self, spans: Sequence[Span]) -> None:
        """Lock the words of the draft that the spans touch; spans that share a word become one."""
        if spans and self._draft != self._given:
            raise InputError("nothing can be locked: the model's text pipeline changes this draft")
        for span in spans:
            places = self._places(span)
            shared = {self.locks[place] for place in places} - {0}
            wider = [place for place, lock in enumerate(self.locks) if place in places or lock in shared]
            self._lock(wider, self._text(wider), math.inf)

    def locked_texts(self) -> list[str]:
        """Return the text of each locked part of the draft, which may be wider than what was asked for."""
        parts = [self.phrases[lock - 1] for lock in dict.fromkeys(self.locks) if lock]
        return [part.text for part in parts if part.text]

    def add_hard(self, phrase: str) -> None:
        """Lock the phrase where it stands in the draft, or else add it."""
        if not (self._draft and self._lock_one(find_phrase(self._draft, phrase), math.inf)):
            self._add(phrase, math.inf)

    def add_soft(self, term: Sequence[str], strength: float) -> str | None:
        """Take the form of the term that stands in the draft, or else add the first.

        Returns which it is; none, if all that stand there are parts of what is locked.
        """
        for form in term if self._draft else ():
            if spans := list(find_phrase(self._draft, form)):
                return form if self._lock_one(spans, strength) else None
        self._add(term[0], strength)
        return term[0]

    def _add(self, phrase: str, strength: float) -> None:
        ids = encode_wanted(self._pipeline, phrase)  # type: ignore[arg-type]  # hashed by identity
        self.ids += ids
        self.parts.append(len(ids))
        self.locks += [self._note(ids, phrase, strength)] * len(ids)

    def _lock_one(self, spans: Iterable[Span], strength: float) -> bool:
        """Lock the first span that is free; return whether one was.

        Of two flags that are the tokens of one word, none can be locked alone: such a span is passed over.
        """
        for span in spans:
            places, whole = self._places(span), self._draft[slice(*span)]
            if places and self._text(places) == whole and not any(self.locks[place] for place in places):
                self._lock(places, whole, strength)
                return True
        return False

    def _lock(self, places: Sequence[int], text: str, strength: float) -> None:
        if places:
            lock = self._note(tuple(self.ids[place] for place in places), text, strength)
            for place in places:
                self.locks[place] = lock or self.locks[place]

    def _note(self, ids: tuple[int, ...], text: str, strength: float) -> int:
        """Note a phrase that is kept with some strength, and return its lock; 0 if it has none."""
        if not ids or not strength:
            return 0
        self.strengths.append(strength)
        self.phrases.append(Phrase(ids, text if math.isinf(strength) else ""))
        return len(self.strengths)

    def _places(self, span: Span) -> list[int]:
        """Return the places of the tokens of all words that the span of the draft touches."""
        touched = [places for (start, end), places in self._words if start < span[1] and span[0] < end]
        return [place for places in touched for place in places]

    def _text(self, places: Sequence[int]) -> str:
        """Return the text of neighbouring words of the draft."""
        spans = [span for span, own in self._words if own[0] in places]
        return self._draft[spans[0][0] : spans[-1][1]] if spans else ""

    @cached_property
    def _words(self) -> list[tuple[Span, list[int]]]:
        """The draft's words: their characters, without the space before, and the places of their tokens.

        Only whole words are decoded: half of a character's bytes have another length than the character.
        """
        ids, found, start = self._draft_ids, [], 0
        numbers = self._pipeline.vocabulary.words(np.array(ids, dtype=np.int64)).tolist()
        for _, group in groupby(range(len(ids)), key=numbers.__getitem__):
            places = list(group)
            end = len(self._pipeline.decode(ids[: places[-1] + 1]))
            word = self._draft[start:end]
            found.append(((end - len(word.lstrip()), end), places))
            start = end
        return found
