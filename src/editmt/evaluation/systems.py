"""Files → segments: references, constraints and the outputs of systems, checked line by line."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from editmt.data.lines import read_lines
from editmt.decoding.request import Alternatives, Request
from editmt.errors import InputError
from editmt.evaluation.metric import Effort, Segment
from editmt.evaluation.words import Splitter
from editmt.records import JsonObject, read_json_lines

JSON_LINES = ".jsonl"
"""Files with such a name hold JSON lines; all others are plain text."""

MOST = 1e100
"""No count or time is larger; sums and products of what is stay finite."""
COUNTS = ("repositions", "deletions", "insertions")
Item = TypeVar("Item")

Constraints: TypeAlias = list[tuple[Alternatives, ...]]
"""What was asked of each sentence."""


@dataclass(frozen=True)
class Answer:
    """A system's translation of a sentence, and what it took, where that is told."""

    text: str
    effort: Effort | None = None
    latency_ms: float | None = None


@dataclass(frozen=True, eq=False)
class TestSet:
    """References, split once for all systems."""

    __test__ = False  # no test, though its name begins so

    references: Sequence[str]
    words: Sequence[tuple[str, ...]]
    split: Splitter

    @classmethod
    def read(cls, path: Path, split: Splitter) -> "TestSet":
        """Read the references: lines of text, or the field `reference` of JSON lines."""
        references = read_texts(path, "reference")
        if not references:
            raise InputError(f"{path}: there is no line")
        return cls(references, [split(reference) for reference in references], split)

    def read_constraints(self, path: Path, sources: Sequence[str] | None) -> Constraints:
        """Read what was asked for: the requests that `editmt translate --jsonl` was given."""
        requests = _read_records(path, Request.from_json)
        self.check_length(path, len(requests))
        for number, (request, source) in enumerate(zip(requests, sources or (), strict=False), start=1):
            if request.source != source:
                raise InputError(f"{path}: line {number}: the source is another one than in the source file")
        return [(*((phrase,) for phrase in request.hard), *request.terms) for request in requests]

    def no_constraints(self) -> Constraints:
        """Return nothing for each sentence."""
        return [()] * len(self.references)

    def read_output(self, path: Path, constraints: Constraints) -> list[Segment]:
        """Read a system's output: lines of text, or the answers of `editmt translate --jsonl`."""
        if path.suffix == JSON_LINES:
            answers = _read_records(path, _parse_answer)
        else:
            answers = [Answer(line) for line in read_lines(path)]
        self.check_length(path, len(answers))
        return [
            Segment(
                answer.text,
                reference,
                self.split(answer.text),
                words,
                constraint,
                answer.effort,
                answer.latency_ms,
            )
            for answer, reference, words, constraint in zip(
                answers, self.references, self.words, constraints, strict=True
            )
        ]

    def check_length(self, path: Path, count: int) -> None:
        """Compare a file's number of lines with the references'."""
        if count != len(self.references):
            shorter = min(count, len(self.references))
            raise InputError(
                f"{path}: line {shorter + 1}: {count:,} lines for {len(self.references):,} references"
            )


def read_texts(path: Path, field: str) -> list[str]:
    """Return the lines of a text file, or a field of JSON lines."""
    if path.suffix != JSON_LINES:
        return list(read_lines(path))
    return _read_records(path, lambda record: _text(record, field))


def read_records(path: Path) -> Iterator[tuple[int, JsonObject]]:
    """Yield each line's number and object; what is wrong is told with the file's name."""
    try:
        with path.open("rb") as stream:
            yield from read_json_lines(stream)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def _read_records(path: Path, parse: Callable[[JsonObject], Item]) -> list[Item]:
    items = []
    for number, record in read_records(path):
        try:
            items.append(parse(record))
        except InputError as error:
            raise InputError(f"{path}: line {number}: {error}") from None
    return items


def _parse_answer(record: JsonObject) -> Answer:
    if "error" in record:
        raise InputError(f"this was not translated: {record['error']}")
    latency = None if record.get("latency_ms") is None else _number(record, "latency_ms")
    return Answer(_text(record, "text"), _parse_effort(record), latency)


def _parse_effort(record: JsonObject) -> Effort | None:
    counts = record.get("counts")
    if counts is None:
        return None
    if not isinstance(counts, dict):
        raise InputError("counts is not an object")
    repositions, deletions, insertions = (_number(counts, name) for name in COUNTS)
    return Effort(repositions, deletions, insertions, _number(record, "iterations"))


def _text(record: JsonObject, field: str) -> str:
    text: Any = record.get(field)
    if not isinstance(text, str):
        raise InputError(f"the field {field!r} is missing or not a text")
    return text


def _number(record: JsonObject, field: str) -> float:
    number: Any = record.get(field)
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 <= number <= MOST:
        raise InputError(f"the field {field!r} is missing or not a number from 0")
    return number
