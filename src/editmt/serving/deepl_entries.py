r"""Glossary entries as DeepL's tools send and read them: TSV, or CSV of two or four columns.

Other than in a file of a user's own, nothing is guessed here: there is no header, and a bad row refuses all.
"""

import csv
import io
from collections.abc import Iterable

from editmt.serving.languages import base_of
from editmt.serving.problems import Problem
from editmt.text.glossary import Entry, Target
from editmt.text.phrases import tidy

MOST_BYTES = 10 * 1024 * 1024
MOST_TERM_BYTES = 1024


def read_entries(entries: str, entries_format: str, pair: tuple[str, str]) -> list[Entry]:
    r"""Read the entries of one pair of languages.

    >>> [(each.source, each.wanted) for each in read_entries("sea\tSee\n", "tsv", ("en", "de"))]
    [('sea', ('See',))]
    """
    if len(entries.encode("utf-8", "replace")) > MOST_BYTES:
        raise Problem(413, f"the entries have more than {MOST_BYTES:,} bytes")
    if entries_format not in ("tsv", "csv"):
        raise Problem(400, f"entries_format is {entries_format!r}, and must be 'tsv' or 'csv'")
    rows = _tsv_rows(entries) if entries_format == "tsv" else _csv_rows(entries)
    found: dict[str, Entry] = {}
    for line, cells in rows:
        source, target = _check_cells(line, cells, pair)
        if source in found:
            raise Problem(400, f"line {line}: {source!r} is there twice")
        found[source] = Entry(
            source, (Target(target),), source_language=pair[0], target_language=pair[1], line=line
        )
    if not found:
        raise Problem(400, "there are no entries")
    return list(found.values())


def write_entries(entries: Iterable[Entry]) -> str:
    r"""Return entries as TSV; of one with several targets the best is told.

    >>> write_entries([Entry("sea", (Target("See"),)), Entry("EditMT", verbatim=True)])
    'sea\tSee\nEditMT\tEditMT'
    """
    return "\n".join(f"{entry.source}\t{(entry.wanted or (entry.source,))[0]}" for entry in entries)


def _tsv_rows(text: str) -> Iterable[tuple[int, list[str]]]:
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            yield line, row.removesuffix("\r").split("\t")


def _csv_rows(text: str) -> Iterable[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if any(map(str.strip, row)):
                yield reader.line_num, row
    except csv.Error as error:
        raise Problem(400, f"line {reader.line_num}: {error}") from None


def _check_cells(line: int, cells: list[str], pair: tuple[str, str]) -> tuple[str, str]:
    if len(cells) not in (2, 4):
        raise Problem(400, f"line {line}: {len(cells)} columns, where there should be 2")
    if len(cells) == 4 and (base_of(cells[2]), base_of(cells[3])) != pair:
        raise Problem(400, f"line {line}: the languages are not {pair[0]} and {pair[1]}")
    source, target = tidy(cells[0]), tidy(cells[1])
    for side, term in (("source", source), ("target", target)):
        if not term:
            raise Problem(400, f"line {line}: the {side} term is empty")
        if len(term.encode("utf-8", "replace")) > MOST_TERM_BYTES:
            raise Problem(400, f"line {line}: the {side} term has more than {MOST_TERM_BYTES} bytes")
    return source, target
