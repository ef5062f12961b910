"""`editmt train`: one command for any model; the same command again goes on where it was."""

import argparse
import os
from functools import partial
from pathlib import Path
from typing import Any


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `train` to the subcommands."""
    parser = commands.add_parser(
        "train",
        help="train a model from a configuration",
        description="Train a model. On several GPUs: torchrun --nproc-per-node 8 -m editmt train …",
    )
    parser.add_argument("config", metavar="CONFIG", type=Path, help="a TOML file, see configs/")
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="the run's folder")
    parser.add_argument(
        "--set",
        metavar="SECTION.KEY=VALUE",
        action="append",
        default=[],
        help="stands over the configuration; may be repeated",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Train, or go on training."""
    from editmt.config import read_config  # noqa: PLC0415 - other commands need not load torch

    read = partial(read_config, options.config, options.set)
    if "RANK" not in os.environ:
        read()  # alone: a mistake is told before torch is loaded
    import torch  # noqa: PLC0415

    from editmt.training.distributed import join_ranks  # noqa: PLC0415
    from editmt.training.loop import Trainer  # noqa: PLC0415
    from editmt.training.stopping import Stopped  # noqa: PLC0415

    with join_ranks() as ranks:
        config = ranks.together(read)
        if config.run.threads:
            torch.set_num_threads(config.run.threads)
        try:
            ranks.together(partial(Trainer, config, options.out, ranks)).run()
        except Stopped as stopped:
            raise SystemExit(stopped.exit_code) from None
