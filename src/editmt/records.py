"""Program ↔ files: JSON lines, one object a line, read with the line number at hand."""

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from editmt.errors import InputError

JsonObject = dict[str, Any]


def read_json_lines(stream: BinaryIO) -> Iterator[tuple[int, JsonObject]]:
    r"""Yield each line's number (from 1) and its JSON object, as they come.

    A byte order mark at the start, which editors on Windows write, is no part of the first line.
    Anything else than one object a line is an `InputError` that names the line:

    >>> import io
    >>> list(read_json_lines(io.BytesIO(b'{"a": 1}\n{"a": 2}\n')))
    [(1, {'a': 1}), (2, {'a': 2})]
    """
    for number, line in enumerate(stream, start=1):
        try:
            yield number, parse_json_line(line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None


def decode_line(line: bytes) -> str:
    """Return a line's text, without its end."""
    try:
        return line.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(f"not valid UTF-8 (byte {error.start + 1})") from None


def parse_json_line(line: bytes) -> JsonObject:
    """Return the JSON object of a line."""
    return parse_json(decode_line(line))


def parse_json(text: str) -> JsonObject:
    """Return the JSON object of a line's text."""
    if not text.strip():
        raise InputError("the line is empty")
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"broken JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets without end
        raise InputError("broken JSON: a number too long or nesting too deep") from None
    if not isinstance(record, dict):
        raise InputError(f"a JSON object is expected, not {type(record).__name__}")
    return record


def write_json_line(record: JsonObject) -> str:
    r"""Return the record as one line of JSON, without the line's end.

    Half a surrogate pair, which JSON can hold and UTF-8 cannot, stays the escape that it was read from:

    >>> print(write_json_line(parse_json(r'{"a": "ä"}')), write_json_line(parse_json(r'{"a": "ä\ud83d"}')))
    {"a": "ä"} {"a": "\u00e4\ud83d"}
    """
    text = json.dumps(record, ensure_ascii=False)
    return text if text.isascii() or is_encodable(text) else json.dumps(record)


def is_encodable(text: str) -> bool:
    """Tell whether UTF-8 has all of it: half a surrogate pair it has not."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
