"""A task: which corpus, which models, which decoding; read from TOML.

    name = "multi30k.en-de"                                     [models]
    languages = ["en", "de"]                                    teacher = "configs/….toml"
    prepare = ["--recipe", "multi30k.en-de", "--mirror", "{mirror}"]
    test = "multi30k.en-de/test"                                editor = "configs/….toml"

Ours are `experiments/NAME/task.toml`; results go to `experiments/NAME/`.
"""

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from editmt.config import Config, read_config
from editmt.data.fetching import cache_folder
from editmt.errors import InputError
from editmt.evaluation.samples import Amount
from editmt.storage import write_text
from editmt.tables import build, read_toml

EXPERIMENTS, RUNS, TASK_FILE = Path("experiments"), Path("runs"), "task.toml"
MIRROR = "{mirror}"
NAME = re.compile(r"[\w.-]+")

Role = Literal["teacher", "distilled", "levenshtein", "editor", "single_path"]
ROLES: tuple[Role, ...] = ("teacher", "distilled", "levenshtein", "editor", "single_path")
"""The paper's models: the autoregressive one, its twin on distilled data, and the edit models."""


@dataclass(frozen=True, kw_only=True)
class ModelConfigs:
    """The configuration file of each model; what is not given is not run, and the tables say so."""

    teacher: str = ""
    distilled: str = ""
    levenshtein: str = ""
    editor: str = ""
    single_path: str = ""


@dataclass(frozen=True, kw_only=True)
class TermSet:
    """A terminology test set: JSON lines with `source`, `reference` and `terms`."""

    name: str
    file: str  # as seen from the mirror


@dataclass(frozen=True, kw_only=True)
class ConstraintSettings:
    """The samples of constraints.

    samples, words
        For the tables: how many samples, and how many words of each reference.
    counts
        The numbers of words in the figure.
    strengths
        Of soft constraints, in the curve of BLEU against CPR; 0 is the paper's.
    """

    samples: int = 5
    words: str = "1-4"
    counts: tuple[int, ...] = (2, 4, 6, 8, 10)
    strengths: tuple[float, ...] = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)

    def __post_init__(self) -> None:
        for words in (self.words, *map(str, self.counts)):
            Amount.parse(words)


@dataclass(frozen=True, kw_only=True)
class ExportSettings:
    """A model to export in the end: `editmt export RUN OUT --to …`, with further arguments."""

    model: Role = "editor"
    out: str
    to: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Task:
    """All that `editmt reproduce` needs to know.

    paper, paper_task
        The paper's language pair whose numbers stand beside ours, and the task of the paper's size.
    prepare
        The arguments of `editmt prepare`; `{mirror}` stands for the folder of corpora.
    mirror
        The folder of corpora; where there is none, they are downloaded, and are in the cache.
    distill, export_teacher
        Further arguments of `editmt distill`, and of the export of the teacher that it uses.
    test
        The test set as seen from the mirror, without the languages: `multi30k.en-de/test`.
    scale
        Whether it is meant for two cores, or for the paper's eight GPUs.
    processes
        Of a training: on CPUs two processes of one thread are faster than one process of two.
    side_by_side
        Trainings at a time once the teacher is done: on CPUs two of one thread do more than one of two.
    changes
        What every training has otherwise than its configuration says, as for `--set`.
    edit_steps
        Of the training of every edit model, where time is short; 0: as many as its configuration says.
    strength
        Of soft constraints with foresight, our own condition; the paper's have none.
    variants
        More edit models by name, for the curve of BLEU against CPR: other noise, other ties.
    """

    name: str
    title: str
    languages: tuple[str, str]
    prepare: tuple[str, ...]
    test: str
    models: ModelConfigs
    distill: tuple[str, ...] = ()
    export_teacher: tuple[str, ...] = ()
    scale: Literal["cpu", "paper"] = "cpu"
    mirror: str = ""
    paper: Literal["", "ro-en", "en-de", "en-ja"] = ""
    paper_task: str = ""
    tokenise: str = "13a"
    lemmas: str = ""
    processes: int = 1
    side_by_side: int = 1
    changes: tuple[str, ...] = ()
    edit_steps: int = 0
    strength: float = 1.0
    latency_sentences: int = 200
    bootstrap_samples: int = 1000
    examples: int = 4
    constraints: ConstraintSettings = field(default_factory=ConstraintSettings)
    terminology: tuple[TermSet, ...] = ()
    variants: dict[str, str] = field(default_factory=dict)
    exports: tuple[ExportSettings, ...] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *self.variants):
            if not NAME.fullmatch(name):
                raise InputError(f"{name!r} is no name: letters, digits, '.', '_' and '-' only")
        for name in set(self.variants) & set(ROLES):
            raise InputError(f"variants.{name} has the name of a model")
        if not set(self.name) - {"."}:
            raise InputError(f"{self.name!r} is no name, but a folder's")
        if not self.models_in_order():
            raise InputError("models: there is none")
        if min(self.processes, self.side_by_side, self.bootstrap_samples, self.constraints.samples) < 1:
            raise InputError(
                "processes, side_by_side, bootstrap_samples and constraints.samples must be at least 1"
            )
        for export in self.exports:
            if not getattr(self.models, export.model):
                raise InputError(f"exports.model is {export.model!r}, which is no model of this task")
        if self.constraints.samples == 2:
            raise InputError("constraints.samples is 2: Student's t needs three (or 1: the bootstrap)")

    @property
    def results(self) -> Path:
        """Where the results go."""
        return EXPERIMENTS / self.name

    @property
    def test_files(self) -> tuple[Path, Path]:
        """The source and the reference of the test set."""
        source, target = (self.in_mirror(f"{self.test}.{language}") for language in self.languages)
        return source, target

    def in_mirror(self, file: str) -> Path:
        """Return the path of a corpus file: in the mirror, or in the cache of what was downloaded."""
        return (Path(self.mirror) if self.has_mirror else cache_folder()) / file

    @property
    def has_mirror(self) -> bool:
        """Whether the folder of corpora is there."""
        return bool(self.mirror) and Path(self.mirror).is_dir()

    def prepare_words(self) -> list[str]:
        """Return the arguments of `editmt prepare`, without the mirror where there is none."""
        if self.has_mirror:
            return [word.replace(MIRROR, self.mirror) for word in self.prepare]
        ends = [place for place, word in enumerate(self.prepare) if word == MIRROR]
        return [
            word for place, word in enumerate(self.prepare) if place not in ends and place + 1 not in ends
        ]

    def models_in_order(self) -> dict[str, Path]:
        """Return the configuration file of each model that is to be trained: roles, then variants."""
        roles = {role: Path(path) for role in ROLES if (path := getattr(self.models, role))}
        return roles | {name: Path(path) for name, path in self.variants.items()}


@dataclass(frozen=True)
class TrainedModel:
    """A model of a task: how it is configured, and the run it comes to be in.

    changes
        What the task says otherwise than the file, as for `--set`.
    """

    name: str
    config_file: Path
    changes: tuple[str, ...]
    config: Config
    run: Path


def find_task(given: str) -> Path:
    """Return the file of a task, from its name or its path."""
    path = Path(given)
    if path.suffix == ".toml":
        return path
    file = EXPERIMENTS / given / TASK_FILE
    if file.exists():
        return file
    known = sorted(found.parent.name for found in EXPERIMENTS.glob(f"*/{TASK_FILE}"))
    if not known:
        raise InputError(f"{file}: there is no such file (run it where the project's experiments/ is)")
    nearest = get_close_matches(given, known, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]}?" if nearest else f"there are: {', '.join(known)}"
    raise InputError(f"no task is called {given!r}; {hint}")


def read_task(path: Path, mirror: Path | None = None) -> Task:
    """Read a task file; a mirror that is given stands over the file's."""
    tables = read_toml(path)
    if mirror is not None:
        if not mirror.is_dir():
            raise InputError(f"--mirror {mirror}: there is no such folder")
        tables["mirror"] = str(mirror)
    try:
        return build(Task, tables, "")
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def keep_task(path: Path, task: Task) -> None:
    """Keep the task's file with its results, if it comes from elsewhere: then its name is enough."""
    kept = task.results / TASK_FILE
    if path.resolve() != kept.resolve():
        task.results.mkdir(parents=True, exist_ok=True)
        write_text(kept, path.read_text(encoding="utf-8"))


def read_models(task: Task) -> dict[str, TrainedModel]:
    """Read the configurations, and check that they fit together."""
    models = {name: _read_model(task, name, path) for name, path in task.models_in_order().items()}
    runs = {str(model.run) for model in models.values()}
    if len(runs) < len(models):
        raise InputError(f"task {task.name}: two models have configurations of one name")
    for model in models.values():
        start = model.config.run.init_from
        if start and start not in runs:
            raise InputError(f"{model.config_file}: run.init_from is {start!r}, which is no run of this task")
    return models


def _read_model(task: Task, name: str, path: Path) -> TrainedModel:
    config = read_config(path)
    shorter = task.edit_steps and config.model.kind != "autoregressive"
    changes = task.changes + ((f"run.steps={task.edit_steps}",) if shorter else ())
    return TrainedModel(name, path, changes, read_config(path, changes), _run_folder(task, path))


def _run_folder(task: Task, config_file: Path) -> Path:
    """Return a run's folder, by which configurations refer to each other's runs (`init_from`).

    It has the task's name and the model's: `configs/cpu/multi30k.en-de-editor.toml` becomes
    `runs/multi30k.en-de-editor`, and `configs/shipped/en-de-editor.toml` `runs/shipped.en-de-editor`.
    """
    kind = config_file.stem.removeprefix(f"{task.name}-").removeprefix(f"{'-'.join(task.languages)}-")
    return RUNS / f"{task.name}-{kind}"
