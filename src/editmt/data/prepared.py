"""A folder of prepared data: what `editmt prepare` leaves and everything after it starts from.

prepare.json                         what it was made from and how; written last
text/                                one text pipeline, or text/source and text/target
{train,valid,test}.…                 the sets (see `editmt.data.pairs`)
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from editmt.data.pairs import PairSet
from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.errors import InputError
from editmt.records import JsonObject
from editmt.storage import check_files, read_manifest
from editmt.text import TextPipeline

PREPARED_FILE = "prepare.json"


@dataclass(frozen=True, eq=False)
class PreparedData:
    """Text pipelines and sets of pairs that belong together."""

    folder: Path
    texts: Texts
    description: JsonObject

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a folder, and check that its pipelines are the ones its ids were made with."""
        path = folder / PREPARED_FILE
        if not path.exists():
            raise InputError(f"{folder}: no prepared data here ({PREPARED_FILE} is missing)")
        description = read_manifest(path)
        if not isinstance(description.get("splits"), dict):
            raise InputError(f"{path}: damaged: it names no sets")
        check_files(folder, description["files"])
        return cls(folder, open_texts(folder / TEXT_FOLDER), description)

    @property
    def source(self) -> TextPipeline:
        """The pipeline of the source side."""
        return self.texts.source

    @property
    def target(self) -> TextPipeline:
        """The pipeline of the target side; the same object as `source` where there is one for both."""
        return self.texts.target

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sets: `train`, and `valid` and `test` if they were given."""
        return tuple(self.description["splits"])

    def split(self, name: str, *, checksums: bool = True) -> PairSet:
        """Open one of the sets (`checksums`: see `PairSet.open`)."""
        if name not in self.names:
            raise InputError(f"{self.folder}: no set {name!r}, only: {', '.join(self.names)}")
        return PairSet.open(self.folder, name, checksums=checksums)

    def records(self, *names: str) -> JsonObject:
        """Return the checksums of the pipelines and of some sets: the same, wherever the folder is."""
        files: JsonObject = dict(self.description["files"])
        for name in names:
            files |= read_manifest(self.folder / f"{name}.json")["files"]
        return files
