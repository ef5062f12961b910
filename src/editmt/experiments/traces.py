"""A trace as rows of marked words, from the JSON of an answer; Markdown and HTML draw the same rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from editmt.records import JsonObject
from editmt.text import PLH, SYMBOLS

Mark = Literal["", "deleted", "moved", "empty", "inserted"]
DELETE = 0
BEGIN, GOES_ON = "▁", "@@"


@dataclass(frozen=True)
class Token:
    """A piece of a canvas, how it is marked, and whether a space is before it."""

    text: str
    mark: Mark = ""
    spaced: bool = True

    @property
    def plain(self) -> str:
        """The piece with the marks of wdiff, as `editmt explain` has them."""
        match self.mark:
            case "deleted":
                return f"[-{self.text}-]"
            case "moved":
                return f"[{self.text}←]"
            case "inserted":
                return f"[+{self.text}+]"
        return self.text


@dataclass(frozen=True)
class Row:
    """What an action made of the canvas."""

    action: str
    tokens: tuple[Token, ...]

    @property
    def plain(self) -> str:
        """The row as text."""
        words = ((" " if token.spaced else "") + token.plain for token in self.tokens)
        return "".join(words).strip() or "(nothing)"


def trace_rows(trace: JsonObject) -> list[Row]:
    """Return the first canvas and a row for each action that changed something.

    >>> [row.plain for row in trace_rows({"first": ["<s>", "▁b", "▁a", "</s>"], "steps": [
    ...     {"action": "reposition", "index": [0, 2, 0, 3], "canvas": ["<s>", "▁a", "</s>"]},
    ...     {"action": "placeholders", "count": [0, 2], "canvas": ["<s>", "▁a", "<plh>", "<plh>", "</s>"]},
    ...     {"action": "tokens", "canvas": ["<s>", "▁a", "<plh>", "▁d", "</s>"]},
    ...     {"action": "tokens", "canvas": ["<s>", "▁a", "▁c", "▁d", "</s>"]}]})]
    ['b a', '[a←] [-a-]', 'a ▢ ▢', 'a ▢ [+d+]', 'a [+c+] d']
    """
    canvases = [trace["first"], *(step["canvas"] for step in trace["steps"])]
    reader = _Reader(marks_begins=any(piece.startswith(BEGIN) for canvas in canvases for piece in canvas))
    before = trace["first"]
    rows = [Row("canvas", tuple(reader.tokens(before[1:-1])))]
    for step in trace["steps"]:
        after = step["canvas"]
        if after != before:
            rows.append(Row(step["action"], tuple(reader.marked(step, before, after))))
        before = after
    return rows


@dataclass(frozen=True)
class _Reader:
    """Reads pieces: SentencePiece's ▁ begins a word, BPE's @@ goes on with the next."""

    marks_begins: bool

    def marked(self, step: JsonObject, before: Sequence[str], after: Sequence[str]) -> Iterator[Token]:
        """Yield the tokens after an action, with what it did."""
        if step["action"] == "reposition":
            yield from self._moves(before, step["index"])
            return
        for token, piece in zip(self.tokens(after[1:-1]), _filled(step, before, after), strict=True):
            new = piece == SYMBOLS[PLH] and token.mark != "empty"
            yield replace(token, mark="inserted") if new else token

    def tokens(self, pieces: Sequence[str]) -> Iterator[Token]:
        """Yield the tokens of a canvas."""
        glued = False
        for piece in pieces:
            token = self._token(piece)
            yield replace(token, spaced=token.spaced and not glued)
            glued = piece.endswith(GOES_ON)

    def _moves(self, before: Sequence[str], index: Sequence[int]) -> Iterator[Token]:
        for place in range(1, len(before) - 1):
            source = index[place]
            if source == place:
                yield self._token(before[place])
            elif source == DELETE:
                yield replace(self._token(before[place]), mark="deleted", spaced=True)
            else:
                yield replace(self._token(before[source]), mark="moved", spaced=True)

    def _token(self, piece: str) -> Token:
        if piece == SYMBOLS[PLH]:
            return Token("▢", "empty")
        text = piece.removesuffix(GOES_ON).removeprefix(BEGIN)
        return Token(text or "␣", spaced=piece.startswith(BEGIN) or not self.marks_begins)


def _filled(step: JsonObject, before: Sequence[str], after: Sequence[str]) -> Sequence[str]:
    """Return, for each token, what stood there before it was filled in; placeholders fill in nothing."""
    return before[1:-1] if step["action"] == "tokens" else [""] * (len(after) - 2)
