"""A server from its start to its end: listening, and draining without losing what it has accepted."""

import asyncio
import gc
import logging
import select
import socket
import sys
from types import FrameType

import uvicorn

from editmt.errors import InputError
from editmt.serving.app import make_app
from editmt.serving.protocol import limit_protocol
from editmt.serving.service import Service
from editmt.serving.settings import ServingConfig

BACKLOG = 1024
LAST_SECONDS = 1.0
"""For connections that nobody has asked anything on when the server listens no more."""


class DrainingServer(uvicorn.Server):
    """uvicorn's server, but it says where it is once it listens, and that it will end before it does."""

    def __init__(self, config: uvicorn.Config, service: Service, address: str = "") -> None:
        super().__init__(config)
        self._service = service
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the address only now: a signal that came sooner would not find its handler yet."""
        await super().startup(sockets)
        if self._address:
            print(f"editmt: {self._address} ({self._service.model.name})", file=sys.stderr, flush=True)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - uvicorn calls it so
        """End with code 0 when all is done; told a second time, end at once."""
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Be not ready, then take no more connections, then finish what was accepted.

        While it drains, each answer closes its connection, so that no request is on its way on one when all
        are closed.
        """
        self._service.begin_draining()
        if not self.force_exit:
            await self._wait(self._service.config.drain_seconds)
        for listener in sockets or []:
            await _empty_backlog(listener)
        for server in self.servers:
            server.close()
        await self._answer_the_last()
        await super().shutdown(sockets)

    async def _answer_the_last(self) -> None:
        """Give connections that were just made the time to ask: uvicorn would close them at once."""
        end = asyncio.get_running_loop().time() + LAST_SECONDS
        while self.server_state.connections and not self.force_exit:
            await asyncio.sleep(0.01)
            if asyncio.get_running_loop().time() > end:
                return

    async def _wait(self, seconds: float) -> None:
        """Go on for a while, unless told to end at once."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end and not self.force_exit:
            await asyncio.sleep(0.05)


async def _empty_backlog(listener: socket.socket) -> None:
    """Let the loop accept all connections that the kernel has accepted already; those would be reset."""
    listener.listen(0)  # no new ones wait meanwhile: they try again, and find nobody
    for _ in range(100):
        await asyncio.sleep(0.01)
        if not select.select([listener], [], [], 0)[0]:
            return


def serve(service: Service) -> None:
    """Listen until told to end."""
    config = service.config
    listener = _listen(config)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    logging.basicConfig(level=logging.WARNING, format="editmt: %(message)s", stream=sys.stderr)
    server = DrainingServer(
        uvicorn.Config(
            make_app(service),
            http=limit_protocol(config.requests),
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # nothing here depends on who asks
            backlog=BACKLOG,
            timeout_graceful_shutdown=round(config.batches.seconds) + 5,
        ),
        service,
        f"http://{shown}:{port}/",
    )
    gc.freeze()  # what is there by now stays: to look through it again took 30 ms each time
    gc.set_threshold(10_000, 10, 10)  # the requests that wait are more than the 700 that it looks at
    server.run([listener])


def _listen(config: ServingConfig) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise InputError(f"{config.host}:{config.port}: cannot listen there: {error.strerror}") from None
    listener.setblocking(False)
    return listener
