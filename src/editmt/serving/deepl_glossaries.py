"""DeepL's glossaries: `/v2/glossaries` of one pair of languages, `/v3/glossaries` of several."""

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, BeforeValidator, Field

from editmt.serving.bodies import read_fields
from editmt.serving.deepl_entries import read_entries, write_entries
from editmt.serving.dependencies import KeyOf, ServiceOf
from editmt.serving.glossary_store import Pair, StoredGlossary
from editmt.serving.languages import base_of
from editmt.serving.problems import Problem
from editmt.serving.schemas import PROBLEMS, describe_body
from editmt.serving.service import owner_of

Name = Annotated[str, Field(min_length=1, max_length=1024)]
Code = Annotated[str, BeforeValidator(lambda code: base_of(code) if isinstance(code, str) else code)]
TSV = "text/tab-separated-values"

router = APIRouter(responses=PROBLEMS)


class PairFields(BaseModel):
    """A pair of languages."""

    source_lang: Annotated[Code, Field(pattern="^[a-z]{2,3}$")]
    target_lang: Annotated[Code, Field(pattern="^[a-z]{2,3}$")]

    @property
    def pair(self) -> Pair:
        """Its codes."""
        return self.source_lang, self.target_lang


class DictionaryFields(PairFields):
    """Entries of a pair of languages."""

    entries: str
    entries_format: str = "tsv"


class GlossaryFields(DictionaryFields):
    """A new glossary of one pair."""

    name: Name


class MultilingualFields(BaseModel):
    """A new glossary of several pairs."""

    name: Name
    dictionaries: Annotated[list[DictionaryFields], Field(min_length=1, max_length=100)]


class ChangeFields(BaseModel):
    """What is to be other than it is: a name, or entries that are added."""

    name: Name | None = None
    dictionaries: Annotated[list[DictionaryFields], Field(max_length=100)] = []


class GlossaryInfo(BaseModel):
    """A glossary of one pair."""

    glossary_id: str
    name: str
    ready: bool
    source_lang: str
    target_lang: str
    creation_time: str
    entry_count: int


class Glossaries(BaseModel):
    """All glossaries of one pair."""

    glossaries: list[GlossaryInfo]


class DictionaryInfo(BaseModel):
    """How many entries a pair has."""

    source_lang: str
    target_lang: str
    entry_count: int


class MultilingualInfo(BaseModel):
    """A glossary."""

    glossary_id: str
    name: str
    creation_time: str
    dictionaries: list[DictionaryInfo]


class MultilingualGlossaries(BaseModel):
    """All glossaries."""

    glossaries: list[MultilingualInfo]


class DictionaryEntries(BaseModel):
    """The entries of a pair."""

    source_lang: str
    target_lang: str
    entries: str
    entries_format: str = "tsv"


class Entries(BaseModel):
    """The entries that were asked for."""

    dictionaries: list[DictionaryEntries]


@router.post("/v2/glossaries", status_code=201, openapi_extra=describe_body(GlossaryFields))
async def create_glossary(request: Request, service: ServiceOf, key: KeyOf) -> GlossaryInfo:
    """Keep a glossary of one pair of languages."""
    asked = await read_fields(request, GlossaryFields)
    entries = await service.on_thread(read_entries, asked.entries, asked.entries_format, asked.pair)
    made = await service.on_thread(
        service.glossaries.create, owner_of(key), asked.name, {asked.pair: entries}
    )
    return _describe_single(made, asked.pair)


@router.get("/v2/glossaries")
async def list_glossaries(service: ServiceOf, key: KeyOf) -> Glossaries:
    """List the glossaries of one pair of languages."""
    found = await service.on_thread(service.glossaries.find_all, owner_of(key))
    singles = [each for each in found if len(each.counts) == 1]
    return Glossaries(glossaries=[_describe_single(each, next(iter(each.counts))) for each in singles])


@router.get("/v2/glossaries/{identity}")
async def get_glossary(identity: str, service: ServiceOf, key: KeyOf) -> GlossaryInfo:
    """Describe a glossary of one pair of languages."""
    found = await service.on_thread(service.glossaries.get, owner_of(key), identity)
    return _describe_single(found, _only_pair(found))


@router.delete("/v2/glossaries/{identity}", status_code=204)
@router.delete("/v3/glossaries/{identity}", status_code=204)
async def delete_glossary(identity: str, service: ServiceOf, key: KeyOf) -> Response:
    """Forget a glossary."""
    await service.on_thread(service.glossaries.delete, owner_of(key), identity)
    return Response(status_code=204)


@router.get(
    "/v2/glossaries/{identity}/entries",
    response_class=Response,
    responses={200: {"content": {TSV: {"schema": {"type": "string"}}}}},
)
async def get_glossary_entries(identity: str, service: ServiceOf, key: KeyOf) -> Response:
    """Return the entries of a glossary as TSV."""
    found = await service.on_thread(service.glossaries.get, owner_of(key), identity)
    entries = await service.on_thread(service.glossaries.entries, owner_of(key), identity, _only_pair(found))
    return Response(write_entries(entries), media_type=TSV)


@router.post("/v3/glossaries", status_code=201, openapi_extra=describe_body(MultilingualFields))
async def create_multilingual(request: Request, service: ServiceOf, key: KeyOf) -> MultilingualInfo:
    """Keep a glossary of several pairs of languages."""
    asked = await read_fields(request, MultilingualFields)
    dictionaries = {}
    for each in asked.dictionaries:
        if each.pair in dictionaries:
            raise Problem(400, f"there are two dictionaries of {each.pair[0]} to {each.pair[1]}")
        dictionaries[each.pair] = await service.on_thread(
            read_entries, each.entries, each.entries_format, each.pair
        )
    return _describe(
        await service.on_thread(service.glossaries.create, owner_of(key), asked.name, dictionaries)
    )


@router.get("/v3/glossaries")
async def list_multilingual(service: ServiceOf, key: KeyOf) -> MultilingualGlossaries:
    """List all glossaries."""
    found = await service.on_thread(service.glossaries.find_all, owner_of(key))
    return MultilingualGlossaries(glossaries=[_describe(each) for each in found])


@router.get("/v3/glossaries/{identity}")
async def get_multilingual(identity: str, service: ServiceOf, key: KeyOf) -> MultilingualInfo:
    """Describe a glossary."""
    return _describe(await service.on_thread(service.glossaries.get, owner_of(key), identity))


@router.patch("/v3/glossaries/{identity}", openapi_extra=describe_body(ChangeFields))
async def change_multilingual(
    identity: str, request: Request, service: ServiceOf, key: KeyOf
) -> MultilingualInfo:
    """Give a glossary another name, or add entries to it; those with the same source are replaced."""
    asked = await read_fields(request, ChangeFields)
    parsed = [
        (each.pair, await service.on_thread(read_entries, each.entries, each.entries_format, each.pair))
        for each in asked.dictionaries
    ]
    if asked.name is not None:
        await service.on_thread(service.glossaries.rename, owner_of(key), identity, asked.name)
    for pair, entries in parsed:
        await service.on_thread(service.glossaries.put, owner_of(key), identity, pair, entries, merge=True)
    return _describe(await service.on_thread(service.glossaries.get, owner_of(key), identity))


@router.put("/v3/glossaries/{identity}/dictionaries", openapi_extra=describe_body(DictionaryFields))
async def replace_dictionary(
    identity: str, request: Request, service: ServiceOf, key: KeyOf
) -> DictionaryInfo:
    """Set the entries of one pair of languages."""
    asked = await read_fields(request, DictionaryFields)
    entries = await service.on_thread(read_entries, asked.entries, asked.entries_format, asked.pair)
    count = await service.on_thread(
        service.glossaries.put, owner_of(key), identity, asked.pair, entries, merge=False
    )
    return DictionaryInfo(source_lang=asked.source_lang, target_lang=asked.target_lang, entry_count=count)


@router.delete("/v3/glossaries/{identity}/dictionaries", status_code=204)
async def delete_dictionary(
    identity: str, source_lang: str, target_lang: str, service: ServiceOf, key: KeyOf
) -> Response:
    """Forget the entries of one pair of languages."""
    pair = base_of(source_lang), base_of(target_lang)
    await service.on_thread(service.glossaries.delete_pair, owner_of(key), identity, pair)
    return Response(status_code=204)


@router.get("/v3/glossaries/{identity}/entries")
async def get_multilingual_entries(
    identity: str, source_lang: str, target_lang: str, service: ServiceOf, key: KeyOf
) -> Entries:
    """Return the entries of one pair of languages."""
    pair = base_of(source_lang), base_of(target_lang)
    entries = await service.on_thread(service.glossaries.entries, owner_of(key), identity, pair)
    return Entries(
        dictionaries=[
            DictionaryEntries(source_lang=pair[0], target_lang=pair[1], entries=write_entries(entries))
        ]
    )


def _only_pair(glossary: StoredGlossary) -> Pair:
    if len(glossary.counts) != 1:
        raise Problem(400, "the glossary has several pairs of languages: ask /v3/glossaries")
    return next(iter(glossary.counts))


def _describe_single(glossary: StoredGlossary, pair: Pair) -> GlossaryInfo:
    return GlossaryInfo(
        glossary_id=glossary.id,
        name=glossary.name,
        ready=True,
        source_lang=pair[0],
        target_lang=pair[1],
        creation_time=glossary.created,
        entry_count=glossary.counts[pair],
    )


def _describe(glossary: StoredGlossary) -> MultilingualInfo:
    return MultilingualInfo(
        glossary_id=glossary.id,
        name=glossary.name,
        creation_time=glossary.created,
        dictionaries=[
            DictionaryInfo(source_lang=pair[0], target_lang=pair[1], entry_count=count)
            for pair, count in glossary.counts.items()
        ],
    )
