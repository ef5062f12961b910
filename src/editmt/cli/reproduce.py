"""`editmt reproduce`: the paper's experiments on a task, from raw text to a report."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editmt.errors import InputError

if TYPE_CHECKING:
    from editmt.experiments.plan import Planner
    from editmt.experiments.task import Task

EXAMPLE = """
  editmt reproduce multi30k.en-de --dry-run
  editmt reproduce multi30k.en-de --mirror ../shared/data
  editmt reproduce multi30k.en-de --report
  editmt reproduce my-task.toml
  editmt reproduce multi30k.en-de --scale paper
"""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `reproduce` to the subcommands."""
    parser = commands.add_parser(
        "reproduce",
        help="run the paper's experiments, and write a report",
        description="Prepare, train, distil, decode and measure all that the paper's tables and figures\n"
        "need, and write experiments/NAME/report.html. The same command again goes on where it was.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("task", metavar="TASK", help="a folder of experiments/, or a task's TOML file")
    parser.add_argument(
        "--scale",
        choices=("cpu", "paper"),
        help="cpu: run it here (default); paper: write commands and configurations for the paper's own "
        "corpora and eight GPUs",
    )
    parser.add_argument(
        "--mirror", type=Path, metavar="FOLDER", help="where the corpora are (default: as the task says)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--dry-run", action="store_true", help="show the steps, with about how long they take")
    form.add_argument(
        "--report", action="store_true", help="only write the report, of what has been run so far"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Do what is not done yet."""
    from editmt.experiments.plan import Planner  # noqa: PLC0415 - other commands need not load these
    from editmt.experiments.task import find_task, keep_task, read_task  # noqa: PLC0415

    task = read_task(find_task(options.task), options.mirror)
    if options.scale == "paper":
        if options.report:
            raise InputError("--report has no meaning with --scale paper, which runs nothing")
        _write_paper_scale(task, dry_run=options.dry_run)
        return
    if options.scale == "cpu" and task.scale == "paper":
        raise InputError(f"task {task.name} is of the paper's size: --scale paper writes its commands")
    planner = Planner.of(task)
    if options.dry_run:
        from editmt.cli.reproduce_view import show_plan  # noqa: PLC0415

        show_plan(planner.steps(), task)
    elif options.report:
        from editmt.experiments.publish import publish  # noqa: PLC0415

        publish(planner.places, planner.models)
        print(f"{task.results / 'report.html'}: written", file=sys.stderr)
    else:
        keep_task(find_task(options.task), task)
        _run(planner)


def _run(planner: "Planner") -> None:
    from editmt.experiments.runner import run_plan  # noqa: PLC0415

    run_plan(
        planner.steps(), planner.places, lambda text: print(f"editmt: {text}", file=sys.stderr, flush=True)
    )
    print(f"{planner.places.task.results / 'report.html'}: written", file=sys.stderr)


def _write_paper_scale(task: "Task", *, dry_run: bool) -> None:
    from editmt.experiments.paper_scale import find_paper_task, write_paper_scale  # noqa: PLC0415
    from editmt.experiments.plan import Planner  # noqa: PLC0415

    wanted = find_paper_task(task)
    if dry_run:
        from editmt.cli.reproduce_view import show_plan  # noqa: PLC0415

        show_plan(Planner.of(wanted).steps(), wanted)
    else:
        print(f"{write_paper_scale(wanted)}: written", file=sys.stderr)
