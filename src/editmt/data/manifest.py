"""What a finished folder holds: the size and SHA-256 of each file, so that damage is seen before use."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from editmt.errors import InputError
from editmt.records import JsonObject

FileRecords: TypeAlias = Mapping[str, Mapping[str, int | str]]
BLOCK = 1 << 20


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, read block by block."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def describe_files(folder: Path, names: Iterable[str]) -> dict[str, dict[str, int | str]]:
    """Return the size and SHA-256 of each named file of a folder."""
    return {
        name: {"bytes": (folder / name).stat().st_size, "sha256": hash_file(folder / name)} for name in names
    }


def check_files(folder: Path, records: FileRecords, *, checksums: bool = True) -> None:
    """Refuse the folder, naming the file, where one is missing, too short or long, or otherwise changed."""
    for name, record in records.items():
        path = folder / name
        try:
            size = path.stat().st_size
        except OSError:
            raise InputError(f"{path}: the file is missing") from None
        if size != record.get("bytes"):
            raise InputError(
                f"{path}: damaged: {size:,} bytes, where its manifest says {record.get('bytes'):,}"
            )
        if checksums and hash_file(path) != record.get("sha256"):
            raise InputError(f"{path}: damaged: its SHA-256 is not the one of its manifest")


def read_manifest(path: Path) -> JsonObject:
    """Read a JSON object that has its file records under `files`."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        records = manifest["files"]
        whole = all(isinstance(r["bytes"], int) and isinstance(r["sha256"], str) for r in records.values())
    except FileNotFoundError:
        raise InputError(f"{path}: the file is missing") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        whole = False
    if not whole:
        raise InputError(f"{path}: damaged: not a manifest")
    result: JsonObject = manifest
    return result


def write_json(path: Path, content: JsonObject) -> None:
    """Write a JSON file beside, and rename it: it is there whole or not at all."""
    beside = path.with_name(path.name + ".part")
    beside.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)
