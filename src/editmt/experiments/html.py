"""The report as one HTML page: nothing is loaded from anywhere, light and dark, wide and narrow."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from editmt.experiments.claims import LABELS
from editmt.experiments.figures import Figure
from editmt.experiments.markdown import claim_numbers
from editmt.experiments.summary import headlines, remarks
from editmt.experiments.tables import NOT_RUN, Cell, Table
from editmt.experiments.traces import Row, trace_rows
from editmt.records import JsonObject

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What the page may load: nothing, and the browser sees to it."""
STYLE_FILE = "report.css"


def to_html(
    results: JsonObject, latency: JsonObject | None, tables: Sequence[Table], figures: Sequence[Figure]
) -> str:
    """Return the whole page."""
    title = escape(results["task"]["title"])
    sections = [
        _header(results, latency),
        _section("ordering", "Does the paper’s ordering hold?", _claims(results["claims"])),
        _section("figures", "Figures", _figures(figures)),
        _section("tables", "Tables", "".join(map(_table, tables))),
        _section("examples", "Examples", _examples(results["examples"])),
        _section("models", "Models", _models(results["models"])),
    ]
    style = files("editmt.experiments").joinpath(STYLE_FILE).read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} – EditMT</title><style>\n{style}</style></head>\n<body>\n"
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


def _header(results: JsonObject, latency: JsonObject | None) -> str:
    cards = "".join(
        f'<div class="card"><b{"" if each.value else absent}>{escape(each.value or NOT_RUN)}</b>'
        f"<span>{escape(each.label)}</span></div>"
        for each in headlines(results, latency)
        for absent in (' class="absent"',)
    )
    notes = "".join(f"<p>{escape(note)}</p>" for note in remarks(results, latency))
    title = escape(results["task"]["title"])
    return (
        f'<header><p class="brand">EditMT · the experiments of EDITOR</p><h1>{title}</h1>'
        f'<div class="cards">{cards}</div><div class="notes">{notes}</div></header>'
    )


def _section(name: str, title: str, content: str) -> str:
    return f'<section id="{name}"><h2>{title}</h2>{content}</section>'


def _claims(claims: Sequence[JsonObject]) -> str:
    rows = []
    for claim in claims:
        numbers = "".join(f"<td>{escape(number)}</td>" for number in claim_numbers(claim))
        kind = claim["verdict"].split(",")[0].replace(" ", "-")
        weak = " weak" if "not significantly" in claim["verdict"] else ""
        rows.append(
            f"<tr><th>{escape(claim['claim'])}</th>"
            f'<td><span class="verdict {kind}{weak}">{escape(claim["verdict"])}</span></td>{numbers}</tr>'
        )
    heads = "".join(f"<th>{head}</th>" for head in ("", "here it", "difference", "p", "paper"))
    return _scrolled(
        f'<table class="claims"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    )


def _table(table: Table) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in table.heads)
    rows = "".join(
        f"<tr><th>{escape(label)}</th>{''.join(map(_cell, cells))}</tr>" for label, cells in table.rows
    )
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    body = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<h3 id="{escape(table.name)}">{escape(table.title)}</h3>{_scrolled(body)}{notes}'


def _cell(cell: Cell) -> str:
    text = f"<u>{escape(cell.text)}</u>" if cell.underlined else escape(cell.text)
    text = f"<b>{text}</b>" if cell.bold else text
    absent = ' class="absent"' if cell.text == NOT_RUN else ""
    paper = f'<small title="the paper’s">{escape(cell.paper)}</small>' if cell.paper else ""
    return f"<td{absent}>{text}{paper}</td>"


def _figures(figures: Sequence[Figure]) -> str:
    return '<div class="figures">' + "".join(map(_figure, figures)) + "</div>"


def _figure(figure: Figure) -> str:
    drawing = figure.svg or f'<p class="absent">{NOT_RUN}</p>'
    caption = f"<figcaption><b>{escape(figure.title)}.</b> {escape(figure.caption)}</figcaption>"
    return f'<figure aria-label="{escape(figure.title)}">{drawing}{caption}</figure>'


def _examples(examples: Sequence[JsonObject]) -> str:
    return "".join(map(_example, examples)) or f'<p class="absent">{NOT_RUN}</p>'


def _example(example: JsonObject) -> str:
    words = " ".join(f'<span class="term">{escape(word)}</span>' for word in example["constraints"])
    given = [
        ("source", escape(example["source"])),
        ("reference", escape(example["reference"])),
        ("constraints", words),
    ]
    answers = [(LABELS[name], escape(answer["text"])) for name, answer in example["answers"].items()]
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{text}</dd>" for label, text in (*given, *answers))
    traces = "".join(_trace(LABELS[name], answer) for name, answer in example["answers"].items())
    return f"<article><h3>Line {example['line']} of the test set</h3><dl>{rows}</dl>{traces}</article>"


def _trace(label: str, answer: JsonObject) -> str:
    if answer["trace"] is None:
        return ""
    rows = "".join(map(_trace_row, trace_rows(answer["trace"])))
    head = f"{escape(label)}: {_counts({'iterations': answer['iterations'], **answer['counts']})}"
    table = _scrolled(f'<table class="trace">{rows}</table>')
    return f"<details open><summary>{head}</summary>{table}</details>"


def _trace_row(row: Row) -> str:
    tokens = "".join(_tokens(row)) or '<span class="absent">(nothing)</span>'
    return f"<tr><th>{row.action}</th><td>{tokens}</td></tr>"


def _tokens(row: Row) -> Iterator[str]:
    for token in row.tokens:
        text = escape(token.text)
        yield " " if token.spaced else ""
        yield f'<span class="{token.mark}">{text}</span>' if token.mark else text


def _counts(counts: JsonObject) -> str:
    """Return numbers with their names, which are plurals.

    >>> _counts({"iterations": 1, "deletions": 2})
    '1 iteration, 2 deletions'
    """
    return ", ".join(
        f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in counts.items()
    )


def _models(models: JsonObject) -> str:
    rows = []
    for name, model in models.items():
        trained = "parameters" in model
        size = f"{model['parameters']:,}" if trained else NOT_RUN
        rows.append(
            f"<tr><th>{escape(name)}</th><td{'' if trained else ' class=absent'}>{size}</td>"
            f"<td>{model['steps']:,}</td><td>{escape(model['starts_from'] or 'nothing')}</td>"
            f"<td>{escape(model['config'])}</td></tr>"
        )
    heads = "".join(
        f"<th>{head}</th>" for head in ("", "parameters", "steps", "starts from", "configuration")
    )
    body = f'<table class="models"><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return _scrolled(body) + (
        '<p class="note">All numbers are in results.json and latency.json beside this page, the commands in '
        "commands.sh.</p>"
    )


def _scrolled(table: str) -> str:
    return f'<div class="scroll">{table}</div>'
