"""What `editmt prepare` does: options over recipe over defaults, the work itself, and a line about it."""

import argparse
import shutil
import sys
import time
from pathlib import Path

from editmt.cli.progress import show_progress
from editmt.cores import core_count
from editmt.data.fetching import fetch_files
from editmt.data.filters import LengthFilter
from editmt.data.lines import AlignedFiles
from editmt.data.passages import collect_splits
from editmt.data.prepare import PrepareSettings, check_output, prepare
from editmt.data.progress import Progress
from editmt.data.recipes import Recipe, find_recipe
from editmt.data.texts import DEFAULT_SAMPLE, MosesText, SentencePieceText, TextSettings
from editmt.errors import InputError
from editmt.records import JsonObject

SENTENCEPIECE_ONLY = ("size", "model_type", "per_side")
MOSES_ONLY = ("operations", "languages")


def run_prepare(options: argparse.Namespace) -> None:
    """Prepare the files or the recipe, and print one line about it."""
    start = time.perf_counter()
    check_output(options.out, overwrite=options.overwrite)
    with show_progress() as progress:
        description = (
            _prepare_recipe(options, progress) if options.recipe else _prepare_files(options, progress)
        )
    print(f"{options.out}: {summarise(description)}; {time.perf_counter() - start:.1f} s")


def summarise(description: JsonObject) -> str:
    """Return what was made in a line."""
    parts = []
    for name, split in description["splits"].items():
        dropped = ", ".join(f"{count:,} {reason}" for reason, count in split["dropped"].items() if count)
        parts.append(f"{name} {split['pairs']:,} pairs{f' (left out: {dropped})' if dropped else ''}")
    vocabulary = description["text"]["vocabulary"]
    types = f"{vocabulary['source']:,} types"
    if not vocabulary["joint"]:
        types = f"{vocabulary['source']:,} and {vocabulary['target']:,} types"
    return f"{', '.join(parts)}; {types}"


def _prepare_files(options: argparse.Namespace, progress: Progress) -> JsonObject:
    if options.mirror:
        raise InputError("--mirror is for a --recipe")
    files: dict[str, AlignedFiles] = {}
    for split, prefix in (("train", ""), ("valid", "valid_"), ("test", "test_")):
        source, target = (getattr(options, f"{prefix}{side}") for side in ("source", "target"))
        if (source is None) != (target is None):
            flag = prefix.replace("_", "-")
            raise InputError(f"--{flag}source and --{flag}target belong together; one is missing")
        if source is not None:
            files[split] = AlignedFiles(source, target)
    if "train" not in files:
        raise InputError("prepare needs --source and --target (or --recipe)")
    return prepare(
        options.out, files, _settings(options, None), overwrite=options.overwrite, progress=progress
    )


def _prepare_recipe(options: argparse.Namespace, progress: Progress) -> JsonObject:
    given = [name for name in vars(options) if name.endswith(("source", "target")) and getattr(options, name)]
    if given:
        raise InputError(f"--recipe names the text already: --{given[0].replace('_', '-')} cannot be given")
    recipe = find_recipe(options.recipe)
    settings = _settings(options, recipe)
    folder, files = fetch_files(recipe, options.mirror, progress)
    for name, record in files.items():
        if not record["verified"]:
            print(f"{name}: no checksum is known; its SHA-256 is {record['sha256']}", file=sys.stderr)
    origin = {"recipe": recipe.name, "homepage": recipe.homepage, "licence": recipe.licence, "files": files}
    out = options.out.resolve()
    work = out.with_name(f".{out.name}.sources")
    try:
        splits = collect_splits(recipe, folder, work)
        return prepare(
            options.out, splits, settings, overwrite=options.overwrite, origin=origin, progress=progress
        )
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _settings(options: argparse.Namespace, recipe: Recipe | None) -> PrepareSettings:
    """Put the options over what the recipe says, and that over the defaults."""
    lengths = recipe.filter if recipe else LengthFilter()
    sample = recipe.sample if recipe else DEFAULT_SAMPLE
    return PrepareSettings(
        text=_text(options, recipe),
        filter=LengthFilter(
            lengths.longest if options.longest is None else options.longest,
            lengths.ratio if options.ratio is None else options.ratio,
        ),
        sample=sample if options.sample is None else options.sample,
        seed=options.seed,
        workers=core_count() if options.workers is None else options.workers,
    )


def _text(options: argparse.Namespace, recipe: Recipe | None) -> TextSettings | Path:
    if options.text:
        _refuse(options, ("pipeline", "sample", *SENTENCEPIECE_ONLY, *MOSES_ONLY), "--text")
        folder: Path = options.text
        return folder
    planned = recipe.text if recipe else SentencePieceText()
    kind = options.pipeline or ("moses" if isinstance(planned, MosesText) else "sentencepiece")
    if kind == "moses":
        _refuse(options, SENTENCEPIECE_ONLY, "--pipeline moses")
        languages = options.languages or (recipe.languages if recipe else None)
        if languages is None:
            raise InputError("--pipeline moses needs --languages, such as: --languages en de")
        merges = planned if isinstance(planned, MosesText) else MosesText(tuple(languages))
        return MosesText(
            tuple(languages), merges.operations if options.operations is None else options.operations
        )
    _refuse(options, MOSES_ONLY, "SentencePiece")
    pieces = planned if isinstance(planned, SentencePieceText) else SentencePieceText()
    return SentencePieceText(
        size=pieces.size if options.size is None else options.size,
        model_type=options.model_type or pieces.model_type,
        joint=pieces.joint and not options.per_side,
    )


def _refuse(options: argparse.Namespace, names: tuple[str, ...], beside: str) -> None:
    for name in names:
        if getattr(options, name) is not None:
            raise InputError(f"--{name.replace('_', '-')} has no meaning with {beside}")
