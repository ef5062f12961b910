"""What the columns of a glossary's table mean: by its header, or by what stands in them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from editmt.text.glossary.words import head_of, is_part_of_speech, language_of, same_language, status_of

_GUESS_CELLS = 200
"""So many that are not empty tell what a column is: a status may stand in one row of thousands."""
_TERM_ROLES = ("source", "target")


class Row(NamedTuple):
    """A row's cells, and the line it begins in."""

    line: int
    cells: list[str]


@dataclass(frozen=True)
class Column:
    """One column: what it is, of which language, what it is called, and which term's it is.

    role
        `source`, `target`, or the name of what is said of the row's terms; `extra` if it is not known.
    term
        The place of the term's column that it says something of, where tables repeat columns for each term;
        None = of all of the row.
    """

    place: int
    role: str
    language: str = ""
    name: str = ""
    term: int | None = None


def find_columns(rows: Sequence[Row], languages: tuple[str, str]) -> tuple[Sequence[Column], Sequence[Row]]:
    """Return the columns' meanings, and the rows without the header, if there is one.

    `languages` are those of the source and the target, if they are known: then a header's order is nothing.
    """
    if rows and not _is_repeated(rows) and (columns := _read_header(rows, languages)):
        return columns, rows[1:]
    return _guess_columns(rows, languages), rows


def _is_repeated(rows: Sequence[Row]) -> bool:
    """Tell whether a language stands in the same column again: then it is one of the row's terms'.

    DeepL's tables are so: source, target, EN, DE.
    """
    first = [(place, name.strip()) for place, name in enumerate(rows[0].cells) if head_of(name)[0] == "term"]
    if len(rows) == 1:
        return len(first) == 2 and len(rows[0].cells) == 4 and first[0][0] == 2
    return any(place < len(rows[1].cells) and rows[1].cells[place].strip() == name for place, name in first)


def _read_header(rows: Sequence[Row], languages: tuple[str, str]) -> tuple[Column, ...]:
    """Return the columns, if the first row is names of columns: a source and a target, or two languages."""
    heads = [(place, *head_of(name), name) for place, name in enumerate(rows[0].cells)]
    spoken = [language for _, role, language, _ in heads if role == "term"]
    roles = [role for _, role, _, _ in heads]
    if len(set(spoken)) >= 2:
        first = next(
            (code for code in spoken if languages[0] and same_language(code, languages[0])), spoken[0]
        )
        sides = {code: "source" if code == first else "target" for code in spoken}
        places = [place for place, role, language, _ in heads if role == "term" and language == first]
        if "source" in roles and _are_empty(rows[1:], places):  # as Lokalise writes the terms to translate
            sides[first] = "extra"
            languages = (first, languages[1])
        else:
            roles = [None if role == "source" else role for role in roles]
        roles = [
            sides[language] if role == "term" else None if role == "target" else role
            for role, (_, _, language, _) in zip(roles, heads, strict=True)
        ]
    elif "source" in roles and "term" in roles and "target" not in roles:
        roles = ["target" if role == "term" else role for role in roles]
    elif not ("source" in roles and "target" in roles):
        return ()
    return tuple(_attach(heads, roles, languages))


def _are_empty(rows: Sequence[Row], places: Sequence[int]) -> bool:
    """Tell whether columns have nothing in them."""
    return not any(row.cells[place].strip() for row in rows for place in places if place < len(row.cells))


def _attach(
    heads: Sequence[tuple[int, str | None, str, str]], roles: Sequence[str | None], languages: tuple[str, str]
) -> Iterator[Column]:
    """Yield the columns, each with the term that it says something of: the one of its language, or before it.

    What is not of a language and not repeated is of all of the row.
    """
    repeated = {role for role in roles if role and roles.count(role) > 1}
    places: dict[str, int] = {}  # of terms by language, the last before or the first behind
    for (place, _, language, _), role in zip(heads, roles, strict=True):
        if role in _TERM_ROLES and language:
            places.setdefault(language, place)
    term: int | None = None
    for (place, _, language, name), role in zip(heads, roles, strict=True):
        if role in _TERM_ROLES:
            term = places[language] = place
            yield Column(place, role, language or languages[role == "target"], name.strip())
        elif name.strip() and role != "term":
            owner = places.get(language) if language else term if role in repeated else None
            yield Column(
                place, role or "extra", language, name.strip(), None if role == "verbatim" else owner
            )


def _guess_columns(rows: Sequence[Row], languages: tuple[str, str]) -> tuple[Column, ...]:
    """Take the first two columns for the terms, and the others for what all of their cells can be.

    Numbers before them are the rows' own.
    """
    width = max((len(row.cells) for row in rows), default=0)
    cells = [list(islice(_filled(rows, place), _GUESS_CELLS)) for place in range(width)]
    columns = []
    if width > 2 and cells[0] and all(map(str.isdecimal, cells[0])) and len({*cells[0]}) == len(cells[0]):
        columns.append(Column(0, "concept"))
    first = len(columns)
    columns += [Column(first, "source", languages[0]), Column(first + 1, "target", languages[1])]
    columns += [Column(place, _guess_role(cells[place])) for place in range(first + 2, width)]
    codes = [column for column in columns if column.role == "target_language"]
    if len(codes) > 1:  # a source's comes first
        columns[codes[0].place] = replace(codes[0], role="source_language")
    return tuple(columns)


def _filled(rows: Sequence[Row], place: int) -> Iterator[str]:
    return (cell for row in rows if place < len(row.cells) and (cell := row.cells[place].strip()))


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
