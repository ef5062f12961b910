"""From answers to numbers: everything in `results.json`. What was not run is left out, never made up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from editmt.evaluation.comparison import Runs, compare
from editmt.evaluation.constraints import Preservation
from editmt.evaluation.metric import Metric, Segment
from editmt.evaluation.metrics import fitting_metrics
from editmt.evaluation.overlap import Bleu
from editmt.evaluation.report import to_json
from editmt.evaluation.systems import Constraints, TestSet, read_records
from editmt.evaluation.words import find_splitter
from editmt.experiments.answers import is_answered
from editmt.experiments.conditions import (
    BY_COUNT,
    CONSTRAINED,
    FORESEEN,
    SINGLE_PATH,
    TERMINOLOGY,
    TRANSLATION,
    Condition,
    Decoding,
    by_strength,
    count_name,
    decodings,
    sample_names,
    soft_condition,
    strength_curves,
    term_name,
)
from editmt.experiments.places import Places
from editmt.experiments.task import TermSet, TrainedModel
from editmt.records import JsonObject
from editmt.storage import MODEL_OF_RUN

SEED = 1
"""Of the bootstrap."""
BASELINE = "editor"
"""Judged without constraints, too, by the words that others were given: some come by themselves."""


@dataclass(frozen=True, eq=False)
class Scorer:
    """Scores what has been answered."""

    places: Places
    models: Mapping[str, TrainedModel]

    def translation(self) -> JsonObject | None:
        """Table 2: without constraints."""
        systems = {
            each.name: [self._read(each, "nothing", self.test_set.no_constraints())]
            for each in TRANSLATION
            if self._answered(each, ["nothing"])
        }
        return self._compare(systems, self.test_set)

    def constrained(self) -> JsonObject | None:
        """Tables 3, 4 and 5 and the figure of F1: all samples of constraints."""
        samples = sample_names(self.places.task, "soft")
        systems: dict[str, Runs] = {}
        for each in (*CONSTRAINED, *FORESEEN, SINGLE_PATH):
            names = sample_names(self.places.task, each.wish)
            if self._answered(each, names):
                systems[each.name] = [self._read(each, name, self.asked(name)) for name in names]
        baseline = next(each for each in TRANSLATION if each.name == BASELINE)
        if systems and self._answered(baseline, ["nothing"]):
            systems[BASELINE] = [self._read(baseline, "nothing", self.asked(name)) for name in samples]
        return self._compare(systems, self.test_set)

    def counts(self) -> JsonObject:
        """The figure of BLEU by number of constraints, from one sample each."""
        found: JsonObject = {}
        for each in BY_COUNT:
            names = {count: count_name(count) for count in self.places.task.constraints.counts}
            answered = {count: name for count, name in names.items() if self._answered(each, [name])}
            if answered:
                found[each.name] = {str(count): self._brief(each, name) for count, name in answered.items()}
        return found

    def strengths(self) -> JsonObject:
        """The curves of BLEU against CPR, from the first sample."""
        task, name = self.places.task, sample_names(self.places.task, "soft")[0]
        found: JsonObject = {}
        for curve in strength_curves(task):
            points = [
                {"strength": condition.decoding.strength} | self._brief(condition, name)
                for condition in by_strength(task, curve)
                if self._answered(condition, [name])
            ]
            if points:
                found[curve] = points
        return found

    def variants(self) -> JsonObject:
        """Each recipe's BLEU without constraints, and with those of the first sample."""
        name = sample_names(self.places.task, "soft")[0]
        found: JsonObject = {}
        for model in ("editor", *self.places.task.variants):
            plain, soft = Condition(model, model, model), soft_condition(model)
            if self._answered(plain, ["nothing"]) and self._answered(soft, [name]):
                none = self._bleu.corpus_score(self._read(plain, "nothing", self.test_set.no_constraints()))
                found[model] = {"bleu": none, "soft": self._brief(soft, name)}
        return found

    def terminology(self) -> JsonObject:
        """Table 6: each terminology set."""
        found = {each.name: self._term_set(each) for each in self.places.task.terminology}
        return {name: result for name, result in found.items() if result is not None}

    def failures(self) -> JsonObject:
        """How many sentences could not be translated, where any."""
        found: JsonObject = {}
        for each in decodings(self.places.task, set(self.models)):
            if self._answered(each.condition, [each.requests]):
                path = self.places.answers(each.condition.name, each.requests)
                count = sum("failure" in record for _, record in read_records(path))
                if count:
                    found[f"{each.condition.name}/{each.requests}"] = count
        return found

    @cached_property
    def test_set(self) -> TestSet:
        """The references."""
        task = self.places.task
        return TestSet.read(task.test_files[1], find_splitter(task.tokenise))

    def asked(self, name: str) -> Constraints:
        """Return the constraints of a set of requests."""
        return self.test_set.read_constraints(self.places.requests(name), None)

    def segments(self, condition: Condition, name: str) -> list[Segment] | None:
        """Return the answers to a set of requests, if they are there."""
        return self._read(condition, name, self.asked(name)) if self._answered(condition, [name]) else None

    @cached_property
    def _bleu(self) -> Metric:
        return Bleu()

    def _term_set(self, term_set: TermSet) -> JsonObject | None:
        task = self.places.task
        names = {each.name: term_name(term_set.name, each.wish) for each in TERMINOLOGY}
        answered = [each.name for each in TERMINOLOGY if self._answered(each, [names[each.name]])]
        if not answered:
            return None
        test_set = TestSet.read(task.in_mirror(term_set.file), find_splitter(task.tokenise))
        asked = test_set.read_constraints(self.places.requests(term_name(term_set.name, "soft")), None)
        systems: dict[str, Runs] = {
            name: [test_set.read_output(self.places.answers(name, names[name]), asked)] for name in answered
        }
        return self._compare(systems, test_set)

    def _compare(self, systems: Mapping[str, Runs], test_set: TestSet) -> JsonObject | None:
        if not systems:
            return None
        task = self.places.task
        metrics = fitting_metrics(systems, test_set, task.tokenise, task.lemmas or None)
        return to_json(compare(systems, metrics, samples=task.bootstrap_samples, seed=SEED))

    def _brief(self, condition: Condition, name: str) -> JsonObject:
        segments = self._read(condition, name, self.asked(name))
        return {"bleu": self._bleu.corpus_score(segments), "cpr": Preservation().corpus_score(segments)}

    def _read(self, condition: Condition, name: str, constraints: Constraints) -> list[Segment]:
        return self.test_set.read_output(self.places.answers(condition.name, name), constraints)

    def _answered(self, condition: Condition, names: Sequence[str]) -> bool:
        model = self.models.get(condition.model)
        return model is not None and all(
            is_answered(self.places, model, Decoding(condition, name)) for name in names
        )


def describe_model(model: TrainedModel) -> JsonObject:
    """Return what a model is, and how it learnt, as far as it has been trained."""
    config = model.config
    described: JsonObject = {
        "config": str(model.config_file),
        "kind": config.model.kind,
        "steps": config.run.steps,
        "starts_from": config.run.init_from or None,
        "data": config.data.folder,
    }
    folder = model.run / MODEL_OF_RUN
    weights = folder / "weights.safetensors"
    if weights.exists():
        from editmt.models.saved import read_decoding  # noqa: PLC0415 - brings torch

        decoding = read_decoding(folder)
        described["penalty"], described["length_quantile"] = decoding.penalty, decoding.length_quantile
        described["fill_share"] = decoding.fill_share
        described["penalty_foreseen"] = decoding.penalty_foreseen
        described["parameters"] = count_weights(weights)
        described["validation"] = _validations(model.run)
    return described


def count_weights(path: Path) -> int:
    """Return the number of numbers in a file of weights."""
    import math  # noqa: PLC0415

    from safetensors import safe_open  # noqa: PLC0415 - only `train` brings it

    with safe_open(path, "numpy") as weights:
        return sum(math.prod(weights.get_slice(name).get_shape()) for name in weights.keys())  # noqa: SIM118


def _validations(run: Path) -> list[list[Any]]:
    records = (record for _, record in read_records(run / "metrics.jsonl"))
    return [[record["step"], record["bleu"]] for record in records if "bleu" in record]
