"""Lines of text or JSON to translations, in order, some hundreds at a time: memory stays the same."""

import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import islice

from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.records import decode_line, parse_json_line, write_json_line

CHUNK_LINES = 512
"""Enough for batches of sentences of one length."""

Asked = Request | InputError


def translate_lines(translator: Translator, requests: Iterable[Asked], *, as_json: bool) -> None:
    """Write a line for each request, as soon as its chunk is done.

    A request that cannot be fulfilled is told on standard error, with its line's number, and gets an empty
    line, or a JSON object with the error; the others are translated. In the end it is an error.
    """
    failures = 0
    numbered = enumerate(requests, start=1)
    while chunk := list(islice(numbered, CHUNK_LINES)):
        good = [request for _, request in chunk if isinstance(request, Request)]
        answers = iter(translator.translate_all(good))
        for number, request in chunk:
            answer = request if isinstance(request, InputError) else next(answers)
            if isinstance(answer, InputError):
                failures += 1
                print(f"editmt: line {number}: {answer}", file=sys.stderr)
            print(_show(answer, translator, as_json=as_json))
        sys.stdout.flush()
    if failures:
        raise InputError(f"{failures} of the lines could not be translated")


def read_requests(stream: Iterable[bytes], *, as_json: bool) -> Iterator[Asked]:
    """Read a request from each line, or what is wrong with it; before the first may be a byte order mark."""
    for number, line in enumerate(stream):
        try:
            yield _read(line if number else line.removeprefix(BOM_UTF8), as_json=as_json)
        except InputError as error:
            yield error


def _read(line: bytes, *, as_json: bool) -> Request:
    return Request.from_json(parse_json_line(line)) if as_json else Request.of(decode_line(line))


def _show(answer: Translation | InputError, translator: Translator, *, as_json: bool) -> str:
    if isinstance(answer, InputError):
        return write_json_line({"error": str(answer)}) if as_json else ""
    if as_json:
        return write_json_line(answer.to_json(translator.texts.target.vocabulary.pieces))
    return answer.text.replace("\n", " ").replace("\r", " ")  # one line for one line
