"""Glossaries in rows and columns: TSV and CSV of any common kind, with or without a header."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from editmt.text.glossary.columns import Row, find_columns
from editmt.text.glossary.entry import Entry, Extra, Problem, Target
from editmt.text.glossary.rows import read_rows
from editmt.text.glossary.term_rows import has_terms_in_rows, read_term_rows
from editmt.text.glossary.words import EXTRAS_OWN, SOURCE_STATUS, TARGETS_OWN, head_of, language_of

DELIMITERS = "\t;|,"
_SAMPLE_ROWS = 200
_MOST_ROW_LINES = 64
"""A quoted cell that goes on for longer is a quotation mark that was never closed."""
_LONGEST_LINE = 100_000
_TOLD = re.compile(r'"?sep=([^\w"])?"?\s*', re.IGNORECASE)
"""How Excel is told the delimiter; programs that quote each cell quote this, too."""
_UTX = re.compile(r"#\s*UTX\b[^;]*;\s*([\w-]+)/([\w-]+)")
"""How a glossary in UTX begins: with its version and languages."""


def read_table(text: str, languages: tuple[str, str] = ("", "")) -> tuple[list[Entry], list[Problem]]:
    r"""Read the rows that can be read, and say what is wrong with the others.

    >>> entries, problems = read_table("start value\tStartwert\nstep\n")
    >>> entries[0].source, entries[0].wanted, str(problems[0])
    ('start value', ('Startwert',), 'line 2: only one column (left out)')
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if "\n" not in text and "\r" in text:
        lines = text.split("\r")  # an old Macintosh's
    first, delimiter = _find_delimiter(lines)
    if not any(languages) and (utx := _UTX.match(lines[first] if len(lines) > first else "")):
        languages = (language_of(utx[1]) or "", language_of(utx[2]) or "")
    entries: list[Entry] = []
    problems: list[Problem] = []
    filled = [row for row in split_rows(lines, delimiter, first) if any(map(str.strip, row.cells))]
    columns, rows = find_columns(filled, languages)
    whole = [row for row in rows if len(row.cells) > 1]
    is_long = has_terms_in_rows(columns)
    for found in read_term_rows(columns, whole, languages) if is_long else read_rows(columns, whole):
        if isinstance(found, Problem):
            problems.append(found)
        elif not is_long and found.concept and entries and _is_same(entries[-1], found):
            entries[-1] = entries[-1]._replace(targets=entries[-1].targets + found.targets)
        else:
            entries.append(found)
    problems += [_refuse(row) for row in rows if len(row.cells) == 1 and not row.cells[0].startswith("#")]
    return entries, problems


def _is_same(entry: Entry, other: Entry) -> bool:
    """Tell whether two rows are of the same concept and source: then they are one entry with two targets."""
    if entry.concept != other.concept or entry.source != other.source:
        return False
    if entry.target_language != other.target_language:
        return False
    return entry._replace(targets=(), line=0) == other._replace(targets=(), line=0)


def write_table(entries: Iterable[Entry], delimiter: str) -> str:
    """Return the entries as a table, a row for each target; columns that would be empty are left out.

    Two columns need no header.
    """
    entries = list(entries)
    rows = [
        _row(entry, target, str(n))
        for n, entry in enumerate(entries)
        for target in entry.targets or [Target("")]
    ]
    extras = dict.fromkeys(name for row in rows for name in row if name not in _HEADER)
    names = [name for name in (*_HEADER, *extras) if any(row.get(name) for row in rows)]
    names = [name for name in names if name not in {"source", "target"}]
    columns = [
        "source",
        *(name for name in _OF_SOURCE if f"target {name}" in names or name in names),
        "target",
    ]
    columns += [name for name in names if name not in columns]
    output = io.StringIO()
    writer = csv.writer(output, delimiter=delimiter, lineterminator="\n")
    if len(columns) > 2:
        writer.writerow([name.removeprefix("target ") if name in _OF_TARGET else name for name in columns])
    writer.writerows([[row.get(name, "") for name in columns] for row in rows])
    return output.getvalue()


_OF_SOURCE = ("part of speech", "note")
_OF_TARGET = ("target part of speech", "target note")
_HEADER = ("source", "part of speech", "note", "target", "status", "do not translate", *_OF_TARGET, "case",
           "source language", "target language", "definition", "subject", "id")  # fmt: skip
"""What is said of both terms stands behind each: so it is read again."""


def _row(entry: Entry, target: Target, number: str) -> dict[str, str]:
    status = "" if target.status == "preferred" else target.status
    cells = {
        "source": entry.source,
        "part of speech": entry.part_of_speech,
        "note": entry.note,
        "target": target.text,
        "status": status or ("do not translate" if entry.verbatim else ""),
        "do not translate": "yes" if status and entry.verbatim else "",
        "target part of speech": target.part_of_speech,
        "target note": target.note,
        "case": "" if entry.case == "auto" else entry.case,
        "source language": entry.source_language,
        "target language": entry.target_language,
        "definition": entry.definition,
        "subject": entry.subject,
        "id": entry.concept or (f"entry {number}" if len(entry.targets) > 1 else ""),
    }
    return _name_extra(entry.extra) | _name_extra(target.extra, TARGETS_OWN) | cells


def _name_extra(extra: Extra, prefix: str = "") -> dict[str, str]:
    """Return what else there is by the name of its column; what is there repeatedly is in one cell.

    A name that is another column's, as the `source` of a definition is, says that it is something else.
    """
    cells: dict[str, str] = {}
    for name, value in extra:
        column = prefix + (name if head_of(name) == (None, "") else EXTRAS_OWN + name)
        column = "source status" if name == SOURCE_STATUS and not prefix else column
        cells[column] = f"{cells[column]}; {value}" if column in cells else value
    return cells


def _refuse(row: Row) -> Problem:
    """Say what is wrong with a row of one cell that is no comment."""
    longest = len(row.cells[0])
    many = longest > _LONGEST_LINE
    return Problem(row.line, f"a line of {longest:,} characters" if many else "only one column")


def _find_delimiter(lines: Sequence[str]) -> tuple[int, str]:
    """Return the first row's place and the delimiter with which most rows have the same number of cells."""
    if lines and (told := _TOLD.fullmatch(lines[0])):
        return 1, told[1] or "\t"
    sample = [line for line in lines[: 4 * _SAMPLE_ROWS] if line.strip()][:_SAMPLE_ROWS]
    best, best_score = DELIMITERS[0], 0
    for delimiter in DELIMITERS:
        widths = Counter(len(row.cells) for row in split_rows(sample, delimiter))
        del widths[1]
        score = max(widths.values(), default=0)
        if score > best_score:
            best, best_score = delimiter, score
    return 0, best


def split_rows(lines: Sequence[str], delimiter: str, first: int = 0) -> Iterable[Row]:
    r"""Return the rows, of which a quoted one may go over several lines.

    >>> [row.cells for row in split_rows(['a,"b', 'c"', '"d', 'e,5" disk'], ",")]
    [['a', 'b\nc'], ['"d'], ['e', '5" disk']]
    """
    return _split_regular(lines, delimiter, first) or _split_each(lines, delimiter, first)


def _split_regular(lines: Sequence[str], delimiter: str, first: int) -> list[Row]:
    """Return the rows of a table whose quotation marks are all in their places; of another, none."""
    if max(map(len, lines), default=0) > _LONGEST_LINE:
        return []
    ended = (line + "\n" for line in lines[first:])
    reader, rows, end = csv.reader(ended, delimiter=delimiter, strict=True), list[Row](), 0
    try:
        for cells in reader:
            start, end = end, reader.line_num
            if end - start > 1 and _split_row(lines, first + start, delimiter) != (cells, end - start):
                return []  # the mark that opened it may be just one
            rows.append(Row(first + start + 1, cells or [""]))
    except csv.Error:
        return []
    return rows


def _split_each(lines: Sequence[str], delimiter: str, first: int) -> Iterator[Row]:
    """Yield the rows, each by what can be made of its own quotation marks."""
    place = first
    while place < len(lines):
        cells, used = _split_row(lines, place, delimiter)
        yield Row(place + 1, cells)
        place += used


def _split_row(lines: Sequence[str], place: int, delimiter: str) -> tuple[list[str], int]:
    """Return a row's cells and how many lines it takes; a quotation mark that is never closed is just one."""
    line = lines[place]
    if len(line) > _LONGEST_LINE:
        return [line], 1
    if not (line.startswith('"') or delimiter + '"' in line):
        return line.split(delimiter), 1
    cells = _split_cells(line, delimiter)
    end, quotes = place + 1, line.count('"')
    while cells is None and quotes % 2 and end < min(place + _MOST_ROW_LINES, len(lines)):
        quotes += lines[end].count('"')
        end += 1
    if cells is None and quotes % 2 == 0:
        cells = _split_cells("\n".join(lines[place:end]), delimiter, strict=end > place + 1)
        if cells is not None and end == place + 1 and len(cells) == len(plain := line.split(delimiter)):
            cells = [_unquote(cell) for cell in plain]
    return (cells, end - place) if cells is not None else (line.split(delimiter), 1)


def _unquote(cell: str) -> str:
    """Return what is in a cell; marks that do not go around all of it are its own: '"cohort" theory'."""
    inner = cell[1:-1]
    around = len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if around else cell


def _split_cells(text: str, delimiter: str, *, strict: bool = True) -> list[str] | None:
    """Return the cells of a row; strictly: if its quotation marks are all in their places."""
    try:
        return next(csv.reader([text], delimiter=delimiter, strict=strict), None)
    except csv.Error:
        return None
