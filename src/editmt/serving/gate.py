"""What every request passes: sizes, keys, rates, a full queue; and what every answer carries.

Whatever can be refused without reading it is, before any of it is parsed: that is what keeps a refusal cheap
where there are too many.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from editmt.serving.keys import Key
from editmt.serving.problems import BROKEN, Problem, describe, family_of
from editmt.serving.reports import report
from editmt.serving.service import Service
from editmt.serving.settings import is_loopback

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger(__name__)

OPEN_PATHS = ("/", "/health", "/health/live", "/health/ready", "/openapi.json")
"""Besides what belongs to the page: they need no key."""

TRANSLATE_PATHS = ("/v1/translate", "/v2/translate", "/translate")
HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")
"""What may be half of a character in JSON, which no other encoding can say."""

WATCH_SECONDS = 0.2
"""After so long a server looks whether the client is still there; to look at once costs more."""

SECURITY_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


class Gate:
    """ASGI middleware around the whole application."""

    def __init__(self, app: App, service: Service) -> None:
        self._app, self._service = app, service
        self._limits = service.config.requests
        self._is_local = is_loopback(service.config.host)
        self._large_bodies = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        caching = b"no-cache" if path == "/" or path.startswith("/page/") else b"no-store"
        answer = _Answer(send, caching, self._service)
        started = time.perf_counter()
        try:
            await self._pass(scope, receive, answer.send)
        except Problem as problem:
            if not answer.status:
                await describe(problem, path)(scope, receive, answer.send)
        except Exception as error:  # who runs the server must know
            report(error, log)
            if not answer.status:  # FastAPI has told the client
                await describe(BROKEN, path)(scope, receive, answer.send)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._service.metrics.requests.labels(route, str(answer.status or 499)).inc()
            self._service.metrics.seconds.labels(route).observe(time.perf_counter() - started)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        self._check_head(scope, headers)
        path = scope["path"]
        if path in TRANSLATE_PATHS and self._service.batcher.full:
            raise self._service.batcher.refuse()
        scope.setdefault("state", {})["key"] = self._find_key(path, headers)
        body = await self._read(path, headers, receive)
        if HALF_PAIR.search(body):
            _check_surrogates(body)
        await _run_while_connected(self._app, scope, _Replay(body, receive), send)

    def _check_head(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        size = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
        if size + len(scope["query_string"]) + len(scope["path"]) > self._limits.header_bytes + (
            self._limits.body_bytes if scope["path"] in TRANSLATE_PATHS else 0  # a query may hold the text
        ):
            raise Problem(431, f"the headers have more than {self._limits.header_bytes} bytes")
        host = urlsplit("//" + headers.get(b"host", b"localhost").decode("latin-1"))
        if self._is_local and not is_loopback(_host_name(host.netloc)):
            raise Problem(403, "this server answers to names of this machine only")  # or DNS would be rebound
        origin = headers.get(b"origin", b"").decode("latin-1")
        if origin and urlsplit(origin).netloc != host.netloc and scope["method"] != "GET":
            raise Problem(403, "requests of other sites' pages are not answered")

    def _find_key(self, path: str, headers: dict[bytes, bytes]) -> Key | None:
        """Return the request's key, if keys are required; LibreTranslate's may still be in the body."""
        open_to_all = path in OPEN_PATHS or path.startswith("/page/")
        if open_to_all or not self._service.config.keys_required:
            return None
        scheme, _, key = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if not key:
            if family_of(path) == "libretranslate":
                return None
            raise Problem(401 if family_of(path) == "native" else 403, "an API key is needed")
        if scheme.lower() not in ("bearer", "deepl-auth-key"):
            raise Problem(403, "the API key is wrong")
        return self._service.admit(key.strip())

    async def _read(self, path: str, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        """Read the body, unless it is too large or takes too long."""
        takes_files = "/glossaries" in path
        most = self._limits.glossary_bytes if takes_files else self._limits.body_bytes
        length = headers.get(b"content-length", b"0")
        announced = int(length) if length.isdigit() else 0
        too_large = Problem(413, f"the body has more than {most:,} bytes")
        if announced > most:
            raise too_large
        body, large = bytearray(), False
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        raise _Gone
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise too_large
                    if len(body) > self._limits.body_bytes and not large:
                        large = self._begin_large_body()
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            raise Problem(408, "the body took too long to arrive") from None
        finally:
            self._large_bodies -= large

    def _begin_large_body(self) -> bool:
        if self._large_bodies >= self._limits.large_bodies:
            raise Problem(429, "too many large bodies at once", 1)
        self._large_bodies += 1
        return True


class _Gone(Problem):
    """The client left before it had said what it wanted."""

    def __init__(self) -> None:
        super().__init__(400, "the body is not complete")


class _Answer:
    """Sends an answer with the headers that all have, and remembers its status."""

    def __init__(self, send: Send, caching: bytes, service: Service) -> None:
        self._send, self._caching, self._service = send, caching, service
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            common = [*SECURITY_HEADERS, (b"cache-control", self._caching)]
            headers = [*message.get("headers", ()), *common]
            if self._service.draining:
                headers.append((b"connection", b"close"))
            message = {**message, "headers": headers}
        await self._send(message)


class _Replay:
    """Gives the application the body that was read, and then whatever comes."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


async def _run_while_connected(app: App, scope: Scope, replay: _Replay, send: Send) -> None:
    """Run the application, and cancel it when the client has gone: nobody would read the answer."""
    watch = _Watch(replay)
    try:
        await app(scope, replay, send)
    except asyncio.CancelledError:
        if watch.gone and watch.answering.uncancel() == 0:
            raise _Gone from None
        raise
    finally:
        watch.end()


class _Watch:
    """Cancels the current task when its client has gone; most are answered before it looks."""

    def __init__(self, replay: _Replay) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.answering: asyncio.Task[object] = task
        self.gone = self._done = False
        self._replay = replay
        self._watching: asyncio.Future[None] | None = None
        self._alarm = asyncio.get_running_loop().call_later(WATCH_SECONDS, self._begin)

    def end(self) -> None:
        """Look no more, and forget who looked: a cancelled task knows its frames, and they know this.

        With too many requests there were so many such circles that to collect them took 150 ms.
        """
        self._done = True
        self._alarm.cancel()
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None

    def _begin(self) -> None:
        self._watching = asyncio.ensure_future(self._wait_for_leaving())

    async def _wait_for_leaving(self) -> None:
        while (await self._replay._receive())["type"] != "http.disconnect":
            pass
        if not self._done:
            self.gone = True
            self.answering.cancel()


def _check_surrogates(body: bytes) -> None:
    try:
        json.dumps(json.loads(body), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise Problem(400, "a text with half a surrogate pair cannot be encoded") from None
    except (ValueError, RecursionError):
        pass  # who parses it will say so


def _host_name(netloc: str) -> str:
    """Return the name in a Host header, without the port and the brackets of IPv6."""
    name = netloc.rpartition("@")[2]
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0]
