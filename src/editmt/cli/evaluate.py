"""`editmt evaluate`: systems' outputs against references, in one table."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editmt.errors import InputError
from editmt.records import write_json_line

if TYPE_CHECKING:
    from editmt.evaluation.comparison import Runs
    from editmt.evaluation.systems import TestSet

MOST_SAMPLES = 10_000
"""Of the bootstrap; all of them are in memory at once."""

EXAMPLE = """
  editmt evaluate --reference test.de editor=editor.de teacher=teacher.de
  editmt evaluate --reference test.de --constraints sample-1.jsonl soft=soft.jsonl hard=hard.jsonl --markdown
  editmt evaluate --reference test.de --constraints s1.jsonl --constraints s2.jsonl \\
      editor=e1.jsonl,e2.jsonl levenshtein=l1.jsonl,l2.jsonl
"""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `evaluate` to the subcommands."""
    parser = commands.add_parser(
        "evaluate",
        help="compare systems: BLEU, RIBES, constraints, edits, with significance",
        description="Score the outputs of systems against references. Files named .jsonl hold JSON lines\n"
        "(answers of `editmt translate --jsonl`, requests), all others lines of text. Several outputs of a\n"
        "system, separated by commas, are its runs on several samples of constraints.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("systems", metavar="SYSTEM=OUTPUT[,OUTPUT…]", nargs="+", help="a name and its output")
    parser.add_argument("--reference", type=Path, required=True, metavar="FILE")
    parser.add_argument(
        "--source", type=Path, metavar="FILE", help="to check that the constraints belong to it"
    )
    parser.add_argument(
        "--constraints",
        type=Path,
        action="append",
        default=[],
        metavar="REQUESTS.jsonl",
        help="what was asked for; once, or once for each run",
    )
    _add_options(parser)
    parser.set_defaults(run=run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    how = parser.add_argument_group("how")
    how.add_argument(
        "--metrics", metavar="NAMES", help="separated by commas (default: all that the files allow)"
    )
    how.add_argument(
        "--tokenise",
        default="13a",
        metavar="HOW",
        help="words for RIBES, F1 and BLEU (words): 13a (default), char, none (split at spaces), "
        "moses:LANGUAGE (the paper's)",
    )
    how.add_argument("--lemmas", metavar="LANGUAGE", help="count terms by lemma, too")
    how.add_argument("--samples", type=int, default=1000, metavar="N", help="of the bootstrap (default 1000)")
    how.add_argument("--seed", type=int, default=1, metavar="N", help="of the bootstrap (default 1)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object, with all p-values")
    form.add_argument("--markdown", action="store_true", help="print Markdown")
    form.add_argument("--latex", action="store_true", help="print LaTeX")


def run(options: argparse.Namespace) -> None:
    """Read everything, compare, print."""
    from editmt.evaluation.comparison import compare  # noqa: PLC0415 - `--help` need not wait
    from editmt.evaluation.metrics import choose_metrics, fitting_metrics  # noqa: PLC0415
    from editmt.evaluation.report import to_json, to_latex, to_markdown  # noqa: PLC0415
    from editmt.evaluation.systems import TestSet  # noqa: PLC0415
    from editmt.evaluation.words import find_splitter  # noqa: PLC0415

    _check(options)
    files = parse_systems(options.systems)
    test_set = TestSet.read(options.reference, find_splitter(options.tokenise))
    systems = _read_systems(files, test_set, options)
    metrics = fitting_metrics(systems, test_set, options.tokenise, options.lemmas)
    names = [] if options.metrics is None else options.metrics.split(",")
    comparison = compare(systems, choose_metrics(metrics, names), samples=options.samples, seed=options.seed)
    if options.json:
        print(write_json_line(to_json(comparison)))
    elif options.markdown:
        print(to_markdown(comparison))
    elif options.latex:
        print(to_latex(comparison))
    else:
        from editmt.cli.evaluate_view import show  # noqa: PLC0415

        show(comparison)


def _check(options: argparse.Namespace) -> None:
    """Refuse what argparse does not."""
    if not 1 <= options.samples <= MOST_SAMPLES:
        raise InputError(f"--samples must be from 1 to {MOST_SAMPLES:,}")
    if options.seed < 0:
        raise InputError("--seed must not be negative")
    if options.lemmas is not None and not options.constraints:
        raise InputError("--lemmas is for terms: it needs --constraints")


def parse_systems(given: Sequence[str]) -> dict[str, list[Path]]:
    """Read `name=output,output`; all systems have the same number of outputs.

    >>> parse_systems(["a=x.de,y.de"]) == {"a": [Path("x.de"), Path("y.de")]}
    True
    """
    systems: dict[str, list[Path]] = {}
    for item in given:
        name, _, outputs = item.partition("=")
        if not name or not all(outputs.split(",")):
            raise InputError(f"{item!r} is not SYSTEM=OUTPUT")
        if not name.isprintable():
            raise InputError(f"{name!r} is no name for a system: it cannot be printed")
        if name in systems:
            raise InputError(f"there are two systems {name!r}; several runs are SYSTEM=OUTPUT,OUTPUT")
        systems[name] = [Path(output) for output in outputs.split(",")]
    counts = {name: len(outputs) for name, outputs in systems.items()}
    for name, count in counts.items():
        if count != counts[next(iter(counts))]:
            raise InputError(f"{name!r} has another number of runs than {next(iter(counts))!r}: {count}")
    return systems


def _read_systems(
    files: dict[str, list[Path]], test_set: "TestSet", options: argparse.Namespace
) -> dict[str, "Runs"]:
    from editmt.evaluation.systems import read_texts  # noqa: PLC0415

    runs = len(next(iter(files.values())))
    if len(options.constraints) not in (0, 1, runs):
        raise InputError(f"--constraints is given {len(options.constraints)} times, for {runs} runs")
    sources = None
    if options.source is not None:
        sources = read_texts(options.source, "source")
        test_set.check_length(options.source, len(sources))
    wanted = [test_set.read_constraints(path, sources) for path in options.constraints]
    wanted = wanted or [test_set.no_constraints()]
    by_run = wanted * runs if len(wanted) == 1 else wanted
    return {
        name: [test_set.read_output(path, asked) for path, asked in zip(paths, by_run, strict=True)]
        for name, paths in files.items()
    }
