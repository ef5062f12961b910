"""`editmt export`: write a model for another runtime."""

import argparse
import sys
from pathlib import Path
from typing import Any


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `export` to the subcommands."""
    parser = commands.add_parser(
        "export",
        help="write a model for a runtime without torch",
        description="Write the model of a run, or a model's folder, for another runtime. CTranslate2 runs "
        "autoregressive models.",
    )
    parser.add_argument("origin", metavar="RUN_OR_MODEL", type=Path, help="a run's folder, or a model's")
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder to make")
    parser.add_argument("--to", required=True, choices=("ctranslate2",), help="the runtime")
    parser.add_argument(
        "--quantization",
        choices=("none", "int8", "float16"),
        default="none",
        help="int8 is smallest and fastest, float16 half the size (default: none, which translates as we do)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Export, and say so."""
    from editmt.runtime.ctranslate2_export import export  # noqa: PLC0415 - other commands need no torch

    export(options.origin, options.out, options.quantization)
    print(f"{options.out}: made", file=sys.stderr)
