"""What a user gets: the text, and what became of each term."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from editmt.decoding.engine import Outcome
from editmt.decoding.request import Alternatives, Request
from editmt.edits import Action, EditCounts, Placeholders, Reposition, Tokens, Trace
from editmt.records import JsonObject
from editmt.text.phrases import Places, Span, find_phrase

Status = Literal["used", "other form", "dropped"]


@dataclass(frozen=True)
class TermUse:
    """What became of one term: used as given, in another form (which, and where), or dropped."""

    term: str
    hard: bool
    status: Status
    form: str | None = None
    span: Span | None = None  # characters of the text


@dataclass(frozen=True, eq=False)
class Translation:
    """A translation, whichever model made it; what led to it is worked out when asked for."""

    text: str
    request: Request
    outcome: Outcome

    @cached_property
    def terms(self) -> tuple[TermUse, ...]:
        """What became of each of the request's terms, the hard ones first."""
        return report_terms(self.request, self.text)

    @property
    def score(self) -> float:
        """The mean log-probability of the words an edit model put in, or of a beam search's tokens."""
        return self.outcome.score

    @property
    def iterations(self) -> int:
        """The iterations of refinement, or the steps of a beam search."""
        return self.outcome.iterations

    @property
    def counts(self) -> EditCounts:
        """The number of edits of each kind."""
        return self.outcome.counts

    @property
    def trace(self) -> Trace | None:
        """Every action of an edit model; a beam search has none."""
        return self.outcome.trace

    def to_json(self, pieces: Sequence[str]) -> JsonObject:
        """Return it as a JSON object; `pieces` are the token types that the trace's ids stand for."""
        return {
            "text": self.text,
            "terms": [_describe_use(use) for use in self.terms],
            "score": self.score,
            "iterations": self.iterations,
            "counts": dict(vars(self.counts)),
            "trace": None if self.trace is None else describe_trace(self.trace, pieces),
        }


def report_terms(request: Request, text: str) -> tuple[TermUse, ...]:
    """Find each term in the text; no place serves two of them, though one may lie within another."""
    taken = Places()
    wanted: list[tuple[Alternatives, bool]] = [((phrase,), True) for phrase in request.hard]
    wanted += [(term, False) for term in request.terms]
    uses: dict[int, TermUse] = {}
    # Hard ones and then the longest first: "Haus" must not take the place of "Haus am See".
    for number, (term, hard) in sorted(
        enumerate(wanted), key=lambda item: (-item[1][1], -len(item[1][0][0]))
    ):
        uses[number] = _find_use(term, hard=hard, text=text, taken=taken)
    return tuple(uses[number] for number in range(len(wanted)))


def describe_trace(trace: Trace, pieces: Sequence[str]) -> JsonObject:
    """Return the trace of one sentence as plain lists, its tokens as pieces."""

    def words(ids: Iterable[int]) -> list[str]:
        return [pieces[index] for index in ids]

    steps = [{**_describe_action(action), "canvas": words(after.rows()[0])} for action, after in trace.steps]
    return {"first": words(trace.first.rows()[0]), "steps": steps}


def _describe_use(use: TermUse) -> JsonObject:
    return {**vars(use), "span": None if use.span is None else list(use.span)}


def _describe_action(action: Action) -> JsonObject:
    match action:
        case Reposition(index):
            return {"action": "reposition", "index": index[0].tolist()}
        case Placeholders(count):
            return {"action": "placeholders", "count": count[0].tolist()}
        case Tokens():
            return {"action": "tokens"}


def _find_use(term: Alternatives, *, hard: bool, text: str, taken: Places) -> TermUse:
    """Look for the term as given, then for its alternatives, then for all of them in other cases."""
    found: tuple[Status, Span] | None = None
    for status, place in _places(term, text):
        if place not in taken:
            free = taken.are_free(place)
            found = (status, place) if free else found or (status, place)  # within another's, if need be
            if free:
                break
    if found is None:
        return TermUse(term[0], hard, "dropped")
    status, place = found
    taken.append(place)
    return TermUse(term[0], hard, status, text[slice(*place)], place)


def _places(term: Alternatives, text: str) -> Iterable[tuple[Status, Span]]:
    for number, form in enumerate(term):
        for place in find_phrase(text, form):
            yield "used" if number == 0 else "other form", place
    lower = text.lower()
    if len(lower) == len(text):  # else places would shift
        for form in term:
            for place in find_phrase(lower, form.lower()):
                yield "other form", place
