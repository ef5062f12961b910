"""What the columns of a glossary's table mean: by its header, or by what stands in them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from editmt.text.glossary.entry import CaseRule, Entry, Problem, Status, Target
from editmt.text.glossary.words import (
    VERBATIM,
    case_rule_of,
    head_of,
    is_part_of_speech,
    is_true,
    language_of,
    same_language,
    says_translatable,
    status_of,
)
from editmt.text.phrases import tidy

_GUESS_ROWS = 200


class Row(NamedTuple):
    """A row's cells, and the line it begins in."""

    line: int
    cells: list[str]


@dataclass(frozen=True)
class Column:
    """One column: what it is, of which language, what it is called, and which term's it is.

    role
        `source`, `target`, or the name of what is said of the row's terms.
    term
        The place of the term's column that it says something of, where tables repeat columns for each term;
        None = of all of the row.
    """

    place: int
    role: str
    language: str = ""
    name: str = ""
    term: int | None = None


class Columns:
    """All columns that are understood, and how to read a row's entries from them."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._sources = [column for column in columns if column.role == "source"]
        self._targets = [column for column in columns if column.role == "target"]
        self._places: dict[tuple[str, int | None], list[Column]] = {}
        for column in columns:
            if column.role not in {"source", "target"}:
                self._places.setdefault((column.role, column.term), []).append(column)

    def entries(self, row: Row) -> list[Entry | Problem]:
        """Return the entries of a row: one for each source term and language of targets; or what is wrong."""
        if len(self.columns) == 2 and len(row.cells) > max(self._sources[0].place, self._targets[0].place):
            source, target = self._sources[0], self._targets[0]  # most tables are no more than that
            terms = tidy(row.cells[source.place]), tidy(row.cells[target.place])
            if all(terms):
                found = (Target(terms[1]),)
                return [Entry(terms[0], found, source.language, target.language, line=row.line)]
        return list(self._entries(row))

    def _entries(self, row: Row) -> Iterator[Entry | Problem]:
        said = _Said(row.cells, self._places)
        sources, targets = _terms(self._sources, row.cells), _terms(self._targets, row.cells)
        status, verbatim = "preferred", False
        if self._places:
            status, verbatim, problems = said.status()
            yield from (Problem(row.line, reason, used=True) for reason in problems)
        if not sources:
            yield Problem(row.line, "no source term")
        elif not targets and not verbatim:
            yield Problem(row.line, "no target term")
        for column, source in sources:
            entry = Entry(source, source_language=column.language, verbatim=verbatim, line=row.line)
            if self._places:
                entry = said.complete(entry, column)
            for language in dict.fromkeys(column.language for column, _ in targets) or ("",) * verbatim:
                ours = [(each, text) for each, text in targets if each.language == language]
                yield entry._replace(
                    targets=tuple(said.target(each, text, cast("Status", status)) for each, text in ours),
                    target_language=entry.target_language or language,
                )


def _terms(columns: Sequence[Column], cells: Sequence[str]) -> list[tuple[Column, str]]:
    filled = [(column, tidy(cells[column.place])) for column in columns if column.place < len(cells)]
    return [(column, text) for column, text in filled if text]


@dataclass(frozen=True)
class _Said:
    """What a row says of its terms."""

    row: Sequence[str]
    places: Mapping[tuple[str, int | None], Sequence[Column]]

    def cells(self, role: str, term: int | None = None) -> list[tuple[Column, str]]:
        columns = self.places.get((role, term), ())
        filled = [
            (column, self.row[column.place].strip()) for column in columns if column.place < len(self.row)
        ]
        return [(column, cell) for column, cell in filled if cell]

    def all(self, role: str, term: int | None = None) -> list[str]:
        return [cell for _, cell in self.cells(role, term)]

    def both(self, role: str, term: int) -> list[str]:
        """Return what is said of a term and of all of the row."""
        return [*self.all(role, term), *self.all(role)]

    def language(self, role: str) -> str:
        found = next(iter(self.all(role)), "")
        return (language_of(found) or found) if found else ""

    def status(self) -> tuple[Status, bool, list[str]]:
        """Return the row's status, whether it is not to be translated, and what was not understood."""
        words = {word: status_of(word) for word in self.all("status")}
        problems = [
            f"the status {word!r} is not known: taken as preferred"
            for word, known in words.items()
            if not known
        ]
        verbatim = VERBATIM in words.values() or any(
            is_true(cell) != says_translatable(column.name) for column, cell in self.cells("verbatim")
        )
        known = [status for status in words.values() if status and status != VERBATIM]
        if any(map(is_true, self.all("forbidden"))):
            known = ["forbidden"]
        return cast("Status", (known or ["preferred"])[0]), verbatim, problems

    def target(self, column: Column, text: str, status: Status) -> Target:
        """Return a target with what is said of it alone."""
        if not self.places:
            return Target(text)
        known = [word for each in self.all("status", column.place) if (word := status_of(each))]
        info = " ".join(self.all("term_info", column.place)).lower()
        if "forbidden" in info or any(map(is_true, self.all("forbidden", column.place))):
            known = ["forbidden"]
        return Target(
            text,
            cast("Status", known[0] if known and known[0] != VERBATIM else status),
            " ".join(self.all("part_of_speech", column.place)),
            "\n".join(self.all("note", column.place)),
        )

    def complete(self, entry: Entry, column: Column) -> Entry:
        """Return the entry with what is said of the source's term, and of all of the row."""
        return entry._replace(
            source_language=self.language("source_language") or entry.source_language,
            target_language=self.language("target_language"),
            case=self._case(column),
            part_of_speech=" ".join(self.both("part_of_speech", column.place)),
            note="\n".join(self.both("note", column.place)),
            definition="\n".join(self.both("definition", column.place)),
            subject=", ".join(self.all("subject")),
            concept="".join(self.all("concept")[:1]),
        )

    def _case(self, column: Column) -> CaseRule:
        for word in self.both("case", column.place):
            if rule := case_rule_of(word):
                return cast("CaseRule", rule)
        info = " ".join(self.all("term_info", column.place)).lower()
        if "casesens" in info:
            return "exact"
        return "any" if "caseinsens" in info or "casepermissive" in info else "auto"


def find_columns(rows: Sequence[Row], languages: tuple[str, str]) -> tuple[Columns, Sequence[Row]]:
    """Return the columns' meanings, and the rows without the header, if there is one.

    `languages` are those of the source and the target, if they are known: then a header's order is nothing.
    """
    if rows and (columns := _read_header(rows[0].cells, languages)):
        return Columns(columns), rows[1:]
    return Columns(_guess_columns(rows[:_GUESS_ROWS], languages)), rows


def _read_header(cells: Sequence[str], languages: tuple[str, str]) -> tuple[Column, ...]:
    """Return the columns, if the cells are names of columns: a source and a target, or two languages."""
    heads = [(place, *head_of(name), name) for place, name in enumerate(cells)]
    spoken = [language for _, role, language, _ in heads if role == "term"]
    roles = [role for _, role, _, _ in heads]
    if len(set(spoken)) >= 2:
        roles = [None if role in {"source", "target"} else role for role in roles]
        first = next(
            (code for code in spoken if languages[0] and same_language(code, languages[0])), spoken[0]
        )
        sides = {code: "source" if code == first else "target" for code in spoken}
        roles = [
            sides[language] if role == "term" else role
            for role, (_, _, language, _) in zip(roles, heads, strict=True)
        ]
    elif "source" in roles and "term" in roles and "target" not in roles:
        roles = ["target" if role == "term" else role for role in roles]
    elif not ("source" in roles and "target" in roles):
        return ()
    return tuple(_attach(heads, roles, languages))


def _attach(
    heads: Sequence[tuple[int, str | None, str, str]], roles: Sequence[str | None], languages: tuple[str, str]
) -> Iterator[Column]:
    """Yield the columns, those that are repeated for each term with the term they follow."""
    repeated = {role for role in roles if roles.count(role) > 1 and role not in {"source", "target"}}
    term: int | None = None
    for (place, _, language, name), role in zip(heads, roles, strict=True):
        if role in {"source", "target"}:
            term = place
            language = language or languages[role == "target"]  # noqa: PLW2901 - what the header does not say
        if role is not None and role != "term":
            yield Column(place, role, language, name, term if role in repeated else None)


def _guess_columns(rows: Sequence[Row], languages: tuple[str, str]) -> tuple[Column, ...]:
    """Take the first two columns for the terms, and the others for what all of their cells can be."""
    columns = [Column(0, "source", languages[0]), Column(1, "target", languages[1])]
    for place in range(2, max((len(row.cells) for row in rows), default=0)):
        cells = [cell for row in rows if place < len(row.cells) and (cell := row.cells[place].strip())]
        columns.append(Column(place, _guess_role(cells)))
    codes = [column for column in columns if column.role == "target_language"]
    if len(codes) > 1:  # a source's comes first
        columns[codes[0].place] = replace(codes[0], role="source_language")
    return tuple(columns)


_GUESSES: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("target_language", language_of),
    ("status", status_of),
    ("part_of_speech", is_part_of_speech),
)


def _guess_role(cells: Sequence[str]) -> str:
    for role, test in _GUESSES:
        if cells and all(map(test, cells)):
            return role
    return "note"
