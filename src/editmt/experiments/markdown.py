"""The report as Markdown."""

from collections.abc import Iterator, Sequence

from editmt.experiments.claims import LABELS
from editmt.experiments.figures import Figure
from editmt.experiments.summary import headlines, remarks, show_change
from editmt.experiments.tables import NOT_RUN, Cell, Table
from editmt.experiments.traces import trace_rows
from editmt.records import JsonObject

SPECIAL = "\\|*_<`["


def to_markdown(
    results: JsonObject, latency: JsonObject | None, tables: Sequence[Table], figures: Sequence[Figure]
) -> str:
    """Return the whole report."""
    lines = [f"# {results['task']['title']}", ""]
    lines += [f"- **{each.value or NOT_RUN}** {each.label}" for each in headlines(results, latency)]
    lines += ["", *_paragraphs(remarks(results, latency))]
    lines += ["## Does the paper's ordering hold?", "", *_claims(results["claims"]), ""]
    lines += ["## Tables", ""]
    for table in tables:
        lines += [*_table(table), ""]
    lines += ["## Figures", ""]
    for figure in figures:
        picture = f"![{figure.title}](figures/{figure.name}.png)" if figure.svg else f"*{NOT_RUN}*"
        lines += [f"### {figure.title}", "", picture, "", figure.caption, ""]
    lines += ["## Examples", "", *_examples(results["examples"])]
    lines += ["## Models", "", *_models(results["models"]), ""]
    lines += [
        "The commands are in [commands.sh](commands.sh), all numbers in [results.json](results.json).",
        "",
    ]
    return "\n".join(lines)


def _paragraphs(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        yield from (text, "")


def _claims(claims: Sequence[JsonObject]) -> Iterator[str]:
    yield _row(["claim", "here it", "difference", "p", "the paper's"])
    yield _row(["---", "---", "---:", "---:", "---:"])
    for claim in claims:
        yield _row([claim["claim"], claim["verdict"], *claim_numbers(claim)])


def claim_numbers(claim: JsonObject) -> list[str]:
    """Return a claim's numbers as they are shown: our difference, its p-value, the paper's difference."""
    ours = NOT_RUN if claim["difference"] is None else show_change(claim["difference"], 2)
    p = "" if claim["p"] is None else f"{claim['p']:.3f}" if claim["p"] >= 0.001 else "< 0.001"
    paper = "" if claim["paper"] is None else show_change(claim["paper"], 2)
    return [ours, p, paper]


def _table(table: Table) -> Iterator[str]:
    yield from (f"**{table.title}**", "")
    yield _row(table.heads)
    yield _row(["---", *("---:" for _ in table.heads[1:])])
    for label, cells in table.rows:
        yield _row([_escape(label), *map(_cell, cells)])
    for note in table.notes:
        yield from ("", note)


def _cell(cell: Cell) -> str:
    text = f"<u>{cell.text}</u>" if cell.underlined else cell.text
    text = f"**{text}**" if cell.bold else text
    return f"{text} <sub>{cell.paper}</sub>" if cell.paper else text


def _examples(examples: Sequence[JsonObject]) -> Iterator[str]:
    if not examples:
        yield from (f"*{NOT_RUN}*", "")
    for example in examples:
        yield from (f"### Line {example['line']}", "")
        words = ", ".join(f"“{_escape(word)}”" for word in example["constraints"])
        for label, text in (("source", example["source"]), ("reference", example["reference"])):
            yield f"- {label}: {_escape(text)}"
        yield f"- constraints, in this order: {words}"
        for name, answer in example["answers"].items():
            yield f"- {LABELS[name]}: {_escape(answer['text'])}"
        yield ""
        for name, answer in example["answers"].items():
            if answer["trace"] is not None:
                yield from (f"{LABELS[name]}, {answer['iterations']} iterations:", "", "```")
                yield from (f"{row.action:<13} {row.plain}" for row in trace_rows(answer["trace"]))
                yield from ("```", "")


def _models(models: JsonObject) -> Iterator[str]:
    yield _row(["model", "parameters", "steps", "starts from", "configuration"])
    yield _row(["---", "---:", "---:", "---", "---"])
    for name, model in models.items():
        size = f"{model['parameters']:,}" if "parameters" in model else NOT_RUN
        yield _row(
            [name, size, f"{model['steps']:,}", model["starts_from"] or "nothing", f"`{model['config']}`"]
        )


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    return "".join("\\" + character if character in SPECIAL else character for character in text)
