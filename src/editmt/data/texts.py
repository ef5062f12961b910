"""The two text pipelines of a set of pairs: learnt from a sample of it, or taken over from another."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias

from editmt.data.lines import Chunk
from editmt.data.pairs import SIDES
from editmt.errors import InputError
from editmt.text import TextPipeline, load_pipeline
from editmt.text.pipeline import DESCRIPTION_FILE

TEXT_FOLDER = "text"
DEFAULT_SAMPLE = 100_000
"""Pairs that subwords are learnt from: enough for them, and some 200 MB for SentencePiece."""


@dataclass(frozen=True)
class SentencePieceText:
    """SentencePiece on raw text: one vocabulary for both sides, or one of this size each."""

    size: int = 8000
    model_type: Literal["bpe", "unigram"] = "bpe"
    joint: bool = True


@dataclass(frozen=True)
class MosesText:
    """The paper's: Moses for each language, BPE and vocabulary joint (needs `editmt[moses]`)."""

    languages: tuple[str, str]
    operations: int = 40_000

    def __post_init__(self) -> None:
        source, target = self.languages
        if source == target:
            raise InputError(f"two different languages are needed, not {source} twice")
        if self.operations < 1:
            raise InputError(f"at least 1 BPE operation is needed, not {self.operations}")


TextSettings: TypeAlias = SentencePieceText | MosesText


@dataclass(frozen=True, eq=False)
class Texts:
    """The source's pipeline and the target's: one object where SentencePiece is joint."""

    source: TextPipeline
    target: TextPipeline

    @property
    def joint(self) -> bool:
        """Whether ids mean the same on both sides, so that embeddings can be tied."""
        ours, theirs = self.source.vocabulary, self.target.vocabulary
        return ours is theirs or ours.pieces == theirs.pieces

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of token types of either side."""
        return len(self.source.vocabulary), len(self.target.vocabulary)

    def save(self, folder: Path) -> None:
        """Write one pipeline into the folder, or two into `source` and `target` in it."""
        if self.source is self.target:
            self.source.save(folder)
            return
        self.source.save(folder / "source")
        self.target.save(folder / "target")


def open_texts(folder: Path) -> Texts:
    """Load what `save` wrote."""
    if (folder / DESCRIPTION_FILE).exists():
        pipeline = load_pipeline(folder)
        return Texts(pipeline, pipeline)
    return Texts(*(load_pipeline(folder / side) for side in SIDES))


def learn_texts(sample: Chunk, settings: TextSettings) -> Texts:
    """Learn the pipelines from source and target sentences."""
    if not any(line.strip() for side in sample for line in side):
        raise InputError("no subwords can be learnt: the corpus has no words")
    if isinstance(settings, MosesText):
        return _learn_moses(sample, settings)
    from editmt.text.subwords import SentencePiecePipeline  # noqa: PLC0415 - Moses does without

    size, model_type = settings.size, settings.model_type
    if settings.joint:
        both = SentencePiecePipeline.train(chain(*sample), size=size, model_type=model_type)
        return Texts(both, both)
    return Texts(*(SentencePiecePipeline.train(side, size=size, model_type=model_type) for side in sample))


def copy_texts(given: Path, folder: Path) -> None:
    """Copy saved pipelines, byte for byte; `given` may also be a folder of prepared data."""
    origin = given / TEXT_FOLDER if (given / TEXT_FOLDER).is_dir() else given
    if (origin / DESCRIPTION_FILE).exists():
        _copy_pipeline(origin, folder)
        return
    for side in SIDES:
        if not (origin / side / DESCRIPTION_FILE).exists():
            raise InputError(f"{given}: no text pipeline here ({DESCRIPTION_FILE} is missing)")
        _copy_pipeline(origin / side, folder / side)


def describe_settings(settings: TextSettings) -> Mapping[str, object]:
    """Return the settings as they are recorded."""
    kind = "moses" if isinstance(settings, MosesText) else "sentencepiece"
    return {"kind": kind, **vars(settings)}


def _learn_moses(sample: Chunk, settings: MosesText) -> Texts:
    from editmt.text.moses import train_moses  # noqa: PLC0415 - an optional extra

    source, target = settings.languages
    corpora = dict(zip(settings.languages, sample, strict=True))
    pipelines = train_moses(corpora, operations=settings.operations)
    return Texts(pipelines[source], pipelines[target])


def _copy_pipeline(origin: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for path in sorted(origin.iterdir()):
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
