"""Glossaries on disk: each of an owner, with a dictionary of entries for each pair of languages."""

import json
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from uuid import uuid4

from editmt.serving.database import Database
from editmt.serving.problems import Problem
from editmt.text.glossary import Entry
from editmt.text.glossary.json_lines import describe, read_json_lines

MOST_ENTRIES = 300_000
"""Of one pair of languages: ready to be found in texts, each takes 1.3 KB."""

MOST_GLOSSARIES = 1_000
"""Of one owner."""

Pair = tuple[str, str]
"""The codes of source and target language."""


@dataclass(frozen=True)
class StoredGlossary:
    """What is known of a glossary without its entries: how many there are of each pair."""

    id: str
    name: str
    created: str
    counts: Mapping[Pair, int]


class GlossaryStore:
    """All owners' glossaries; every method may take a while, and belongs on a thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, owner: str, name: str, dictionaries: Mapping[Pair, Sequence[Entry]]) -> StoredGlossary:
        """Keep a new glossary; when this returns, it is on disk."""
        identity, created = str(uuid4()), datetime.now(UTC).isoformat(timespec="microseconds")
        rows = [_row(identity, pair, entries) for pair, entries in dictionaries.items()]
        with self._database.change() as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM glossaries WHERE owner = ?", (owner,)
            ).fetchone()
            if count >= MOST_GLOSSARIES:
                raise Problem(400, f"there are {count} glossaries already, and no room for more")
            connection.execute(
                "INSERT INTO glossaries (id, owner, name, created) VALUES (?, ?, ?, ?)",
                (identity, owner, name, created),
            )
            connection.executemany("INSERT INTO dictionaries VALUES (?, ?, ?, ?, ?, ?)", rows)
        return StoredGlossary(
            identity, name, created, {pair: len(entries) for pair, entries in dictionaries.items()}
        )

    def find_all(self, owner: str) -> list[StoredGlossary]:
        """Return all glossaries of an owner, the oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id FROM glossaries WHERE owner = ? ORDER BY created, id", (owner,)
            ).fetchall()
            return [_load(connection, owner, row["id"]) for row in rows]

    def get(self, owner: str, identity: str) -> StoredGlossary:
        """Return one of the owner's glossaries; others' are as if there were none."""
        with self._database.read() as connection:
            return _load(connection, owner, identity)

    def entries(self, owner: str, identity: str, pair: Pair) -> list[Entry]:
        """Return the entries of one pair."""
        return read_json_lines(self._find(owner, identity, pair, "entries")["entries"], pair)[0]

    def revision(self, owner: str, identity: str, pair: Pair) -> str:
        """Return a mark of the entries of one pair, which is another after each change."""
        return str(self._find(owner, identity, pair, "revision")["revision"])

    def rename(self, owner: str, identity: str, name: str) -> None:
        """Give a glossary another name."""
        with self._database.change() as connection:
            _load(connection, owner, identity)
            connection.execute("UPDATE glossaries SET name = ? WHERE id = ?", (name, identity))

    def put(self, owner: str, identity: str, pair: Pair, entries: Sequence[Entry], *, merge: bool) -> int:
        """Set the entries of one pair, or add them to those it has; return how many there are then."""
        with self._database.change() as connection:
            _load(connection, owner, identity)
            row = connection.execute(
                "SELECT entries FROM dictionaries WHERE (glossary, source, target) = (?, ?, ?)",
                (identity, *pair),
            ).fetchone()
            old = read_json_lines(row["entries"], pair)[0] if row and merge else []
            joined = list({entry.source: entry for entry in [*old, *entries]}.values())
            connection.execute(
                "INSERT OR REPLACE INTO dictionaries VALUES (?, ?, ?, ?, ?, ?)", _row(identity, pair, joined)
            )
        return len(joined)

    def delete(self, owner: str, identity: str) -> None:
        """Forget a glossary."""
        with self._database.change() as connection:
            _load(connection, owner, identity)
            connection.execute("DELETE FROM glossaries WHERE id = ?", (identity,))

    def delete_pair(self, owner: str, identity: str, pair: Pair) -> None:
        """Forget the entries of one pair."""
        with self._database.change() as connection:
            _load(connection, owner, identity)
            done = connection.execute(
                "DELETE FROM dictionaries WHERE (glossary, source, target) = (?, ?, ?)", (identity, *pair)
            )
            if done.rowcount == 0:
                raise Problem(404, f"the glossary has no dictionary for {pair[0]} to {pair[1]}")

    def _find(
        self, owner: str, identity: str, pair: Pair, column: Literal["entries", "revision"]
    ) -> sqlite3.Row:
        with self._database.read() as connection:
            _load(connection, owner, identity)
            row: sqlite3.Row | None = connection.execute(
                f"SELECT {column} FROM dictionaries WHERE (glossary, source, target) = (?, ?, ?)",
                (identity, *pair),
            ).fetchone()
        if row is None:
            raise Problem(404, f"the glossary has no dictionary for {pair[0]} to {pair[1]}")
        return row


def _row(identity: str, pair: Pair, entries: Sequence[Entry]) -> tuple[str, str, str, str, int, str]:
    if len(entries) > MOST_ENTRIES:
        raise Problem(413, f"there are {len(entries):,} entries, and may be {MOST_ENTRIES:,}")
    lines = "\n".join(json.dumps(describe(entry), ensure_ascii=False) for entry in entries)
    return identity, *pair, lines, len(entries), secrets.token_hex(8)


def _load(connection: sqlite3.Connection, owner: str, identity: str) -> StoredGlossary:
    row = connection.execute(
        "SELECT name, created FROM glossaries WHERE id = ? AND owner = ?", (identity, owner)
    ).fetchone()
    if row is None:
        raise Problem(404, "there is no such glossary")
    counts = connection.execute(
        "SELECT source, target, count FROM dictionaries WHERE glossary = ? ORDER BY source, target",
        (identity,),
    ).fetchall()
    pairs = {(each["source"], each["target"]): each["count"] for each in counts}
    return StoredGlossary(identity, row["name"], row["created"], pairs)
