"""`editmt explain`: how the oracle turns one sentence into another, word by word."""

import argparse
import os
import sys
from typing import Any

from editmt.cli.explain_lines import LARGEST_TABLE, TOO_LONG, describe_labels, label_lines
from editmt.cli.explain_view import show
from editmt.edits import Canvas, Oracle, Trace
from editmt.errors import InputError
from editmt.records import JsonObject, write_json_line
from editmt.text import BOS, EOS, SYMBOLS

EXAMPLE = """
  editmt explain "the cat cat sat" "cat sat the mat"
  editmt explain "c b a" "a b c" --json
  echo '{"hypothesis": [0, 5, 4, 2], "reference": [0, 4, 5, 2]}' | editmt explain --jsonl
"""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `explain` to the subcommands."""
    parser = commands.add_parser(
        "explain",
        help="show the edits between two sentences",
        description="Show the cheapest edits that turn HYPOTHESIS into REFERENCE.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("hypothesis", metavar="HYPOTHESIS", nargs="?", help="the sentence to edit, may be ''")
    parser.add_argument("reference", metavar="REFERENCE", nargs="?", help="the sentence to reach")
    parser.add_argument(
        "--levenshtein",
        action="store_true",
        help="insert and delete only, as the Levenshtein Transformer does",
    )
    parser.add_argument(
        "--prefer",
        choices=("delete", "reposition"),
        default="delete",
        help="among equally cheap edits: delete and insert anew, as the authors' code (default), or move",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument(
        "--jsonl",
        action="store_true",
        help="label lines of ids, begin and end symbol included, from standard input",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Explain the given pair, or label the lines of standard input."""
    if options.levenshtein and options.prefer == "reposition":
        raise InputError("--prefer reposition has no meaning with --levenshtein, which moves nothing")
    oracle = Oracle(moves=not options.levenshtein, prefer=options.prefer, compiled=False)
    if options.jsonl:
        if sys.stdin is None:
            raise InputError("standard input is closed")
        if options.hypothesis is not None:
            raise InputError("with --jsonl the pairs come from standard input, not from the command line")
        for line in label_lines(sys.stdin.buffer, oracle):
            sys.stdout.write(line + "\n")
        return
    if options.hypothesis is None or options.reference is None:
        raise InputError("explain needs two sentences, HYPOTHESIS and REFERENCE (or --jsonl)")
    _explain(options.hypothesis, options.reference, oracle, as_json=options.json)


def _explain(hypothesis: str, reference: str, oracle: Oracle, *, as_json: bool) -> None:
    words = _split(hypothesis, "HYPOTHESIS"), _split(reference, "REFERENCE")
    if (len(words[0]) + 3) * (len(words[1]) + 3) > LARGEST_TABLE:
        raise InputError(TOO_LONG)
    types = [*SYMBOLS, *dict.fromkeys(words[0] + words[1])]
    ids = {word: index for index, word in enumerate(types) if index >= len(SYMBOLS)}
    canvas, goal = (Canvas.of([[BOS, *(ids[word] for word in side), EOS]]) for side in words)
    labels = oracle.label(canvas, goal)
    trace = Trace.replay(canvas, labels.actions(goal))
    if not as_json:
        show(trace, types)
        return
    record: JsonObject = {"hypothesis": words[0], "reference": words[1]}
    record |= describe_labels(labels, 0, (len(words[0]) + 2, len(words[1]) + 2), moves=oracle.moves)
    record["counts"] = {name: int(count[0]) for name, count in vars(trace.counts).items()}
    record["steps"] = [
        {"action": type(action).__name__.lower(), "canvas": [types[index] for index in after.rows()[0]]}
        for action, after in trace.steps
    ]
    print(write_json_line(record))


def _split(sentence: str, name: str) -> list[str]:
    try:
        return os.fsencode(sentence).decode("utf-8").split()  # whatever the locale made of it
    except UnicodeDecodeError:
        raise InputError(f"{name} is not valid UTF-8") from None
