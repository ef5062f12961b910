"""The `editmt` command: finds the subcommand, and turns errors into one line and an exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from editmt import __version__
from editmt.cli import explain
from editmt.errors import EditMTError

BAD_INPUT = 2
INTERRUPTED = 130


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
    explain.add_command(commands)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except EditMTError as error:
        sys.stdout.flush()
        print(f"editmt: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader has seen enough, as in `editmt … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0
