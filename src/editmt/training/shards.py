"""The folder of shards of a distillation, and the stamp in it: what all of its shards are made with.

Shards outlive the process that wrote them, and several machines may write to one folder. Without the stamp,
whoever came next, with another teacher or beam, would take them for its own.
"""

import errno
import json
import shutil
from pathlib import Path
from secrets import token_hex

from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import write_json

STAMP_FILE = "made-with.json"
REMEDY = "remove the folder to begin anew"


def open_shards(folder: Path, made_with: JsonObject) -> None:
    """Make the folder with its stamp, or refuse one whose shards are made with something else."""
    if not (folder / STAMP_FILE).exists():
        _begin(folder, made_with)
    before = _read_stamp(folder)
    other = [key for key in sorted({*before, *made_with}) if before.get(key) != made_with.get(key)]
    if other:
        raise InputError(f"{folder}: its shards are made with other {', '.join(other)} ({REMEDY})")


def _begin(folder: Path, made_with: JsonObject) -> None:
    """Make the folder and its stamp at once, unless another process is faster, or it holds something."""
    beside = folder.with_name(f".{folder.name}.{token_hex(8)}")
    beside.mkdir(parents=True)
    try:
        write_json(beside / STAMP_FILE, made_with)
        beside.rename(folder)  # an empty folder gives way
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _read_stamp(folder: Path) -> JsonObject:
    path = folder / STAMP_FILE
    try:
        stamp: JsonObject = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{folder}: it is not known what its shards are made with: {STAMP_FILE} is missing ({REMEDY})"
        ) from None
    except ValueError:
        raise InputError(f"{path}: damaged: not JSON ({REMEDY})") from None
    if not isinstance(stamp, dict):
        raise InputError(f"{path}: damaged: not a JSON object ({REMEDY})")
    return stamp
