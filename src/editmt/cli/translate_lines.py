"""Lines of text or JSON to translations, in order, some hundreds at a time: memory stays the same."""

import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from editmt.decoding.request import Request
from editmt.decoding.segments import Segment, SegmentTranslator
from editmt.decoding.terminology import TermMode, add_terms
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.records import decode_line, parse_json_line, write_json_line
from editmt.text.glossary import Glossary

CHUNK_LINES = 512
"""Enough for batches of sentences of one length, and for several of them at a time."""

Asked = Request | InputError
Answer = Translation | str | InputError


Terms = tuple[Glossary, TermMode]


def translate_lines(
    translator: Translator, requests: Iterable[Asked], *, as_json: bool, terms: Terms | None = None
) -> None:
    """Write a line for each request, as soon as its chunk is done.

    With a glossary's terms, lines of text keep their markup and placeholders, as documents do.

    A request that cannot be fulfilled is told on standard error, with its line's number, and gets an empty
    line, or a JSON object with the error; the others are translated. In the end it is an error.
    """
    failures = 0
    numbered = enumerate(requests, start=1)
    while chunk := list(islice(numbered, CHUNK_LINES)):
        good = [request for _, request in chunk if isinstance(request, Request)]
        answers = iter(_translate(translator, good, terms, as_json=as_json))
        for number, request in chunk:
            answer = request if isinstance(request, InputError) else next(answers)
            if isinstance(answer, InputError):
                failures += 1
                print(f"editmt: line {number}: {answer}", file=sys.stderr)
            print(_show(answer, translator, as_json=as_json))
        sys.stdout.flush()
    if failures:
        raise InputError(f"{failures} of the lines could not be translated")


def _translate(
    translator: Translator, requests: Sequence[Request], terms: Terms | None, *, as_json: bool
) -> Sequence[Answer]:
    if terms is None:
        return translator.translate_all(requests)
    glossary, mode = terms
    if as_json or any(request != Request(request.source) for request in requests):
        return translator.translate_all(add_terms(request, glossary, mode) for request in requests)
    segments = [Segment(request.source) for request in requests]
    done = SegmentTranslator(translator, glossary, mode).translate_all(segments)
    return [each.text if each.problem is None else InputError(each.problem) for each in done]


def read_requests(stream: Iterable[bytes], *, as_json: bool) -> Iterator[Asked]:
    """Read a request from each line, or what is wrong with it; before the first may be a byte order mark."""
    for number, line in enumerate(stream):
        try:
            yield _read(line if number else line.removeprefix(BOM_UTF8), as_json=as_json)
        except InputError as error:
            yield error


def _read(line: bytes, *, as_json: bool) -> Request:
    return Request.from_json(parse_json_line(line)) if as_json else Request.of(decode_line(line))


def _show(answer: Answer, translator: Translator, *, as_json: bool) -> str:
    if isinstance(answer, InputError):
        return write_json_line({"error": str(answer)}) if as_json else ""
    if as_json and isinstance(answer, Translation):
        return write_json_line(answer.to_json(translator.texts.target.vocabulary.pieces))
    text = answer if isinstance(answer, str) else answer.text
    return text.replace("\n", " ").replace("\r", " ")  # one line for one line
