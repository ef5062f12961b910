"""`editmt models describe`: how large a model is."""

import argparse
from typing import Any, get_args

from editmt.errors import InputError
from editmt.text import SYMBOLS


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `models` to the subcommands."""
    parser = commands.add_parser("models", help="describe models", description="Describe models.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    describe = actions.add_parser(
        "describe",
        help="print a model's shape and number of parameters",
        description="Print the shape and the number of parameters of a model of a named size.",
    )
    describe.add_argument("preset", metavar="PRESET", help="tiny, small or base (the paper's)")
    describe.add_argument("--vocabulary", type=int, required=True, metavar="N", help="token types, tied")
    describe.add_argument(
        "--kind",
        choices=("editor", "levenshtein", "autoregressive"),
        help="one model only (default: all three)",
    )
    describe.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print a line for each model."""
    import torch  # noqa: PLC0415 - other commands need not load it

    from editmt.config import ModelKind, preset  # noqa: PLC0415
    from editmt.models import count_parameters, make_model  # noqa: PLC0415

    if options.vocabulary <= len(SYMBOLS):
        raise InputError(f"--vocabulary {options.vocabulary}: the special symbols alone are {len(SYMBOLS)}")
    kinds: tuple[ModelKind, ...] = (options.kind,) if options.kind else get_args(ModelKind)
    for kind in kinds:
        config = preset(options.preset, kind)
        with torch.device("meta"):  # no memory: only the shapes count
            count = count_parameters(make_model(config, options.vocabulary, options.vocabulary))
        layers = f"{config.encoder_layers}+{config.decoder_layers} layers"
        shape = f"width {config.width}, feed-forward {config.feedforward}, {config.heads} heads, {layers}"
        print(f"{kind}: {count:,} parameters ({count / 1e6:.1f} M): {shape}")
