"""HTTP/1.1 as uvicorn speaks it, with an end to its patience: slow, large and too many heads are let go."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from editmt.serving.settings import RequestLimits

CROWDED = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class GatheringTransport:
    """A connection that sends at once what is written in one turn of the event loop: a head and its body.

    Each send wakes the client, which costs as much as all else that is done for a short answer.
    """

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send it when all else that is ready to run has run."""
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)

    def close(self) -> None:
        """Send what is left, and end."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        held, self._held = self._held, []
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class PatientProtocol(HttpToolsProtocol):
    """A connection whose requests' heads have to come in time."""

    limits = RequestLimits()
    _patience: asyncio.TimerHandle | None = None
    _head_bytes: int | None = 0  # of a head that is not complete

    def connection_made(self, transport: Any) -> None:
        """Begin; if there are too many, end."""
        transport = GatheringTransport(transport, self.loop)
        super().connection_made(transport)  # it is one in all that uvicorn uses
        if len(self.connections) > self.limits.connections:
            transport.write(CROWDED)
            transport.close()
        else:
            self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Take what came, unless a head grows without end; a query may hold a text."""
        if self._head_bytes is not None:
            self._head_bytes += len(data)
        super().data_received(data)
        most = self.limits.header_bytes + self.limits.body_bytes
        if self._head_bytes is not None and self._head_bytes > most:
            self.transport.write(TOO_LARGE)
            self.transport.close()

    def on_message_begin(self) -> None:
        """Begin the next head."""
        super().on_message_begin()
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        """Wait no more."""
        self._head_bytes = None
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._head_bytes = self._head_bytes or 0
        self._stop_waiting()
        self._patience = self.loop.call_later(self.limits.header_seconds, self._lose_patience)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()

    def _lose_patience(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def limit_protocol(limits: RequestLimits) -> type[PatientProtocol]:
    """Return the protocol with these limits: uvicorn takes a class."""
    return type("LimitedProtocol", (PatientProtocol,), {"limits": limits})
