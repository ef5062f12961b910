"""What OpenAPI says of requests that are JSON or a form, and of answers that are problems."""

from typing import Any

from pydantic import BaseModel


class Message(BaseModel):
    """Why a request was not fulfilled."""

    message: str


class Error(BaseModel):
    """Why a request was not fulfilled, as LibreTranslate says it."""

    error: str


PROBLEMS: dict[int | str, dict[str, Any]] = {"4XX": {"model": Message}, "5XX": {"model": Message}}
ERRORS: dict[int | str, dict[str, Any]] = {"4XX": {"model": Error}, "5XX": {"model": Error}}


def describe_body(fields: type[BaseModel]) -> dict[str, Any]:
    """Return the part of OpenAPI that describes a body with these fields, as JSON or as a form."""
    schema = fields.model_json_schema(ref_template="#/components/schemas/{model}")
    schema.pop("$defs", None)
    content = {kind: {"schema": schema} for kind in ("application/json", "application/x-www-form-urlencoded")}
    return {"requestBody": {"required": True, "content": content}}
