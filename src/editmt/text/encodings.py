"""Bytes of others' files to text: Excel's UTF-16, Windows' code pages, UTF-8 with a few broken lines."""

import codecs
import re
from dataclasses import dataclass

from editmt.errors import InputError

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16's, which is its beginning
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_SAMPLE = 4096
_WESTERN, _OLD_MACINTOSH = "cp1252", "mac_roman"
CODE_PAGES = {
    "ja": ("cp932", "euc_jp"),
    "zh": ("gb18030", "big5"),
    "ko": ("cp949",),
    **dict.fromkeys(("be", "bg", "mk", "ru", "sr", "uk"), ("cp1251",)),
    **dict.fromkeys(("bs", "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"), ("cp1250",)),
    **dict.fromkeys(("et", "lt", "lv"), ("cp1257",)),
    "el": ("cp1253",),
    "tr": ("cp1254",),
    "he": ("cp1255",),
    "ar": ("cp1256",),
    "th": ("cp874",),
}
"""What Windows and others wrote a language in before Unicode; no bytes tell it for sure."""

_XML = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)[\"']")
_XML_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*\?>")


@dataclass(frozen=True)
class Decoded:
    """A file's text, and the numbers of the lines that could not be read, which are empty, and why."""

    text: str
    encoding: str
    broken: tuple[tuple[int, str], ...] = ()


def decode(data: bytes, encoding: str | None = None, language: str = "") -> Decoded:
    r"""Return the text of a file, in the encoding that is given, or that its bytes and language tell.

    >>> decode("Größe".encode("cp1252")).text, decode("\ufeffGröße".encode("utf-16-le")).encoding
    ('Größe', 'utf-16-le')
    """
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    try:
        codec = codecs.lookup(encoding or (_MARKS[mark] if mark else _guess(data, language))).name
    except LookupError:
        raise InputError(f"there is no encoding {encoding!r}") from None
    body = data.removeprefix(mark)
    try:
        return Decoded(body.decode(codec).removeprefix("\ufeff"), codec)
    except UnicodeDecodeError as error:
        if "16" in codec or "32" in codec:
            return Decoded(body.decode(codec, errors="replace"), codec, (_broken(body, error, codec),))
        return _decode_lines(body, codec)
    except (LookupError, TypeError, ValueError, AttributeError):  # such as base64: bytes to bytes
        raise InputError(f"{encoding!r} is no encoding of text") from None


def declared_encoding(data: bytes) -> str | None:
    """Return the encoding that XML declares, if it does.

    Where the declaration can be read byte by byte the file is not UTF-16, though a program that has made it
    from a text in memory says so: then it is UTF-8.

    >>> declared_encoding(b"<?xml version='1.0' encoding='utf-16'?>"), declared_encoding(b"<x/>")
    ('utf-8', None)
    """
    found = _XML.match(data[:_SAMPLE].removeprefix(codecs.BOM_UTF8))
    if found is None:
        return None
    wide = found[1].lower().startswith((b"utf-16", b"utf16", b"utf-32", b"ucs-2", b"ucs-4", b"iso-10646"))
    return "utf-8" if wide else found[1].decode()


def undeclared(text: str) -> str:
    r"""Return XML without its declaration, which may be of another encoding than that it is written in.

    >>> undeclared("<?xml version='1.0'\nencoding='latin1'?><x/>")
    '\n<x/>'
    """
    found = _XML_DECLARATION.match(text)
    return "\n" * found[0].count("\n") + text[found.end() :] if found else text


def _guess(data: bytes, language: str) -> str:
    """Guess from zeros (UTF-16 without a mark) and from which lines are UTF-8."""
    sample = data[:_SAMPLE]
    if len(sample) > 3 and b"\0" in sample:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) > len(sample) // 8:
            return "utf-16-be" if even > odd else "utf-16-le"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _guess_bytes(data, language)
    return "utf-8"


def _guess_bytes(data: bytes, language: str) -> str:
    """Take UTF-8 with broken lines for what it is; all else is most likely the language's code page."""
    good = bad = 0
    for line in data.splitlines():
        if not line.isascii():
            if _is_in(line, "utf-8"):
                good += 1
            else:
                bad += 1
    if good and good >= bad:
        return "utf-8"
    pages = CODE_PAGES.get(language[:2].lower(), ())
    western = _OLD_MACINTOSH if b"\r" in data and b"\n" not in data else _WESTERN
    return next((page for page in pages if _is_in(data, page)), western)


def _is_in(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _decode_lines(data: bytes, codec: str) -> Decoded:
    lines, broken = [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            lines.append(line.decode(codec))
        except UnicodeDecodeError as error:
            lines.append("")
            broken.append((number, f"not valid {codec} (byte {error.start + 1} of the line)"))
    return Decoded("\n".join(lines), codec, tuple(broken))


def _broken(data: bytes, error: UnicodeDecodeError, codec: str) -> tuple[int, str]:
    line = data[: error.start].decode(codec, errors="replace").count("\n") + 1
    return line, f"not valid {codec} (byte {error.start + 1} of the file)"
