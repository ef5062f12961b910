"""What an export for CPUs looks like on disk: one folder, sealed with checksums.

export.json  what it is        int8/     encoder.onnx, insertion.onnx, …, embeddings.npz
README.md    the model card    float32/  the same, if asked for
text/        the pipelines     manifest.json
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from editmt.config import DecodingConfig, ModelConfig
from editmt.errors import InputError
from editmt.runtime import EXPORT_FILE
from editmt.storage import verify
from editmt.tables import build

RUNTIME = "cpu"
FORMAT = 1
CARD_FILE = "README.md"
EMBEDDINGS_FILE = "embeddings.npz"
DRAFT_HEAD = "draft_head"
"""The token head for drafts; exports made before there was one do without."""

SHORTLIST_FILE = "shortlist.npz"
"""In the folder of a precision, if the model was exported with a shortlist."""

Precision = Literal["int8", "float32"]
PRECISIONS: tuple[Precision, ...] = ("int8", "float32")
"""The first that is there is taken, if nobody says which."""


@dataclass(frozen=True)
class CpuExport:
    """An export, checked byte for byte."""

    folder: Path
    config: ModelConfig
    precisions: tuple[str, ...]
    decoding: DecodingConfig  # what suits it best

    @classmethod
    def open(cls, folder: Path) -> "CpuExport":
        """Check the folder, and read what it holds."""
        verify(folder)
        path = folder / EXPORT_FILE
        about = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if about.get("runtime") != RUNTIME:
            raise InputError(f"{folder}: not an export for CPUs (editmt export --to {RUNTIME})")
        if about.get("format") != FORMAT:
            raise InputError(
                f"{folder}: an export of format {about.get('format')}, and this version reads {FORMAT}"
            )
        return cls(
            folder,
            build(ModelConfig, about["model"], "model"),
            tuple(about["precisions"]),
            build(DecodingConfig, about["decoding"], "decoding"),
        )

    def part(self, precision: str | None) -> Path:
        """Return the folder of the weights: of a precision, or of the fastest that there is."""
        if precision is None:
            return self.folder / next(known for known in PRECISIONS if known in self.precisions)
        if precision not in self.precisions:
            raise InputError(f"{self.folder}: has no {precision} weights, only {', '.join(self.precisions)}")
        return self.folder / precision
