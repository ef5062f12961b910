"""From aligned text files to a folder of prepared data.

The folder is made under another name and renamed when it is whole: killed at any moment, `prepare` leaves
either what was there before or what should be there after. (Between the two renames of an overwriting the
old folder is there as `.OUT.old`; the next run puts it back.)
"""

import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from editmt.cores import core_count
from editmt.data.encoding import encode_chunks
from editmt.data.filters import REASONS, LengthFilter
from editmt.data.lines import AlignedFiles
from editmt.data.pairs import write_pairs
from editmt.data.prepared import PREPARED_FILE
from editmt.data.progress import Progress, be_silent
from editmt.data.texts import (
    DEFAULT_SAMPLE,
    TEXT_FOLDER,
    SentencePieceText,
    TextSettings,
    copy_texts,
    describe_settings,
    learn_texts,
    open_texts,
)
from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import describe_files, list_files, replace_folder, restore_folder, write_json
from editmt.version import __version__

TRAIN = "train"
SPLITS = (TRAIN, "valid", "test")
WORTH_A_WORKER = 2_500
"""Fewer pairs are encoded sooner than another process has started."""

PACKAGES = ("numpy", "sentencepiece", "sacremoses", "subword-nmt")


@dataclass(frozen=True)
class PrepareSettings:
    """How text becomes ids. `text` is what to learn, or a folder where it was learnt before."""

    text: TextSettings | Path = field(default_factory=SentencePieceText)
    filter: LengthFilter = field(default_factory=LengthFilter)
    sample: int = DEFAULT_SAMPLE
    seed: int = 1
    workers: int = field(default_factory=core_count)

    def __post_init__(self) -> None:
        for name in ("sample", "workers"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.seed < 0:
            raise InputError(f"the seed must not be negative: {self.seed}")


def prepare(
    out: Path,
    files: Mapping[str, AlignedFiles],
    settings: PrepareSettings,
    *,
    overwrite: bool = False,
    origin: JsonObject | None = None,
    progress: Progress = be_silent,
) -> JsonObject:
    """Make the folder `out` from text files by split, and return its description.

    Only `train` is filtered, and the text pipelines are learnt from it: what is measured on `valid` and
    `test` is measured on all of it. `origin` is recorded as where the files come from. What is written
    does not depend on the number of workers.
    """
    restore_folder(out)
    check_output(out, overwrite=overwrite)
    counts = {name: pair.count() for name, pair in files.items()}
    with replace_folder(out) as folder:
        text = _make_texts(folder / TEXT_FOLDER, files[TRAIN], counts[TRAIN], settings, progress)
        splits = {
            name: _write_split(folder, name, pair, counts[name], settings, progress)
            for name, pair in files.items()
        }
        description: JsonObject = {
            "editmt": __version__,
            "versions": {"python": platform.python_version(), **_versions()},
            "origin": origin,
            "text": text,
            "filter": asdict(settings.filter),
            "seed": settings.seed,
            "splits": splits,
            "files": describe_files(folder, list_files(folder, TEXT_FOLDER)),
        }
        write_json(folder / PREPARED_FILE, description)
    return description


def check_output(out: Path, *, overwrite: bool) -> None:
    """Refuse a place that holds prepared data, unless it is to be overwritten, or anything else, always."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: there is a file of this name")
    names = {path.name for path in out.iterdir()} if out.exists() else set()
    if PREPARED_FILE in names and not overwrite:
        raise InputError(f"{out}: holds prepared data already (--overwrite replaces it)")
    ours = {PREPARED_FILE, TEXT_FOLDER}
    others = sorted(name for name in names - ours if not name.startswith(tuple(f"{s}." for s in SPLITS)))
    if others or (names and PREPARED_FILE not in names):
        raise InputError(f"{out}: holds other files ({', '.join((others or sorted(names))[:3])}, …)")


def _make_texts(
    folder: Path, train: AlignedFiles, line_count: int, settings: PrepareSettings, progress: Progress
) -> JsonObject:
    if isinstance(settings.text, Path):
        copy_texts(settings.text, folder)
        text: JsonObject = {"taken_from": str(settings.text)}
    else:
        progress("learning subwords", 0, 0)
        sample = train.sample(settings.sample, line_count, settings.seed)
        learn_texts(sample, settings.text).save(folder)
        text = {**describe_settings(settings.text), "sample": len(sample[0])}
    texts = open_texts(folder)
    source_size, target_size = texts.sizes
    return text | {"vocabulary": {"source": source_size, "target": target_size, "joint": texts.joint}}


def _write_split(
    folder: Path,
    name: str,
    files: AlignedFiles,
    line_count: int,
    settings: PrepareSettings,
    progress: Progress,
) -> JsonObject:
    workers = max(1, min(settings.workers, line_count // WORTH_A_WORKER))
    length_filter = settings.filter if name == TRAIN else None
    text_folder = folder / TEXT_FOLDER
    dropped: Counter[str] = Counter()
    done = 0
    with write_pairs(folder, name, open_texts(text_folder).sizes) as writer:
        for chunk in encode_chunks(files.chunks(), text_folder, length_filter, workers=workers):
            writer.add(chunk.source, chunk.target)
            dropped += chunk.dropped
            done += chunk.read
            progress(name, done, line_count)
        kept = writer.pairs
    if not kept:
        raise InputError(f"{files.source}: all {line_count:,} pairs are empty, too long or too uneven")
    return files.describe() | {
        "lines": line_count,
        "pairs": kept,
        "dropped": {reason: dropped[reason] for reason in REASONS},
    }


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
