"""One request's fields, wherever a client puts them: JSON, a form, or the query."""

import json
import re
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from fastapi import Request
from pydantic import BaseModel, ValidationError

from editmt.serving.problems import Problem

MOST_FIELDS = 2_000
INDEXED = re.compile(r"(\w+)\[(\d{1,3})\]\.(\w+)")
"""`dictionaries[0].entries`: how a form has objects in a list."""

Fields = TypeVar("Fields", bound=BaseModel)


async def read_fields(request: Request, kind: type[Fields]) -> Fields:
    """Read the fields of a request, the body's before the query's, and check them."""
    fields = parse_form(request.url.query.encode("latin-1", "replace")) | parse_body(
        await request.body(), request.headers.get("content-type", "")
    )
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        raise refuse(error) from None


def refuse(error: ValidationError) -> Problem:
    """Return what a client is told whose fields are not as they should be."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    return Problem(400, describe_errors(found))


def parse_body(body: bytes, content_type: str) -> dict[str, Any]:
    """Return the fields of a body: of a JSON object, or else of a form."""
    if not body:
        return {}
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/json" or (not kind and body.lstrip().startswith(b"{")):
        return _parse_json(body)
    if kind in ("", "application/x-www-form-urlencoded"):
        return parse_form(body)
    raise Problem(400, "the body has to be JSON or a form (application/x-www-form-urlencoded)")


def parse_form(body: bytes) -> dict[str, Any]:
    """Return the fields of a form; one that is given repeatedly becomes a list.

    >>> parse_form(b"text=a+b&text=c&d%5B0%5D.source_lang=en")
    {'text': ['a b', 'c'], 'd': [{'source_lang': 'en'}]}
    """
    try:
        pairs = parse_qsl(body.decode("utf-8"), True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Problem(400, "the form is not valid UTF-8, or has too many fields") from None
    fields: dict[str, Any] = {}
    lists: dict[str, dict[int, dict[str, str]]] = {}
    for name, value in pairs:
        if match := INDEXED.fullmatch(name):
            lists.setdefault(match[1], {}).setdefault(int(match[2]), {})[match[3]] = value
        elif name not in fields:
            fields[name] = value
        elif isinstance(fields[name], list):
            fields[name].append(value)
        else:
            fields[name] = [fields[name], value]
    return fields | {name: [items[number] for number in sorted(items)] for name, items in lists.items()}


def _parse_json(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise Problem(400, "broken JSON") from None
    if not isinstance(fields, dict):
        raise Problem(400, "a JSON object is expected")
    return fields


def describe_errors(errors: Any) -> str:
    """Return what pydantic found wrong, as one line.

    Where a field may be of several types, each of them has its complaint; the deepest is what was meant.

    >>> describe_errors([{"loc": ("body", "texts", 0, "str"), "msg": "Input should be a text"}])
    'texts.0: Input should be a text'
    """
    worst = max(errors, key=lambda error: len(error["loc"]))
    if tuple(worst["loc"]) == ("body",):
        return "the body has to be a JSON object (content-type: application/json)"
    place = ".".join(str(part) for part in worst["loc"] if isinstance(part, int) or _is_field(part))
    message = str(worst["msg"]).removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _is_field(part: str) -> bool:
    """Tell a field's name from a place's and a type's, which pydantic has in its paths, too."""
    return part not in ("body", "query", "path", "str") and bool(re.fullmatch(r"[a-z][a-z_]*", part))
