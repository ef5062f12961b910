"""Servers for tests: in this process, for clients without sockets or with them; and in one of its own."""

import contextlib
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import uvicorn

from editmt.serving.app import make_app
from editmt.serving.protocol import limit_protocol
from editmt.serving.server import DrainingServer, _listen

ROOT = Path(__file__).parents[2]


@contextlib.asynccontextmanager
async def client_of(service, **options):
    """Give a client that talks to the application without a socket."""
    app = make_app(service)
    await service.start()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", **options) as client:
        yield client
    await service.stop()


@contextlib.contextmanager
def listening(service):
    """Give the address of the service, which listens on a thread."""
    listener = _listen(service.config)
    config = uvicorn.Config(
        make_app(service), http=limit_protocol(service.config.requests), ws="none", log_config=None
    )
    server = DrainingServer(config, service)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield "http://{}:{}".format(*listener.getsockname()[:2])
    finally:
        server.should_exit = True
        thread.join()


class Process:
    """An echo server in a process of its own."""

    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.serving.echo", "--data", str(folder), *map(str, arguments)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stderr.readline()
        match = re.search(r"http://[\d.:]+", line)
        assert match, line + self.process.stderr.read()
        self.url = match[0]

    def send(self, number):
        self.process.send_signal(number)

    def end(self, timeout=60):
        """Wait, and return the exit code and what was said."""
        said = self.process.communicate(timeout=timeout)[1]
        return self.process.returncode, said
