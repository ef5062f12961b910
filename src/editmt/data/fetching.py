"""Getting a recipe's files: from a mirror folder, or from their homes into a cache of the same layout."""

import gzip
import os
import shutil
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from editmt.data.progress import Progress
from editmt.data.recipes import PublicFile, Recipe
from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import hash_file

TIMEOUT_SECONDS = 60
BLOCK = 1 << 20


def fetch_files(recipe: Recipe, mirror: Path | None, progress: Progress) -> tuple[Path, JsonObject]:
    """Return the folder that holds the recipe's files, and for each file its SHA-256 and home.

    Without a mirror, what is not in the cache yet is downloaded. Every file is compared with the recipe's
    checksum; where the recipe has none, `verified` is false and the computed one is all there is.
    """
    folder = mirror or cache_folder()
    records: JsonObject = {}
    for file in recipe.files():
        path = folder / file.path
        if not path.exists():
            if mirror is not None:
                raise InputError(f"{path}: the file is missing from the mirror")
            _download_file(file, path, recipe.homepage, progress)
        computed = hash_file(path)
        if file.sha256 not in (None, computed):
            raise InputError(f"{path}: not the file of the recipe: SHA-256 {computed}, not {file.sha256}")
        records[file.path] = {"sha256": computed, "verified": file.sha256 is not None, "url": file.url}
    return folder, records


def cache_folder() -> Path:
    """Return where downloads are kept; it can serve as a mirror."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "editmt" / "corpora"


def download(url: str, path: Path, progress: Progress) -> None:
    """Download to a .part file, going on where an earlier try broke off, and rename it when it is whole."""
    part = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    have = part.stat().st_size if part.exists() else 0
    request = Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        _receive(request, part, have, progress)
    except HTTPError as error:
        if not have or error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:  # 416: it was whole already
            raise InputError(f"{url}: cannot be downloaded: {error.code} {error.reason}") from None
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        raise InputError(f"{url}: cannot be downloaded: {reason} (run again to go on)") from None
    part.replace(path)


def _receive(request: Request, part: Path, have: int, progress: Progress) -> None:
    with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
        resumed = response.status == HTTPStatus.PARTIAL_CONTENT
        done = have if resumed else 0
        total = done + int(response.headers.get("Content-Length") or 0)
        with part.open("ab" if resumed else "wb") as stream:
            while block := response.read(BLOCK):
                stream.write(block)
                done += len(block)
                progress(part.stem, done, total)
    if done < total:
        raise OSError(f"it broke off after {done:,} of {total:,} bytes")


def _download_file(file: PublicFile, path: Path, homepage: str, progress: Progress) -> None:
    if file.url is None:
        raise InputError(
            f"{file.path} is not offered as a single download: get it from {homepage} and pass --mirror"
        )
    packed = file.url.endswith(".gz") and not file.name.endswith(".gz")
    arrived = path.with_name(path.name + ".gz") if packed else path
    download(file.url, arrived, progress)
    content = _unpack(arrived, path) if packed else path
    computed = hash_file(content)
    if file.sha256 not in (None, computed):
        for useless in {arrived, content}:
            useless.unlink()
        raise InputError(f"{file.url}: not the file of the recipe: SHA-256 {computed}, not {file.sha256}")
    content.replace(path)
    if packed:
        arrived.unlink()


def _unpack(archive: Path, path: Path) -> Path:
    """Decompress beside `path`, so that the file appears under its name only when it is whole."""
    beside = path.with_name(path.name + ".unpacked")
    try:
        with gzip.open(archive) as packed, beside.open("wb") as stream:
            shutil.copyfileobj(packed, stream, BLOCK)
    except (OSError, EOFError) as error:
        archive.unlink()
        raise InputError(f"{archive}: not a whole gzip file: {error}") from None
    return beside
