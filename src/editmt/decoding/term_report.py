"""What became of a glossary's terms in a document: each use, in which form, and each miss."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from editmt.decoding.request import Request
from editmt.decoding.segments import Passage
from editmt.decoding.terminology import Wish
from editmt.decoding.translation import report_terms
from editmt.text.lemmas import Lemmatiser, find_by_lemma
from editmt.text.phrases import Span, find_phrase

UseStatus = Literal["used", "other form", "inflected", "missed", "forbidden"]
STATUSES: tuple[UseStatus, ...] = ("used", "other form", "inflected", "missed", "forbidden")


@dataclass(frozen=True)
class Use:
    """What became of one term in one sentence.

    status
        `used` as the glossary has it; in an `other form` that it has, or with other capitals; `inflected`;
        `missed`; or a `forbidden` word was used.
    form, span
        What was used, and which characters of the translation it is.
    """

    wish: Wish
    status: UseStatus
    passage: Passage
    line: int
    form: str = ""
    span: Span | None = None


@dataclass(frozen=True)
class TermRecord:
    """A term with all of its uses."""

    source: str
    targets: tuple[str, ...]
    forbidden: tuple[str, ...]
    verbatim: bool
    uses: tuple[Use, ...]

    def count(self, status: UseStatus) -> int:
        """Return how many uses have a status."""
        return sum(use.status == status for use in self.uses)


@dataclass(frozen=True)
class TermReport:
    """All terms that stood in a document's source."""

    terms: tuple[TermRecord, ...]

    def count(self, status: UseStatus) -> int:
        """Return how many uses of all terms have a status."""
        return sum(term.count(status) for term in self.terms)

    @property
    def share(self) -> float:
        """The share of terms that were used, in whichever form; 1 if there were none."""
        used = sum(self.count(status) for status in STATUSES[:3])
        wanted = used + self.count("missed")
        return used / wanted if wanted else 1.0


def make_report(passages: Iterable[tuple[int, Passage]], load: Callable[[], Lemmatiser | None]) -> TermReport:
    """Find the terms of passages, each with its line in the file.

    `load` gives the target language's lemmas; it is called when a term is not found otherwise, as that takes
    seconds.
    """
    found: dict[tuple[str, tuple[str, ...]], list[Use]] = {}
    lemmas: list[Lemmatiser | None] = []

    def lemmatiser() -> Lemmatiser | None:
        if not lemmas:
            lemmas.append(load())
        return lemmas[0]

    for line, passage in passages:
        for use in _find_uses(passage, line, lemmatiser):
            entry = use.wish.match.entries[0]
            found.setdefault((entry.source, use.wish.match.wanted), []).append(use)
    records = [_record(source, targets, uses) for (source, targets), uses in found.items()]
    return TermReport(tuple(sorted(records, key=lambda record: record.source.lower())))


def _record(source: str, targets: tuple[str, ...], uses: Sequence[Use]) -> TermRecord:
    match = uses[0].wish.match
    return TermRecord(source, targets, match.forbidden, match.verbatim, tuple(uses))


def _find_uses(passage: Passage, line: int, lemmatiser: Callable[[], Lemmatiser | None]) -> Iterable[Use]:
    """Yield what became of each wish, and each forbidden word that was used all the same."""
    wanted = [wish for wish in passage.wishes if wish.forms]
    asked = Request("", terms=tuple(wish.forms for wish in wanted))
    for wish, use in zip(wanted, report_terms(asked, passage.text), strict=True):
        if use.span is not None:
            as_given = use.form == wish.forms[0] or use.form in wish.match.wanted[:1]
            status: UseStatus = "used" if as_given else "other form"
            yield Use(wish, status, passage, line, use.form or "", use.span)
        else:
            yield _find_inflected(wish, passage, line, None if wish.match.verbatim else lemmatiser())
    for wish in passage.wishes:
        for form in wish.forbidden:
            for span in find_phrase(passage.text, form):
                if not _is_wanted(span, passage, wanted):
                    yield Use(wish, "forbidden", passage, line, form, span)


def _find_inflected(wish: Wish, passage: Passage, line: int, lemmatise: Lemmatiser | None) -> Use:
    for form in wish.forms if lemmatise is not None else ():
        for start, end in find_by_lemma(passage.text, form, lemmatise):  # type: ignore[arg-type]  # not None here
            return Use(wish, "inflected", passage, line, passage.text[start:end], (start, end))
    return Use(wish, "missed", passage, line)


def _is_wanted(span: Span, passage: Passage, wishes: Sequence[Wish]) -> bool:
    """Tell whether a forbidden word is a part of a term that was asked for."""
    return any(
        start <= span[0] and span[1] <= end
        for wish in wishes
        for form in wish.forms
        for start, end in find_phrase(passage.text, form)
    )
