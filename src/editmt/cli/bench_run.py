"""What `editmt bench` measures."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from editmt.decoding.job import Job, make_job
from editmt.decoding.loading import LoadedModel, find_folder, load_engine
from editmt.decoding.request import Request
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.evaluation.speed import Prepare, decoding, take_turns
from editmt.records import JsonObject
from editmt.runtime.cpu_folder import CpuExport
from editmt.storage import read_text
from editmt.text import BOUNDARIES

SEED = 1
TERMS = 2
SAMPLE = (
    "To open the settings of the document, choose Properties from the File menu, then click Security.",
    "If you save the file in another format, some of the formatting that you applied may get lost.",
    "She told me that she would come back as soon as the weather was better, but nobody believed her.",
    "Select the cells whose content you want to copy, then press the key shown in the table below.",
    "My brother has been living in a small town near the coast for ten years and does not want to leave.",
    "The function returns an array of all the values that were found, or false if an error occurred.",
    "We should have left the house earlier, because now all the trains to the city are full of people.",
    "You can change the order of the entries in the list by dragging them with the mouse to another place.",
)
"""About 25 tokens each, of the kinds that the shipped model knows."""


@dataclass(frozen=True)
class Measured:
    """Seconds a sentence by way of translating and contestant, the model itself first."""

    seconds: dict[str, dict[str, float]]
    others: dict[str, float | None]
    title: str
    notes: list[str]

    @property
    def contestants(self) -> list[str]:
        """The names of all that took part."""
        return list(next(iter(self.seconds.values())))

    def to_json(self) -> JsonObject:
        """Return everything as JSON can hold it."""
        return {"title": self.title, "seconds": self.seconds, "others": self.others, "notes": self.notes}


def measure(model: Path | None, source: Path | None, *, most: int, threads: int, rounds: int) -> Measured:
    """Time a model, one sentence at a time and all as a batch, beside rivals of its shape."""
    if rounds < 1:
        raise InputError(f"--rounds is {rounds}, and must be at least 1")
    export = CpuExport.open(find_folder(model))
    loaded = load_engine(model, threads)
    requests = [Request.of(line) for line in (_read(source) if source else SAMPLE)[:most]]
    plain, limited, terms = _jobs(loaded, requests)
    name = "EDITOR" if export.config.kind == "editor" else export.config.kind
    engine = decoding(loaded.engine, loaded.decoding)
    ways: dict[str, Prepare] = {name: engine}
    if terms:
        ways[f"{name}, {TERMS} terms"] = _instead(engine, plain, terms)
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for rival, way in _rivals(export, loaded, Path(folder), threads, notes).items():
            ways[rival] = _instead(way, plain, limited)
        single = take_turns(ways, [[job] for job in plain], rounds)
        batch = take_turns(ways, [plain], rounds)
    both = {"one by one": single, f"batch of {len(plain)}": batch}
    tokens = sum(len(job.source) for job in plain) / len(plain)
    title = f"{len(plain)} sentences of {tokens:.0f} tokens, {threads} threads{_busy(single.others)}"
    return Measured(
        {name: timing.seconds for name, timing in both.items()},
        {name: timing.others for name, timing in both.items()},
        title,
        notes,
    )


def _jobs(loaded: LoadedModel, requests: list[Request]) -> tuple[list[Job], list[Job], list[Job]]:
    """Return the requests as jobs; as long as their translations are; with terms from these.

    A search on this runtime takes no terms: none are returned.
    """
    generator = np.random.default_rng(SEED)
    translator = Translator(loaded.engine, loaded.texts, loaded.decoding)
    plain, limited, terms = [], [], []
    for request, answer in zip(requests, translator.translate_all(requests), strict=True):
        if isinstance(answer, InputError):
            raise answer
        job = make_job(request, loaded.texts, loaded.decoding, loaded.engine.max_length)
        words = generator.permutation(answer.text.split())[:TERMS].tolist()
        wanted = Request.of(request.source, terms=words)
        plain.append(job)
        end = 1  # a search writes </s>, too
        length = len(loaded.texts.target.encode(answer.text)) + BOUNDARIES + end
        limited.append(replace(job, most_tokens=min(length, loaded.engine.max_length)))
        if not loaded.engine.searches:
            terms.append(make_job(wanted, loaded.texts, loaded.decoding, loaded.engine.max_length))
    return plain, limited, terms


def _instead(way: Prepare, given: list[Job], taken: list[Job]) -> Prepare:
    """Return a contestant that gets other jobs than those given, each in its place."""
    other = {id(job): replacement for job, replacement in zip(given, taken, strict=True)}
    return lambda jobs: way([other[id(job)] for job in jobs])


def _rivals(
    export: CpuExport, loaded: LoadedModel, folder: Path, threads: int, notes: list[str]
) -> dict[str, Prepare]:
    """Return the rivals that can be made with what is installed, and note what is missing."""
    try:
        from editmt.cli.bench_rivals import make_rival, on_ctranslate2, on_the_same_runtime  # noqa: PLC0415
    except ModuleNotFoundError as error:
        notes.append(
            f"without autoregressive models to compare with: {error.name} is missing (editmt[train])"
        )
        return {}
    rival = make_rival(export.config, loaded.texts.sizes[1])
    found = on_the_same_runtime(rival, folder / "cpu")
    try:
        return found | on_ctranslate2(rival, folder / "ctranslate2", threads)
    except ModuleNotFoundError as error:
        notes.append(f"without CTranslate2: {error.name} is missing (editmt[ctranslate2])")
        return found


def _read(path: Path) -> list[str]:
    lines = [line for line in read_text(path).split("\n") if line.strip()]
    if not lines:
        raise InputError(f"{path}: no sentence in it")
    return lines


def _busy(others: float | None) -> str:
    return "" if others is None else f"; other processes had {100 * others:.0f} % of the machine"
