"""`editmt keys`: who may use a server."""

import argparse
from pathlib import Path
from typing import Any


def add_command(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add `keys` to the subcommands."""
    parser = commands.add_parser("keys", help="API keys of a server", description="API keys of a server.")
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    add = actions.add_parser("add", help="make a key, and print it: it is shown this once")
    add.add_argument("name", metavar="NAME", help="whose it is")
    add.add_argument("--quota", type=int, metavar="N", help="characters a month (default: no limit)")
    add.set_defaults(run=run_add)
    remove = actions.add_parser("remove", help="make a key worthless, at once")
    remove.add_argument("name", metavar="NAME", help="whose it is")
    remove.set_defaults(run=run_remove)
    show = actions.add_parser("list", help="whose keys there are")
    show.set_defaults(run=run_list)
    for action in (add, remove, show):
        action.add_argument("--data", type=Path, metavar="DIR", help="the server's (~/.local/share/editmt)")


def run_add(options: argparse.Namespace) -> None:
    """Make a key."""
    from editmt.serving.keys import open_keys  # noqa: PLC0415 - `--help` need not wait

    print(open_keys(options.data).add(options.name, options.quota))


def run_remove(options: argparse.Namespace) -> None:
    """Remove a key."""
    from editmt.serving.keys import open_keys  # noqa: PLC0415

    open_keys(options.data).remove(options.name)


def run_list(options: argparse.Namespace) -> None:
    """List names, dates and quotas."""
    from editmt.serving.keys import open_keys  # noqa: PLC0415

    for key in open_keys(options.data).list():
        quota = "" if key.quota is None else f"\t{key.quota:,} characters a month"
        print(f"{key.name}\t{key.created[:10]}{quota}")
