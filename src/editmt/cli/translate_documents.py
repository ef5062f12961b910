"""A document in, the same with its translations out, and a page on what became of the glossary's terms."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from editmt.cli.glossary import read_glossary, tell_problems
from editmt.cli.progress import show_progress
from editmt.cli.term_report_view import show_report
from editmt.decoding.segments import Passage, Segment, SegmentTranslator, Translated
from editmt.decoding.term_report import make_report
from editmt.decoding.translator import Translator
from editmt.errors import EditMTError, InputError
from editmt.storage import write_bytes, write_text
from editmt.text.documents import Document, TextUnit, read_document
from editmt.text.glossary import Glossary
from editmt.text.lemmas import Lemmatiser, load_lemmatiser

CHUNK_UNITS = 512
"""Enough for batches of sentences of one length, and for several of them at a time."""


def join_glossaries(options: argparse.Namespace) -> Glossary | None:
    """Read all glossaries that were given, as one; the first comes first."""
    glossaries = []
    for path in options.glossary:
        glossary = read_glossary(path, options)
        tell_problems(glossary, path)
        glossaries.append(glossary)
    return glossaries[0].join(glossaries[1:]) if glossaries else None


@contextmanager
def prepared(glossary: Glossary | None) -> Iterator[None]:
    """Prepare a glossary beside what is done here: a model's graphs are loaded without Python's lock.

    What is wrong with the glossary is told by whoever uses it.
    """
    if glossary is None:
        yield
        return

    def prepare() -> None:
        with suppress(EditMTError):
            glossary.prepare()

    beside = Thread(target=prepare)
    beside.start()
    try:
        yield
    finally:
        beside.join()


def translate_document(
    translator: Translator, glossary: Glossary | None, options: argparse.Namespace
) -> None:
    """Translate a document's units that have no translation, and write it, and the report.

    A unit that cannot be translated is told, with its line, and stays as it was; in the end it is an error.
    """
    path = Path(options.source)
    target_language = options.target_language or _target_language(glossary)
    document = read_document(path, target_language)
    segments = SegmentTranslator(translator, glossary, options.terms)
    done = list(_translate(segments, document))
    good = {number: each.text for number, each in enumerate(done) if each.problem is None}
    _write(options.output, document.render(good))
    if options.report is not None:
        passages = list(_passages(document.units, done))
        report = make_report(passages, lambda: _load_lemmas(target_language))
        write_text(options.report, show_report(report, path.name))
    for unit, each in zip(document.units, done, strict=True):
        if each.problem is not None:
            print(f"editmt: {path}: line {unit.line}: {each.problem}", file=sys.stderr)
    if len(good) < len(done):
        raise InputError(f"{path}: {len(done) - len(good)} of {len(done)} units could not be translated")


def _translate(segments: SegmentTranslator, document: Document) -> Iterator[Translated]:
    units = document.units
    with show_progress() as report:
        for start in range(0, len(units), CHUNK_UNITS):
            chunk = units[start : start + CHUNK_UNITS]
            yield from segments.translate_all([Segment(unit.text, unit.notation) for unit in chunk])
            report("translate", start + len(chunk), len(units))


def _passages(units: Sequence[TextUnit], done: Sequence[Translated]) -> Iterator[tuple[int, Passage]]:
    for unit, each in zip(units, done, strict=True):
        yield from ((unit.line, passage) for passage in each.passages)


def _target_language(glossary: Glossary | None) -> str:
    codes = {code for _, code in glossary.pairs if code} if glossary is not None else set()
    return codes.pop() if len(codes) == 1 else ""


def _load_lemmas(language: str) -> Lemmatiser | None:
    return load_lemmatiser(language) if language else None


def _write(path: Path | None, data: bytes) -> None:
    if path is None:
        sys.stdout.buffer.write(data)
    else:
        write_bytes(path, data)
