"""The plan of a task: its steps in order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from editmt.config import Config
from editmt.data.prepared import PREPARED_FILE
from editmt.errors import InputError
from editmt.experiments import estimates
from editmt.experiments.answers import DecodeStep
from editmt.experiments.commands import CommandStep, SideBySide
from editmt.experiments.conditions import CONSTRAINED, FORESEEN, SINGLE_PATH, TRANSLATION, decodings
from editmt.experiments.latency import LatencyStep
from editmt.experiments.places import Places, manifest_of_run, manifests_of_data
from editmt.experiments.publish import ReportStep
from editmt.experiments.requests import RequestsStep
from editmt.experiments.sizes import count_lines, request_counts, training_pairs
from editmt.experiments.step import ShellCommand, Step
from editmt.experiments.task import ROLES, Task, TrainedModel, read_models
from editmt.records import JsonObject
from editmt.storage import MODEL_OF_RUN
from editmt.tables import to_table

EXPORTED = "-ctranslate2"
"""Beside the teacher's run: what distils faster, with the same translations."""
MAY_CHANGE = ("threads", "compile")
"""Of a run's configuration: how fast it goes, which is not what it learns."""


@dataclass(frozen=True, eq=False)
class Planner:
    """Makes the steps of a task."""

    places: Places
    models: dict[str, TrainedModel]

    @classmethod
    def of(cls, task: Task) -> "Planner":
        """Read the task's configurations."""
        return cls(Places(task), read_models(task))

    def steps(self) -> list[Step]:
        """Return all steps: what the tables need first, variants after it, the report last."""
        return list(self._steps())

    def _steps(self) -> Iterator[Step]:
        task = self.places.task
        roles = [self.models[role] for role in ROLES if role in self.models]
        variants = [self.models[name] for name in task.variants]
        yield self._prepare()
        yield RequestsStep(self.places)  # before any training: what is wrong with the test set shows at once
        yield from self._teach()
        yield from self._train_all([model for model in roles if model.name != "teacher"], "train")
        yield from (self._decode(model) for model in roles)
        yield self._measure()
        if variants:
            # hours before the variants are done
            yield ReportStep(self.places, self.models, frozenset(ROLES), "report-so-far")
        yield from self._train_all(variants, "train-variants")
        yield from (self._decode(model) for model in variants)
        yield ReportStep(self.places, self.models, frozenset(self.models))
        yield from self._export()

    def _prepare(self) -> Step:
        task = self.places.task
        data = self._data()
        pairs = training_pairs(task)
        return CommandStep(
            "prepare",
            self.places,
            ShellCommand(("editmt", "prepare", str(data), *task.prepare_words())),
            makes=data / PREPARED_FILE,
            settings={"prepare": task.prepare},
            estimate=estimates.PREPARE_SECONDS_A_PAIR * pairs + estimates.EXPORT_SECONDS,
        )

    def _teach(self) -> Iterator[Step]:
        """Train the teacher, and let it translate the training data, if any model learns from that."""
        if "teacher" not in self.models:
            return
        task, teacher = self.places.task, self.models["teacher"]
        yield self._train(teacher)
        data, distilled = self._data(), self._distilled_data()
        if distilled is None:
            return
        exported = teacher.run.with_name(teacher.run.name + EXPORTED)
        yield CommandStep(
            "export-teacher",
            self.places,
            _export_command(teacher.run, str(exported), "ctranslate2", task.export_teacher),
            makes=exported,
            settings={"arguments": task.export_teacher},
            files=(manifest_of_run(teacher.run),),
            estimate=estimates.EXPORT_SECONDS,
        )
        pairs = training_pairs(task)
        size = estimates.weights_at_work(teacher.config.model) / estimates.small_work(teacher.config.model)
        yield CommandStep(
            "distill",
            self.places,
            ShellCommand(("editmt", "distill", str(exported), str(data), str(distilled), *task.distill)),
            makes=distilled / PREPARED_FILE,
            settings={"arguments": task.distill, "teacher": task.export_teacher},
            files=(manifest_of_run(teacher.run), *manifests_of_data(data)),
            begun=distilled.with_name(f"{distilled.name}.shards"),
            estimate=estimates.DISTIL_SECONDS_A_PAIR * pairs * size,
        )

    def _train_all(self, models: Sequence[TrainedModel], name: str) -> Sequence[Step]:
        """Train models one after the other, or, where none starts from another, side by side."""
        steps, at_once = [self._train(model) for model in models], self.places.task.side_by_side
        starts = {Path(model.config.run.init_from) for model in models}
        if at_once == 1 or len(steps) < 2 or starts & {model.run for model in models}:
            return steps
        return [SideBySide(name, self.places, steps, at_once)]

    def _train(self, model: TrainedModel) -> CommandStep:
        task, config = self.places.task, model.config
        words: tuple[str, ...] = ("editmt", "train", str(model.config_file), "--out", str(model.run))
        changes = model.changes
        if task.processes > 1:
            launcher = ("torchrun", "--standalone", "--nproc-per-node", str(task.processes), "-m")
            words = (*launcher, *words)
            changes += ("run.threads=1",) if self._on_cpus() else ()
        words += tuple(word for change in changes for word in ("--set", change))
        start = (manifest_of_run(Path(config.run.init_from)),) if config.run.init_from else ()
        return CommandStep(
            f"train-{model.name}",
            self.places,
            ShellCommand(words),
            makes=model.run / MODEL_OF_RUN,
            settings=_what_it_learns(config),
            files=(*manifests_of_data(Path(config.data.folder)), *start),
            begun=model.run,
            checks_itself=True,
            estimate=estimates.training_seconds(config, task.processes) if self._on_cpus() else None,
        )

    def _decode(self, model: TrainedModel) -> Step:
        wanted = decodings(self.places.task, {model.name})
        seconds = estimates.decoding_seconds(model.config.model, wanted, request_counts(self.places.task))
        return DecodeStep(self.places, model, wanted, seconds if self._on_cpus() else None)

    def _measure(self) -> Step:
        measured = (*TRANSLATION, *CONSTRAINED, *FORESEEN, SINGLE_PATH)
        conditions = [each for each in measured if each.model in self.models]
        shapes = {name: model.config.model for name, model in self.models.items()}
        task = self.places.task
        lines = count_lines(task.test_files[0])
        count = min(task.latency_sentences or lines, lines)
        seconds = estimates.latency_seconds(shapes, conditions, count) if self._on_cpus() else None
        return LatencyStep(self.places, self.models, conditions, seconds)

    def _data(self) -> Path:
        """The folder of the prepared corpus: what the teacher learns from, if there is one."""
        first = self.models.get("teacher") or next(iter(self.models.values()))
        return Path(first.config.data.folder)

    def _distilled_data(self) -> Path | None:
        """The folder that other models learn from than the teacher."""
        folders = {Path(model.config.data.folder) for model in self.models.values()} - {self._data()}
        if len(folders) > 1:
            listed = ", ".join(sorted(map(str, folders)))
            raise InputError(f"task {self.places.task.name}: models learn from too many folders: {listed}")
        return folders.pop() if folders else None

    def _on_cpus(self) -> bool:
        """Whether speeds are known: where models are no larger than what two cores can train."""
        return self.places.task.scale == "cpu"

    def _export(self) -> Iterator[Step]:
        for number, export in enumerate(self.places.task.exports, start=1):
            run = self.models[export.model].run
            yield CommandStep(
                f"export-{number}",
                self.places,
                _export_command(run, export.out, export.to, export.arguments),
                makes=Path(export.out),
                settings={"to": export.to, "arguments": export.arguments},
                files=(manifest_of_run(run),),
                estimate=estimates.EXPORT_SECONDS,
            )


def _export_command(run: Path, out: str, runtime: str, more: tuple[str, ...]) -> ShellCommand:
    return ShellCommand(("editmt", "export", str(run), out, "--to", runtime, *more))


def _what_it_learns(config: Config) -> JsonObject:
    """Return the configuration without what changes nothing of the outcome."""
    table = to_table(config)
    table["run"] = {key: value for key, value in table["run"].items() if key not in MAY_CHANGE}
    return table
