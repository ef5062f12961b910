"""Segments of a document with their markup and a glossary's terms, translated with any model.

Placeholders are hard words of the request. What stands between two tags is translated first, and then is a
hard phrase of the sentence around it: so its place is known, and the tags go around it. Where that fails (no
room, or a model that takes no terms), the words between the units are translated each on their own, which
keeps every unit in its place.
"""

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field

from editmt.decoding.pieces import (
    Piece,
    break_lines,
    clean,
    join,
    keep_order,
    keeps_units,
    locate,
    printable,
    separate,
)
from editmt.decoding.request import Request
from editmt.decoding.runs import Run, cut_runs, fill, flatten, has_words, make_slots
from editmt.decoding.terminology import TermMode, Wish, find_wishes, restore_case, with_wishes
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.text.glossary import Glossary
from editmt.text.markup import Node, Notation, parse_markup
from editmt.text.phrases import Span, even_spaces
from editmt.text.sentences import split_sentences

MOST_SLOTS = 24
"""Units of one request; with more, the words between them are translated on their own."""

LEAST_WORDS_TO_CUT = 16


@dataclass(frozen=True)
class Segment:
    """A text to translate, with its markup."""

    text: str
    notation: Notation = field(default_factory=Notation)


@dataclass(frozen=True)
class Passage:
    """A sentence as it was translated: without tags, and what the glossary wished for it."""

    source: str
    text: str
    wishes: tuple[Wish, ...]


@dataclass(frozen=True)
class Translated:
    """What came of a segment; where there is a problem, parts of it may be the source's."""

    text: str
    passages: tuple[Passage, ...] = ()
    problem: str | None = None


Answer = Translation | InputError
Steps = Generator[list[Request], list[Answer], list[Piece]]
"""Something that asks for translations, is given them, asks again perhaps, and ends with pieces."""


class SegmentTranslator:
    """Translates segments, many at a time.

    SegmentTranslator(translator, glossary).translate_all([Segment("Click <b>Save</b>, {name}!")])
    """

    def __init__(
        self, translator: Translator, glossary: Glossary | None = None, mode: TermMode = "soft"
    ) -> None:
        self._translator, self._glossary, self._mode = translator, glossary, mode

    def translate_all(self, segments: Iterable[Segment]) -> list[Translated]:
        """Translate the segments, and return what came of them in order."""
        steps = translate_segments(segments, self._glossary, self._mode)
        try:
            asked = next(steps)
            while True:
                asked = steps.send(self._translator.translate_all(asked) if asked else [])
        except StopIteration as end:
            found: list[Translated] = end.value
            return found


def translate_segments(
    segments: Iterable[Segment], glossary: Glossary | None = None, mode: TermMode = "soft"
) -> Generator[list[Request], list[Answer], list[Translated]]:
    """Do as `SegmentTranslator` for whoever has a way of his own to ask for translations, as a server has."""
    jobs = [_Job(segment, glossary, mode) for segment in segments]
    pieces = yield from together([job.steps() for job in jobs])
    return [job.finish(found) for job, found in zip(jobs, pieces, strict=True)]


def together(tasks: Sequence[Steps]) -> Generator[list[Request], list[Answer], list[list[Piece]]]:
    """Do tasks side by side: what they ask for is asked for at once."""
    results: dict[int, list[Piece]] = {}
    waiting: dict[int, list[Request]] = {}

    def go_on(number: int, answers: list[Answer] | None) -> None:
        try:
            waiting[number] = tasks[number].send(answers)  # type: ignore[arg-type]  # None to begin with
        except StopIteration as end:
            results[number] = end.value

    for number in range(len(tasks)):
        go_on(number, None)
    while waiting:
        asked, waiting = waiting, {}
        answers = iter((yield [request for requests in asked.values() for request in requests]))
        for number, requests in asked.items():
            go_on(number, [next(answers) for _ in requests])
    return [results[number] for number in range(len(tasks))]


class _Job:
    """One segment on its way."""

    def __init__(
        self,
        segment: Segment,
        glossary: Glossary | None,
        mode: TermMode,
        numbers: frozenset[str] = frozenset(),
    ) -> None:
        self.segment, self._glossary, self._mode = segment, glossary, mode
        self.units = segment.notation.find(segment.text)
        own = {unit.text for unit in self.units if unit.kind == "number"}
        self._numbers = numbers if own <= numbers else numbers | own  # a part has no copy of a whole file's
        self._passages: list[Passage] = []
        self._problem: str | None = None

    def steps(self) -> Steps:
        """Translate the segment, sentence by sentence; if units were not kept, in parts between them."""
        nodes = parse_markup(self.segment.text, self.units)
        alone = not self.units and len(split_sentences(self.segment.text)) == 1  # as most segments are
        runs = [] if alone else cut_runs(nodes)
        if len(runs) > 1:
            pieces = yield from self._translate_each(runs)
            if self._keeps_units(pieces, fewer=True):
                return pieces
        else:
            pieces = yield from self._translate_words(self.segment.text) if alone else self._translate(nodes)
            for thoroughly in (False, True):
                tidied = self._tidy(pieces, thoroughly=thoroughly)
                if self._keeps_units(tidied):
                    return tidied
        self._passages.clear()
        pieces = yield from self._translate_apart(list(flatten(nodes)))
        return self._tidy(pieces, thoroughly=True)

    def finish(self, pieces: Sequence[Piece]) -> Translated:
        """Return what came of the segment."""
        return Translated(join(pieces), tuple(self._passages), self._problem)

    def _translate_each(self, runs: Sequence[Run]) -> Steps:
        """Translate runs as segments of their own: where one loses a unit, the others stay as they are."""
        texts = [join([*run.before, *flatten(run.nodes), *run.after]) for run in runs]
        parts = [
            _Job(Segment(text, self.segment.notation), self._glossary, self._mode, self._numbers)
            for text in texts
        ]
        translated = yield from together([part.steps() for part in parts])
        for part in parts:
            self._passages += part._passages
            self._problem = self._problem or part._problem
        return [piece for pieces in translated for piece in pieces]

    def _tidy(self, pieces: Sequence[Piece], *, thoroughly: bool) -> list[Piece]:
        cleaned = clean(keep_order(pieces), self.segment.notation, self._numbers, thoroughly=thoroughly)
        return separate(cleaned, self.segment.text, thoroughly=thoroughly)

    def _keeps_units(self, pieces: Sequence[Piece], *, fewer: bool = False) -> bool:
        segment = self.segment
        return keeps_units(pieces, segment.text, self.units, segment.notation, self._numbers, fewer=fewer)

    def _translate(self, nodes: Sequence[Node]) -> Steps:
        """Translate nodes run by run."""
        translated = yield from together([self._translate_run(run) for run in cut_runs(nodes)])
        return [piece for pieces in translated for piece in pieces]

    def _translate_run(self, run: Run) -> Steps:
        """Translate the elements of a run, and then all of it with these and the units as hard words."""
        inner = yield from together([self._translate(element.nodes) for element in run.elements])
        if not run.has_free_words:
            return run.put_together(inner)
        slots, source, spans = make_slots(run, inner, self.segment.text)
        lines = join(list(flatten(run.nodes, tags=False)))
        if not slots:
            return [*run.before, *(yield from self._translate_words(lines)), *run.after]
        if len(slots) <= MOST_SLOTS:
            wishes = self._wishes(source, spans)
            request = Request.of(source, hard=[slot.phrase for slot in slots])
            (answer,) = yield [with_wishes(request, wishes)]
            if isinstance(answer, Translation):
                text = restore_case(printable(answer.text), source, wishes)
                places = locate(text, [slot.phrase for slot in slots])
                if places is not None:
                    self._passages.append(Passage(source, text, tuple(wishes)))
                    return [*run.before, *break_lines(fill(text, slots, places), lines), *run.after]
        return (yield from self._translate_apart([*run.before, *flatten(run.nodes), *run.after]))

    def _translate_apart(self, pieces: Sequence[Piece]) -> Steps:
        """Translate the words between units each on their own."""
        tasks = [
            self._translate_words(piece) if isinstance(piece, str) else _nothing_to_do([piece])
            for piece in pieces
        ]
        translated = yield from together(tasks)
        return [piece for found in translated for piece in found]

    def _translate_words(self, text: str) -> Steps:
        """Translate words without units; what is too long for the model in two halves."""
        if not has_words(text):
            return [text]
        body = text.strip()
        source = even_spaces(body)
        wishes = self._wishes(source, [])
        (answer,) = yield [with_wishes(Request(source), wishes)]
        start = text.index(body)
        if isinstance(answer, Translation):
            found = restore_case(printable(answer.text), source, wishes)
            self._passages.append(Passage(source, found, tuple(wishes)))
            return [text[:start], *break_lines([found], body), text[start + len(body) :]]
        halves = cut_in_half(text)
        if len(halves) == 1:
            self._problem = self._problem or str(answer)
            return [text]
        translated = yield from together([self._translate_words(half) for half in halves])
        return [piece for found in translated for piece in found]

    def _wishes(self, source: str, excluded: Sequence[Span]) -> list[Wish]:
        if self._glossary is None:
            return []
        return find_wishes(source, self._glossary, self._mode, excluded)


def _nothing_to_do(pieces: list[Piece]) -> Steps:
    """Be a task that asks for nothing."""
    yield from ()
    return pieces


def cut_in_half(text: str) -> list[str]:
    """Cut a long text at the mark or space nearest to its middle; one of few words is not cut.

    >>> cut_in_half("a b"), cut_in_half(" ".join("abcdefghijkl") + ", " + "x y z " * 4)
    (['a b'], ['a b c d e f g h i j k l, ', 'x y z x y z x y z x y z '])
    """
    if len(text.split()) < LEAST_WORDS_TO_CUT:
        return [text]
    for pattern in (r"(?<=[,;:、，])\s*", r"\s+"):
        places = [match.end() for match in re.finditer(pattern, text)]
        near = [place for place in places if len(text) / 5 < place < len(text) * 4 / 5]
        if near:
            middle = min(near, key=lambda place: abs(place - len(text) / 2))
            return [text[:middle], text[middle:]]
    return [text]
