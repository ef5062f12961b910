"""What a server may be told, and its limits: the only home of their defaults."""

import ipaddress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from editmt.errors import InputError


@dataclass(frozen=True, kw_only=True)
class BatchLimits:
    """How requests wait and are decoded together.

    wait_ms
        How long the first of a batch waits for others.
    texts
        Of what waits, so many are put into batches together, those of a length into one: more have less
        padding, and come less in their turn.
    tokens
        Of a batch, at most, padding included; a longer text is decoded alone. Small batches let requests
        come in and answers go out while others are decoded.
    at_once
        Batches decoded at a time.
    waiting_texts, waiting_characters
        Of the queue, at most: beyond this, new requests are refused.
    seconds
        A request that has waited so long for its answer gets none; if the queue alone would take half of
        it, new ones are refused.
    """

    wait_ms: float = 3.0
    texts: int = 16
    tokens: int = 160
    at_once: int = 1
    waiting_texts: int = 256
    waiting_characters: int = 200_000
    seconds: float = 30.0


@dataclass(frozen=True, kw_only=True)
class RequestLimits:
    """How large and how slow one request may be.

    body_bytes, glossary_bytes
        Of a request's body, as at DeepL; the second where a glossary is sent.
    large_bodies
        Of more than `body_bytes` that are read at once.
    header_bytes, header_seconds, body_seconds
        A client that takes longer to send is let go.
    connections
        Open at once; one more is closed.
    a_minute
        Requests of one API key.
    """

    body_bytes: int = 128 * 1024
    glossary_bytes: int = 16 * 1024 * 1024
    large_bodies: int = 4
    header_bytes: int = 16 * 1024
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    texts: int = 50
    connections: int = 800
    a_minute: int = 1_200


def default_data_folder() -> Path:
    """Return where glossaries and keys are kept, unless told otherwise."""
    return Path.home() / ".local" / "share" / "editmt"


@dataclass(frozen=True, kw_only=True)
class ServingConfig:
    """One server: where it listens, what it keeps where, and its limits.

    drain_seconds
        After SIGTERM it goes on for so long, not ready any more, so that whoever sends requests notices.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    data: Path = field(default_factory=default_data_folder)
    require_keys: bool = False
    drain_seconds: float = 1.0
    batches: BatchLimits = field(default_factory=BatchLimits)
    requests: RequestLimits = field(default_factory=RequestLimits)

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(f"the port is {self.port}, and must be in 0 … 65535")

    @property
    def keys_required(self) -> bool:
        """Whether a request has to have a key: always where others than this machine can reach us."""
        return self.require_keys or not is_loopback(self.host)


@lru_cache(256)
def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach the address.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name may mean anything
        return False
