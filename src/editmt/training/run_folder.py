"""What a run is: its configuration, data and versions, written once and compared when it goes on.

config.json     the resolved configuration, defaults and seed included
data.json       the checksums of the text pipelines and sets it learns from
versions.json   what it was started with; for the reader only
"""

import json
import platform
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import torch

from editmt.config import Config, ModelConfig
from editmt.data.pairs import PairSet
from editmt.data.prepared import PreparedData
from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import read_manifest, write_json
from editmt.tables import to_table
from editmt.version import __version__

CONFIG_FILE, DATA_FILE, VERSIONS_FILE = "config.json", "data.json", "versions.json"
LEARNT_FROM = ("train", "valid")
"""The sets that a run's outcome depends on."""

MAY_CHANGE = {("data", "folder"), ("run", "threads"), ("run", "compile"), ("run", "init_from")}
"""Where things are and how fast they go, which is not what a run learns: data is known by its checksums, and
`init_from` matters to the first step only. With other threads sums round differently, so that the weights
are then alike, not the same."""


def check_run(folder: Path, config: Config, data: PreparedData) -> None:
    """Refuse a folder that is another run's, by its configuration or data, or something else."""
    if (folder / CONFIG_FILE).exists():
        _compare_config(folder, config)
        _compare_data(folder, data)
    elif folder.exists() and (not folder.is_dir() or _strangers(folder)):
        raise InputError(f"{folder}: there is something else of this name, not a training run")


def record_run(folder: Path, config: Config, data: PreparedData) -> None:
    """Make the folder this run's, unless it is already."""
    if (folder / CONFIG_FILE).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    versions = {"editmt": __version__, "torch": torch.__version__, "python": platform.python_version()}
    write_json(folder / VERSIONS_FILE, versions)
    write_json(folder / DATA_FILE, {"files": data.records(*LEARNT_FROM)})
    write_json(folder / CONFIG_FILE, _through_json(to_table(config)))


def check_lengths(pairs: PairSet, max_length: int) -> None:
    """Refuse sentences that the model has no positions for."""
    longest = int(pairs.lengths.max(initial=0)) + 2
    if longest > max_length:
        raise InputError(
            f"model.max_length is {max_length}, the longest sentence of {pairs.name} {longest} tokens"
        )


def check_vocabularies(data: PreparedData, model: ModelConfig) -> None:
    """Refuse to tie embeddings of ids that mean different things on the two sides."""
    if model.tied and not data.texts.joint:
        raise InputError(
            f"{data.folder}: source and target have different vocabularies: set model.tied = false"
        )


def _through_json(table: JsonObject) -> JsonObject:
    """Return a table as it is after a way through JSON, where tuples are lists."""
    after: JsonObject = json.loads(json.dumps(table))
    return after


def _strangers(folder: Path) -> bool:
    """Whether there is more than what a kill right after the start may leave."""
    ours = {name + end for name in (CONFIG_FILE, DATA_FILE, VERSIONS_FILE) for end in ("", ".part")}
    return any(path.name not in ours for path in folder.iterdir())


def _compare_config(folder: Path, config: Config) -> None:
    """Refuse a run of another configuration; keys that are newer than the run had their defaults."""
    saved = _read(folder / CONFIG_FILE)
    for section, values in _through_json(to_table(config)).items():
        known = _defaults(getattr(config, section)) | saved.get(section, {})
        for key, value in values.items():
            before = known.get(key)
            if before != value and (section, key) not in MAY_CHANGE:
                raise InputError(
                    f"{folder}: this run was started with {section}.{key} = {before!r}, not {value!r}"
                )


def _defaults(section: Any) -> JsonObject:
    return _through_json({key.name: key.default for key in fields(section) if key.default is not MISSING})


def _compare_data(folder: Path, data: PreparedData) -> None:
    before, now = read_manifest(folder / DATA_FILE)["files"], data.records(*LEARNT_FROM)
    for name in sorted({*before, *now}):
        if before.get(name) != now.get(name):
            raise InputError(
                f"{folder}: this run was started with other data: {data.folder / name} is not the same"
            )


def _read(path: Path) -> JsonObject:
    try:
        table: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{path}: damaged: not JSON") from None
    return table
