"""Our own format, as JSON: what is asked for and what is answered."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from editmt.decoding.confidence import WordConfidence
from editmt.decoding.request import Request
from editmt.decoding.translation import Translation, describe_trace
from editmt.records import JsonObject
from editmt.serving.settings import RequestLimits
from editmt.text.phrases import even_spaces

MOST_TEXTS = RequestLimits().texts
Phrase = Annotated[str, StringConstraints(min_length=1, max_length=1_024)]


class Strict(BaseModel):
    """A request's part: a field that there is not is an error, or a typing error would be silent."""

    model_config = ConfigDict(extra="forbid")


class TermEntry(Strict):
    """A term and its translation, wanted where the term stands in the text, inflected or not."""

    source: Phrase
    target: Phrase | None = Field(None, description="None, where it is not to be translated.")
    kind: Literal["soft", "hard", "forbidden", "verbatim"] = "soft"

    @model_validator(mode="after")
    def _check(self) -> "TermEntry":
        if (self.target is None) != (self.kind == "verbatim"):
            raise ValueError("a target is needed, unless the term is verbatim")
        return self


class Text(Strict):
    """A text to translate, and what is wanted of its translation."""

    text: str
    entries: Annotated[list[TermEntry], Field(max_length=1_000)] = Field(
        [], description="Terms with their translations: a glossary for this text."
    )
    terms: list[Phrase | Annotated[list[Phrase], Field(min_length=1)]] = Field(
        [], description="Soft: words to start from; of a list of forms the first is suggested, any will do."
    )
    hard: list[Phrase] = Field([], description="Has to be in the translation, exactly so.")
    forbidden: list[Phrase] = Field([], description="Must not be in the translation.")
    draft: str | None = Field(None, description="A translation to start from.")
    locked: list[Annotated[list[int], Field(min_length=2, max_length=2)]] = Field(
        [], description="Characters (code points) [start, end] of the draft that stay, widened to words."
    )


class TranslateRequest(Strict):
    """Texts to translate."""

    texts: Annotated[list[str | Text], Field(min_length=1, max_length=MOST_TEXTS)]
    glossary_id: str | None = Field(None, description="A glossary whose terms to use.")
    glossary_terms: Literal["soft", "hard", "off"] = Field("soft", description="How its terms are wanted.")
    trace: bool = Field(False, description="Whether to tell every edit.")


class TermReport(BaseModel):
    """What became of a term."""

    term: str
    hard: bool
    status: Literal["used", "other form", "dropped"]
    form: str | None
    span: tuple[int, int] | None


class Word(BaseModel):
    """A word of the translation: its characters, and how sure the model was of it."""

    span: tuple[int, int]
    confidence: float


class Counts(BaseModel):
    """The edits, by kind."""

    repositions: int
    deletions: int
    insertions: int


class TranslatedText(BaseModel):
    """A translation."""

    text: str
    terms: list[TermReport]
    words: list[Word]
    score: float
    iterations: int
    counts: Counts
    trace: dict[str, Any] | None


class TranslateAnswer(BaseModel):
    """Translations in the order of the texts, and how long they took."""

    model: str
    translations: list[TranslatedText]
    milliseconds: float


class ModelDescription(BaseModel):
    """A model that can be asked."""

    name: str
    source_language: str
    target_language: str


class Models(BaseModel):
    """All models: one, at present."""

    models: list[ModelDescription]


class Health(BaseModel):
    """How the server is."""

    status: str


def make_request(text: str | Text) -> Request:
    """Turn one of the texts into a request."""
    if isinstance(text, str):
        return Request.of(even_spaces(text))
    locked = [(start, end) for start, end in text.locked]
    return Request.of(
        even_spaces(text.text),
        terms=text.terms,
        hard=text.hard,
        forbidden=text.forbidden,
        draft=text.draft,
        locked=locked,
    )


def describe_translation(
    translation: Translation, words: list[WordConfidence], pieces: tuple[str, ...], *, trace: bool
) -> JsonObject:
    """Turn a translation into the fields of a `TranslatedText`."""
    steps = translation.trace if trace else None
    return {
        "text": translation.text,
        "terms": [vars(use) for use in translation.terms],
        "words": [vars(word) for word in words],
        "score": translation.score,
        "iterations": translation.iterations,
        "counts": vars(translation.counts),
        "trace": None if steps is None else describe_trace(steps, pieces),
    }
