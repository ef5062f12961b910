"""`editmt export`: write a model for another runtime."""

import argparse
import sys
from pathlib import Path
from typing import Any

from editmt.errors import InputError
from editmt.storage import read_text

DECODING = ("penalty", "length_quantile", "fill_share", "strength", "foresight")
"""What may be said of how a model is to translate."""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `export` to the subcommands."""
    parser = commands.add_parser(
        "export",
        help="write a model for a runtime without torch",
        description="Write the model of a run, or a model's folder, for another runtime. CTranslate2 runs "
        "autoregressive models, our own CPU runtime (ONNX Runtime) all; torch is a model's own "
        "folder, to train on from.",
    )
    parser.add_argument("origin", metavar="RUN_OR_MODEL", type=Path, help="a run's folder, or a model's")
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder to make")
    parser.add_argument("--to", required=True, choices=("cpu", "ctranslate2", "torch"), help="the runtime")
    parser.add_argument(
        "--precision",
        action="append",
        choices=("int8", "float16", "float32"),
        help="of the weights: int8 is smallest and fastest, float32 translates as we do. Our own "
        "runtime takes several (default: int8, float32), others one (default: float32), or float16",
    )
    parser.add_argument(
        "--strength",
        type=float,
        metavar="S",
        help="with --to cpu: what the loss of a term costs this model, if the user does not say (0)",
    )
    parser.add_argument(
        "--penalty",
        type=float,
        metavar="γ",
        help="with --to cpu: what inserting nothing costs this model, if the user does not say "
        "(default: what was chosen at its training's end, or 0)",
    )
    parser.add_argument(
        "--length-quantile",
        type=float,
        metavar="Q",
        help="with --to cpu: how sure its first canvas is to be long enough, if the user does not say "
        "(default: what was chosen at its training's end, or 0: the likeliest length)",
    )
    parser.add_argument(
        "--fill-share",
        type=float,
        metavar="F",
        help="with --to cpu: the share of placeholders that it fills at a time, if the user does not say "
        "(default: what was chosen at its training's end, or 1: all at once)",
    )
    parser.add_argument(
        "--foresight",
        type=float,
        metavar="F",
        help="with --to cpu: of the length that the model foresees, how much it first writes around terms, "
        "where it foresees these, if the user does not say (default: what was chosen at its training's end, "
        "or 0: it does not look)",
    )
    parser.add_argument(
        "--shortlist",
        type=Path,
        metavar="DATA",
        help="with --to cpu: learn from prepared data which words are likely, for `translate --shortlist`",
    )
    parser.add_argument("--card", type=Path, metavar="FILE", help="the model card (Markdown) to go with it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Export, and say so."""
    if options.to == "cpu":
        _export_cpu(options)
    else:
        _export_one(options)
    print(f"{options.out}: made", file=sys.stderr)


def _export_cpu(options: argparse.Namespace) -> None:
    from editmt.models.saved import read_decoding  # noqa: PLC0415 - others need no torch
    from editmt.runtime.cpu_export import ExportSettings, export  # noqa: PLC0415
    from editmt.storage import find_model  # noqa: PLC0415

    precisions = options.precision or ["int8", "float32"]
    if "float16" in precisions:
        raise InputError("the CPU runtime has int8 and float32 weights, not float16")
    card = read_text(options.card) if options.card else None
    given = {name: value for name in DECODING if (value := getattr(options, name)) is not None}
    decoding = read_decoding(find_model(options.origin)).given(given)
    export(options.origin, options.out, ExportSettings(precisions, card, decoding, options.shortlist))


def _export_one(options: argparse.Namespace) -> None:
    """Export to a runtime that has one precision, and nothing but a model."""
    precisions = options.precision or ["float32"]
    if len(precisions) > 1:
        raise InputError(f"an export to {options.to} has weights of one precision")
    own = (*DECODING, "card", "shortlist")
    if any(getattr(options, name) is not None for name in own):
        raise InputError(f"{', '.join('--' + name.replace('_', '-') for name in own)} go with --to cpu")
    if options.to == "torch":
        from editmt.models.saved import copy_model  # noqa: PLC0415 - others need no torch

        copy_model(options.origin, options.out, precisions[0])
    else:
        from editmt.runtime.ctranslate2_export import export  # noqa: PLC0415 - an optional extra

        export(options.origin, options.out, precisions[0])
