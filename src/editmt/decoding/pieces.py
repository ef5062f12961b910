"""Translations with markup as pieces: words that are free, and units that stand for a program."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from editmt.text.markup import Notation, Unit
from editmt.text.phrases import Span, find_phrase, is_whole

Piece = str | Unit
"""Words, or a unit of the source."""

_SPECIAL = re.compile(r"://|www\.|[<>{}%$&@#|\\\[\]^`0-9]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")
_CLOSING = ".,;:!?)…"
_LINE_END = re.compile(r"[^\S\n\t]*[\n\t]\s*")
_DIGITS = re.compile(r"\d+(?:[.,:-]\d+)*")


def join(pieces: Iterable[Piece]) -> str:
    """Return the pieces as text."""
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


def printable(text: str) -> str:
    """Return a model's text without line ends and other characters that control something or are none."""
    return _CONTROL.sub(" ", text).strip()


def break_lines(pieces: Sequence[Piece], source: str) -> list[Piece]:
    r"""Break the lines of a sentence's translation as the source's are: at the spaces nearest to there.

    Tabs are put back in the same way.

    >>> break_lines(["ein langer Satz, der weitergeht"], "a long sentence,\n  which goes on")
    ['ein langer Satz,\n  der weitergeht']
    """
    broken = list(pieces)
    if not _LINE_END.search(source):
        return broken
    size = len(join(pieces))
    spaces, start = dict[int, tuple[int, int]](), 0  # where in all of the text, and where in which piece
    for number, piece in enumerate(broken):
        if isinstance(piece, str):
            spaces |= {start + match.start(): (number, match.start()) for match in re.finditer(" ", piece)}
        start += len(piece if isinstance(piece, str) else piece.text)
    chosen: list[tuple[int, int, str]] = []
    for match in _LINE_END.finditer(source):
        if not spaces:
            break
        nearest = min(spaces, key=lambda place: abs(place - size * match.start() / len(source)))
        chosen.append((*spaces[nearest], match[0]))
        spaces = {place: where for place, where in spaces.items() if place > nearest}
    for number, place, end in reversed(chosen):
        text = broken[number]
        assert isinstance(text, str)  # only words have spaces to break at
        broken[number] = text[:place] + end + text[place + 1 :]
    return broken


def locate(text: str, phrases: Sequence[str]) -> list[Span] | None:
    """Return a place of its own for each phrase, or None if one has none; the longest choose first.

    >>> locate("a %s and b %s", ["%s", "b %s"])
    [(2, 4), (9, 13)]
    """
    places: dict[int, Span] = {}
    taken = bytearray(len(text))
    for number in sorted(range(len(phrases)), key=lambda number: (-len(phrases[number]), number)):
        for start, end in find_phrase(text, phrases[number]):
            if not any(taken[start:end]):
                places[number] = (start, end)
                taken[start:end] = b"x" * (end - start)
                break
        else:
            return None
    return [places[number] for number in range(len(phrases))]


def keep_order(pieces: Iterable[Piece]) -> list[Piece]:
    """Bring the units whose order counts back into the source's: `%d … %s` becomes `%s … %d`.

    Tags without a partner change places among themselves only.
    """
    found = list(pieces)
    if not any(isinstance(piece, Unit) for piece in found):
        return found
    for kinds in ({"placeholder"}, {"open", "close"}, {"tag"}):
        places = [
            place
            for place, piece in enumerate(found)
            if isinstance(piece, Unit) and piece.ordered and piece.kind in kinds
        ]
        units = sorted((found[place] for place in places), key=lambda unit: unit.span)  # type: ignore[union-attr]  # units
        for place, unit in zip(places, units, strict=True):
            found[place] = unit
    return found


def clean(
    pieces: Sequence[Piece], notation: Notation, numbers: AbstractSet[str], *, thoroughly: bool = False
) -> list[Piece]:
    """Take out of the free words what would be a unit: no model may make up or double one.

    Only such `numbers` go, the source's and those of the text around it. Thoroughly: nothing special at all
    stays in the words.
    """
    cleaned: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str):
            words = _without_units(_without_signs(piece, notation.special), numbers, notation)
            cleaned.append(_SPECIAL.sub("", words) if thoroughly else words)
        else:
            cleaned.append(piece)
    return cleaned


def _without_signs(text: str, signs: str) -> str:
    """Take signs out that would mean something; an apostrophe has a twin that means nothing."""
    for sign in signs:
        text = re.sub("'+", "’", text) if sign == "'" else re.sub(f" ?{re.escape(sign)}", "", text)
    return text


def _without_units(text: str, numbers: AbstractSet[str], notation: Notation) -> str:
    while made_up := [unit for unit in notation.find(text) if unit.kind != "number" or unit.text in numbers]:
        for unit in reversed(made_up):
            before, after = text[: unit.span[0]], text[unit.span[1] :]
            text = before + (after.lstrip(" ") if before.endswith(" ") else after)
    return text


def separate(pieces: Sequence[Piece], source: str, *, thoroughly: bool = False) -> list[Piece]:
    """Put a space between a unit and words that would be taken for a part of it.

    Tags may touch words. A sentence's marks may, if they do so in the source; thoroughly: nothing may.
    """
    spaced: list[Piece] = []
    for piece in pieces:
        before = spaced[-1] if spaced else ""
        if isinstance(piece, str) and isinstance(before, Unit) and piece:
            spaced.append(_after(before, piece, source, thoroughly=thoroughly))
        elif isinstance(piece, Unit) and isinstance(before, str) and before:
            touching = is_joined_before(before, piece) or (thoroughly and not before[-1].isspace())
            spaced += [" ", piece] if touching and piece.kind not in _TAGS else [piece]
        else:
            spaced.append(piece)
    return spaced


_TAGS = {"open", "close", "tag"}


def is_joined_before(before: str, unit: Unit) -> bool:
    """Tell whether a unit begins within a word."""
    text = before + unit.text
    return not is_whole(text, (len(before), len(text)))


def _after(unit: Unit, words: str, source: str, *, thoroughly: bool) -> str:
    follows = source[unit.span[1] : unit.span[1] + 1]
    stripped = words.lstrip(" ")
    if unit.kind in _TAGS or words[0].isspace():
        return stripped if stripped[:1] and stripped[0] in _CLOSING and stripped[0] == follows else words
    if not thoroughly and (words[0] == follows or (words[0] in _CLOSING and unit.kind != "address")):
        return words
    return " " + words


def keeps_units(
    pieces: Sequence[Piece],
    source: str,
    units: Sequence[Unit],
    notation: Notation,
    numbers: frozenset[str],
    *,
    fewer: bool = False,
) -> bool:
    """Tell whether the text has all units of the source, each as often, those with an order in it.

    None of the `numbers`, the source's and those of the text around it, may stand within other words, either,
    more often than there: "3" is in "3n". The source's may not stand there less often, unless `fewer` are
    fine: of a whole text, whose sentences were looked at each on its own.
    """
    text = join(pieces)
    found = notation.find(text)
    if not (units or found or numbers):  # as in most texts
        return True
    ours, theirs = (Counter(unit.text for unit in side if unit.kind != "number") for side in (found, units))
    if ours != theirs:
        return False
    own = Counter(unit.text for unit in units if unit.kind == "number")
    there = Counter(unit.text for unit in found if unit.kind == "number")
    in_order, expected = ([unit.text for unit in side if unit.ordered] for side in (found, units))
    if in_order != expected or any(there[number] != count for number, count in own.items()):
        return False
    digits, wanted = _digits(text, found), _digits(source, units)
    if not fewer and any(digits[run] < wanted[run] for number in own for run in _DIGITS.findall(number)):
        return False
    known = _runs(numbers)
    return all(count <= wanted[run] for run, count in digits.items() if run in known)


@lru_cache(8)
def _runs(numbers: frozenset[str]) -> frozenset[str]:
    """Return the runs of digits of which numbers are made; for the parts of a text they are the same."""
    return frozenset(run for number in numbers for run in _DIGITS.findall(number))


def _digits(text: str, units: Sequence[Unit]) -> Counter[str]:
    """Count the runs of digits outside of what is for a program."""
    outside, end = [], 0
    for unit in units:
        if unit.kind != "number":
            outside.append(text[end : unit.span[0]])
            end = unit.span[1]
    return Counter(_DIGITS.findall(" ".join([*outside, text[end:]])))
