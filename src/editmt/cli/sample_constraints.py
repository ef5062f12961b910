"""`editmt sample-constraints`: words of the references as requests for `editmt translate --jsonl`."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from editmt.errors import InputError
from editmt.records import JsonObject, write_json_line

EXAMPLE = """
  editmt sample-constraints test.en test.de --words 1-4 --seed 1 > sample-1.jsonl
  editmt sample-constraints test.en test.ja --words 10 --hard --tokenise none
  editmt sample-constraints --terminology wikt.727.jsonl
"""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `sample-constraints` to the subcommands."""
    parser = commands.add_parser(
        "sample-constraints",
        help="draw words of the references as constraints",
        description="Draw random words of each line of REFERENCE, in random order, as constraints\n"
        "for the translation of SOURCE. Punctuation is drawn as any word, as in the paper.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="SOURCE", nargs="?", type=Path)
    parser.add_argument("reference", metavar="REFERENCE", nargs="?", type=Path)
    parser.add_argument(
        "--terminology",
        type=Path,
        metavar="FILE",
        help='no sample: the terms of JSON lines {"source": …, "terms": [{"target": …}]}',
    )
    parser.add_argument("--words", default="1-4", metavar="N|N-M", help="how many a sentence (default 1-4)")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="default 1; the paper has five samples"
    )
    parser.add_argument("--hard", action="store_true", help="as hard constraints (default: soft)")
    parser.add_argument(
        "--tokenise",
        default="13a",
        metavar="HOW",
        help="what words are: 13a (default), char, none (split at spaces), moses:LANGUAGE (the paper's)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Write a request for each line."""
    if options.seed < 0:
        raise InputError(f"--seed is {options.seed}, and must not be negative")
    if options.terminology is not None and options.source is not None:
        raise InputError("--terminology has sources of its own: give no SOURCE")
    requests = _sample(options) if options.terminology is None else _read_terms(options)
    for request in requests:
        print(write_json_line(request))


def _sample(options: argparse.Namespace) -> Iterator[JsonObject]:
    from editmt.data.lines import AlignedFiles, read_lines  # noqa: PLC0415 - `--help` need not wait
    from editmt.evaluation.samples import Amount, sample_constraints  # noqa: PLC0415
    from editmt.evaluation.words import find_splitter  # noqa: PLC0415

    if options.reference is None:
        raise InputError("SOURCE and REFERENCE are needed (or --terminology)")
    amount, split = Amount.parse(options.words), find_splitter(options.tokenise)
    files = AlignedFiles(options.source, options.reference)
    files.count()  # both are read and compared before anything is written
    pairs = zip(read_lines(options.source), read_lines(options.reference), strict=True)
    return sample_constraints(pairs, split, amount, seed=options.seed, hard=options.hard)


def _read_terms(options: argparse.Namespace) -> Iterator[JsonObject]:
    from editmt.evaluation.samples import read_terminology  # noqa: PLC0415

    requests = list(read_terminology(options.terminology, hard=options.hard))  # all, or nothing is written
    if not requests:
        raise InputError(f"{options.terminology}: there is no line")
    return iter(requests)
