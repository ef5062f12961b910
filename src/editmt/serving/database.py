"""The server's memory: one SQLite file, in which a change is whole or not there, whenever we are killed."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from editmt.errors import InputError

FILE = "editmt.sqlite"
VERSION = 1
SCHEMA = """
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    quota INTEGER,  -- characters a month; none is without end
    created TEXT NOT NULL
) STRICT;
CREATE TABLE usage (
    owner TEXT NOT NULL,
    month TEXT NOT NULL,
    characters INTEGER NOT NULL,
    PRIMARY KEY (owner, month)
) STRICT;
CREATE TABLE glossaries (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT;
CREATE TABLE dictionaries (
    glossary TEXT NOT NULL REFERENCES glossaries (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    entries TEXT NOT NULL,  -- a JSON list
    count INTEGER NOT NULL,
    revision TEXT NOT NULL,
    PRIMARY KEY (glossary, source, target)
) STRICT;
"""


class Database:
    """An open file; its users may be on any thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{path}: cannot be used: {error}") from None

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for changes that are all made when the block ends well, or none is."""
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for reading."""
        with self._lock:
            yield self._connection

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        """Make the tables of a new file; refuse one that a later version of ours has made."""
        with self.change() as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise sqlite3.DatabaseError(f"made by a later version of EditMT (its format is {version})")
            if version == 0:
                for statement in SCHEMA.split(";\n"):
                    if statement.strip():
                        connection.execute(statement)
                connection.execute(f"PRAGMA user_version={VERSION}")
