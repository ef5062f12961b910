"""Systems × metrics: scores, p-values, the best of each metric and what may be behind it by chance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from editmt.evaluation.metric import Metric, Segment
from editmt.evaluation.significance import LEVEL, Bootstrap, bootstrap_p, student_p

Runs = Sequence[Sequence[Segment]]
"""A system's outputs: one, or one for each sample of constraints."""


@dataclass(frozen=True)
class Cell:
    """One system's result by one metric.

    p
        The probability of so large a difference by chance, for each other system.
    best, tied
        Whether it is the best, and whether it is not significantly worse than the best.
    """

    scores: tuple[float, ...]
    p: Mapping[str, float]
    best: bool = False
    tied: bool = False

    @property
    def score(self) -> float:
        """The mean over runs."""
        return sum(self.scores) / len(self.scores)


@dataclass(frozen=True)
class Comparison:
    """All cells, by metric and system, and what the p-values are of."""

    metrics: tuple[Metric, ...]
    cells: Mapping[str, Mapping[str, Cell]]  # metric name → system name → cell
    sentences: int
    runs: int
    test: str


def compare(systems: Mapping[str, Runs], metrics: Sequence[Metric], *, samples: int, seed: int) -> Comparison:
    """Score all systems: paired bootstrap with one run of each, Student's t with several, as in the paper."""
    sentences, runs = {(len(outputs[0]), len(outputs)) for outputs in systems.values()}.pop()
    bootstrap = Bootstrap.draw(sentences, samples=samples, seed=seed) if runs == 1 else None
    test = "Student's t over runs" if bootstrap is None else f"paired bootstrap|samples:{samples}|seed:{seed}"
    cells = {metric.name: compare_by(metric, systems, bootstrap) for metric in metrics}
    return Comparison(tuple(metrics), cells, sentences, runs, test)


def compare_by(metric: Metric, systems: Mapping[str, Runs], bootstrap: Bootstrap | None) -> dict[str, Cell]:
    """Return each system's result by one metric; Student's t without a bootstrap."""
    statistics = {name: [metric.statistics(run) for run in runs] for name, runs in systems.items()}
    scores = {name: tuple(metric.score_rows(rows) for rows in runs) for name, runs in statistics.items()}
    if bootstrap is None:
        p = {name: {other: student_p(scores[name], scores[other]) for other in scores} for name in scores}
    else:
        sampled = {name: bootstrap.scores(metric, runs[0]) for name, runs in statistics.items()}
        p = {
            name: {
                other: bootstrap_p(sampled[name], sampled[other], scores[name][0] - scores[other][0])
                for other in scores
            }
            for name in scores
        }
    return _mark(metric, {name: Cell(scores[name], p[name]) for name in scores})


def _mark(metric: Metric, cells: Mapping[str, Cell]) -> dict[str, Cell]:
    best = _best(metric, cells)
    return {
        name: Cell(
            cell.scores,
            {other: p for other, p in cell.p.items() if other != name},
            best=name == best,
            tied=best is not None and name != best and cell.p[best] >= LEVEL,
        )
        for name, cell in cells.items()
    }


def _best(metric: Metric, cells: Mapping[str, Cell]) -> str | None:
    scored = [name for name, cell in cells.items() if not math.isnan(cell.score)]
    if metric.better == "neither" or not scored:
        return None
    sign = 1 if metric.better == "higher" else -1
    return max(scored, key=lambda name: sign * cells[name].score)
