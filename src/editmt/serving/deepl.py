"""DeepL's format: `/v2` without glossaries, which `deepl_glossaries` has."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from editmt.decoding.segments import Segment
from editmt.serving.bodies import read_fields
from editmt.serving.dependencies import KeyOf, ServiceOf
from editmt.serving.keys import Key
from editmt.serving.languages import check_pair, name_of, targets_of
from editmt.serving.problems import Problem
from editmt.serving.schemas import PROBLEMS, describe_body
from editmt.serving.service import Service, owner_of
from editmt.serving.settings import RequestLimits
from editmt.text.markup import Code, Notation

NO_LIMIT = 1_000_000_000_000
"""The characters that a key without a quota has, as clients want a number."""

FIRST_PRIVATE, MOST_PRIVATE = 0xE000, 6_400
"""Characters that mean nothing, and so can stand for what is not to be translated."""

router = APIRouter(prefix="/v2", responses=PROBLEMS)


def _as_list(value: Any) -> Any:
    return value.split(",") if isinstance(value, str) else value


OneOrMore = Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
Separated = Annotated[list[str], BeforeValidator(_as_list)]


class TranslateFields(BaseModel):
    """What is read of a request; DeepL has many more fields, which are ignored."""

    text: Annotated[OneOrMore, Field(min_length=1, max_length=RequestLimits().texts)]
    target_lang: str
    source_lang: str | None = None
    glossary_id: str | None = None
    glossary_ids: Separated = []
    tag_handling: str | None = None
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
    hidden = [_Hidden(text, asked.ignore_tags if asked.tag_handling else []) for text in asked.text]
    found = await service.translate_segments(key, [each.segment for each in hidden], glossary)
    return Translations(
        translations=[
            Translation(
                detected_source_language=service.model.languages[0].upper(),
                text=each.restore(translated.text),
                billed_characters=len(text),
            )
            for text, each, translated in zip(asked.text, hidden, found, strict=True)
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


class _Hidden:
    """A text in which each element that is to be ignored is one character, which stays as it is."""

    def __init__(self, text: str, ignored: list[str]) -> None:
        names = "|".join(re.escape(name.strip()) for name in ignored if name.strip())
        self._parts: list[str] = []
        self._free = (
            c for c in map(chr, range(FIRST_PRIVATE, FIRST_PRIVATE + MOST_PRIVATE)) if c not in text
        )
        self._codes: dict[str, str] = {}
        if names:
            text = re.sub(rf"<({names})(?:\s[^<>]*)?(?:/>|>.*?</\1\s*>)", self._hide, text, flags=re.DOTALL)
        notation = Notation(codes={code: Code("placeholder") for code in self._codes})
        self.segment = Segment(text, notation)

    def _hide(self, match: "re.Match[str]") -> str:
        code = next(self._free, None)
        if code is None:
            return match[0]
        self._codes[code] = match[0]
        return code

    def restore(self, text: str) -> str:
        """Put back what was hidden."""
        return re.sub("|".join(self._codes), lambda code: self._codes[code[0]], text) if self._codes else text
