"""What a client is told instead of an answer, in the form that the tools of its service understand."""

import json
import math
from typing import Literal

from starlette.responses import Response

Family = Literal["native", "deepl", "libretranslate"]
"""Whose format a path speaks."""

QUOTA = 456
"""DeepL's status for a quota that is used up."""

LIBRETRANSLATE_PATHS = ("/translate", "/detect", "/languages", "/health")


class Problem(Exception):  # noqa: N818 - it is what a client is told, an answer like others
    """A request that is not fulfilled: the HTTP status, one line that says why, and when to come again."""

    def __init__(self, status: int, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.retry_after = status, message, retry_after


BROKEN = Problem(500, "something broke in the server")


def family_of(path: str) -> Family:
    """Return whose format a path speaks.

    >>> family_of("/v1/translate"), family_of("/v2/translate"), family_of("/translate")
    ('native', 'deepl', 'libretranslate')
    """
    if path.startswith(("/v2/", "/v3/")):
        return "deepl"
    return "libretranslate" if path in LIBRETRANSLATE_PATHS else "native"


def describe(problem: Problem, path: str) -> Response:
    """Return the answer; DeepL's clients break on a message that is not a text, so it always is one."""
    family = family_of(path)
    name = "error" if family == "libretranslate" else "message"
    status = 429 if problem.status == QUOTA and family != "deepl" else problem.status
    headers = {}
    if problem.retry_after is not None:
        headers["retry-after"] = str(max(1, math.ceil(problem.retry_after)))
    if problem.status == 401:
        headers["www-authenticate"] = "Bearer"
    body = json.dumps({name: problem.message}, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, status, headers, media_type="application/json")
