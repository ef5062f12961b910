"""Files and folders that are whole or not there: written beside, recorded with checksums, then renamed.

Prepared data, checkpoints and models are all kept this way: killed at any moment, or on a full disk, a
program leaves either what was there before or what should be there after.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from editmt.errors import InputError
from editmt.records import JsonObject

MANIFEST_FILE = "manifest.json"
MODEL_OF_RUN = "model"
"""Where in a run's folder its model is, once it is done."""

FileRecords: TypeAlias = Mapping[str, Mapping[str, int | str]]
"""The size and SHA-256 of files by name, so that damage is seen before use."""


def find_model(path: Path) -> Path:
    """Return the folder of the model: a finished run's, or `path` itself."""
    return path / MODEL_OF_RUN if (path / MODEL_OF_RUN).is_dir() else path


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder beside `folder` that takes its place when the block ends well.

    Only between two renames is an older folder of that name away, as `.NAME.old`; `restore_folder` puts
    it back.
    """
    folder, beside, old = _names(folder)
    try:
        restore_folder(folder)
        for leftover in (beside, old):
            shutil.rmtree(leftover, ignore_errors=True)  # of a run that was killed
        beside.mkdir(parents=True)
        yield beside
        for path in [*beside.rglob("*"), beside]:
            _sync(path)
        if folder.exists():
            folder.rename(old)
        beside.rename(folder)
        _sync(folder.parent)
    except OSError as error:
        restore_folder(folder)
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    finally:
        for leftover in (beside, old):
            shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def write_folder(folder: Path) -> Iterator[Path]:
    """Do as `replace_folder`, and seal what was written with a manifest for `verify`."""
    with replace_folder(folder) as beside:
        yield beside
        write_json(beside / MANIFEST_FILE, {"files": describe_files(beside, list_files(beside))})


def restore_folder(folder: Path) -> None:
    """Put back what a run that was killed between two renames had moved away."""
    folder, _, old = _names(folder)
    if old.exists() and not folder.exists():
        old.rename(folder)


def verify(folder: Path) -> None:
    """Refuse a folder that is not as `write_folder` sealed it, naming the file."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    if not (folder / MANIFEST_FILE).exists():
        raise InputError(f"{folder}: nothing complete is saved here ({MANIFEST_FILE} is missing)")
    check_files(folder, read_manifest(folder / MANIFEST_FILE)["files"])


def list_files(folder: Path, below: str = ".") -> list[str]:
    """Return the names, as seen from the folder, of all files in it or in a folder below."""
    paths = sorted(path for path in (folder / below).rglob("*") if path.is_file())
    return [path.relative_to(folder).as_posix() for path in paths]


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
    """Write a JSON file that is whole or not there."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def read_text(path: Path) -> str:
    """Read a text file that a user has named, or say in one line why it cannot be."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def write_text(path: Path, text: str) -> None:
    """Write a text file that is whole or not there."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file beside, and rename it; what is no file (a pipe, a device) is written to as it is.

    An error names the file, not the one beside it.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        place = path.resolve()  # where it is a link, what it leads to is written
        beside = place.with_name(place.name + ".part")
        try:
            beside.write_bytes(data)
            _sync(beside)  # or after a power cut the name may be there before the content
            beside.replace(place)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _names(folder: Path) -> tuple[Path, Path, Path]:
    """Return the folder's full path, and where it is made and where the old one waits meanwhile."""
    folder = folder.resolve()
    return folder, folder.with_name(f".{folder.name}.partial"), folder.with_name(f".{folder.name}.old")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
