"""Our own format for glossaries: a file of any kind in, JSON lines out."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel

from editmt.errors import InputError
from editmt.serving.dependencies import KeyOf, ServiceOf
from editmt.serving.glossary_store import Pair, StoredGlossary
from editmt.serving.problems import Problem
from editmt.serving.schemas import PROBLEMS
from editmt.serving.service import owner_of
from editmt.text.glossary import Glossary
from editmt.text.glossary.json_lines import write_json_lines

MOST_PROBLEMS = 100
JSON_LINES = "application/x-ndjson"
FILE_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}

router = APIRouter(prefix="/v1/glossaries", responses=PROBLEMS)


class Bad(BaseModel):
    """A row that is wrong, and whether it is used all the same."""

    line: int
    reason: str
    used: bool


class GlossaryInfo(BaseModel):
    """A glossary."""

    id: str
    name: str
    created: str
    entries: int


class NewGlossary(GlossaryInfo):
    """A glossary, and what was wrong in its file; the first hundred rows are told."""

    problems: list[Bad]


class Glossaries(BaseModel):
    """All glossaries."""

    glossaries: list[GlossaryInfo]


@router.post("", status_code=201, openapi_extra=FILE_BODY)
async def create(
    request: Request,
    service: ServiceOf,
    key: KeyOf,
    name: Annotated[str, Query(min_length=1, max_length=1024)],
) -> NewGlossary:
    """Keep a glossary from a file's bytes: TSV, CSV, TBX or JSON lines; good rows are kept, bad ones told."""
    pair = service.model.languages
    body = await request.body()
    try:
        glossary = await service.on_thread(_parse, body, pair)
    except InputError as error:
        raise Problem(400, str(error)) from None
    made = await service.on_thread(service.glossaries.create, owner_of(key), name, {pair: glossary.entries})
    problems = [
        Bad(line=bad.line, reason=bad.reason, used=bad.used) for bad in glossary.problems[:MOST_PROBLEMS]
    ]
    return NewGlossary(**_describe(made).model_dump(), problems=problems)


@router.get("")
async def find_all(service: ServiceOf, key: KeyOf) -> Glossaries:
    """List all glossaries."""
    found = await service.on_thread(service.glossaries.find_all, owner_of(key))
    return Glossaries(glossaries=[_describe(each) for each in found])


@router.get("/{identity}")
async def get(identity: str, service: ServiceOf, key: KeyOf) -> GlossaryInfo:
    """Describe a glossary."""
    return _describe(await service.on_thread(service.glossaries.get, owner_of(key), identity))


@router.get(
    "/{identity}/entries",
    response_class=Response,
    responses={200: {"content": {JSON_LINES: {"schema": {"type": "string"}}}}},
)
async def get_entries(identity: str, service: ServiceOf, key: KeyOf) -> Response:
    """Return the entries of the model's languages, one a line."""
    entries = await service.on_thread(
        service.glossaries.entries, owner_of(key), identity, service.model.languages
    )
    return Response(write_json_lines(iter(entries)), media_type=JSON_LINES)


@router.delete("/{identity}", status_code=204)
async def delete(identity: str, service: ServiceOf, key: KeyOf) -> Response:
    """Forget a glossary."""
    await service.on_thread(service.glossaries.delete, owner_of(key), identity)
    return Response(status_code=204)


def _parse(body: bytes, pair: Pair) -> Glossary:
    glossary = Glossary.parse(body, source_language=pair[0], target_language=pair[1]).select(*pair)
    if not glossary.entries:
        raise InputError(f"no term is for {pair[0]} to {pair[1]}")
    return glossary


def _describe(glossary: StoredGlossary) -> GlossaryInfo:
    return GlossaryInfo(
        id=glossary.id, name=glossary.name, created=glossary.created, entries=sum(glossary.counts.values())
    )
