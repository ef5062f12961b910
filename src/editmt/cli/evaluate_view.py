"""What `editmt evaluate` shows a person: tables, the best bold and what is tied with it underlined."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from editmt.evaluation.comparison import Cell, Comparison
from editmt.evaluation.report import LEGEND, footnotes, make_tables

BEST, TIED = "*", "~"
"""Marks beside the styles, so that nothing is lost in a pipe."""
PIPE_WIDTH = 200


def show(comparison: Comparison) -> None:
    """Print the tables and what they rest on."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=PIPE_WIDTH)
    for report in make_tables(comparison):
        table = Table(title=report.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        table.add_column("")
        for head in report.heads:
            table.add_column(head, justify="right")
        for name in report.rows:
            table.add_row(Text(name), *(_show(text, cell) for text, cell in report.texts(name)))
        console.print(table)
        console.print()
    console.print(f"{BEST} {TIED}  {LEGEND}", style="dim", soft_wrap=True)
    for note in footnotes(comparison):
        console.print(Text(note, style="dim"), soft_wrap=True)


def _show(text: str, cell: Cell) -> Text:
    if cell.best:
        return Text.assemble((text, "bold"), BEST)
    return Text.assemble((text, "underline"), TIED) if cell.tied else Text(text + " ")
