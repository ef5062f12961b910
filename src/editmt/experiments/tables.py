"""The paper's tables from our results: rows and cells, each with the paper's own number beside it.

The marks are the paper's: underlined what is best among all, bold what is best among the edit models, and
with it all that is not significantly worse.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from editmt.evaluation.significance import LEVEL
from editmt.experiments import paper_numbers
from editmt.experiments.conditions import (
    ABLATION,
    CONSTRAINED,
    FORESEEN,
    TERMINOLOGY,
    TRANSLATION,
    Condition,
)
from editmt.records import JsonObject

NOT_RUN = "not run"
MILLION = 1e6


@dataclass(frozen=True)
class Column:
    """A metric: its key in our results and in the paper's numbers, and how it is shown."""

    key: str
    title: str
    paper: str = ""
    decimals: int = 1
    unit: float = 1.0

    def show(self, number: float | None) -> str:
        """Return a number as it is shown.

        >>> PARAMETERS.show(64.9e6), BLEU.show(27.34), BLEU.show(None)
        ('64.9 M', '27.3', 'not run')
        """
        if number is None:
            return NOT_RUN
        return f"{number / self.unit:.{self.decimals}f}" + (" M" if self.unit == MILLION else "")


@dataclass(frozen=True)
class Cell:
    """A number as it is shown, the paper's, and whether it is best among all, or among edit models."""

    text: str
    paper: str = ""
    underlined: bool = False
    bold: bool = False


@dataclass(frozen=True)
class Table:
    """A table as it is shown."""

    name: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    notes: tuple[str, ...] = ()


BLEU, WORDS = Column("bleu", "BLEU ↑", "bleu"), Column("bleu-words", "BLEU, words ↑", "bleu")
RIBES, CPR = Column("ribes", "RIBES ↑", "ribes"), Column("cpr", "CPR ↑", "cpr")
LATENCY = Column("latency", "Latency (ms) ↓", "latency")
PARAMETERS = Column("parameters", "Parameters", "parameters", unit=MILLION)
EFFORT = (
    Column("repositions", "Repos.", "repositions", 2),
    Column("deletions", "Del.", "deletions", 2),
    Column("insertions", "Ins.", "insertions", 2),
    Column("edits", "Total", "edits", 2),
    Column("iterations", "Iter.", "iterations", 2),
)
TERMS = (Column("term", "Term% ↑", "term"), Column("term-lemma", "Term%, lemma ↑"))


@dataclass(frozen=True)
class Numbers:
    """Our numbers and the paper's for the rows of a table.

    systems
        Our conditions' results, as in `results.json`.
    extra
        What is not in these: latency, parameters.
    """

    systems: Mapping[str, JsonObject]
    paper: Mapping[str, Mapping[str, float]]
    extra: Mapping[str, Mapping[str, float]]

    def ours(self, condition: str, metric: str) -> float | None:
        """Return our score, if there is one."""
        if metric in self.extra.get(condition, {}):
            return self.extra[condition][metric]
        score = self.systems.get(condition, {}).get(metric, {}).get("score")
        return None if score is None else float(score)


def make_tables(results: JsonObject, latency: JsonObject | None) -> list[Table]:
    """Return all tables of the report."""
    return [
        _translation(results, latency),
        _constrained(results, latency),
        _effort(results),
        _ablation(results, latency),
        *_terminology(results),
        *_variants(results),
    ]


def _translation(results: JsonObject, latency: JsonObject | None) -> Table:
    extra = _latencies(latency)
    for condition in TRANSLATION:
        count = results["models"].get(condition.model, {}).get("parameters")
        if count is not None:
            extra.setdefault(condition.name, {})["parameters"] = count
    numbers = Numbers(_systems(results["translation"]), _paper(paper_numbers.TRANSLATION, results), extra)
    columns = (PARAMETERS, *_bleus(results["translation"]), RIBES, LATENCY)
    title = "Table 2. Translation without constraints"
    return _table("table-2", title, columns, [*_labelled(TRANSLATION)], numbers)


def _constrained(results: JsonObject, latency: JsonObject | None) -> Table:
    paper = dict(_paper(paper_numbers.CONSTRAINED, results))
    plain = _paper(paper_numbers.TRANSLATION, results).get("editor", {})
    paper["editor"] = {key: plain[key] for key in ("bleu", "ribes", "latency") if key in plain}
    numbers = Numbers(_systems(results["constrained"]), paper, _latencies(latency))
    columns = (*_bleus(results["constrained"]), RIBES, CPR, LATENCY)
    rows = [*_labelled((*CONSTRAINED, *FORESEEN)), ("editor", "EDITOR, no constraints given", True)]
    title = "Table 3. With one to four words of the reference as constraints"
    notes = (*_sample_note(results, "constrained"), _foresight_note(results))
    return _table("table-3", title, columns, rows, numbers, notes)


def _effort(results: JsonObject) -> Table:
    chosen = [each for each in CONSTRAINED if each.edits and each.wish == "soft"]
    numbers = Numbers(_systems(results["constrained"]), _paper(paper_numbers.EFFORT, results), {})
    notes = (
        "A sentence on average, with soft constraints. We count every iteration, the last one, which changes "
        "nothing, too; the authors' code counts from 0, so the paper's is probably one less. Filling a share "
        "of the placeholders at a time takes more passes of the decoder, but no more iterations.",
    )
    return _table("table-4", "Table 4. Edit operations", EFFORT, [*_labelled(chosen)], numbers, notes)


def _ablation(results: JsonObject, latency: JsonObject | None) -> Table:
    numbers = Numbers(
        _systems(results["constrained"]), _paper(paper_numbers.CONSTRAINED, results), _latencies(latency)
    )
    columns = (*_bleus(results["constrained"]), RIBES, CPR, LATENCY)
    title = "Table 5. Without dual-path roll-in, with soft constraints"
    return _table("table-5", title, columns, [*_labelled(ABLATION)], numbers)


def _terminology(results: JsonObject) -> Iterable[Table]:
    for name in results["task"]["terminology"]:
        found = results["terminology"].get(name)
        numbers = Numbers(_systems(found), paper_numbers.TERMINOLOGY.get(name, {}), {})
        prior = paper_numbers.PRIOR_TERMINOLOGY.get(name, {})
        cited = "; ".join(f"{system} {row['term']} / {row['bleu']}" for system, row in prior.items())
        notes = (f"Of others, as the paper cites them (Term% / BLEU): {cited}.",) if cited else ()
        columns = (TERMS[0], *(TERMS[1:] if _has(found, TERMS[1].key) else ()), *_bleus(found))
        rows = [*_labelled(TERMINOLOGY, wishes=True)]
        yield _table(
            f"table-6-{name.lower()}", f"Table 6. Terminology: {name}", columns, rows, numbers, notes
        )


def _variants(results: JsonObject) -> Iterable[Table]:
    names = results["task"]["variants"]
    if not names:
        return
    rows = []
    for name in ("editor", *names):
        found = results["variants"].get(name)
        scores = (found["bleu"], found["soft"]["bleu"], found["soft"]["cpr"]) if found else (None,) * 3
        label = "EDITOR" if name == "editor" else f"EDITOR, {name}"
        rows.append((label, tuple(Cell(BLEU.show(score)) for score in scores)))
    heads = "", "BLEU without ↑", "BLEU with constraints ↑", "CPR ↑"
    notes = ("One sample of constraints; soft, strength 0.",)
    yield Table("recipes", "EDITOR's recipes", heads, tuple(rows), notes)


def _table(
    name: str,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[tuple[str, str, bool]],
    numbers: Numbers,
    notes: Sequence[str] = (),
) -> Table:
    tops = {
        column.key: (
            _top([condition for condition, _, _ in rows], column.key, numbers),
            _top([condition for condition, _, edits in rows if edits], column.key, numbers),
        )
        for column in columns
    }
    shown = tuple(
        (label, tuple(_cell(condition, column, numbers, tops[column.key]) for column in columns))
        for condition, label, _ in rows
    )
    return Table(name, title, ("", *(column.title for column in columns)), shown, tuple(notes))


def _cell(condition: str, column: Column, numbers: Numbers, tops: tuple[set[str], set[str]]) -> Cell:
    paper = numbers.paper.get(condition, {}).get(column.paper) if column.paper else None
    return Cell(
        column.show(numbers.ours(condition, column.key)),
        "" if paper is None else column.show(paper),
        underlined=condition in tops[0],
        bold=condition in tops[1],
    )


def _top(conditions: Sequence[str], metric: str, numbers: Numbers) -> set[str]:
    """Return the best of some conditions, and those not significantly worse; times have no test."""
    scored = {each: numbers.systems[each][metric] for each in conditions if _scored(numbers, each, metric)}
    if len(scored) < 2:
        return set()
    better = {each["better"] for each in scored.values() if "better" in each}
    if better == {"neither"}:
        return set()
    best = max(scored, key=lambda each: float(scored[each]["score"]))
    tied = {each for each, cell in scored.items() if each != best and (cell["p"].get(best) or 0) >= LEVEL}
    return {best} | tied


def _scored(numbers: Numbers, condition: str, metric: str) -> bool:
    return numbers.systems.get(condition, {}).get(metric, {}).get("score") is not None


def _labelled(conditions: Iterable[Condition], *, wishes: bool = False) -> Iterable[tuple[str, str, bool]]:
    for each in conditions:
        soft = wishes and each.wish == "soft" and each.edits
        yield each.name, each.label + (" + soft constraints" if soft else ""), each.edits


def _systems(comparison: JsonObject | None) -> Mapping[str, JsonObject]:
    """Return the systems of a comparison, each number with what is better."""
    if comparison is None:
        return {}
    better = {name: metric["better"] for name, metric in comparison["metrics"].items()}
    return {
        name: {metric: cell | {"better": better[metric]} for metric, cell in cells.items()}
        for name, cells in comparison["systems"].items()
    }


def _paper(table: Mapping[str, paper_numbers.Rows], results: JsonObject) -> Mapping[str, Mapping[str, float]]:
    return table.get(results["task"]["paper"], {})


def _bleus(comparison: JsonObject | None) -> tuple[Column, ...]:
    """Return the columns of BLEU: sacreBLEU's, and the paper's tokenisation where it is another."""
    if _has(comparison, WORDS.key):
        return Column(BLEU.key, BLEU.title), WORDS
    return (BLEU,)


def _has(comparison: JsonObject | None, metric: str) -> bool:
    return comparison is not None and metric in comparison["metrics"]


def _latencies(latency: JsonObject | None) -> dict[str, dict[str, float]]:
    if latency is None:
        return {}
    return {name: {"latency": times["mean"]} for name, times in latency["conditions"].items()}


def _foresight_note(results: JsonObject) -> str:
    return (
        "Foresight is ours, not the paper's: words begin where the model, writing from nothing, finds them "
        f"likeliest; strength {results['task']['strength']:g}."
    )


def _sample_note(results: JsonObject, comparison: str) -> tuple[str, ...]:
    found = results[comparison]
    if found is None:
        return ()
    samples = f"{found['runs']} sample{'' if found['runs'] == 1 else 's'} of constraints"
    return (f"{found['sentences']:,} sentences, {samples}; {found['test']}.",)
