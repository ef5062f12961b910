"""Glossaries in rows and columns: TSV and CSV of any common kind, with or without a header."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence

from editmt.text.glossary.columns import Columns, Row, find_columns
from editmt.text.glossary.entry import Entry, Problem

DELIMITERS = "\t;|,"
_SAMPLE_ROWS = 200
_MOST_ROW_LINES = 64
"""A quoted cell that goes on for longer is a quotation mark that was never closed."""
_LONGEST_LINE = 100_000


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
    entries: list[Entry] = []
    problems: list[Problem] = []
    filled = [row for row in split_rows(lines, delimiter, first) if any(map(str.strip, row.cells))]
    columns, rows = find_columns(filled, languages)
    for row in rows:
        for found in _read_row(row, columns):
            if isinstance(found, Entry):
                entries.append(found)
            else:
                problems.append(found)
    return entries, problems


def _read_row(row: Row, columns: Columns) -> list[Entry | Problem]:
    if len(row.cells) == 1 and row.cells[0].startswith("#"):
        return []  # a comment
    longest = max(map(len, row.cells))
    if longest > _LONGEST_LINE:
        return [Problem(row.line, f"a cell of {longest:,} characters is no term")]
    if len(row.cells) < 2:
        return [Problem(row.line, "only one column")]
    return columns.entries(row)


def _find_delimiter(lines: Sequence[str]) -> tuple[int, str]:
    """Return the first row's place and the delimiter with which most rows have the same number of cells."""
    if lines and lines[0].lower().startswith("sep=") and len(lines[0].rstrip()) <= 5:
        return 1, lines[0][4:5] or "\t"  # how Excel is told
    sample = [line for line in lines[: 4 * _SAMPLE_ROWS] if line.strip()][:_SAMPLE_ROWS]
    best, best_score = DELIMITERS[0], 0
    for delimiter in DELIMITERS:
        widths = Counter(len(row.cells) for row in split_rows(sample, delimiter))
        del widths[1]
        score = max(widths.values(), default=0)
        if score > best_score:
            best, best_score = delimiter, score
    return 0, best


def split_rows(lines: Sequence[str], delimiter: str, first: int = 0) -> Iterator[Row]:
    r"""Yield the rows, of which a quoted one may go over several lines.

    >>> [row.cells for row in split_rows(['a,"b', 'c"', '"d', 'e,5" disk'], ",")]
    [['a', 'b\nc'], ['"d'], ['e', '5" disk']]
    """
    place = first
    while place < len(lines):
        cells, used = _split_row(lines, place, delimiter)
        yield Row(place + 1, cells)
        place += used


def _split_row(lines: Sequence[str], place: int, delimiter: str) -> tuple[list[str], int]:
    """Return a row's cells and how many lines it takes; a quotation mark that is never closed is just one."""
    line = lines[place]
    if not (line.startswith('"') or delimiter + '"' in line) or len(line) > _LONGEST_LINE:
        return line.split(delimiter), 1
    quotes = 0
    for end in range(place + 1, min(place + _MOST_ROW_LINES, len(lines)) + 1):
        quotes += lines[end - 1].count('"')
        if quotes % 2 == 0:
            text = "\n".join(lines[place:end])
            try:
                return next(csv.reader([text], delimiter=delimiter, strict=end > place + 1)), end - place
            except (csv.Error, StopIteration):
                break
    return line.split(delimiter), 1
