"""`editmt glossary`: check, convert and try glossaries."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editmt.errors import InputError

if TYPE_CHECKING:
    from editmt.text.glossary import Glossary

EXAMPLE = """
  editmt glossary check terms.csv
  editmt glossary convert terms.csv -o terms.tbx
  editmt glossary match terms.en-de.tsv < sentences.txt
"""
MOST_TOLD = 5
"""Problems of a glossary that `translate` tells; `check` tells all."""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `glossary` to the subcommands."""
    parser = commands.add_parser(
        "glossary",
        help="check, convert and try glossaries",
        description="Glossaries in TSV, CSV, TBX (2 and 3) or JSON lines.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser("check", help="say what is in a glossary, and what is wrong with it")
    check.add_argument("glossary", metavar="FILE", nargs="+", type=Path)
    check.set_defaults(run=run_check)
    convert = actions.add_parser("convert", help="write a glossary in another format")
    convert.add_argument("glossary", metavar="FILE", type=Path)
    convert.add_argument(
        "given_output", metavar="OUTPUT", type=Path, nargs="?", help="*.tsv, *.csv, *.tbx or *.jsonl"
    )
    convert.add_argument(
        "-o", "--output", metavar="OUTPUT", type=Path, help="the same (default: standard output)"
    )
    convert.add_argument("--to", metavar="FORMAT", help="tsv, csv, jsonl, tbx (version 2) or tbx3")
    convert.set_defaults(run=run_convert)
    match = actions.add_parser(
        "match",
        help="find a glossary's terms in sentences",
        description="Find the terms of a glossary in TEXT, or in each line of standard input.\n"
        "A term within or across a longer one is told, too, but not applied.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    match.add_argument("glossary", metavar="FILE", type=Path)
    match.add_argument("text", metavar="TEXT", nargs="?", help="a sentence (default: standard input)")
    match.add_argument("--jsonl", action="store_true", help="an object a line, with all that is known")
    match.set_defaults(run=run_match)
    for action in (check, convert, match):
        add_reading_options(action)


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options on how glossaries are read."""
    reading = parser.add_argument_group("how glossaries are read")
    reading.add_argument(
        "--source-language", default="", metavar="CODE", help="such as en (default: as they say)"
    )
    reading.add_argument(
        "--target-language", default="", metavar="CODE", help="such as de (default: as they say)"
    )
    reading.add_argument(
        "--encoding", metavar="NAME", help="such as shift_jis (default: as their bytes tell)"
    )


def read_glossary(path: Path, options: argparse.Namespace) -> "Glossary":
    """Read a glossary as the options say: only what is of the languages that they name."""
    from editmt.text.glossary import Glossary  # noqa: PLC0415 - `--help` need not wait

    glossary = Glossary.read(
        path,
        source_language=options.source_language,
        target_language=options.target_language,
        encoding=options.encoding,
    )
    chosen = glossary.select(options.source_language, options.target_language)
    if not chosen.entries:
        asked = f"{options.source_language or '?'} → {options.target_language or '?'}"
        pairs = ", ".join(sorted(f"{source or '?'} → {target or '?'}" for source, target in glossary.pairs))
        raise InputError(f"{path}: no terms of {asked} (there are {pairs})")
    return chosen


def tell_problems(glossary: "Glossary", path: Path) -> None:
    """Say on standard error what is wrong with a glossary, the first few rows only."""
    for problem in glossary.problems[:MOST_TOLD]:
        print(f"editmt: {path}: {problem}", file=sys.stderr)
    if len(glossary.problems) > MOST_TOLD:
        more = len(glossary.problems) - MOST_TOLD
        print(f"editmt: {path}: {more} more (see editmt glossary check {path})", file=sys.stderr)


def run_check(options: argparse.Namespace) -> None:
    """Say what is in each glossary; rows that were left out make it an error in the end."""
    from editmt.cli.glossary_view import describe_glossary, describe_problems  # noqa: PLC0415

    left_out = 0
    for path in options.glossary:
        glossary = read_glossary(path, options)
        for line in describe_problems(glossary.problems):
            print(f"{path}: {line}")
        print(f"{path}: {describe_glossary(glossary)}")
        left_out += sum(not problem.used for problem in glossary.problems)
    if left_out:
        raise InputError(f"{left_out} rows were left out")


def run_convert(options: argparse.Namespace) -> None:
    """Write a glossary in the format of the output's name."""
    from editmt.text.glossary.writing import WRITTEN_FORMATS, write_glossary  # noqa: PLC0415

    output = options.output or options.given_output
    if options.output and options.given_output:
        raise InputError("there are two outputs: give one")
    form = options.to or (output.suffix.lower().removeprefix(".") if output else "")
    if form not in WRITTEN_FORMATS:
        raise InputError(f"{form!r} is none of the formats {', '.join(WRITTEN_FORMATS)}: give one by --to")
    glossary = read_glossary(options.glossary, options)
    tell_problems(glossary, options.glossary)
    data = write_glossary(glossary.entries, form).encode()
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        output.write_bytes(data)


def run_match(options: argparse.Namespace) -> None:
    """Print the terms of each line."""
    from editmt.cli.glossary_view import show_matches  # noqa: PLC0415
    from editmt.records import decode_line  # noqa: PLC0415

    glossary = read_glossary(options.glossary, options)
    tell_problems(glossary, options.glossary)
    if options.text is None and sys.stdin is None:
        raise InputError("standard input is closed")
    lines = [options.text] if options.text is not None else map(decode_line, sys.stdin.buffer)
    for number, line in enumerate(lines, start=1):
        for row in show_matches(glossary, line, number, as_json=options.jsonl):
            print(row)
