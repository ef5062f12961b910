"""`editmt prepare`: from text files, or a corpus by name, to a folder that training starts from."""

import argparse
from pathlib import Path
from typing import Any

EXAMPLE = """
  editmt prepare data --source train.en --target train.de --valid-source valid.en --valid-target valid.de
  editmt prepare data --recipe multi30k.en-de --mirror ../shared/data
  editmt prepare distilled --source train.en --target teacher.de --text data
"""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `prepare` to the subcommands."""
    parser = commands.add_parser(
        "prepare",
        help="turn text files into ids, ready for training",
        description="Learn subwords from aligned text files, or a corpus by name, and write OUT.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", metavar="OUT", type=Path, help="the folder to make")
    parser.add_argument("--overwrite", action="store_true", help="replace prepared data in OUT")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: one a core)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for drawing the sample (default 1)")
    _add_files(parser.add_argument_group("the text"))
    _add_subwords(parser.add_argument_group("the subwords"))
    filters = parser.add_argument_group("which training pairs to leave out")
    filters.add_argument("--longest", type=int, metavar="N", help="of more tokens on a side (default 250)")
    filters.add_argument("--ratio", type=float, metavar="X", help="with one side over X times the other")
    parser.set_defaults(run=run)


def _add_files(group: "argparse._ArgumentGroup") -> None:
    for split in ("", "valid-", "test-"):
        for side in ("source", "target"):
            name = f"{split or 'training '}{side}".replace("-", " ")
            group.add_argument(f"--{split}{side}", type=Path, metavar="FILE", help=f"the {name} sentences")
    group.add_argument("--recipe", metavar="NAME", help="a corpus by name, such as multi30k.en-de")
    group.add_argument("--mirror", type=Path, metavar="FOLDER", help="take its files from FOLDER/NAME")


def _add_subwords(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("--text", type=Path, metavar="FOLDER", help="learn none: use those of prepared data")
    group.add_argument(
        "--pipeline",
        choices=("sentencepiece", "moses"),
        help="raw text (default) or the paper's Moses and BPE",
    )
    group.add_argument("--size", type=int, metavar="N", help="SentencePiece: token types (default 8000)")
    group.add_argument("--model-type", choices=("bpe", "unigram"), help="SentencePiece: default bpe")
    group.add_argument(
        "--per-side", action="store_true", default=None, help="SentencePiece: a vocabulary for each side"
    )
    group.add_argument("--operations", type=int, metavar="N", help="Moses: BPE merges (default 40000)")
    group.add_argument("--languages", nargs=2, metavar=("SOURCE", "TARGET"), help="Moses: such as en de")
    group.add_argument("--sample", type=int, metavar="N", help="pairs to learn from (default 100000)")


def run(options: argparse.Namespace) -> None:
    """Prepare what the options say."""
    from editmt.cli.prepare_run import run_prepare  # noqa: PLC0415 - `editmt explain` stays fast without

    run_prepare(options)
