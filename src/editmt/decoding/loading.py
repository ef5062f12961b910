"""From a folder to an engine: what is loaded depends on what is in the folder."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from editmt.config import DecodingConfig
from editmt.cores import core_count
from editmt.data.texts import TEXT_FOLDER, Texts, open_texts
from editmt.decoding.engine import Engine
from editmt.errors import InputError
from editmt.runtime import EXPORT_FILE
from editmt.storage import find_model

MOST_WORKERS = 4
"""Threads that decode a batch each; what they do in Python they do one after the other."""

SHIPPED = Path(__file__).parent.parent / "assets" / "en-de"
"""The model inside the package."""


@dataclass(frozen=True, eq=False)
class LoadedModel:
    """A model ready to decode, and the pipelines that its ids are made with."""

    engine: Engine
    texts: Texts
    decoding: DecodingConfig = field(default_factory=DecodingConfig)  # what suits it best
    workers: int = 1  # how many batches to decode at a time


def load_engine(
    path: Path | None = None,
    threads: int = 0,
    precision: str | None = None,
    *,
    shortlist: bool = False,
    bulk: bool = False,
) -> LoadedModel:
    """Load the model of a run, a saved or an exported one, or without a path the one that ships.

    0 threads are as many as there are cores. An export for CPUs may have weights of several precisions, and
    a shortlist of words; in `bulk` its threads decode a batch each, instead of all of them one.
    """
    if threads < 0:
        raise InputError(f"threads is {threads}, and must not be negative")
    folder = find_folder(path)
    runtime = _runtime(folder)
    if runtime == "cpu":
        workers = min(threads or core_count(), MOST_WORKERS) if bulk else 1
        _share_out(threads, workers)
        return _load_cpu(folder, precision, shortlist=shortlist, workers=workers)
    if precision is not None or shortlist:
        raise InputError(f"{folder}: only a model exported with --to cpu has precisions and shortlists")
    return _load_torch(folder, threads) if runtime is None else _load_ctranslate2(folder, threads)


def is_small(path: Path | None) -> bool:
    """Tell whether a model may be loaded more than once: one exported for CPUs needs no torch."""
    return _runtime(find_folder(path)) == "cpu"


def find_folder(path: Path | None) -> Path:
    """Return the folder of a run's model, of a saved or an exported one, or of the one that ships."""
    folder = SHIPPED if path is None else find_model(path)
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    return folder


def _runtime(folder: Path) -> str | None:
    """Return for which runtime the folder's model was exported, if it was."""
    if not (folder / EXPORT_FILE).exists():
        return None
    try:
        about = json.loads((folder / EXPORT_FILE).read_text(encoding="utf-8"))
        return str(about.get("runtime", "ctranslate2"))
    except (ValueError, AttributeError):
        raise InputError(f"{folder / EXPORT_FILE}: damaged: not a JSON object") from None


def _share_out(threads: int, workers: int) -> None:
    """Have so many threads in all for workers; with several, a pool that is there already will do."""
    from editmt.runtime.sessions import has_threads, set_threads  # noqa: PLC0415 - training does without

    if workers == 1:
        set_threads(threads)
    elif not has_threads():
        set_threads((threads or core_count()) // workers)


def _load_cpu(folder: Path, precision: str | None, *, shortlist: bool, workers: int) -> LoadedModel:
    from editmt.decoding.cpu_engine import make_cpu_engine  # noqa: PLC0415 - training does without
    from editmt.runtime.cpu_folder import CpuExport  # noqa: PLC0415

    export = CpuExport.open(folder)
    engine = make_cpu_engine(export, precision, shortlist=shortlist)
    return LoadedModel(engine, open_texts(folder / TEXT_FOLDER), export.decoding, workers)


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
    engine = make_engine(saved.model, saved.texts.target.vocabulary)
    return LoadedModel(engine, saved.texts, saved.decoding)
