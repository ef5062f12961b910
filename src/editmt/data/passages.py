"""From a recipe's files to two aligned text files a split: archives read, SGML stripped, parts joined."""

import html
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from editmt.data.lines import AlignedFiles
from editmt.data.pairs import SIDES
from editmt.data.recipes import Passage, Recipe
from editmt.errors import InputError

SEGMENT = re.compile(rb"<seg[^>]*>(.*?)</seg>", re.IGNORECASE | re.DOTALL)


def collect_splits(recipe: Recipe, folder: Path, work: Path) -> dict[str, AlignedFiles]:
    """Return the text files of each split; what has to be extracted or joined is written into `work`."""
    splits = {}
    for split, parts in recipe.splits.items():
        columns = zip(*parts, strict=True)  # the source's passages, the target's passages
        sides = [
            _collect(list(passages), folder, work / f"{split}.{side}")
            for side, passages in zip(SIDES, columns, strict=True)
        ]
        splits[split] = AlignedFiles(*sides)
    return splits


def _collect(passages: list[Passage], folder: Path, joined: Path) -> Path:
    """Return a file with the passages' text: the file itself where there is but one."""
    if len(passages) == 1 and passages[0].member is None:
        return folder / passages[0].file.path
    joined.parent.mkdir(parents=True, exist_ok=True)
    with joined.open("wb") as stream:
        for passage in passages:
            with _open_passage(passage, folder) as text:
                if (passage.member or "").endswith(".sgm"):
                    stream.writelines(strip_markup(text.read()))
                else:
                    shutil.copyfileobj(text, stream)
    return joined


def strip_markup(document: bytes) -> Iterable[bytes]:
    r"""Return the lines of WMT's SGML: what is between `<seg …>` and `</seg>`, entities resolved.

    >>> list(strip_markup(b'<doc><seg id="1"> R&amp;D </seg>\n<seg id="2">b</seg></doc>'))
    [b'R&D\n', b'b\n']
    """
    for match in SEGMENT.finditer(document):
        text = html.unescape(match[1].decode("utf-8"))
        yield " ".join(text.split()).encode() + b"\n"


@contextmanager
def _open_passage(passage: Passage, folder: Path) -> Iterator[IO[bytes]]:
    path = folder / passage.file.path
    member = passage.member
    try:
        if member is None:
            with path.open("rb") as stream:
                yield stream
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive, archive.open(member) as stream:
                yield stream
        else:
            with tarfile.open(path) as tar:
                extracted = tar.extractfile(member)
                if extracted is None:
                    raise KeyError(member)
                with extracted as stream:
                    yield stream
    except KeyError:
        raise InputError(f"{path}: there is no {member} in it") from None
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not a whole archive of text: {error}") from None
