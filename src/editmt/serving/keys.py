"""API keys: made once, shown once, kept as hashes; and how many requests and characters each may have."""

import hashlib
import hmac
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from editmt.errors import InputError
from editmt.serving.database import Database
from editmt.serving.settings import default_data_folder

ANYONE = ""
"""The owner of what is done without a key, where none is required."""

PREFIX = "editmt-"


@dataclass(frozen=True)
class Key:
    """What is known of a key: not the key itself."""

    name: str
    quota: int | None
    created: str


class KeyRing:
    """The keys of a server. What others add or remove in the file holds at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, name: str, quota: int | None = None) -> str:
        """Make a key and return it; nobody can find out later what it was."""
        if not name.strip():
            raise InputError("a key needs a name")
        key = PREFIX + secrets.token_urlsafe(32)
        row = (name, _hash(key), quota, datetime.now(UTC).isoformat())
        try:
            with self._database.change() as connection:
                connection.execute("INSERT INTO keys (name, hash, quota, created) VALUES (?, ?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise InputError(f"there is a key named {name!r} already") from None
        return key

    def remove(self, name: str) -> None:
        """Forget a key."""
        with self._database.change() as connection:
            if connection.execute("DELETE FROM keys WHERE name = ?", (name,)).rowcount == 0:
                raise InputError(f"there is no key named {name!r}")

    def list(self) -> list[Key]:
        """Return all keys by name."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT name, quota, created FROM keys ORDER BY name").fetchall()
        return [Key(*row) for row in rows]

    def find(self, key: str) -> Key | None:
        """Return whose key it is; how long that takes tells nothing about the keys there are."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT hash, name, quota, created FROM keys").fetchall()
        given, found = _hash(key), None
        for row in rows:
            if hmac.compare_digest(row["hash"], given):
                found = Key(row["name"], row["quota"], row["created"])
        return found


def open_keys(folder: Path | None) -> KeyRing:
    """Open the keys in a server's folder; none is the usual one."""
    return KeyRing(Database(folder or default_data_folder()))


def _hash(key: str) -> bytes:
    """Hash a key; it is random and long, so that nothing slower is needed to keep it from being guessed."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


class RateLimiter:
    """So many requests a minute for each owner, of which a sixth may come at once."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = a_minute / 60, max(1.0, a_minute / 6), clock
        self._left: dict[str, tuple[float, float]] = {}  # owner → how many, and when that was so

    def wait_for(self, owner: str) -> float:
        """Take one request of the owner's; return 0, or how many seconds too early it came.

        >>> limiter = RateLimiter(60, clock=lambda: 0.0)
        >>> [limiter.wait_for("me") for _ in range(10)] == [0.0] * 10, limiter.wait_for("me")
        (True, 1.0)
        """
        now = self._clock()
        left, then = self._left.get(owner, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._per_second)
        enough = left >= 1
        self._left[owner] = (left - enough, now)
        return 0.0 if enough else (1 - left) / self._per_second


class Usage:
    """How many characters each owner has had translated this month; written down now and then."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._new: dict[tuple[str, str], int] = {}

    def add(self, owner: str, characters: int) -> None:
        """Count characters."""
        place = (owner, _month())
        with self._lock:
            self._new[place] = self._new.get(place, 0) + characters

    def of(self, owner: str) -> int:
        """Return this month's characters."""
        with self._database.read() as connection:
            row = connection.execute(
                "SELECT characters FROM usage WHERE owner = ? AND month = ?", (owner, _month())
            ).fetchone()
        return (row["characters"] if row else 0) + self._new.get((owner, _month()), 0)

    def save(self) -> None:
        """Write down what is new."""
        with self._lock:
            new, self._new = self._new, {}
        if not new:
            return
        rows = [(owner, month, count) for (owner, month), count in new.items()]
        with self._database.change() as connection:
            connection.executemany(
                "INSERT INTO usage (owner, month, characters) VALUES (?, ?, ?)"
                " ON CONFLICT DO UPDATE SET characters = characters + excluded.characters",
                rows,
            )


def _month() -> str:
    return datetime.now(UTC).strftime("%Y-%m")
