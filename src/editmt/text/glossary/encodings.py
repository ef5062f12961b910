"""Bytes of others' files to text: Excel's UTF-16, Windows' code pages, UTF-8 with a few broken lines."""

import codecs
from dataclasses import dataclass

from editmt.errors import InputError
from editmt.text.glossary.entry import Problem

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16's, which is its beginning
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_SAMPLE = 4096
_FALL_BACK = "cp1252"


@dataclass(frozen=True)
class Decoded:
    """A file's text; lines that could not be read are empty in it, and problems."""

    text: str
    encoding: str
    problems: tuple[Problem, ...] = ()


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    r"""Return the text of a file, in the encoding that is given, or that its bytes tell.

    >>> decode("Größe".encode("cp1252")).text, decode("\ufeffGröße".encode("utf-16-le")).encoding
    ('Größe', 'utf-16-le')
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    try:
        codec = codecs.lookup(encoding or (_MARKS[mark] if mark else _guess(data))).name
    except LookupError:
        raise InputError(f"there is no encoding {encoding!r}") from None
    body = data.removeprefix(mark)
    try:
        return Decoded(body.decode(codec).removeprefix("\ufeff"), codec)
    except UnicodeDecodeError as error:
        if "16" in codec or "32" in codec:
            return Decoded(body.decode(codec, errors="replace"), codec, (_broken(body, error, codec),))
        return _decode_lines(body, codec)
    except (TypeError, ValueError, AttributeError):  # such as base64: bytes to bytes
        raise InputError(f"{encoding!r} is no encoding of text") from None


def _guess(data: bytes) -> str:
    """Guess from zeros (UTF-16 without a mark) and from which lines are UTF-8."""
    sample = data[:_SAMPLE]
    if len(sample) > 3 and b"\0" in sample:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) > len(sample) // 8:
            return "utf-16-be" if even > odd else "utf-16-le"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess_bytes(data)
    return "utf-8"


def _guess_bytes(data: bytes) -> str:
    """Take UTF-8 with broken lines for what it is; all else is most likely Western Windows'."""
    good = bad = 0
    for line in data.splitlines():
        if not line.isascii():
            if _is_utf8(line):
                good += 1
            else:
                bad += 1
    return "utf-8" if good > bad else _FALL_BACK


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_lines(data: bytes, codec: str) -> Decoded:
    lines, problems = [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            lines.append(line.decode(codec))
        except UnicodeDecodeError as error:
            lines.append("")
            problems.append(Problem(number, f"not valid {codec} (byte {error.start + 1} of the line)"))
    return Decoded("\n".join(lines), codec, tuple(problems))


def _broken(data: bytes, error: UnicodeDecodeError, codec: str) -> Problem:
    line = data[: error.start].decode(codec, errors="replace").count("\n") + 1
    return Problem(line, f"not valid {codec} (byte {error.start + 1} of the file)", used=True)
