"""`editmt serve`: a model behind HTTP, and a page to try it on."""

import argparse
from pathlib import Path
from typing import Any

from editmt.errors import InputError

EXAMPLE = """
  editmt serve
  editmt serve --model runs/ro-en --languages ro-en
  editmt keys add anna && editmt serve --host 0.0.0.0

  curl http://127.0.0.1:8080/v1/translate --json '{"texts": ["increased safety"]}'
  DEEPL_SERVER_URL=http://127.0.0.1:8080 DEEPL_AUTH_KEY=any python -m deepl text --to DE "increased safety"
"""


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `serve` to the subcommands."""
    parser = commands.add_parser(
        "serve",
        help="answer requests over HTTP, and show a page",
        description="Serve a model over HTTP: a page, an API, and the formats of DeepL and LibreTranslate.",
        epilog=f"examples:{EXAMPLE}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--model",
        type=Path,
        metavar="DIR",
        help="a run, or a saved or exported model (default: the shipped one, en-de)",
    )
    parser.add_argument(
        "--languages",
        metavar="FROM-TO",
        help="such as en-de (default: the model's own, if its text pipeline knows)",
    )
    parser.add_argument("--host", default="127.0.0.1", help="beyond this machine, keys are required")
    parser.add_argument("--port", type=int, default=8080, help="0: any that is free (default 8080)")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="glossaries and keys (~/.local/share/editmt)"
    )
    parser.add_argument("--require-keys", action="store_true", help="on this machine, too")
    parser.add_argument(
        "--workers",
        type=int,
        default=0,
        metavar="N",
        help="processes that decode, a batch each at a time and the model in each of them (default: one a "
        "thread, 4 at most; 1 for a model that was not exported with --to cpu)",
    )
    parser.add_argument(
        "--threads", type=int, default=0, metavar="N", help="of all workers (default: one a core)"
    )
    _add_limits(parser)
    parser.set_defaults(run=run)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits (default: those of editmt.serving.settings)")
    numbers = {
        "--batch-texts": "sentences that are put into batches together",
        "--queue": "sentences that may wait; more are refused (429)",
        "--rate": "requests a minute of one key",
    }
    for name, meaning in numbers.items():
        limits.add_argument(name, type=int, metavar="N", help=meaning)
    seconds = {
        "--timeout": "to wait for an answer",
        "--drain": "to go on, not ready, after SIGTERM",
    }
    for name, meaning in seconds.items():
        limits.add_argument(name, type=float, metavar="SECONDS", help=meaning)


def run(options: argparse.Namespace) -> None:
    """Load the model, and serve it until told to end."""
    from editmt.cli.serve_options import make_config, name_languages, share_threads  # noqa: PLC0415
    from editmt.decoding.loading import SHIPPED, find_folder, is_small  # noqa: PLC0415
    from editmt.serving.decoders import Decoders  # noqa: PLC0415

    processes, threads = share_threads(options.threads, options.workers, small=is_small(options.model))
    config = make_config(options, processes)
    with Decoders(options.model, processes=processes, threads=threads) as decoders:
        from editmt.data.texts import TEXT_FOLDER, open_texts  # noqa: PLC0415 - while they load the model
        from editmt.serving.server import serve  # noqa: PLC0415
        from editmt.serving.service import Model, Service  # noqa: PLC0415

        folder = options.model or SHIPPED
        texts = open_texts(find_folder(options.model) / TEXT_FOLDER)
        told = options.languages or (SHIPPED.name if folder == SHIPPED else None)
        languages = name_languages(told, texts)
        service = Service(Model(folder.resolve().name, languages, texts, decoders.wait()), config)
        if config.keys_required and not service.keys.list():
            raise InputError(f"{config.host} needs API keys, and there is none yet: editmt keys add NAME")
        serve(service)
