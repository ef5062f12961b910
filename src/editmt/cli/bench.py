"""`editmt bench`: how fast a model translates on this machine, beside autoregressive ones of its size."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from editmt.cli.bench_run import Measured

SENTENCES = 32


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `bench` to the subcommands."""
    parser = commands.add_parser(
        "bench",
        help="measure how fast a model translates here",
        description="Translate sentences one by one and as one batch, without terms and with two, beside "
        "autoregressive models of the same size (random weights, the same number of words) on the same "
        "runtime and on CTranslate2, as far as these are installed. All take turns.",
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="made by `editmt export --to cpu` (default: the shipped one)",
    )
    parser.add_argument(
        "--source", type=Path, metavar="FILE", help="sentences to translate (default: some of our own)"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of which the best counts (3)")
    parser.add_argument("--png", type=Path, metavar="FILE", help="also draw it")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Measure, and show."""
    from editmt.cli.bench_run import measure  # noqa: PLC0415 - other commands need not load these

    measured = measure(
        options.model, options.source, most=SENTENCES, threads=options.threads, rounds=options.rounds
    )
    for note in measured.notes:
        print(f"editmt: {note}", file=sys.stderr)
    if options.json:
        print(json.dumps(measured.to_json()))
    else:
        _show(measured)
    if options.png:
        _draw(measured, options.png)


def _show(measured: "Measured") -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(title=measured.title)
    table.add_column("")
    for name in measured.seconds:
        table.add_column(f"{name}: ms", justify="right")
        table.add_column("× ours", justify="right")
    for contestant in measured.contestants:
        cells = []
        for figures in measured.seconds.values():
            ours = figures[measured.contestants[0]]
            cells += [f"{1000 * figures[contestant]:.1f}", f"{figures[contestant] / ours:.2f}"]
        table.add_row(contestant, *cells)
    Console().print(table)


def _draw(measured: "Measured", path: Path) -> None:
    """Draw the times as bars."""
    import matplotlib as mpl  # noqa: PLC0415 - an optional extra

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(1, len(measured.seconds), figsize=(11, 4), layout="constrained", sharey=True)
    for axis, (name, figures) in zip(axes, measured.seconds.items(), strict=True):
        names = list(reversed(measured.contestants))
        bars = axis.barh(names, [1000 * figures[contestant] for contestant in names])
        axis.bar_label(bars, fmt="%.0f", padding=3)
        axis.set(xlabel="ms a sentence", title=name)
    figure.suptitle(measured.title)
    figure.savefig(path, dpi=120)
