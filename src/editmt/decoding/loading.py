"""From a folder to an engine: what is loaded depends on what is in the folder."""

from dataclasses import dataclass
from pathlib import Path

from editmt.data.texts import Texts
from editmt.decoding.engine import Engine
from editmt.errors import InputError
from editmt.runtime import EXPORT_FILE
from editmt.storage import find_model


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model ready to decode, and the pipelines that its ids are made with."""

    engine: Engine
    texts: Texts


def load_engine(path: Path, threads: int = 0) -> LoadedModel:
    """Load the model of a run, a saved or an exported one; 0 threads are as many as there are cores."""
    if threads < 0:
        raise InputError(f"threads is {threads}, and must not be negative")
    folder = find_model(path)
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    if (folder / EXPORT_FILE).exists():
        return _load_ctranslate2(folder, threads)
    return _load_torch(folder, threads)


def _load_ctranslate2(folder: Path, threads: int) -> LoadedModel:
    from editmt.decoding.ctranslate2_engine import CTranslate2Engine  # noqa: PLC0415 - an optional extra
    from editmt.runtime.ctranslate2_search import CTranslate2Search  # noqa: PLC0415

    search = CTranslate2Search(folder, threads=threads)
    return LoadedModel(CTranslate2Engine(search), search.texts)


def _load_torch(folder: Path, threads: int) -> LoadedModel:
    import torch  # noqa: PLC0415 - an exported model does without

    from editmt.decoding.torch_engine import make_engine  # noqa: PLC0415
    from editmt.models.saved import load_model  # noqa: PLC0415

    if threads:
        torch.set_num_threads(threads)
    saved = load_model(folder)
    return LoadedModel(make_engine(saved.model, saved.texts.target.vocabulary), saved.texts)
