"""`editmt explain --jsonl`: pairs of id sequences in, the oracle's labels out, line for line."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import BinaryIO, NamedTuple

from editmt.edits import Canvas, Labels, Oracle
from editmt.errors import InputError
from editmt.records import JsonObject, read_json_lines, write_json_line

LARGEST_ID = 2**31 - 1
LARGEST_TABLE = 25_000_000
"""Cells of one pair's table: two sequences of 5,000 tokens; 200 MB, or 1 GB in plain Python."""
TOO_LONG = f"sequences too long to compare (over {LARGEST_TABLE:,} cells)"

CHUNK_CELLS = 1_000_000
CHUNK_LINES = 256
WORTH_COMPILING = 1_000_000
"""Until so many cells in all, plain Python has the labels sooner than numba is loaded."""


class Pair(NamedTuple):
    """A line's two sequences of ids."""

    hypothesis: list[int]
    reference: list[int]

    @property
    def cells(self) -> int:
        """The size of the oracle's table."""
        return (len(self.hypothesis) + 1) * (len(self.reference) + 1)


def label_lines(stream: BinaryIO, oracle: Oracle) -> Iterator[str]:
    """Yield a line of labels for each line of ids; at a bad line, first what the good ones before gave."""
    chunk: list[Pair] = []
    chunk_cells = all_cells = 0
    try:
        for number, record in read_json_lines(stream):
            pair = parse_pair(number, record)
            if len(chunk) == CHUNK_LINES or chunk_cells + pair.cells > CHUNK_CELLS:
                yield from _label(chunk, oracle, all_cells)
                chunk, chunk_cells = [], 0
            chunk.append(pair)
            chunk_cells += pair.cells
            all_cells += pair.cells
    except InputError:
        yield from _label(chunk, oracle, all_cells)
        raise
    yield from _label(chunk, oracle, all_cells)


def describe_labels(labels: Labels, row: int, lengths: tuple[int, int], *, moves: bool) -> JsonObject:
    """Return one sentence's labels as plain lists, cut to its lengths."""
    canvas_length, reference_length = lengths
    reposition = labels.reposition[row, :canvas_length].tolist()
    deleted = [int(place > 0 and index == 0) for place, index in enumerate(reposition)]
    return {
        "distance": int(labels.distance[row]),
        **({"reposition": reposition} if moves else {"deleted": deleted}),
        "placeholders": labels.placeholders[row, : canvas_length - 1].tolist(),
        "inserted": labels.inserted[row, :reference_length].tolist(),
    }


def parse_pair(number: int, record: JsonObject) -> Pair:
    """Check a line's two sequences: ids in range, and the same boundaries, at the ends and only there."""
    pair = Pair(*(_parse_ids(number, record, name) for name in Pair._fields))
    begin, end = pair.hypothesis[0], pair.hypothesis[-1]
    if (begin, end) != (pair.reference[0], pair.reference[-1]):
        raise InputError(f"line {number}: hypothesis and reference begin or end with different symbols")
    for name, inside in zip(Pair._fields, (pair.hypothesis[1:-1], pair.reference[1:-1]), strict=True):
        for boundary in (begin, end):
            if boundary in inside:
                place = inside.index(boundary) + 2
                raise InputError(f"line {number}: {name}: boundary symbol {boundary} inside (item {place})")
    if pair.cells > LARGEST_TABLE:
        raise InputError(f"line {number}: {TOO_LONG}")
    return pair


def _parse_ids(number: int, record: JsonObject, name: str) -> list[int]:
    if name not in record:
        raise InputError(f"line {number}: the field {name!r} is missing")
    ids = record[name]
    if not isinstance(ids, list) or len(ids) < 2:
        raise InputError(f"line {number}: {name} is not a list of ids with a begin and an end symbol")
    for place, index in enumerate(ids, start=1):
        if type(index) is not int or not 0 <= index <= LARGEST_ID:
            shown = write_json_line({"": index})[5:-1][:40]
            raise InputError(
                f"line {number}: {name}: item {place} is not an id from 0 to {LARGEST_ID}: {shown}"
            )
    return ids


def _label(pairs: list[Pair], oracle: Oracle, all_cells: int) -> Iterable[str]:
    if not pairs:
        return
    compiled = all_cells > WORTH_COMPILING and find_spec("numba") is not None
    labels = replace(oracle, compiled=compiled).label(
        Canvas.of([pair.hypothesis for pair in pairs]), Canvas.of([pair.reference for pair in pairs])
    )
    for row, pair in enumerate(pairs):
        lengths = len(pair.hypothesis), len(pair.reference)
        yield write_json_line(describe_labels(labels, row, lengths, moves=oracle.moves))
