"""gettext's PO files: empty translations are filled, every other byte stays."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from editmt.errors import InputError
from editmt.text.documents.document import TextUnit
from editmt.text.documents.po_messages import Message, escape, read_messages
from editmt.text.markup import Notation

_CHARSET = re.compile(rb"Content-Type:[^\"\\]*charset=([\w.:-]+)", re.IGNORECASE)
_PLURALS = re.compile(r"nplurals\s*=\s*([1-9])\b")
_BRACES = frozenset(f"{name}-format" for name in ("python-brace", "perl-brace", "csharp", "rust", "c++"))
_NUMBERED = frozenset(f"{name}-format" for name in ("qt", "qt-plural", "kde", "kde-kuit", "ycp"))
_SIGNS = {"lisp-format": "~", "scheme-format": "~", "java-format": "{}'"}
"""What means something in the formats of some languages; Java's apostrophe turns "{0}" into mere text."""


@dataclass(frozen=True)
class _Gap:
    """An empty translation of a message: its bytes, its unit, its keyword if the file does not have that."""

    message: int
    start: int
    end: int
    unit: int
    keyword: str


class PoFile:
    r"""A PO file.

    >>> document = PoFile(b'# note\nmsgid "Save %d"\nmsgstr ""\n')
    >>> [unit.text for unit in document.units], document.render({0: "%d sichern"})
    (['Save %d'], b'# note\nmsgid "Save %d"\nmsgstr "%d sichern"\n')
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._end_of_line = next((end for end in (b"\r\n", b"\n", b"\r") if end in data), b"\n")
        found = _CHARSET.search(data[:10_000])
        self._charset = found[1].decode() if found and found[1] != b"CHARSET" else "utf-8"
        try:
            b"".decode(self._charset)
        except LookupError:
            raise InputError(f"there is no charset {self._charset!r}") from None
        self._messages = list(read_messages(data, self._charset))
        self._check()

    @cached_property
    def units(self) -> list[TextUnit]:
        """The messages, and their plural forms, that have an empty translation."""
        return self._look[0]

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the file with these translations.

        What its charset cannot spell is left out; and of plural forms gettext takes all or none.
        """
        values = {number: self._write(text) for number, text in translations.items()}
        open_still = {gap.message for gap in self._look[1] if values.get(gap.unit) is None}
        data, end = [], 0
        for gap in self._look[1]:
            if gap.message not in open_still:
                keyword = self._end_of_line + gap.keyword.encode() + b" " if gap.keyword else b""
                data += [self._data[end : gap.start], keyword, values[gap.unit] or b""]
                end = gap.end
        return b"".join([*data, self._data[end:]])

    def _check(self) -> None:
        for message in self._messages:
            for name, string in message.strings.items():
                if string.start < 0:
                    raise InputError(f"line {string.line}: {name} has no string")

    @cached_property
    def _look(self) -> tuple[list[TextUnit], list[_Gap]]:
        units: list[TextUnit] = []
        gaps: list[_Gap] = []
        for number, message in enumerate(self._messages):
            singular, plural = message.strings.get("msgid"), message.strings.get("msgid_plural")
            if singular is None or not singular.text.strip():
                continue
            forms = [*message.targets, *(self._lacking(message) if plural else ())]
            numbers: dict[int, int] = {}
            for name in forms:
                string = message.strings.get(name)
                if string is not None and string.text:
                    continue
                text = plural if plural and (name != "msgstr[0]" or len(forms) == 1) else singular
                if text.start not in numbers:
                    numbers[text.start] = len(units)
                    units.append(TextUnit(text.text, text.line, _notation(message.flags)))
                start, end = (string.start, string.end) if string else (message.end, message.end)
                gaps.append(_Gap(number, start, end, numbers[text.start], "" if string else name))
        return units, sorted(gaps, key=lambda gap: gap.start)

    def _lacking(self, message: Message) -> list[str]:
        """Return the keywords of the plural forms that the target's language has but the message has not."""
        names = [f"msgstr[{number}]" for number in range(self._plurals)]
        return (
            [name for name in names if name not in message.strings] if "msgstr[0]" in message.strings else []
        )

    @cached_property
    def _plurals(self) -> int:
        """How many plural forms the header says there are; 0 if it does not."""
        header = self._messages[0].strings if self._messages else {}
        is_header = "msgid" in header and not header["msgid"].text and "msgctxt" not in header
        found = _PLURALS.search(header["msgstr"].text) if is_header and "msgstr" in header else None
        return int(found[1]) if found else 0

    def _write(self, text: str) -> bytes | None:
        """Return a value's lines, one for each of the text's."""
        lines = [escape(line) for line in text.split("\n")]
        parts = [f'"{line}\\n"' for line in lines[:-1]] + ([f'"{lines[-1]}"'] if lines[-1] else [])
        if len(parts) > 1:
            parts.insert(0, '""')
        try:
            return self._end_of_line.join(part.encode(self._charset) for part in parts or ['""'])
        except UnicodeEncodeError:
            return None


def _notation(flags: Sequence[str]) -> Notation:
    formats = [flag for flag in flags if flag.endswith("-format") and not flag.startswith("no-")]
    signs = {sign for flag in formats for sign in _SIGNS.get(flag, "{}" if flag in _BRACES else "%")}
    return Notation(special="".join(sorted(signs)), numbered=bool(formats) and _NUMBERED.issuperset(formats))
