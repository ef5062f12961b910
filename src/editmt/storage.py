"""Folders that are whole or not there: written beside, sealed with checksums, then renamed."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from editmt.errors import InputError

MANIFEST_FILE = "manifest.json"
BESIDE = ".partial"


@contextmanager
def write_folder(folder: Path) -> Iterator[Path]:
    """Give a folder to write into; at the end it is sealed and takes the place of `folder`.

    Whatever happens meanwhile, a kill or a full disk, an older folder of that name stays as it was.
    """
    beside = folder.with_name(folder.name + BESIDE)
    shutil.rmtree(beside, ignore_errors=True)
    try:
        beside.mkdir(parents=True)
        yield beside
        seal(beside)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    old = folder.with_name(folder.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    beside.rename(folder)
    _sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def seal(folder: Path) -> None:
    """Write the SHA-256 of every file below into the manifest, and all of it to the disk."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = {str(path.relative_to(folder)): checksum(path) for path in files}
    (folder / MANIFEST_FILE).write_text(json.dumps(sums, indent=2) + "\n", encoding="utf-8")
    for path in [*files, folder / MANIFEST_FILE, folder]:
        _sync(path)


def verify(folder: Path) -> None:
    """Refuse a folder that is not as it was sealed, naming the file."""
    path = folder / MANIFEST_FILE
    try:
        sums: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{folder}: nothing complete is saved here ({MANIFEST_FILE} is missing)") from None
    except ValueError:
        raise InputError(f"{path}: damaged") from None
    for name, expected in sums.items():
        if not (folder / name).is_file():
            raise InputError(f"{folder / name}: missing")
        if checksum(folder / name) != expected:
            raise InputError(f"{folder / name}: damaged (its SHA-256 is not the manifest's)")


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
