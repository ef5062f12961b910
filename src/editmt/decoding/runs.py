"""A text with markup cut into runs, the parts that are translated as one, and a run's hard phrases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from editmt.decoding.pieces import Piece
from editmt.text.markup import Element, Locked, Node, Text, Unit
from editmt.text.phrases import Span, even_spaces, tidy
from editmt.text.sentences import ends_sentence, split_sentences

_TAGS = ("open", "close", "tag")
_PAIRS = ('""', "''", "()", "[]", "“”", "„“", "«»", "‘’", "`'", "``", "»«", "「」")
_WORD = "Unit"
_LONGEST_PHRASE = 20
"""Characters of a unit that is asked for as it is; longer ones have a stand-in."""


@dataclass(frozen=True)
class Slot:
    """A hard phrase of a run, what the model sees of it in the source, and what goes in its place."""

    phrase: str
    shown: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Run:
    """Nodes to translate as one sentence, and what stands before and after them as it is."""

    before: tuple[Piece, ...]
    nodes: tuple[Node, ...]
    after: tuple[Piece, ...] = ()

    @property
    def has_free_words(self) -> bool:
        """Whether there are words outside of elements."""
        return any(isinstance(node, Text) and has_words(node.text) for node in self.nodes)

    @property
    def elements(self) -> list[Element]:
        """The run's elements."""
        return [node for node in self.nodes if isinstance(node, Element)]

    def put_together(self, inner: Sequence[Sequence[Piece]]) -> list[Piece]:
        """Return the run as it is, but for what is inside of its elements."""
        given = iter(inner)
        pieces = list(self.before)
        for node in self.nodes:
            if isinstance(node, Element):
                pieces += [node.open, *next(given), node.close]
            else:
                pieces.append(node.text if isinstance(node, Text) else node.unit)
        return [*pieces, *self.after]


def fill(text: str, slots: Sequence[Slot], places: Sequence[Span]) -> list[Piece]:
    """Return a translation with the slots' pieces in the places of their phrases."""
    pieces: list[Piece] = []
    end = 0
    for place, slot in sorted(zip(places, slots, strict=True), key=lambda pair: pair[0]):
        pieces += [text[end : place[0]], *slot.pieces]
        end = place[1]
    return [*pieces, text[end:]]


def cut_runs(nodes: Sequence[Node]) -> list[Run]:
    """Cut nodes where sentences end, and before and behind tags that no sentence goes beyond."""
    runs: list[Run] = []
    current: list[Node] = []

    def flush() -> None:
        if current:
            runs.append(_make_run(current))
            current.clear()

    for node in nodes:
        if isinstance(node, Text):
            for sentence in _sentences(node.text, goes_on=bool(current)):
                current.append(Text(sentence))
                if ends_sentence(sentence):
                    flush()
        elif isinstance(node, Element) and node.open.breaking:
            flush()
            runs += [Run((node.open,), ()), *cut_runs(node.nodes), Run((node.close,), ())]
        elif isinstance(node, Locked) and node.unit.breaking:
            flush()
            runs.append(Run((node.unit,), ()))
        else:
            current.append(node)
    flush()
    return runs


def _sentences(text: str, *, goes_on: bool) -> list[str]:
    """Cut a text into sentences; if it goes on after a unit, the first may be nothing but a line's end."""
    first, *others = split_sentences(_WORD + text) if goes_on else split_sentences(text)
    return [first.removeprefix(_WORD) if goes_on else first, *others]


def _make_run(nodes: Sequence[Node]) -> Run:
    """Take tags and white space off both ends."""
    left, before = _peel(nodes)
    right, after = _peel(left[::-1], backwards=True)
    return Run(tuple(before), tuple(right[::-1]), tuple(after[::-1]))


def _peel(nodes: Sequence[Node], *, backwards: bool = False) -> tuple[list[Node], list[Piece]]:
    left, peeled = list(nodes), list[Piece]()
    while left:
        node = left[0]
        if isinstance(node, Locked) and node.unit.kind in _TAGS:
            peeled.append(node.unit)
        elif isinstance(node, Text):
            stripped = node.text.rstrip() if backwards else node.text.lstrip()
            space = node.text[len(stripped) :] if backwards else node.text[: len(node.text) - len(stripped)]
            peeled += [space] if space else []
            if stripped:
                return [Text(stripped), *left[1:]], peeled
        else:
            break
        del left[0]
    return left, peeled


def make_slots(run: Run, inner: Sequence[Sequence[Piece]], text: str) -> tuple[list[Slot], str, list[Span]]:
    """Return the run's slots, its source as a model sees it, and where the slots stand there.

    Units that touch each other are one slot, with quotation marks around them. `text` is all of the segment,
    in which no stand-in may stand; `inner` what is inside of the run's elements, translated.
    """
    names = (name for number in count(1) if (name := f"X{number}") not in text)
    short: dict[Span, str] = {}

    def spell(pieces: Sequence[Piece]) -> str:
        return "".join(piece if isinstance(piece, str) else _shorten(piece, short, names) for piece in pieces)

    slots: list[Slot] = []
    spans: list[Span] = []
    source, given = "", iter(inner)
    for item in _group(run.nodes):
        if isinstance(item, Text):
            source += even_spaces(item.text)
            continue
        if isinstance(item, Element):
            content = tuple(next(given))
            phrase, pieces = tidy(spell(content)), (item.open, *content, item.close)
            shown = tidy(spell(list(flatten(item.nodes, tags=False)))) or phrase
        else:
            pieces = tuple(item)
            phrase = shown = tidy(spell(pieces))
        if not phrase:
            phrase = shown = next(names)
        slots.append(Slot(phrase, shown, pieces))
        spans.append((len(source), len(source) + len(shown)))
        source += shown
    return slots, source, spans


def _shorten(unit: Unit, short: dict[Span, str], names: Iterator[str]) -> str:
    """Return the unit itself, or a stand-in where it is long, has spaces, or stands for a document's tag."""
    if unit.span not in short:
        plain = unit.text.isprintable() and not any(map(str.isspace, unit.text))
        short[unit.span] = unit.text if plain and len(unit.text) <= _LONGEST_PHRASE else next(names)
    return short[unit.span]


def _group(nodes: Sequence[Node]) -> list[Text | Element | list[Piece]]:
    """Put units together that touch, or have nothing but marks between them: `%d%%`, `{a}-{b}`, `"%s"`."""
    items: list[Text | Element | list[Piece]] = []
    for node in nodes:
        if not isinstance(node, Locked):
            items.append(node)
            continue
        last = items[-1] if items else None
        if isinstance(last, list):
            last.append(node.unit)
        elif (
            isinstance(last, Text) and len(items) > 1 and isinstance(items[-2], list) and _is_marks(last.text)
        ):
            items.pop()
            items[-1] += [last.text, node.unit]  # type: ignore[operator]  # a list, as was asked
        else:
            items.append([node.unit])
    return _enclose(items)


def _is_marks(text: str) -> bool:
    return not any(character.isspace() or character.isalnum() for character in text)


def _enclose(items: list[Text | Element | list[Piece]]) -> list[Text | Element | list[Piece]]:
    """Draw quotation marks and brackets that stand around units into their slot."""
    for place in range(1, len(items) - 1):
        before, item, after = items[place - 1 : place + 2]
        if isinstance(item, list) and isinstance(before, Text) and isinstance(after, Text):
            pair = before.text[-1:] + after.text[:1]
            if pair in _PAIRS:
                items[place - 1 : place + 2] = [
                    Text(before.text[:-1]),
                    [pair[0], *item, pair[1]],
                    Text(after.text[1:]),
                ]
    return items


def flatten(nodes: Sequence[Node], *, tags: bool = True) -> Iterator[Piece]:
    """Yield the texts and units of nodes in order, with or without the elements' tags."""
    for node in nodes:
        if isinstance(node, Text):
            yield node.text
        elif isinstance(node, Locked):
            yield node.unit
        else:
            yield from (*([node.open] if tags else ()), *flatten(node.nodes, tags=tags))
            yield from [node.close] if tags else ()


def has_words(text: str) -> bool:
    """Tell whether there is a letter in a text."""
    return any(map(str.isalpha, text))
