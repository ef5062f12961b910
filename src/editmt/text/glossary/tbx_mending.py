"""TBX with entries that are not well-formed, such as `<term>R&D</term>`: the others are read without them."""

import re
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from editmt.text.encodings import declared_encoding, decode, undeclared
from editmt.text.glossary.entry import Problem

SAFE_PARSING = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
_ENTRY = re.compile(rb"<(?:[\w.-]+:)?(?:termEntry|conceptEntry)(?=[\s/>])")
_CLOSING = re.compile(rb"</(?:[\w.-]+:)?(?:termEntry|conceptEntry)\s*>")
_LONGEST_HEAD = 100_000
_MOST_BROKEN = 100
"""Entries after which it is given up: the file as a whole is something else."""


def leave_out_broken(data: bytes) -> tuple[bytes, list[Problem]]:
    """Return a file with lines' ends only in the place of broken entries, and what is wrong with each.

    There are no problems if nothing could be done: other parts of the file are broken, or too many entries.
    """
    if b"\0" in data[:4] or data[:1] in (b"\xff", b"\xfe"):
        data = undeclared(decode(data).text).encode()
    starts = [match.start() for match in _ENTRY.finditer(data)]
    closings = [match.end() for match in _CLOSING.finditer(data)]
    if not starts or not closings or closings[-1] < starts[-1]:
        return data, []
    mending = _Mending(data, [*starts, closings[-1]])
    if starts[0] > _LONGEST_HEAD or not mending.is_whole(0, 0):
        return data, []
    return mending.run()


class _Mending:
    """A file, and where its entries begin, and the last one ends; what is wrong is found by halves."""

    def __init__(self, data: bytes, places: list[int]) -> None:
        self._data, self._places = data, places

    def run(self) -> tuple[bytes, list[Problem]]:
        """Return the file without its broken entries, and what is wrong with them."""
        parts, problems, end = list[bytes](), list[Problem](), 0
        for number, problem in self._find(0, len(self._places) - 1):
            if len(problems) == _MOST_BROKEN:
                return self._data, []
            start, behind = self._places[number], self._places[number + 1]
            parts += [self._data[end:start], b"\n" * self._data.count(b"\n", start, behind)]
            problems.append(problem)
            end = behind
        return b"".join([*parts, self._data[end:]]), problems

    def is_whole(self, first: int, last: int) -> bool:
        """Tell whether the file is well-formed if it has only these entries; expat is quick to see that."""
        parser = expat.ParserCreate(utf8_if_so(self._data))
        if b"<!ENTITY" in self._data[: self._places[0]]:
            parser.DefaultHandler = lambda _: None  # with it entities are not replaced by what they stand for
        try:
            parser.Parse(self._with(first, last), True)
        except (expat.ExpatError, ValueError, LookupError):  # the last two are of encodings
            return False
        return True

    def _with(self, first: int, last: int) -> bytes:
        """Return the file with these entries only."""
        places = self._places
        parts = self._data[: places[0]], self._data[places[first] : places[last]], self._data[places[-1] :]
        return b"".join(parts)

    def _find(self, first: int, last: int) -> Iterator[tuple[int, Problem]]:
        """Yield the broken ones of some entries, and what is wrong with each."""
        if self.is_whole(first, last):
            return
        if last - first > 1:
            middle = (first + last) // 2
            yield from self._find(first, middle)
            yield from self._find(middle, last)
        elif (error := self._error(first)) is not None:
            yield first, self._problem(first, error)

    def _error(self, number: int) -> Any:
        """Return what lxml, which reads the file, says is wrong with an entry."""
        from lxml import etree  # noqa: PLC0415 - only where there is TBX

        parser = etree.XMLParser(encoding=utf8_if_so(self._data), **SAFE_PARSING)
        try:
            etree.fromstring(self._with(number, number + 1), parser)
        except etree.XMLSyntaxError as error:
            return error
        return None

    def _problem(self, number: int, error: Any) -> Problem:
        start, behind = self._places[number], self._places[number + 1]
        before, ahead = self._data.count(b"\n", 0, start), self._data.count(b"\n", 0, self._places[0])
        inside = self._data[start:behind].rstrip().count(b"\n")
        line = 1 + before + min(max(error.lineno - 1 - ahead, 0), inside)
        return Problem(line, f"broken XML: {reason_of(error)}")


def reason_of(error: Any) -> str:
    """Return what a parser says is wrong, without the place."""
    return str(error.msg or "nothing is there").split(", line ")[0].split("\n")[0]


def utf8_if_so(data: bytes) -> str | None:
    """Return the name of UTF-8 if a file is that but says that it is UTF-16: a parser would believe it."""
    return "utf-8" if declared_encoding(data) == "utf-8" else None
