"""The figures: each as PNG, and as SVG whose ink takes the colour of the page it stands in."""

import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from editmt.experiments.conditions import BY_COUNT, CONSTRAINED, FORESEEN, SINGLE_PATH, TRANSLATION, Condition
from editmt.records import JsonObject
from editmt.storage import write_text

INK = "#23272e"
"""Of axes and text; in SVG it becomes the page's own colour, light or dark."""
COLOURS = {"teacher": "#8a8f98", "distilled": "#b08b57", "levenshtein": "#d9822b", "editor": "#2b8fd9"}
COLOURS |= {FORESEEN[1].name: "#3aa76d", FORESEEN[0].name: "#d9a92b"}
SERIES = ("#a564c9", "#d1495b", "#c2a83e", "#3fb8b0")
"""Of what has no colour of its own: none of those."""
STYLES = {"dba-beam4": ":", "dba-beam10": "--"}
SIZE, DPI = (5.0, 3.5), 180
MARGIN = 0.12
"""Around the points, so that their names have room."""
BESIDE = (
    (7, 4, "left"), (7, -6, "left"), (-7, 4, "right"), (-7, -6, "right"), (0, 10, "center"),
    (0, -10, "center"), (7, 12, "left"), (7, -14, "left"), (-7, 12, "right"), (-7, -14, "right"),
    (0, 20, "center"), (0, -20, "center"), (14, 20, "left"), (14, -20, "left"), (-14, 20, "right"),
    (-14, -20, "right"), (0, 30, "center"), (0, -30, "center"), (14, 30, "left"), (14, -30, "left"),
    (-14, 30, "right"), (-14, -30, "right"),
)  # fmt: skip
"""Where a point's name may stand: how far from it, in points, and with which end; the best first."""
ROUNDS = 3
"""So often each name looks for the best place, the others being where they are."""
NAMES = {"teacher": "AR", "distilled": "AR distilled", "levenshtein": "LevT", "editor": "EDITOR"}
NAMES |= {"single_path": SINGLE_PATH.label, **{each.name: each.label for each in FORESEEN}}
"""Of models and recipes, as the tables have them."""


@dataclass(frozen=True)
class Figure:
    """A figure: what it shows, and its drawing, if there is anything to draw yet."""

    name: str
    title: str
    caption: str
    svg: str | None


Draw = Callable[[Axes], bool]


def make_figures(results: JsonObject, latency: JsonObject | None, folder: Path) -> list[Figure]:
    """Draw all figures into the folder, as PNG and SVG; those without any number yet are left out there."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: Sequence[tuple[str, str, str, Draw]] = (
        (
            "speed",
            "Quality against time",
            "BLEU with constraints against milliseconds a sentence; towards the upper left is better. "
            "Hollow: the same model without constraints.",
            lambda axes: _draw_speed(axes, results, latency),
        ),
        (
            "constraints",
            "BLEU by number of constraints",
            "The paper's Figure 5: words of the reference given, one sample each. Foresight is ours.",
            lambda axes: _draw_counts(axes, results),
        ),
        (
            "strength",
            "BLEU against preserved constraints",
            "A curve is a recipe of EDITOR, or a model with foresight; its points are strengths of soft "
            "constraints (0: the paper's).",
            lambda axes: _draw_strengths(axes, results),
        ),
        (
            "f1",
            "F1 of words by frequency",
            "The paper's Figure 6: words of the output by how often they stand in the references, with soft "
            "constraints (AR: DBA).",
            lambda axes: _draw_f1(axes, results),
        ),
        (
            "learning",
            "Learning curves",
            "BLEU on the validation set by step.",
            lambda axes: _draw_learning(axes, results),
        ),
    )
    return [Figure(name, title, caption, _save(folder, name, draw)) for name, title, caption, draw in wanted]


def _save(folder: Path, name: str, draw: Draw) -> str | None:
    """Draw one figure, and return its SVG; None, and no file, if there is nothing to draw."""
    paths = {ending: folder / f"{name}.{ending}" for ending in ("png", "svg")}
    settings = {
        "svg.fonttype": "none", "svg.hashsalt": name, "font.family": "sans-serif", "font.size": 10,
        "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK, "xtick.color": INK,
        "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    }  # fmt: skip
    with mpl.rc_context(settings):  # type: ignore[arg-type]
        mpl.use("agg")  # a file, no window
        drawing = Drawing(figsize=SIZE, layout="constrained")
        axes = drawing.subplots()
        if not draw(axes):
            for path in paths.values():
                path.unlink(missing_ok=True)
            return None
        axes.grid(alpha=0.25)
        drawing.savefig(paths["png"], dpi=DPI, facecolor="white", metadata={"Software": None})
        written = io.StringIO()
        drawing.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = written.getvalue().replace(INK, "currentColor")
    write_text(paths["svg"], svg)
    return svg[svg.index("<svg") :]


def _draw_speed(axes: Axes, results: JsonObject, latency: JsonObject | None) -> bool:
    times = {} if latency is None else latency["conditions"]
    labels = []
    for comparison, conditions in (("constrained", (*CONSTRAINED, *FORESEEN)), ("translation", TRANSLATION)):
        for condition in conditions:
            score = _score(results[comparison], condition.name, "bleu")
            if score is None or not times.get(condition.name, {}).get("mean"):
                continue
            colour = COLOURS.get(condition.model, INK)
            filled = colour if comparison == "constrained" else "none"
            place = (times[condition.name]["mean"], score)
            axes.scatter(*place, s=60, facecolors=filled, edgecolors=colour, zorder=3)
            labels.append(
                axes.annotate(
                    condition.label, place, (7, 4), textcoords="offset points", fontsize=9, color=INK
                )
            )
    if not labels:
        return False
    axes.set_xscale("log")
    axes.margins(x=2 * MARGIN, y=MARGIN)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(_sparse_minor)
    axes.set(xlabel="milliseconds a sentence (logarithmic)", ylabel="BLEU")
    _spread(axes, labels)
    return True


def _spread(axes: Axes, labels: Sequence[Annotation]) -> None:
    """Put each label within the axes where it covers least, and stands nearer to its point than to another.

    What it may cover are points, other labels, and the axes' own.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    for label in labels:
        label.set_in_layout(False)  # else the points move as labels do
    figure.draw_without_rendering()  # so that it is known where the points are
    inside = axes.get_window_extent()
    dots = axes.transData.transform([label.xy for label in labels])
    radius = 4 * figure.dpi / 72
    taken = [Bbox.from_extents(x - radius, y - radius, x + radius, y + radius) for x, y in dots]
    taken += [box for axis in (axes.xaxis, axes.yaxis) if (box := axis.get_tightbbox())]
    boxes: dict[Annotation, Bbox] = {}
    for _ in range(ROUNDS):
        for label, own in zip(labels, dots, strict=True):
            others = [*taken, *(box for each, box in boxes.items() if each is not label)]
            there = {place: _box_at(label, place) for place in BESIDE}
            cost = {
                place: (
                    not _holds(inside, box),
                    2 * box.count_overlaps(others) + _seems_anothers(box, own, dots),
                )
                for place, box in there.items()
            }
            boxes[label] = _box_at(label, min(BESIDE, key=cost.__getitem__))


def _seems_anothers(box: Bbox, own: Sequence[float], dots: Iterable[Sequence[float]]) -> bool:
    """Tell whether a label there is nearer to another point than to its own."""
    return any(_distance(box, dot) < _distance(box, own) for dot in dots)


def _distance(box: Bbox, dot: Sequence[float]) -> float:
    """Return how far a point is from a box."""
    x, y = (max(low - at, 0.0, at - high) for low, at, high in zip(box.min, dot, box.max, strict=True))
    return math.hypot(x, y)


def _box_at(label: Annotation, place: tuple[int, int, str]) -> Bbox:
    """Put a label somewhere, and return what it covers there."""
    x, y, side = place
    label.set(position=(x, y), ha=side, va="center")
    return label.get_window_extent()


def _holds(outer: Bbox, inner: Bbox) -> bool:
    return outer.contains(*inner.min) and outer.contains(*inner.max)


def _sparse_minor(value: float, _place: float) -> str:
    """Label 2 and 5 of each decade, no more."""
    return f"{value:g}" if f"{value:e}"[0] in "25" else ""


def _draw_counts(axes: Axes, results: JsonObject) -> bool:
    for condition in BY_COUNT:
        points = results["counts"].get(condition.name)
        if points:
            counts = [int(count) for count in points]
            scores = [point["bleu"] for point in points.values()]
            axes.plot(counts, scores, marker="o", label=condition.label, **_style(condition))
            axes.set_xticks(counts)
    axes.set(xlabel="constraints a sentence", ylabel="BLEU")
    return _legend(axes)


def _draw_strengths(axes: Axes, results: JsonObject) -> bool:
    curves = results["strengths"]
    labels = []
    for (name, points), colour in zip(curves.items(), _colours(curves), strict=True):
        label = NAMES.get(name, f"EDITOR, {name}")
        places = [(point["cpr"], point["bleu"]) for point in points]
        axes.plot(*zip(*places, strict=True), marker="o", label=label, color=colour)
        labels += [
            axes.annotate(
                f"{point['strength']:g}", place, (4, 5), textcoords="offset points", fontsize=9, color=INK
            )
            for point, place in zip(points, places, strict=True)
        ]
    axes.margins(MARGIN)
    axes.set(xlabel="constraints preserved (CPR, %)", ylabel="BLEU")
    if not _legend(axes):
        return False
    _spread(axes, labels)
    return True


def _draw_f1(axes: Axes, results: JsonObject) -> bool:
    comparison = results["constrained"]
    names = [] if comparison is None else [name for name in comparison["metrics"] if name.startswith("f1-")]
    systems = [condition.name for condition in BY_COUNT]
    metrics = [name for name in names if any(_score(comparison, each, name) is not None for each in systems)]
    for condition in BY_COUNT:
        scores = [_score(comparison, condition.name, metric) for metric in metrics]
        known = [(place, score) for place, score in enumerate(scores) if score is not None]
        if known:
            axes.plot(*zip(*known, strict=True), marker="o", label=condition.label, **_style(condition))
    if metrics:
        titles = [comparison["metrics"][metric]["title"].removeprefix("F1 ") for metric in metrics]
        axes.set_xticks(range(len(metrics)), titles)
    axes.set(xlabel="how often the word stands in the references", ylabel="F1")
    return _legend(axes)


def _draw_learning(axes: Axes, results: JsonObject) -> bool:
    trained = {
        name: model["validation"] for name, model in results["models"].items() if model.get("validation")
    }
    for (name, points), colour in zip(trained.items(), _colours(trained), strict=True):
        label = NAMES.get(name, f"EDITOR, {name}")
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=label, color=colour)
    axes.set(xlabel="step", ylabel="validation BLEU")
    return _legend(axes)


def _score(comparison: JsonObject | None, condition: str, metric: str) -> float | None:
    systems: Mapping[str, Any] = {} if comparison is None else comparison["systems"]
    score = systems.get(condition, {}).get(metric, {}).get("score")
    return None if score is None else float(score)


def _style(condition: Condition) -> dict[str, Any]:
    colour = COLOURS.get(condition.name) or COLOURS.get(condition.model, INK)
    return {"color": colour, "linestyle": STYLES.get(condition.name, "-")}


def _colours(names: Iterable[str]) -> list[str]:
    """Return the colour of each curve: a model's own, which it has in all figures, or one of the others."""
    others = cycle(SERIES)
    return [COLOURS.get(name) or next(others) for name in names]


def _legend(axes: Axes) -> bool:
    """Add the legend, if there is anything in it."""
    handles, _ = axes.get_legend_handles_labels()
    if handles:
        # above the axes, where it covers no line
        axes.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return bool(handles)
