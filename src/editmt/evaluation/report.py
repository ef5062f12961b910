"""A comparison as tables: for the terminal, Markdown, LaTeX; and as JSON."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from editmt.evaluation.comparison import Cell, Comparison
from editmt.evaluation.metric import Metric, Table
from editmt.evaluation.significance import LEVEL
from editmt.records import JsonObject

TITLES: dict[Table, str] = {
    "quality": "Quality",
    "f1": "F1 of words by frequency",
    "effort": "Edits and iterations",
}
ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}
LEGEND = f"best; not significantly worse than the best (p ≥ {LEVEL})"
SPECIAL = {character: "\\" + character for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "[": "{[}",  # after the end of a row, these two would belong to it
    "*": "{*}",
    "≥": r"$\geq$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}


@dataclass(frozen=True)
class ReportTable:
    """One table: a row for each system, a column for each metric."""

    title: str
    metrics: list[Metric]
    rows: dict[str, list[Cell]]

    @property
    def heads(self) -> list[str]:
        """The columns' heads, with arrows for what is better."""
        return [metric.title + ARROWS[metric.better] for metric in self.metrics]

    def texts(self, name: str) -> Iterator[tuple[str, Cell]]:
        """Yield the numbers of a row as they are shown, each with its cell."""
        for metric, cell in zip(self.metrics, self.rows[name], strict=True):
            yield "–" if math.isnan(cell.score) else f"{cell.score:.{metric.decimals}f}", cell


def make_tables(comparison: Comparison) -> list[ReportTable]:
    """Return the tables that have any column."""
    tables = []
    for table, title in TITLES.items():
        metrics = [metric for metric in comparison.metrics if metric.table == table]
        if metrics:
            names = comparison.cells[metrics[0].name]
            rows = {name: [comparison.cells[metric.name][name] for metric in metrics] for name in names}
            tables.append(ReportTable(title, metrics, rows))
    return tables


def footnotes(comparison: Comparison) -> list[str]:
    """Return what a reader needs to know: the size, the test and every metric's signature."""
    runs = f", {comparison.runs} runs" if comparison.runs > 1 else ""
    size = f"{comparison.sentences:,} sentence{'' if comparison.sentences == 1 else 's'}{runs}"
    signatures = [f"{metric.title}: {metric.signature}" for metric in comparison.metrics]
    return [f"{size}; {comparison.test}", *signatures]


def to_json(comparison: Comparison) -> JsonObject:
    """Return everything; what has no score is null."""
    names = next(iter(comparison.cells.values()))
    return {
        "sentences": comparison.sentences,
        "runs": comparison.runs,
        "test": comparison.test,
        "metrics": {
            metric.name: {"title": metric.title, "better": metric.better, "signature": metric.signature}
            for metric in comparison.metrics
        },
        "systems": {
            name: {
                metric.name: _describe(comparison.cells[metric.name][name]) for metric in comparison.metrics
            }
            for name in names
        },
    }


def to_markdown(comparison: Comparison) -> str:
    """Return Markdown tables: the best bold, what is tied with it underlined."""
    lines = []
    for table in make_tables(comparison):
        lines += [f"**{table.title}**", "", _markdown_row(["system", *table.heads])]
        lines.append(_markdown_row(["---", *("---:" for _ in table.heads)]))
        for name in table.rows:
            marked = (_mark(text, cell, "**{}**", "<u>{}</u>") for text, cell in table.texts(name))
            lines.append(_markdown_row([_escape_markdown(name), *marked]))
        lines.append("")
    lines += [f"**Bold**, <u>underlined</u>: {LEGEND}.", ""]
    return "\n".join([*lines, *(f"- {note.replace('|', chr(92) + '|')}" for note in footnotes(comparison))])


def to_latex(comparison: Comparison) -> str:
    """Return LaTeX tables (booktabs): the best bold, what is tied with it underlined."""
    lines = [f"% {note}" for note in footnotes(comparison)]
    lines.append(f"% bold, underlined: {LEGEND}")
    for table in make_tables(comparison):
        heads = " & ".join(["", *(_escape_latex(head) for head in table.heads)])
        lines += [
            rf"\begin{{tabular}}{{l{'r' * len(table.heads)}}}",
            r"\toprule",
            heads + r" \\",
            r"\midrule",
        ]
        for name in table.rows:
            marked = (
                _mark(text, cell, r"\textbf{{{}}}", r"\underline{{{}}}") for text, cell in table.texts(name)
            )
            lines.append(" & ".join([_escape_latex(name), *marked]) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines)


def _mark(text: str, cell: Cell, best: str, tied: str) -> str:
    if cell.best:
        return best.format(text)
    return tied.format(text) if cell.tied else text


def _describe(cell: Cell) -> JsonObject:
    return {
        "score": _finite(cell.score),
        "runs": [_finite(score) for score in cell.scores],
        "best": cell.best,
        "tied": cell.tied,
        "p": {other: _finite(p) for other, p in cell.p.items()},
    }


def _finite(number: float) -> float | None:
    return None if math.isnan(number) else number


def _markdown_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape_markdown(text: str) -> str:
    return "".join("\\" + character if character in "\\|*_<`[~" else character for character in text)


def _escape_latex(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)
