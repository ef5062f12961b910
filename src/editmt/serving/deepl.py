"""DeepL's format: `/v2` without glossaries, which `deepl_glossaries` has."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from editmt.serving.bodies import read_fields
from editmt.serving.dependencies import KeyOf, ServiceOf
from editmt.serving.hiding import HiddenMarkup, PlainText
from editmt.serving.keys import Key
from editmt.serving.languages import check_pair, name_of, targets_of
from editmt.serving.problems import Problem
from editmt.serving.schemas import PROBLEMS, describe_body
from editmt.serving.service import Service, owner_of
from editmt.serving.settings import RequestLimits

NO_LIMIT = 1_000_000_000_000
"""The characters that a key without a quota has, as clients want a number."""

router = APIRouter(prefix="/v2", responses=PROBLEMS)


def _as_list(value: Any) -> Any:
    return value.split(",") if isinstance(value, str) else value


OneOrMore = Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
Separated = Annotated[list[str], BeforeValidator(_as_list)]
NoneIfEmpty = BeforeValidator(lambda value: None if value == "" else value)


class TranslateFields(BaseModel):
    """What is read of a request; DeepL has many more fields, which are ignored.

    A formality that the model cannot promise is refused, as DeepL does; one that is only preferred is not.
    """

    text: Annotated[OneOrMore, Field(min_length=1, max_length=RequestLimits().texts)]
    target_lang: str
    source_lang: str | None = None
    glossary_id: str | None = None
    glossary_ids: Annotated[Separated, Field(max_length=10)] = []
    formality: Annotated[Literal["default", "prefer_more", "prefer_less"] | None, NoneIfEmpty] = None
    tag_handling: Annotated[Literal["xml", "html"] | None, NoneIfEmpty] = None
    ignore_tags: Annotated[
        Separated, Field(validation_alias=AliasChoices("ignore_tags", "ignore_tags[]"))
    ] = []


class Translation(BaseModel):
    """One translated text."""

    detected_source_language: str
    text: str
    billed_characters: int


class Translations(BaseModel):
    """All, in the order of the texts."""

    translations: list[Translation]


class Language(BaseModel):
    """A language that is supported."""

    language: str
    name: str
    supports_formality: bool = False


class LanguageFields(BaseModel):
    """Whether sources or targets are asked for."""

    type: str = "source"


class UsageAnswer(BaseModel):
    """Characters of the month."""

    character_count: int
    character_limit: int


class GlossaryPair(BaseModel):
    """Languages that a glossary may have."""

    source_lang: str
    target_lang: str


class GlossaryPairs(BaseModel):
    """All such pairs."""

    supported_languages: list[GlossaryPair]


@router.post("/translate", openapi_extra=describe_body(TranslateFields))
async def translate(request: Request, service: ServiceOf, key: KeyOf) -> Translations:
    """Translate texts."""
    asked = await read_fields(request, TranslateFields)
    check_pair(service.model.languages, asked.source_lang, asked.target_lang)
    identities = [asked.glossary_id] if asked.glossary_id else asked.glossary_ids
    if identities and not asked.source_lang:
        raise Problem(400, "with a glossary, source_lang is needed")
    glossary = await service.find_glossary(key, identities)
    marked = await service.on_thread(_hide, asked)
    found = await service.translate_segments(key, [each.segment for each in marked], glossary)
    return Translations(
        translations=[
            Translation(
                detected_source_language=service.model.languages[0].upper(),
                text=each.restore(translated.text),
                billed_characters=len(text),
            )
            for text, each, translated in zip(asked.text, marked, found, strict=True)
        ]
    )


@router.get("/languages")
async def list_languages(request: Request, service: ServiceOf) -> list[Language]:
    """List the languages; what is asked for may be in the query, or in the body of the GET."""
    asked = await read_fields(request, LanguageFields)
    source, target = service.model.languages
    codes = targets_of(target) if asked.type == "target" else (source,)
    return [Language(language=code.upper(), name=_name(code)) for code in codes]


@router.get("/usage")
async def tell_usage(service: ServiceOf, key: KeyOf) -> UsageAnswer:
    """Tell how many characters were translated this month."""
    return await tell_usage_of(service, key)


async def tell_usage_of(service: Service, key: Key | None) -> UsageAnswer:
    """Look up the characters of a key."""
    count = await service.on_thread(service.usage.of, owner_of(key))
    limit = NO_LIMIT if key is None or key.quota is None else key.quota
    return UsageAnswer(character_count=count, character_limit=limit)


@router.get("/glossary-language-pairs")
async def list_glossary_pairs(service: ServiceOf) -> GlossaryPairs:
    """List the pairs of languages that glossaries are used for."""
    source, target = service.model.languages
    return GlossaryPairs(supported_languages=[GlossaryPair(source_lang=source, target_lang=target)])


def _name(code: str) -> str:
    region = {"en-US": " (American)", "en-GB": " (British)", "pt-BR": " (Brazilian)"}.get(code, "")
    return name_of(code) + region


def _hide(asked: TranslateFields) -> list[PlainText | HiddenMarkup]:
    """Hide what is not to be translated, where markup is."""
    if asked.tag_handling is None:
        return [PlainText(text) for text in asked.text]
    is_html = asked.tag_handling == "html"
    return [HiddenMarkup(text, asked.ignore_tags, is_html=is_html) for text in asked.text]
