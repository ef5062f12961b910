"""Rows of a glossary's table to entries, by what its columns mean.

There are tens of thousands of rows: they are read column by column, and put together in the end.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, repeat, starmap, zip_longest
from operator import itemgetter
from typing import NamedTuple, TypeVar, cast

from editmt.text.glossary.columns import Column, Row
from editmt.text.glossary.entry import CaseRule, Entry, Extra, Problem, Status, Target
from editmt.text.glossary.words import (
    SOURCE_STATUS,
    VERBATIM,
    case_rule_of,
    is_told_of_source,
    is_true,
    is_unsaid,
    language_of,
    says_translatable,
    status_of,
)
from editmt.text.phrases import tidy

Cells = Sequence[str]
"""The cells of some columns in one row."""

Targets = dict[str, tuple[Target, ...]]
"""The targets of each language that has some."""

Source = tuple[str, str, str, CaseRule, str, str, str, str, str, Extra]
"""A row's source term and what is said of it: its language and the target's, the case rule, the part of
speech, the note, the definition, the subject, the concept, and what else there is."""

Meaning = TypeVar("Meaning")

_NOTES = ("note", "definition")
_OF_TARGET = ("status", "term_info", "forbidden", "part_of_speech", *_NOTES)
"""What a target has a place for; all else that is said of it is extra."""


class Read(NamedTuple):
    """What a row says: its source terms, none if they are another row's; and the targets for them."""

    line: int
    use: "Use"
    targets: Targets
    told: Sequence[Source] | None

    @property
    def is_half(self) -> bool:
        """Whether there are targets only, or source terms only."""
        return bool(self.targets) != bool(self.told) and not (self.told and self.use.verbatim)


class Use(NamedTuple):
    """What a row says of the use of its terms, and what of that was not understood."""

    status: Status
    verbatim: bool
    problems: tuple[str, ...]


def read_rows(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[Entry | Problem]:
    """Yield the entries of rows: one for each source term and language of targets; or what is wrong."""
    table = _Table(columns, rows)
    lines = [row.line for row in rows]
    sources = [table.sources(column) for column in columns if column.role == "source"]
    told = ([term for term in terms if term[0]] for terms in zip(*sources, strict=True))
    read = starmap(Read, zip(lines, table.uses, table.targets(), told, strict=True))
    for line, use, targets, terms in _complete(read, list(table.concepts)):
        for reason in use.problems:
            yield Problem(line, reason, used=True)
        if terms is None:
            continue
        if terms and (targets or use.verbatim):
            yield from _combine(terms, targets or {"": ()}, use.verbatim, line)
        else:
            yield Problem(line, "no target term" if terms else "no source term")


def _complete(rows: Iterable[Read], concepts: Sequence[str]) -> Iterator[Read]:
    """Yield rows; where some of a concept are halves, all of its targets are its source terms'.

    So a synonym or a forbidden word may have a row of its own: "7;disk;Platte", "7;;Scheibe".
    """
    rows = list(rows)
    if not any(concepts) or not any(bool(row.targets) != bool(row.told) for row in rows):
        yield from rows  # as in most tables
        return
    for concept, group in groupby(zip(concepts, rows, strict=True), key=itemgetter(0)):
        same = [row for _, row in group]
        told = {term[0]: term for row in same for term in row.told or ()}
        if not concept or not told or not any(row.is_half for row in same):
            yield from same
            continue
        targets: Targets = {}
        for language, ours in (pair for row in same for pair in row.targets.items()):
            targets[language] = (*targets.get(language, ()), *ours)
        for row in same:
            terms = [term for term in row.told or () if told.pop(term[0], None)]
            yield row._replace(targets=targets, told=terms or None)


def read_terms(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[tuple[int, Source, Use]]:
    """Yield the line, the source term and its use of each row of a table with one column of terms."""
    table = _Table(columns, rows)
    (sources,) = [table.sources(column) for column in columns if column.role == "source"]
    yield from zip([row.line for row in rows], sources, table.uses, strict=True)


def _combine(terms: Iterable[Source], targets: Targets, verbatim: bool, line: int) -> Iterator[Entry]:
    for text, spoken, wanted, case, part, note, definition, subject, concept, extra in terms:
        for language, ours in targets.items():
            yield Entry(
                text, ours, spoken, wanted or language, case, part, verbatim,
                note, definition, subject, concept, extra, line,
            )  # fmt: skip


class _Table:
    """A table's cells by columns, without white space around them, and what they say."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        self._columns = columns
        width = max((column.place + 1 for column in columns), default=0)
        cells = zip_longest([""] * width, *(row.cells[:width] for row in rows), fillvalue="")
        self._cells = [tuple(map(str.strip, column[1:])) for column in cells]
        self._length = len(rows)
        self.uses = list(self._read_uses())

    def sources(self, column: Column) -> Iterator[Source]:
        """Return the source terms of a column; what is said of them alone comes before what is of the row."""
        own = column.place
        case = self._understand(_case_of, self._places("case", own, None), self._places("term_info", own))
        return zip(
            map(tidy, self._cells[own]),
            self._languages("source_language", column.language),
            self._languages("target_language", ""),
            case,
            self._join(" ", self._places("part_of_speech", own, None)),
            self._join("\n", self._places("note", own, None)),
            self._join("\n", self._places("definition", own, None)),
            self._join(", ", self._places("subject", own, None)),
            self.concepts,
            self._source_extra(own),
            strict=True,
        )

    @property
    def concepts(self) -> Iterable[str]:
        """The name of each row's concept."""
        return self._join("", self._places("concept", None)[:1])

    def _source_extra(self, own: int) -> Iterable[Extra]:
        """Return what else is said of a source term, its status among it."""
        told = self._extra(
            [each for each in self._columns if each.role == "extra" and each.term in {own, None}]
        )
        places = self._places("status", own)
        if not places:
            return told
        statuses = self._understand(_source_status, places)
        return (extra + status for extra, status in zip(told, statuses, strict=True))

    def targets(self) -> Iterator[Targets]:
        """Yield the targets of each row."""
        columns = [column for column in self._columns if column.role == "target"]
        languages = [column.language for column in columns]
        given = zip(*map(self._column_targets, columns), strict=True)
        for row in given if columns else repeat((), self._length):
            found: Targets = {}
            for language, target in zip(languages, row, strict=True):
                if target.text:
                    found[language] = (*found.get(language, ()), target)
            yield found

    def _column_targets(self, column: Column) -> Iterator[Target]:
        """Return the targets of a column, with what is said of each alone."""
        roles = ("status", "term_info", "forbidden")
        own = self._understand(_status_of, *(self._places(role, column.place) for role in roles))
        return map(
            Target,
            map(tidy, self._cells[column.place]),
            (status or use.status for status, use in zip(own, self.uses, strict=True)),
            self._join(" ", self._places("part_of_speech", column.place)),
            self._join("\n", [place for role in _NOTES for place in self._places(role, column.place)]),
            self._extra(
                [each for each in self._columns if each.term == column.place and each.role not in _OF_TARGET]
            ),
        )

    def _read_uses(self) -> Iterable[Use]:
        inverted = [says_translatable(column.name) for column in self._columns if column.role == "verbatim"]
        sources = [column.place for column in self._columns if column.role == "source"]

        def use_of(status: Cells, forbidden: Cells, verbatim: Cells, own: Cells) -> Use:
            says = [is_true(cell) != no for cell, no in zip(verbatim, inverted, strict=True) if cell]
            says += [status_of(word) == VERBATIM for word in own]
            return _use_of(status, forbidden, verbatim=any(says))

        rows = [self._places(role, None) for role in ("status", "forbidden", "verbatim")]
        return self._understand(use_of, *rows, self._places("status", *sources))

    def _places(self, role: str, *terms: int | None) -> list[int]:
        """Return the columns in which something is said of a term, or, None, of all of the row."""
        return [
            column.place
            for term in terms
            for column in self._columns
            if column.role == role and column.term == term
        ]

    def _rows(self, places: Sequence[int]) -> Iterable[Cells]:
        if not places:
            return repeat((), self._length)
        return zip(*(self._cells[place] for place in places), strict=True)

    def _understand(self, meaning: Callable[..., Meaning], *places: Sequence[int]) -> Iterable[Meaning]:
        """Return what the cells of some columns mean in each row; the same cells are asked for once only."""
        if not any(places):
            return repeat(meaning(*repeat((), len(places))), self._length)
        return starmap(cache(meaning), zip(*map(self._rows, places), strict=True))

    def _join(self, part: str, places: Sequence[int]) -> Iterable[str]:
        if not places:
            return repeat("", self._length)
        if len(places) == 1:
            return self._cells[places[0]]
        return (part.join(filter(None, cells)) for cells in self._rows(places))

    def _languages(self, role: str, default: str) -> Iterable[str]:
        def language(cells: Cells) -> str:
            code = next(filter(None, cells), "")
            return language_of(code) or code or default

        return self._understand(language, self._places(role, None))

    def _extra(self, columns: Sequence[Column]) -> Iterable[Extra]:
        names = [column.name for column in columns]
        for cells in self._rows([column.place for column in columns]):
            yield tuple([pair for pair in zip(names, cells, strict=True) if pair[1]]) if any(cells) else ()


def _use_of(status: Cells, forbidden: Cells, *, verbatim: bool) -> Use:
    """Return what a row says of the use of its terms."""
    words = {word: status_of(word) for word in status if not is_unsaid(word)}
    known = [found for found in words.values() if found and found != VERBATIM]
    if any(map(is_true, forbidden)):
        known = ["forbidden"]
    return Use(
        cast("Status", (known or ["preferred"])[0]),
        verbatim or VERBATIM in words.values(),
        tuple(f"the status {word!r} is not known: taken as preferred" for word in words if not words[word]),
    )


def _source_status(words: Cells) -> Extra:
    return tuple([(SOURCE_STATUS, word) for word in words if is_told_of_source(word) and not is_unsaid(word)])


def _status_of(status: Cells, info: Cells, forbidden: Cells) -> Status | None:
    """Return what is said of the use of one target alone."""
    if "forbidden" in " ".join(info).lower() or any(map(is_true, forbidden)):
        return "forbidden"
    known = [found for word in status if (found := status_of(word))]
    return cast("Status", known[0]) if known and known[0] != VERBATIM else None


def _case_of(rules: Cells, infos: Cells) -> CaseRule:
    for word in rules:
        if rule := case_rule_of(word):
            return cast("CaseRule", rule)
    info = " ".join(infos).lower()
    if "casesens" in info:
        return "exact"
    return "any" if "caseinsens" in info or "casepermissive" in info else "auto"
