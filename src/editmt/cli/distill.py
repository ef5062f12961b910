"""`editmt distill`: let a teacher translate the training sources."""

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `distill` to the subcommands."""
    parser = commands.add_parser(
        "distill",
        help="make a teacher's translations the new target side",
        description="Translate the training sources of DATA with the teacher of RUN, and make OUT of it; "
        "the same command again goes on where it was.",
    )
    parser.add_argument(
        "teacher",
        metavar="RUN",
        type=Path,
        help="the teacher's run, or an export of it: faster",
    )
    parser.add_argument("data", metavar="DATA", type=Path, help="the folder that `editmt prepare` made")
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder to make")
    parser.add_argument("--beam", type=int, default=4, metavar="K", help="default 4, as in the paper")
    parser.add_argument(
        "--references",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of the pairs keep their own target, so that the student sees words that people choose (0)",
    )
    parser.add_argument("--part", default="1/1", metavar="I/N", help="translate a part only, such as 2/4")
    parser.add_argument(
        "--threads", type=int, default=0, metavar="N", help="default: as many as there are cores"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Distill, or go on distilling."""
    from editmt.cli.progress import show_progress  # noqa: PLC0415 - other commands need not load these
    from editmt.training.distill import Distillation, Part, distill  # noqa: PLC0415

    job = Distillation(
        options.teacher, options.data, options.out, options.beam, options.references, options.threads
    )
    with show_progress() as progress:
        done = distill(job, Part.parse(options.part), progress)
    if done:
        shutil.rmtree(job.shards, ignore_errors=True)
        print(f"{options.out}: made", file=sys.stderr)
    else:
        print(f"{job.shards}: this part is done, others are missing", file=sys.stderr)
