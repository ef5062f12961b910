"""Accelerators: the sign in a menu's text before the letter of its key, as in "&Open", "E&xit" and "_Save".

It is hidden while the text is translated, so that a glossary finds "Open" and no model has to spell "&Open",
and then put back: before the same letter if there is one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from editmt.text.documents.document import Document, TextUnit
from editmt.text.markup import Notation
from editmt.text.phrases import Span

_ACCELERATOR = re.compile(
    r"""
    (?:(?<=^)|(?<=[\s(\[/])) (?: &(?=[^\W_]) | [_~](?=[^\W\d_]) )  # "&Open", "_Open", "~Open"; "&1" of a list
    | (?<=[^\W\d_])&(?=[a-zäöüß])                                  # "E&xit", but not "R&D"
    """,
    re.VERBOSE,
)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ0-9]")
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]")
_END = re.compile(r"[\s.:…。：]*$")


class Accelerator(NamedTuple):
    """The sign, and the letter behind it."""

    sign: str
    letter: str


@dataclass(frozen=True, eq=False)
class WithAccelerators:
    """A document of a user interface's texts: its units have no accelerators, its translations have."""

    document: Document

    @property
    def units(self) -> Sequence[TextUnit]:
        """The units to translate."""
        return [unit for unit, _ in self._hidden]

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the file with these translations and the accelerators of their units."""
        return self.document.render(
            {number: self._show(number, text) for number, text in translations.items()}
        )

    @cached_property
    def _hidden(self) -> list[tuple[TextUnit, Accelerator | None]]:
        found = ((unit, hide_accelerator(unit.text, unit.notation)) for unit in self.document.units)
        return [(replace(unit, text=text), accelerator) for unit, (text, accelerator) in found]

    def _show(self, number: int, text: str) -> str:
        unit, accelerator = self._hidden[number]
        return text if accelerator is None else show_accelerator(text, accelerator, unit.notation)


def hide_accelerator(text: str, notation: Notation) -> tuple[str, Accelerator | None]:
    """Return the text without its accelerator; of two none is one, nor is the "_" of "_emphasis_".

    >>> hide_accelerator("Save &As…", Notation())
    ('Save As…', Accelerator(sign='&', letter='A'))
    >>> hide_accelerator("R&D of &nbsp;", Notation())
    ('R&D of &nbsp;', None)
    """
    if not any(sign in text for sign in "&_~"):
        return text, None
    units = [unit.span for unit in notation.find(text)]
    places = [match.start() for match in _ACCELERATOR.finditer(text) if not _is_within(match.start(), units)]
    if len(places) != 1:
        return text, None
    (place,) = places
    if text[place] != "&" and text.count(text[place]) > 1:
        return text, None
    return text[:place] + text[place + 1 :], Accelerator(text[place], text[place + 1])


def show_accelerator(text: str, accelerator: Accelerator, notation: Notation) -> str:
    """Return the text with an accelerator: at a word that begins with its letter, or has it, or at the first.

    >>> show_accelerator("Datei öffnen", Accelerator("&", "O"), Notation())
    '&Datei öffnen'
    >>> show_accelerator("Alles sichern", Accelerator("_", "S"), Notation())
    'Alles _sichern'
    >>> show_accelerator("ファイルを開く…", Accelerator("&", "O"), Notation())
    'ファイルを開く(&O)…'
    """
    sign, letter = accelerator
    units = [unit.span for unit in notation.find(text)]
    free = [place for place in range(len(text)) if not _is_within(place, units)]
    starts = [match.start() for match in _WORD_START.finditer(text) if not _is_within(match.start(), units)]
    same = [place for place in free if text[place].casefold() == letter.casefold()]
    latin = [place for place in starts if _LATIN.match(text[place])]
    places = [*(place for place in starts if place in same), *same, *latin]
    if places:
        return text[: places[0]] + sign + text[places[0] :]
    end = _END.search(text)
    assert end is not None  # it matches nothing, too
    return f"{text[: end.start()]}({sign}{letter.upper()}){text[end.start() :]}"


def _is_within(place: int, spans: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in spans)
