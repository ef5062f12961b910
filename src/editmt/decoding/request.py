"""What a user asks for: a source, and what is wanted of its translation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.text.phrases import Span, tidy

Alternatives = tuple[str, ...]
"""Forms of one term: the first is suggested, any of them will do."""


@dataclass(frozen=True)
class Request:
    """A sentence to translate.

    terms
        Soft constraints, in any order: words or phrases to start from, each with its alternatives.
    hard
        Phrases that have to be in the output, whole, as often as they stand here.
    forbidden
        Words and phrases that must not be in the output.
    draft
        A sentence to start from instead of nothing.
    locked
        Characters of the draft that must stay as they are, widened to whole words.

    >>> Request.of("Gutach: increased safety", terms=["Sicherheit", ["Unfall", "Unfalls"]]).terms
    (('Sicherheit',), ('Unfall', 'Unfalls'))
    """

    source: str
    terms: tuple[Alternatives, ...] = ()
    hard: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    draft: str | None = None
    locked: tuple[Span, ...] = ()

    @classmethod
    def of(
        cls,
        source: str,
        *,
        terms: Sequence[str | Sequence[str]] = (),
        hard: Sequence[str] = (),
        forbidden: Sequence[str] = (),
        draft: str | None = None,
        locked: Sequence[Span] = (),
    ) -> "Request":
        """Check and tidy what is given."""
        _check(isinstance(source, str), "source is not a text")
        _check(draft is None or isinstance(draft, str), "draft is not a text")
        return cls(
            source,
            tuple(_alternatives(term, number) for number, term in _numbered(terms, "terms")),
            _phrases(hard, "hard"),
            _phrases(forbidden, "forbidden"),
            draft,
            tuple(_span(span, draft or "", number) for number, span in _numbered(locked, "locked")),
        )

    @classmethod
    def from_json(cls, record: JsonObject) -> "Request":
        """Read a request from a JSON object; `null` is as if not given, a field that is none is an error."""
        for name in record:
            _check(name in FIELDS, f"there is no field {name!r} (only: {', '.join(FIELDS)})")
        given = {name: value for name, value in record.items() if value is not None}
        _check("source" in given, "the field 'source' is missing")
        return cls.of(**given)


FIELDS = tuple(Request.__dataclass_fields__)


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise InputError(message)


def _numbered(items: object, name: str) -> list[tuple[int, Any]]:
    _check(isinstance(items, Sequence) and not isinstance(items, str), f"{name} is not a list")
    return list(enumerate(items, start=1))  # type: ignore[arg-type]  # checked


def _phrases(phrases: object, name: str) -> tuple[str, ...]:
    return tuple(_phrase(phrase, f"{name}: item {number}") for number, phrase in _numbered(phrases, name))


def _phrase(phrase: object, where: str) -> str:
    _check(isinstance(phrase, str), f"{where} is not a text")
    text = tidy(str(phrase))
    _check(bool(text), f"{where} is empty")
    return text


def _alternatives(term: object, number: int) -> Alternatives:
    where = f"terms: item {number}"
    if isinstance(term, str):
        return (_phrase(term, where),)
    _check(isinstance(term, Sequence) and len(term) > 0, f"{where} is neither a text nor a list of texts")
    return tuple(_phrase(form, where) for form in term)  # type: ignore[attr-defined]  # checked


def _span(span: object, draft: str, number: int) -> Span:
    where = f"locked: item {number}"
    numbers = list(span) if isinstance(span, Sequence) else []
    _check(len(numbers) == 2 and all(type(each) is int for each in numbers), f"{where} is not [start, end]")
    start, end = numbers
    _check(0 <= start < end <= len(draft), f"{where} is not within the draft's {len(draft)} characters")
    return start, end
