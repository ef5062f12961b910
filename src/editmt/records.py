"""Program ↔ files: JSON lines, one object a line, read with the line number at hand."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from editmt.errors import InputError

JsonObject = dict[str, Any]


def read_json_lines(stream: BinaryIO) -> Iterator[tuple[int, JsonObject]]:
    r"""Yield each line's number (from 1) and its JSON object, as they come.

    Anything else than one object a line is an `InputError` that names the line:

    >>> import io
    >>> list(read_json_lines(io.BytesIO(b'{"a": 1}\n{"a": 2}\n')))
    [(1, {'a': 1}), (2, {'a': 2})]
    """
    for number, line in enumerate(stream, start=1):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"line {number}: not valid UTF-8 (byte {error.start + 1})") from None
        if not text.strip():
            raise InputError(f"line {number}: the line is empty")
        yield number, _parse_object(text, number)


def write_json_line(record: JsonObject) -> str:
    """Return the record as one line of JSON, without the line's end."""
    return json.dumps(record, ensure_ascii=False)


def _parse_object(text: str, number: int) -> JsonObject:
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"line {number}: broken JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets without end
        raise InputError(f"line {number}: broken JSON: a number too long or nesting too deep") from None
    if not isinstance(record, dict):
        raise InputError(f"line {number}: a JSON object is expected, not {type(record).__name__}")
    return record
