"""What `editmt explain` shows a person: a row for each action, in colour where there is any."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from editmt.edits import DELETE, Canvas, EditCounts, Placeholders, Reposition, Tokens, Trace
from editmt.text import PLH

DELETED, MOVED, EMPTY, INSERTED = "red strike", "bold blue", "bold yellow", "bold green"
LABEL_WIDTH = 14


def show(trace: Trace, types: Sequence[str]) -> None:
    """Print the trace of one sentence; `types` are the words by id.

    The marks are those of wdiff, and `[word←3]` for a word that comes from the third place, so that
    nothing is lost in a pipe or to a reader who does not see the colours.
    """
    console = Console(highlight=False, soft_wrap=True)
    for name, words in _rows(trace, types):
        line = Text.assemble((name.ljust(LABEL_WIDTH), "dim"))
        line.append_text(Text(" ").join(words) if words else Text("(nothing)", style="dim"))
        line.rstrip()
        console.print(line)
    console.print(_summary(trace.counts))


def _rows(trace: Trace, types: Sequence[str]) -> Iterator[tuple[str, list[Text]]]:
    before = trace.first
    yield "canvas", [Text(types[index]) for index in _words(before)]
    for action, after in trace.steps:
        words = _words(after)
        match action:
            case Reposition(index):
                yield "reposition", list(_moves(_words(before), index[0].tolist(), types))
            case Placeholders():
                yield "placeholders", [_slot(types[word], word) for word in words]
            case Tokens():
                holes = [index == PLH for index in _words(before)]
                pairs = zip(words, holes, strict=True)
                yield "tokens", [_filled(types[word], inserted=hole) for word, hole in pairs]
        before = after


def _moves(words: list[int], index: list[int], types: Sequence[str]) -> Iterator[Text]:
    for place, word in enumerate(words, start=1):
        source = index[place]
        if source == place:
            yield Text(types[word])
        elif source == DELETE:
            yield Text(f"[-{types[word]}-]", style=DELETED)
        else:
            yield Text(f"[{types[words[source - 1]]}←{source}]", style=MOVED)


def _slot(word: str, index: int) -> Text:
    return Text("▢", style=EMPTY) if index == PLH else Text(word)


def _filled(word: str, *, inserted: bool) -> Text:
    return Text(f"[+{word}+]", style=INSERTED) if inserted else Text(word)


def _words(canvas: Canvas) -> list[int]:
    return canvas.rows()[0][1:-1]


def _summary(counts: EditCounts) -> Text:
    parts = [(name, int(count[0])) for name, count in vars(counts).items()]
    total = sum(count for _, count in parts)
    listed = ", ".join(f"{count} {name if count != 1 else name[:-1]}" for name, count in parts)
    return Text(f"{total} edit{'' if total == 1 else 's'}: {listed}")
