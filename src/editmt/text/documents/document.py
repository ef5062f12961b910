"""A document: units of text to translate, and the way back to its bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from editmt.text.markup import Notation


@dataclass(frozen=True)
class TextUnit:
    """A part of a document that is translated on its own, such as a paragraph or a message.

    line
        Where it begins in the file, from 1.
    """

    text: str
    line: int
    notation: Notation = field(default_factory=Notation)


class Document(Protocol):
    """What was read from a file: only what has no translation yet is a unit."""

    @property
    def units(self) -> Sequence[TextUnit]:
        """The units to translate, in the file's order."""

    def render(self, translations: Mapping[int, str]) -> bytes:
        """Return the file with these translations, by their units' numbers; all else is as it was."""
