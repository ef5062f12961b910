"""`editmt translate`: lines in, translations out, line for line; or a document."""

import argparse
import gc
import sys
from pathlib import Path
from typing import Any

from editmt.cli.glossary import add_reading_options
from editmt.config import DecodingConfig
from editmt.errors import InputError

EXAMPLE = """
  editmt translate "Open the file again." --term Dokument
  editmt translate --model runs/en-de < source.txt > target.txt
  editmt translate manual.po --glossary terms.tbx -o manual.de.po --report terms.html
  echo '{"source": "Open the file again.", "hard": ["Dokument"]}' | editmt translate --jsonl
"""
DEFAULTS = DecodingConfig()


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `translate` to the subcommands."""
    parser = commands.add_parser(
        "translate",
        help="translate text, with terms",
        description="Translate SOURCE, or each line of standard input. If there is a file of this name, it\n"
        "is translated as a document: PO, XLIFF 1.2 and 2, or else plain text.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "source", metavar="SOURCE", nargs="?", help="a sentence or a file (default: standard input)"
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="a run, or a saved or exported model (default: the shipped one)",
    )
    parser.add_argument(
        "--precision", choices=("int8", "float32"), help="of a model exported with --to cpu (default: int8)"
    )
    parser.add_argument(
        "--shortlist", action="store_true", help="score likely words only: faster, no longer exact"
    )
    parser.add_argument("--jsonl", action="store_true", help="requests and translations as JSON, one a line")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="where a document goes (standard output)"
    )
    terms = parser.add_argument_group("terms")
    terms.add_argument(
        "--glossary",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="TSV, CSV, TBX or JSON lines; may be given repeatedly",
    )
    terms.add_argument(
        "--terms",
        choices=("soft", "hard", "off"),
        default="soft",
        help="start from a glossary's terms (soft, the default), have them all (hard), or neither",
    )
    terms.add_argument(
        "--report", type=Path, metavar="FILE", help="what became of each term, as an HTML page"
    )
    words = parser.add_argument_group("what is wanted of SOURCE's translation (each may be given repeatedly)")
    words.add_argument("--term", action="append", default=[], metavar="WORDS", help="start from these words")
    words.add_argument("--hard", action="append", default=[], metavar="WORDS", help="have these words in it")
    words.add_argument("--forbid", action="append", default=[], metavar="WORDS", help="have these not in it")
    words.add_argument("--draft", metavar="TEXT", help="start from this text")
    _add_options(parser)
    add_reading_options(parser)
    parser.set_defaults(run=run)


def _add_options(parser: argparse.ArgumentParser) -> None:
    """Add what changes how the model translates; what is not given is as suits the model best."""
    how = parser.add_argument_group("how (defaults: the model's)")
    how.add_argument(
        "--strength",
        type=float,
        metavar="S",
        help="what the loss of a term costs: 0 is the paper's soft constraint, inf a hard one",
    )
    how.add_argument(
        "--hard-mode",
        choices=("kept", "paper"),
        help=f"keep hard words always, or as the authors' code does (default {DEFAULTS.hard_mode})",
    )
    numbers = {
        "--max-iterations": ("iterations", "of refinement", DEFAULTS.iterations),
        "--beam": ("beam", "the width of an autoregressive model's search", DEFAULTS.beam),
        "--batch-tokens": ("batch_tokens", "source tokens translated at a time", DEFAULTS.batch_tokens),
    }
    for name, (option, meaning, default) in numbers.items():
        how.add_argument(name, dest=option, type=int, metavar="N", help=f"{meaning} (default {default})")
    how.add_argument(
        "--penalty", type=float, metavar="γ", help="for inserting nothing (default: the model's own, or 0)"
    )
    how.add_argument(
        "--length-quantile",
        type=float,
        metavar="Q",
        help="how sure the first canvas is to be long enough (default: the model's own, or 0: the likeliest)",
    )
    how.add_argument(
        "--fill-share",
        type=float,
        metavar="F",
        help="the share of placeholders, the surest, that is filled at a time (default: the model's own, or "
        "1: all at once)",
    )
    how.add_argument(
        "--foresight",
        type=float,
        metavar="F",
        help="put terms where they are foreseen, in so much of the length foreseen "
        "(default: the model's own, or 0: where they are)",
    )
    how.add_argument("--threads", type=int, default=0, metavar="N", help="0: as many as there are cores")


def _change(given: argparse.Namespace, decoding: DecodingConfig) -> DecodingConfig:
    """Return how to translate: as the model likes it, but for what was given."""
    names = (
        *("iterations", "penalty", "length_quantile", "fill_share", "strength", "foresight"),
        *("hard_mode", "beam", "batch_tokens"),
    )
    return decoding.given({name: value for name in names if (value := getattr(given, name)) is not None})


def run(options: argparse.Namespace) -> None:
    """Translate what was given: a sentence, a document, or all lines of standard input."""
    from editmt.cli.translate_documents import join_glossaries, prepared, translate_document  # noqa: PLC0415 - for `--help`
    from editmt.cli.translate_lines import read_requests, translate_lines  # noqa: PLC0415
    from editmt.decoding.request import Request  # noqa: PLC0415
    from editmt.decoding.translator import Translator  # noqa: PLC0415

    wanted = Request.of(
        options.source or "",
        terms=options.term,
        hard=options.hard,
        forbidden=options.forbid,
        draft=options.draft,
    )
    is_document = options.output is not None or _is_file(options.source)
    if (options.source is None or is_document) and wanted != Request.of(options.source or ""):
        raise InputError("--term, --hard, --forbid and --draft go with a SOURCE on the command line")
    if options.report is not None and not (is_document and options.glossary):
        raise InputError("--report goes with a document and a --glossary")
    if is_document and (options.source is None or options.jsonl):
        raise InputError("-o goes with a document, and --jsonl with lines")
    glossary = join_glossaries(options)
    with prepared(glossary):
        translator = Translator.load(
            options.model,
            threads=options.threads,
            precision=options.precision,
            shortlist=options.shortlist,
            bulk=is_document or options.source is None,
        )
    gc.freeze()  # a glossary has 100,000 objects, which stay: they need not be looked through for garbage
    translator.options = _change(options, translator.options)
    if is_document:
        translate_document(translator, glossary, options)
        return
    if options.source is None and sys.stdin is None:
        raise InputError("standard input is closed")
    given = [wanted] if options.source is not None else read_requests(sys.stdin.buffer, as_json=options.jsonl)
    terms = None if glossary is None else (glossary, options.terms)
    translate_lines(translator, given, as_json=options.jsonl, terms=terms)


def _is_file(source: str | None) -> bool:
    """Tell whether a text is the name of a file; a sentence may be too long for one."""
    try:
        return source is not None and Path(source).is_file()
    except (OSError, ValueError):
        return False
