"""The messages of a PO file, with the bytes where their strings stand; read as gettext's own tools do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from editmt.errors import InputError

_STRING = re.compile(rb'\s*"((?:[^"\\]|\\.)*)"')
_KEYWORD = re.compile(rb"(msgctxt|msgid_plural|msgid|msgstr(?:\[[0-9]+\])?)(?=[\s\"])")
_ESCAPE = re.compile(r"((?:\\[0-7]{1,3}|\\x[0-9a-fA-F]{1,2})+)|\\(.)", re.DOTALL)
_CODE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2}))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_UNESCAPES = {text: f"\\{letter}" for letter, text in _ESCAPES.items()} | {'"': '\\"', "\\": "\\\\"}


@dataclass
class PoString:
    """The value of a keyword: its text, and its bytes from the first quotation mark up to the last.

    line
        The keyword's.
    """

    line: int
    text: str = ""
    start: int = -1
    end: int = -1


@dataclass
class Message:
    """An entry: its flags, and its strings by their keywords, such as msgid and msgstr[0]."""

    flags: list[str] = field(default_factory=list)
    strings: dict[str, PoString] = field(default_factory=dict)

    @property
    def targets(self) -> dict[str, PoString]:
        """The translations, empty or not."""
        return {name: string for name, string in self.strings.items() if name.startswith("msgstr")}

    @property
    def end(self) -> int:
        """The byte behind the last string."""
        return max(string.end for string in self.strings.values())


def read_messages(data: bytes, charset: str) -> Iterator[Message]:
    """Yield the messages; a comment or a new first keyword begins the next one."""
    reader, place = _Reader(charset), 0
    for number, line in enumerate(data.splitlines(keepends=True), start=1):
        body = line.lstrip(b"\xef\xbb\xbf \t") if number == 1 else line.lstrip(b" \t")
        if body.startswith(b"#") or reader.is_begun_by(body):
            if reader.message.targets:
                yield reader.message
                reader.message = Message()
            reader.current = None
        if body.startswith((b"#,", b"#=")):
            reader.message.flags += [flag.strip() for flag in body[2:].decode("ascii", "replace").split(",")]
        elif body.strip() and not body.startswith((b"#", b"domain ")):
            reader.read(body, place + len(line) - len(body), number)
        place += len(line)
    if reader.message.strings:
        yield reader.message


class _Reader:
    """The message that is being read, and the string that the next line may go on with."""

    def __init__(self, charset: str) -> None:
        self.message = Message()
        self.current: PoString | None = None
        self._charset = charset

    def is_begun_by(self, body: bytes) -> bool:
        """Tell whether a line begins the next message."""
        keyword = _KEYWORD.match(body)
        return keyword is not None and keyword[1] in (b"msgctxt", b"msgid") and bool(self.message.targets)

    def read(self, body: bytes, start: int, line: int) -> None:
        """Add a line, of which the first byte is the file's at `start`, to the message."""
        keyword = _KEYWORD.match(body)
        if keyword is not None:
            name = keyword[1].decode()
            if name in self.message.strings:
                raise InputError(f"line {line}: a second {name} in one message")
            self.current = self.message.strings[name] = PoString(line)
        place = keyword.end() if keyword is not None else 0
        while body[place:].strip():
            found = _STRING.match(body, place)
            if found is None or self.current is None:
                raise InputError(f"line {line}: neither a comment nor a keyword with a string")
            self.current.text += self._unescape(found[1], line)
            if self.current.start < 0:
                self.current.start = start + found.start(1) - 1
            self.current.end = start + found.end()
            place = found.end()

    def _unescape(self, value: bytes, line: int) -> str:
        try:
            text = value.decode(self._charset)
        except UnicodeDecodeError:
            raise InputError(f"line {line}: not valid {self._charset}") from None
        return _ESCAPE.sub(self._unescape_one, text) if "\\" in text else text

    def _unescape_one(self, match: "re.Match[str]") -> str:
        """Return what an escape, or some numbers in a row, stand for: numbers are bytes of the charset."""
        numbers, letter = match.groups()
        if not numbers:
            return _ESCAPES.get(letter, letter)
        codes = (int(octal, 8) & 0xFF if octal else int(other, 16) for octal, other in _CODE.findall(numbers))
        return bytes(codes).decode(self._charset, errors="replace")


def escape(text: str) -> str:
    r"""Return a line of text as it stands between quotation marks.

    >>> escape('say "x"')
    'say \\"x\\"'
    """
    escaped = "".join(_UNESCAPES.get(character, character) for character in text)
    return re.sub(r"[\x00-\x1f]", lambda match: f"\\{ord(match[0]):03o}", escaped)
