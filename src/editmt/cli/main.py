"""The `editmt` command: finds the subcommand, and turns errors into one line and an exit code."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from editmt.cli import (
    bench,
    distill,
    evaluate,
    explain,
    export,
    glossary,
    keys,
    models,
    prepare,
    reproduce,
    sample_constraints,
    serve,
    train,
    translate,
)
from editmt.errors import BAD_INPUT, EditMTError, InputError, MissingPackage
from editmt.version import __version__

INTERRUPTED = 130
COMMANDS = (
    translate,
    glossary,
    serve,
    keys,
    evaluate,
    sample_constraints,
    explain,
    prepare,
    train,
    distill,
    export,
    bench,
    reproduce,
    models,
)
EXTRAS = {
    "ctranslate2": "ctranslate2",
    "fastapi": "serve",
    "httptools": "serve",
    "matplotlib": "eval",
    "numba": "train",
    "onnx": "train",
    "prometheus_client": "serve",
    "pydantic": "serve",
    "sacrebleu": "train",
    "safetensors": "train",
    "starlette": "serve",
    "torch": "train",
    "uvicorn": "serve",
}
"""The optional packages that commands load, and the extra that brings each."""


class Parser(argparse.ArgumentParser):
    """argparse, saying what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with the message, without the usage before it."""
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = Parser(prog="editmt", description="Translation by editing.")
    parser.add_argument("--version", action="version", version=f"editmt {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_command(commands)
    if sys.stderr is None:  # else `print` would tell errors on standard output, between the lines
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
    options = parser.parse_args(arguments)
    try:
        _run(options)
    except EditMTError as error:
        print(f"editmt: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _run(options: argparse.Namespace) -> None:
    if sys.stdout is None:
        raise InputError("standard output is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # whatever the locale says: files and pipes are UTF-8
    try:
        try:
            options.run(options)
        finally:
            sys.stdout.flush()
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        raise MissingPackage(error.name, EXTRAS[error.name]) from None
    except BrokenPipeError:  # the reader has seen enough, as in `editmt … | head`
        _discard_output()
    except OSError as error:
        _discard_output()
        raise InputError(f"{error.filename or 'standard output'}: {error.strerror}") from None


def _discard_output() -> None:
    """Let what is still in the buffer go nowhere, so that the end of the program does not try again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
