"""A run's curves as a picture: the loss of each head, and validation BLEU."""

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from editmt.training.progress import read_metrics

CURVES_FILE = "curves.png"
SMOOTH = 20
"""Points that one of the training curve is the mean of."""


def draw_curves(run: Path) -> None:
    """Draw `curves.png` from the metrics of a run."""
    mpl.use("agg")  # a file, no window
    records = read_metrics(run)
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_losses(left, records)
    points = [(record["step"], record["bleu"]) for record in records if "bleu" in record]
    right.plot(*zip(*points, strict=True) if points else ([], []), marker="o", markersize=3)
    right.set(xlabel="step", ylabel="BLEU", title="validation BLEU")
    right.grid(alpha=0.3)
    figure.savefig(run / CURVES_FILE, dpi=120)


def _draw_losses(axes: Axes, records: list[dict[str, object]]) -> None:
    steps: list[int] = []
    losses: dict[str, list[float]] = {}
    for record in records:
        if isinstance(record.get("losses"), dict):
            steps.append(int(str(record["step"])))
            for name, loss in dict(record["losses"]).items():  # type: ignore[call-overload]
                losses.setdefault(name, []).append(loss)
    for name, values in losses.items():
        smooth = [
            sum(part) / len(part)
            for end in range(1, len(values) + 1)
            if (part := values[max(0, end - SMOOTH) : end])
        ]
        axes.plot(steps, smooth, label=name)
    axes.set(xlabel="step", ylabel="loss", title=f"training loss, mean of {SMOOTH} points")
    axes.grid(alpha=0.3)
    if losses:
        axes.legend()
