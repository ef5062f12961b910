"""The application: all formats behind one gate."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from editmt.serving import deepl, deepl_glossaries, libretranslate, native, native_glossaries
from editmt.serving.bodies import describe_errors
from editmt.serving.gate import Gate
from editmt.serving.problems import BROKEN, Problem, describe
from editmt.serving.schemas import name_languages
from editmt.serving.service import Service
from editmt.serving.shortcut import Shortcut
from editmt.version import __version__

PAGE = Path(__file__).parent / "page"


class Described(FastAPI):
    """An application whose description says what its model translates."""

    languages = ("", "")
    _description: dict[str, Any] | None = None

    def openapi(self) -> dict[str, Any]:
        """Return the description, which takes a while to write."""
        if self._description is None:
            description = super().openapi()
            name_languages(description, self.languages)
            self._description = description
        return self._description


def make_app(service: Service) -> Gate:
    """Return the ASGI application of a server."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        describing = asyncio.create_task(service.on_thread(app.openapi))  # a tenth of a second
        yield
        await describing
        await service.stop()

    app = Described(
        title="EditMT",
        summary="Translation by editing",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
    )
    app.languages = service.model.languages
    app.state.service = service
    for formats in (native, native_glossaries, deepl, deepl_glossaries, libretranslate):
        app.include_router(formats.router)
    app.add_api_route("/", _show_page, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/page", StaticFiles(directory=PAGE))
    app.add_exception_handler(Problem, _tell_problem)
    app.add_exception_handler(RequestValidationError, _tell_validation)
    app.add_exception_handler(HTTPException, _tell_http)
    app.add_exception_handler(Exception, _tell_broken)
    return Gate(Shortcut(app, service), service)


async def _show_page() -> Response:
    return FileResponse(PAGE / "index.html")


async def _tell_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    return describe(error, request.url.path)


async def _tell_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return describe(Problem(400, describe_errors(error.errors())), request.url.path)


async def _tell_broken(request: Request, _error: Exception) -> Response:
    return describe(BROKEN, request.url.path)


async def _tell_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = describe(Problem(error.status_code, str(error.detail)), request.url.path)
    answer.headers.update(error.headers or {})
    return answer
