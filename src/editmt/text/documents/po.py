"""gettext's PO files: empty translations are filled, every other byte stays."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from editmt.errors import InputError
from editmt.text.documents.document import TextUnit
from editmt.text.markup import Notation

_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"')
_KEYWORD = re.compile(rb"(msgctxt|msgid_plural|msgid|msgstr(?:\[([0-9]+)\])?)(?=[\s\"])")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_UNESCAPES = {text: f"\\{letter}" for letter, text in _ESCAPES.items()} | {'"': '\\"', "\\": "\\\\"}
_BRACES = frozenset(
    ("python-brace-format", "perl-brace-format", "csharp-format", "java-format", "rust-format")
)


@dataclass
class _String:
    """The value of a keyword: its text, and the bytes of its lines from the first quotation mark on."""

    text: str
    start: int
    end: int
    line: int


@dataclass
class _Message:
    flags: list[str] = field(default_factory=list)
    strings: dict[str, _String] = field(default_factory=dict)  # by keyword: msgid, msgstr, msgstr[0], …


@dataclass(frozen=True)
class _Gap:
    """An empty translation, and the unit whose translation goes there."""

    string: _String
    unit: int


class PoFile:
    r"""A PO file.

    >>> document = PoFile(b'# note\nmsgid "Save %d"\nmsgstr ""\n')
    >>> [unit.text for unit in document.units], document.render({0: "%d sichern"})
    (['Save %d'], b'# note\nmsgid "Save %d"\nmsgstr "%d sichern"\n')
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._end_of_line = b"\r\n" if b"\r\n" in data else b"\n"
        found = re.search(rb"charset=([\w.:-]+)", data[:10_000])
        self._charset = found[1].decode() if found and found[1] != b"CHARSET" else "utf-8"
        try:
            b"".decode(self._charset)
        except LookupError:
            raise InputError(f"there is no charset {self._charset!r}") from None
        self._messages = list(self._read())

    @cached_property
    def units(self) -> list[TextUnit]:
        """The messages, and their plural forms, that have an empty translation."""
        return self._look[0]

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the file with these translations; one that its charset cannot spell is left out."""
        data, end = [], 0
        for gap in self._look[1]:
            text = translations.get(gap.unit)
            value = None if text is None else self._write(text)
            if value is not None:
                data += [self._data[end : gap.string.start], value]
                end = gap.string.end
        return b"".join([*data, self._data[end:]])

    @cached_property
    def _look(self) -> tuple[list[TextUnit], list[_Gap]]:
        units: list[TextUnit] = []
        gaps: list[_Gap] = []
        for message in self._messages:
            singular, plural = message.strings.get("msgid"), message.strings.get("msgid_plural")
            empty = {
                name: string
                for name, string in message.strings.items()
                if name.startswith("msgstr") and not string.text
            }
            if singular is None or not singular.text.strip() or not empty:
                continue
            only_one = [name for name in message.strings if name.startswith("msgstr[")] == ["msgstr[0]"]
            numbers: dict[int, int] = {}
            for name, string in empty.items():
                source = singular
                if plural is not None and (name != "msgstr[0]" or only_one):
                    source = plural
                if source.start not in numbers:
                    numbers[source.start] = len(units)
                    units.append(TextUnit(source.text, source.line, _notation(message.flags)))
                gaps.append(_Gap(string, numbers[source.start]))
        return units, sorted(gaps, key=lambda gap: gap.string.start)

    def _read(self) -> Iterator[_Message]:
        """Yield the messages; a comment or a new first keyword begins the next one."""
        message, current, place = _Message(), "", 0
        for number, line in enumerate(self._data.splitlines(keepends=True), start=1):
            body = line.lstrip(b"\xef\xbb\xbf \t") if number == 1 else line.lstrip(b" \t")
            start = place + len(line) - len(body)
            if body.startswith(b"#") or self._begins(message, body):
                if any(name.startswith("msgstr") for name in message.strings):
                    yield message
                    message = _Message()
                current = ""
            if body.startswith(b"#,"):
                message.flags += [flag.strip() for flag in body[2:].decode("ascii", "replace").split(",")]
            elif not body.startswith(b"#") and body.strip():
                current = self._read_line(message, current, (body, start, number))
            place += len(line)
        if message.strings:
            yield message

    def _begins(self, message: _Message, body: bytes) -> bool:
        found = _KEYWORD.match(body)
        return (
            found is not None and found[1] in (b"msgctxt", b"msgid") and "msgstr" in "".join(message.strings)
        )

    def _read_line(self, message: _Message, current: str, line: tuple[bytes, int, int]) -> str:
        """Add a line to the message; return the keyword whose value goes on in the next one."""
        body, start, number = line
        keyword = _KEYWORD.match(body)
        if keyword is not None:
            current = keyword[1].decode()
            body, start = body[keyword.end() :], start + keyword.end()
        string = _STRING.match(body.lstrip())
        if string is None or not current or body.lstrip()[string.end() :].strip():
            raise InputError(f"line {number}: neither a comment nor a keyword with a string")
        start += len(body) - len(body.lstrip())
        text = self._unescape(string[1], number)
        if keyword is None:
            value = message.strings[current]
            value.text += text
            value.end = start + string.end()
        elif current in message.strings:
            raise InputError(f"line {number}: a second {current} in one message")
        else:
            message.strings[current] = _String(text, start, start + string.end(), number)
        return current

    def _unescape(self, value: bytes, line: int) -> str:
        try:
            text = value.decode(self._charset)
        except UnicodeDecodeError:
            raise InputError(f"line {line}: not valid {self._charset}") from None
        return _ESCAPE.sub(_unescape_one, text)

    def _write(self, text: str) -> bytes | None:
        """Return a value's lines, one for each of the text's."""
        lines = [_escape(line) for line in text.split("\n")]
        parts = [f'"{line}\\n"' for line in lines[:-1]] + ([f'"{lines[-1]}"'] if lines[-1] else [])
        if len(parts) > 1:
            parts.insert(0, '""')
        try:
            return self._end_of_line.join(part.encode(self._charset) for part in parts or ['""'])
        except UnicodeEncodeError:
            return None


def _notation(flags: Sequence[str]) -> Notation:
    formats = [flag for flag in flags if flag.endswith("-format") and not flag.startswith("no-")]
    special = "{}" * any(flag in _BRACES for flag in formats)
    return Notation(special=special + "%" * any(flag not in _BRACES for flag in formats))


def _unescape_one(match: "re.Match[str]") -> str:
    octal, hexadecimal, letter = match.groups()
    if octal or hexadecimal:
        return chr(int(octal, 8) & 0xFF if octal else int(hexadecimal, 16))
    return _ESCAPES.get(letter, letter)


def _escape(text: str) -> str:
    escaped = "".join(_UNESCAPES.get(character, character) for character in text)
    return re.sub(r"[\x00-\x1f]", lambda match: f"\\{ord(match[0]):03o}", escaped)
