"""From a folder to an engine: what is loaded depends on what is in the folder."""

from pathlib import Path

from editmt.data.texts import Texts
from editmt.decoding.engine import Engine
from editmt.errors import InputError


def load_engine(folder: Path, threads: int) -> tuple[Engine, Texts]:
    """Load the model saved in a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    return _load_torch(folder, threads)


def _load_torch(folder: Path, threads: int) -> tuple[Engine, Texts]:
    import torch  # noqa: PLC0415 - an exported model does without

    from editmt.decoding.torch_engine import make_engine  # noqa: PLC0415
    from editmt.models.saved import load_model  # noqa: PLC0415

    if threads:
        torch.set_num_threads(threads)
    saved = load_model(folder)
    return make_engine(saved.model), saved.texts
