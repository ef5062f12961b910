"""What OpenAPI says of requests that are JSON or a form, and of answers that are problems."""

from typing import Any

from pydantic import BaseModel

from editmt.serving.languages import targets_of


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
    schema = fields.model_json_schema(ref_template="{model}")
    schema = _inline(schema, schema.pop("$defs", {}))
    content = {kind: {"schema": schema} for kind in ("application/json", "application/x-www-form-urlencoded")}
    return {"requestBody": {"required": True, "content": content}}


def _inline(schema: Any, parts: dict[str, Any]) -> Any:
    """Put the parts of a schema where it refers to them: OpenAPI has its own place for parts."""
    if isinstance(schema, list):
        return [_inline(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inline(parts[schema["$ref"]], parts)
    return {name: _inline(value, parts) for name, value in schema.items()}


def name_languages(openapi: dict[str, Any], pair: tuple[str, str]) -> None:
    """Say which languages can be translated, which only a server's model knows."""
    codes = {
        "source_lang": [pair[0].upper()],
        "source": [pair[0], "auto"],
        "target_lang": [code.upper() for code in targets_of(pair[1])],
        "target": [pair[1]],
    }
    for path in ("/v2/translate", "/translate"):
        for body in openapi["paths"][path]["post"]["requestBody"]["content"].values():
            fields = body["schema"]["properties"]
            fields |= {name: {"type": "string", "enum": codes[name]} for name in codes if name in fields}
