"""LibreTranslate's format: `/translate`, `/detect`, `/languages`, `/health`; a key may be in the body."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from editmt.serving.bodies import read_fields
from editmt.serving.dependencies import KeyOf, ServiceOf
from editmt.serving.hiding import HiddenMarkup, PlainText
from editmt.serving.keys import Key
from editmt.serving.languages import check_pair, name_of
from editmt.serving.problems import Problem
from editmt.serving.schemas import ERRORS, describe_body
from editmt.serving.service import Service
from editmt.serving.settings import RequestLimits

router = APIRouter(responses=ERRORS)


class KeyFields(BaseModel):
    """What any request may have."""

    api_key: str | None = None


class TranslateFields(KeyFields):
    """A text, or several, to translate."""

    q: str | Annotated[list[str], Field(min_length=1, max_length=RequestLimits().texts)]
    source: str
    target: str
    format: Annotated[str, Field(pattern="^(text|html)$")] = "text"


class DetectFields(KeyFields):
    """A text whose language is asked for."""

    q: str


class Translated(BaseModel):
    """The translation, or all of them."""

    translatedText: str | list[str]  # noqa: N815 - that is its name


class Detected(BaseModel):
    """A language that the text may be in; of 100."""

    confidence: float
    language: str


class Language(BaseModel):
    """A language, and what it is translated into."""

    code: str
    name: str
    targets: list[str]


class Health(BaseModel):
    """How the server is."""

    status: str


@router.post("/translate", openapi_extra=describe_body(TranslateFields))
async def translate(request: Request, service: ServiceOf, key: KeyOf) -> Translated:
    """Translate a text, or several."""
    asked = await read_fields(request, TranslateFields)
    key = _admit(service, key, asked)
    check_pair(service.model.languages, asked.source, asked.target)
    marked = await service.on_thread(_hide, asked)
    found = await service.translate_segments(key, [each.segment for each in marked], None)
    translated = [each.restore(answer.text) for each, answer in zip(marked, found, strict=True)]
    return Translated(translatedText=translated[0] if isinstance(asked.q, str) else translated)


@router.post("/detect", openapi_extra=describe_body(DetectFields))
async def detect(request: Request, service: ServiceOf, key: KeyOf) -> list[Detected]:
    """Tell which of the model's two languages a text is in."""
    asked = await read_fields(request, DetectFields)
    _admit(service, key, asked)
    shares = await service.on_thread(_share_words, asked.q, service.model.languages)
    best = sorted(shares.items(), key=lambda item: -item[1])
    return [Detected(confidence=round(100 * share, 1), language=code) for code, share in best]


@router.get("/languages")
async def list_languages(service: ServiceOf) -> list[Language]:
    """List the languages."""
    source, target = service.model.languages
    return [
        Language(code=source, name=name_of(source), targets=[target]),
        Language(code=target, name=name_of(target), targets=[]),
    ]


@router.get("/health")
async def tell_health() -> Health:
    """Tell that the server answers."""
    return Health(status="ok")


def _hide(asked: TranslateFields) -> list[PlainText | HiddenMarkup]:
    """Hide what HTML has for programs, if it is HTML."""
    texts = [asked.q] if isinstance(asked.q, str) else asked.q
    if asked.format == "text":
        return [PlainText(text) for text in texts]
    return [HiddenMarkup(text, (), is_html=True) for text in texts]


def _admit(service: Service, key: Key | None, asked: KeyFields) -> Key | None:
    """Return whose request it is; the key in the body counts where there was none in a header."""
    if key is not None or not service.config.keys_required:
        return key
    if not asked.api_key:
        raise Problem(403, "an API key is needed")
    return service.admit(asked.api_key)


def _share_words(text: str, languages: tuple[str, str]) -> dict[str, float]:
    """Return the share of a text's words that each language's dictionary knows."""
    import simplemma  # noqa: PLC0415 - its dictionaries take a moment

    shares: dict[str, float] = {}
    for code in languages:
        try:
            shares[code] = float(simplemma.in_target_language(text, lang=code)) if text.strip() else 0.0
        except ValueError:  # a language that it does not know
            shares[code] = 0.0
    return shares
