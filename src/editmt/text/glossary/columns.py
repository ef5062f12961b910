"""What the columns of a glossary's table mean: by its header, or by what stands in them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import NamedTuple

from editmt.text.glossary.words import (
    EXTRAS_OWN,
    TARGETS_OWN,
    head_of,
    is_part_of_speech,
    is_vague,
    language_of,
    same_language,
    status_of,
)

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
    for place, row in enumerate(takewhile(_is_remark, rows)):  # UTX has its header in one: "#src", "tgt"
        bare = Row(row.line, [row.cells[0].lstrip("# "), *row.cells[1:]])
        if columns := _read_header([bare, *rows[place + 1 :]], languages):
            return columns, _without_comments(rows[place + 1 :])
    rows = _without_comments(rows)
    if rows and not _is_repeated(rows) and (columns := _read_header(rows, languages)):
        return columns, rows[1:]
    return _guess_columns(rows, languages), rows


def _is_remark(row: Row) -> bool:
    return row.cells[0].startswith("#")


def _without_comments(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows that are no comments; a term may begin with that sign: "#include"."""
    return [
        row
        for row in rows
        if not _is_remark(row) or (len(row.cells) > 1 and row.cells[0][1:2] not in {" ", "#"})
    ]


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
    for place, role, _, name in heads:
        if role == "status" and is_vague(name) and not any(map(status_of, _filled(rows[1:], place))):
            roles[place] = None
    if len(set(spoken)) >= 2:
        first = next(
            (code for code in spoken if languages[0] and same_language(code, languages[0])), spoken[0]
        )
        sides = _find_sides(spoken, first)
        places = [place for place, role, language, _ in heads if role == "term" and language == first]
        if "source" in roles and _are_empty(rows[1:], places):  # as Lokalise writes the terms to translate
            sides[first] = "extra"
            languages = (first, languages[1])
        elif _has_own_source(heads, languages[0]):
            sides = dict.fromkeys(spoken, "target")
        else:
            roles = [None if role == "source" else role for role in roles]
        roles = [
            sides[language] if role == "term" else None if role == "target" else role
            for role, (_, _, language, _) in zip(roles, heads, strict=True)
        ]
    elif "source" in roles and "term" in roles and "target" not in roles:
        roles = ["target" if role == "term" else role for role in roles]
    elif not _is_header(roles):
        return ()
    return tuple(_attach(heads, roles, languages))


def _is_header(roles: Sequence[str | None]) -> bool:
    """Tell whether there are targets beside the source, or rows of single terms, or only names of columns."""
    kinds = {*roles}
    is_known = "target" in kinds or {"concept", "target_language"} <= kinds or None not in kinds
    return "source" in kinds and len(roles) > 1 and is_known


def _find_sides(spoken: Sequence[str], first: str) -> dict[str, str]:
    """Return which languages are the source's: all of its regions, if there are other languages."""
    others = [code for code in spoken if not same_language(code, first)]
    return {
        code: "source" if code == first or (others and code not in others) else "target" for code in spoken
    }


def _has_own_source(heads: Sequence[tuple[int, str | None, str, str]], language: str) -> bool:
    """Tell whether the terms stand before their translations, in a column that does not say its language.

    As in "Term, German, French"; but what is before English, or the source's language, is the name of a row,
    as a key is; and behind them it may be where a term is from.
    """
    (_, role, _, name), *others = [head for head in heads if head[1] in {"term", "source"}]
    spoken = [code for _, other, code, _ in others if other == "term"]
    return role == "source" and not (
        name.strip().lower() == "key" or any(same_language(code, language or "en") for code in spoken)
    )


def _are_empty(rows: Sequence[Row], places: Sequence[int]) -> bool:
    """Tell whether columns have nothing in them."""
    return not any(row.cells[place].strip() for row in rows for place in places if place < len(row.cells))


def _attach(
    heads: Sequence[tuple[int, str | None, str, str]], roles: Sequence[str | None], languages: tuple[str, str]
) -> Iterator[Column]:
    """Yield the columns, each with the term that it says something of: the one of its language, or before it.

    What is not of a language, nor repeated for each term, is of all of the row.
    """
    repeated = _find_repeated(heads, roles)
    places: dict[str, int] = {}  # of terms by language or side, the last before or the first behind
    for (place, _, language, _), role in zip(heads, roles, strict=True):
        if role in _TERM_ROLES:
            places.setdefault(language or role, place)
            places.setdefault(role, place)
    term: int | None = None
    for (place, _, language, name), role in zip(heads, roles, strict=True):
        if role in _TERM_ROLES:
            term = places[language] = place
            yield Column(place, role, language or languages[role == "target"], name.strip())
        elif name.strip() and role != "term":
            owner = places.get(language) if language else term if role in repeated else None
            called = name.removeprefix(TARGETS_OWN).removeprefix(EXTRAS_OWN) if role is None else name
            yield Column(
                place, role or "extra", language, called.strip(), None if role == "verbatim" else owner
            )


def _find_repeated(
    heads: Sequence[tuple[int, str | None, str, str]], roles: Sequence[str | None]
) -> set[str | None]:
    """Return what is said again behind another term, by columns that do not name whose they are."""
    behind: dict[str | None, set[int | None]] = {}
    term = None
    for (place, _, language, _), role in zip(heads, roles, strict=True):
        if role in _TERM_ROLES:
            term = place
        elif not language:
            behind.setdefault(role, set()).add(term)
    return {role for role, terms in behind.items() if role and len(terms) > 1}


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
