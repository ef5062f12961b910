"""The one door between text and ids, whichever way the text is cut into tokens."""

import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from editmt.errors import InputError
from editmt.text.vocabulary import Vocabulary

DESCRIPTION_FILE = "pipeline.json"
MODULES = {
    "sentencepiece": ("editmt.text.subwords", "SentencePiecePipeline"),
    "moses": ("editmt.text.moses", "MosesPipeline"),
}


class Own(NamedTuple):
    """Tokens of a sentence that are a user's phrase, and what the user wrote."""

    start: int
    end: int
    text: str


class TextPipeline(Protocol):
    """Text ↔ ids for one language, saved in a folder of its own beside the model's weights."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The token types that the ids stand for."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of one line of text, without `<s>` and `</s>`."""

    def encode_phrase(self, phrase: str) -> list[int]:
        """Return the ids of words as they stand inside a sentence: a constraint, a glossary's term."""

    def decode(self, ids: Sequence[int], own: Sequence[Own] = (), /) -> str:
        """Return the text of token ids; special symbols are passed over.

        A user's phrases, in order, come out as they were written, though the pipeline may not be exact.
        """

    def save(self, folder: Path) -> None:
        """Write all that `load` needs into the folder."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""


def load_pipeline(folder: Path) -> TextPipeline:
    """Load the pipeline saved in a folder, of whichever kind it is."""
    kind = read_description(folder).get("kind")
    if kind not in MODULES:
        known = ", ".join(MODULES)
        raise InputError(f"{folder / DESCRIPTION_FILE}: kind {kind!r} is none of: {known}")
    module, name = MODULES[kind]
    pipeline_class: type[TextPipeline] = getattr(import_module(module), name)
    return pipeline_class.load(folder)


def write_description(folder: Path, description: dict[str, str]) -> None:
    """Say in the folder which kind of pipeline it holds, and its settings."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(description, indent=2, ensure_ascii=False)
    (folder / DESCRIPTION_FILE).write_text(text + "\n", encoding="utf-8")


def read_description(folder: Path) -> dict[str, str]:
    """Read what `write_description` wrote."""
    path = folder / DESCRIPTION_FILE
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: no text pipeline here ({DESCRIPTION_FILE} is missing)") from None
    except ValueError:
        raise InputError(f"{path}: not a description of a text pipeline (broken JSON)") from None
    if not isinstance(description, dict):
        raise InputError(f"{path}: not a description of a text pipeline (no JSON object)")
    return description
