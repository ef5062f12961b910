"""A glossary: its entries, what was wrong with the others, and finding them in sentences."""

import gc
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from editmt.errors import InputError
from editmt.text.encodings import CODE_PAGES, decode, undeclared
from editmt.text.glossary.entry import Entry, Problem
from editmt.text.glossary.json_lines import read_json_lines
from editmt.text.glossary.matching import Match, Matcher
from editmt.text.glossary.tables import read_table
from editmt.text.glossary.tbx import read_tbx
from editmt.text.glossary.words import head_of, language_of, same_language
from editmt.text.lemmas import load_lemmatiser
from editmt.text.phrases import Span

_BEGINNING = 4096
LONGEST_TERM = 1000
"""Characters of a source term; what is longer is a text, or a quotation mark that was not closed."""

Format = Literal["tbx", "jsonl", "table"]
_JSON_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(?:\{|\])")
_IN_NAME = re.compile(r"[._-]([a-zA-Z]{2}(?:[-_][A-Z]{2})?)[-_]([a-zA-Z]{2}(?:[-_][A-Z]{2})?)\.")


@dataclass(frozen=True, eq=False)
class Glossary:
    r"""Entries of one language pair, ready to be found.

    >>> glossary = Glossary.parse("start value\tStartwert\nIT\tEDV\n", source_language="en")
    >>> [(match.text, match.wanted) for match in glossary.find("Are they start values? Is it?")]
    [('start values', ('Startwert',))]
    """

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        source_language: str = "",
        target_language: str = "",
        encoding: str | None = None,
    ) -> "Glossary":
        """Read a file of any of the formats; its name may tell the languages: `terms.en-de.tsv`."""
        path = Path(path)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
        named = _IN_NAME.search(path.name)
        codes = [language_of(code) or "" for code in named.groups()] if named else ["", ""]
        try:
            return cls.parse(
                data,
                source_language=source_language or codes[0],
                target_language=target_language or codes[1],
                encoding=encoding,
            )
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def parse(
        cls,
        data: bytes | str,
        *,
        source_language: str = "",
        target_language: str = "",
        encoding: str | None = None,
    ) -> "Glossary":
        """Read a glossary's bytes or text, whose format shows; bad rows are its `problems`.

        Without languages the source is what the file says, or its first language, and all others are targets.
        """
        if isinstance(data, str):
            data, encoding = data.encode("utf-8", "surrogatepass"), "utf-8"
        source, target = (language_of(code) or code for code in (source_language, target_language))
        with _collection_paused():
            found, problems = _read(data, (source, target), encoding)
        entries = [entry for entry in found if len(entry.source) <= LONGEST_TERM]
        problems += [
            Problem(entry.line, f"{len(entry.source):,} characters are no term")
            for entry in found
            if len(entry.source) > LONGEST_TERM
        ]
        if not entries:
            raise InputError(
                f"no term could be read ({min(problems)})" if problems else "there are no terms in it"
            )
        return cls(tuple(entries), tuple(sorted(problems)))

    @property
    def pairs(self) -> Counter[tuple[str, str]]:
        """How many entries there are of each source and target language."""
        return Counter((entry.source_language, entry.target_language) for entry in self.entries)

    def select(self, source_language: str = "", target_language: str = "") -> "Glossary":
        """Return the glossary of these languages only; an entry that names none is of any.

        Of a term's targets in several regions, such as de-AT and de-DE, the one that is asked for counts.
        """
        entries = [
            entry
            for entry in self.entries
            if same_language(entry.source_language, source_language)
            and same_language(entry.target_language, target_language)
        ]
        asked = language_of(target_language) or target_language
        exact = {entry.source for entry in entries if entry.target_language == asked} if asked else set()
        entries = [entry for entry in entries if entry.target_language == asked or entry.source not in exact]
        return Glossary(tuple(entries), self.problems)

    def join(self, others: Iterable["Glossary"]) -> "Glossary":
        """Return a glossary of this one's entries and then the others'."""
        every = [self, *others]
        return Glossary(
            tuple(entry for glossary in every for entry in glossary.entries),
            tuple(problem for glossary in every for problem in glossary.problems),
        )

    def find(self, sentence: str, excluded: Sequence[Span] = ()) -> list[Match]:
        """Return the terms that stand in a sentence, in its order; none within what is excluded."""
        return self._matcher.find(sentence, excluded)

    def find_all(self, sentence: str) -> list[Match]:
        """Return all terms that stand in a sentence, those within and across others, too."""
        return self._matcher.find_all(sentence)

    def prepare(self) -> None:
        """Load what finding takes, which else the first sentence waits for: lemmas, tenths of a second."""
        with _collection_paused():
            self._matcher.prepare()

    @cached_property
    def _matcher(self) -> Matcher:
        targets = {code.split("-")[0] for _, code in self.pairs if code}
        if len(targets) > 1:
            codes = ", ".join(sorted(targets))
            raise InputError(f"the glossary has several target languages ({codes}): choose one")
        sources = {code.split("-")[0] for code, _ in self.pairs if code}
        lemmatise = load_lemmatiser(sources.pop()) if len(sources) == 1 else None
        return Matcher(self.entries, lemmatise)


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Keep Python from looking for cycles again and again among a glossary's tuples, which have none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _read(data: bytes, languages: tuple[str, str], encoding: str | None) -> tuple[list[Entry], list[Problem]]:
    if data.startswith(b"PK\x03\x04"):
        raise InputError("this is a spreadsheet or an archive: save it as CSV or TBX first")
    kind, text, problems = _look(data, encoding, languages)
    if kind == "tbx":
        entries, more = read_tbx(undeclared(text).encode() if text else data, languages)
    else:
        entries, more = (read_json_lines if kind == "jsonl" else read_table)(text, languages)
    return entries, [*problems, *more]


def _look(
    data: bytes, encoding: str | None, languages: tuple[str, str]
) -> tuple[Format, str, Sequence[Problem]]:
    """Return the format that the first character tells, and the text.

    That is empty where an XML parser reads the bytes itself: what it is in shows, or is declared.
    """
    if encoding is None and data[:_BEGINNING].removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
        return "tbx", "", ()
    if encoding is None and _JSON_LIST.match(data[:_BEGINNING]):
        raise InputError("this is a JSON list, not JSON lines: write one object a line")
    spoken = next((code for code in languages[::-1] if code and code != "en"), "")
    decoded = decode(data, encoding, spoken or (_named_language(data) if encoding is None else ""))
    first = decoded.text.lstrip()[:1]
    kind: Format = "tbx" if first == "<" else "jsonl" if first == "{" else "table"
    if kind != "tbx" and "\0" in decoded.text[:4096]:
        raise InputError("this is not a text file")
    return kind, decoded.text, [Problem(*each) for each in decoded.broken]


def _named_language(data: bytes) -> str:
    r"""Return a language that has code pages of its own, if a table's first row names that and another.

    >>> _named_language("英語;日本語".encode("cp932")), _named_language(b"en,ru"), _named_language(b"he,er")
    ('ja', 'ru', '')
    """
    first = re.split(rb"[\r\n]", data[:_BEGINNING], maxsplit=1)[0]
    for language, pages in CODE_PAGES.items():
        for page in pages:
            cells = re.split("[\t;|,]", first.decode(page, errors="replace"))
            named = {head_of(cell.strip(' "'))[1].split("-")[0] for cell in cells} - {"", "source", "target"}
            if language in named and len(named) > 1:
                return language
    return ""
