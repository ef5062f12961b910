"""The last step: from all answers to `results.json`, figures, `report.html` and `report.md`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from editmt.experiments import claims, estimates, paper_numbers
from editmt.experiments.answers import stamp_of
from editmt.experiments.conditions import decodings
from editmt.experiments.latency import read_latency
from editmt.experiments.places import Places, fingerprint, has_stamp, write_stamp
from editmt.experiments.step import ShellCommand, State, Step
from editmt.experiments.task import Task, TrainedModel
from editmt.records import JsonObject
from editmt.storage import write_json, write_text
from editmt.version import __version__

FIGURES = "figures"


@dataclass(frozen=True, eq=False)
class ReportStep(Step):
    """Scores everything that has been answered, and writes what there is to read.

    waits_for
        The models whose answers it is of; others' are in it as well, if they are there.
    """

    places: Places
    models: Mapping[str, TrainedModel]
    waits_for: frozenset[str]
    name: str = "report"

    def state(self) -> State:
        """Compare the stamp: of all answers, and the times."""
        stamp = self.places.stamp(self.name)
        there = all(path.exists() for path in self._published())
        return "done" if there and has_stamp(stamp, self._fingerprint()) else "to do"

    def run(self) -> None:
        """Write the results, unless they are of these answers."""
        if self.state() != "done":
            publish(self.places, self.models)
            # what is written before the end is written again, with more in it, at the end
            last = self.waits_for >= set(self.models)
            write_stamp(self.places.stamp(self.name), self._fingerprint(), self._published() if last else ())

    def seconds(self) -> float:
        """A minute or two."""
        return estimates.REPORT_SECONDS

    def commands(self) -> Sequence[ShellCommand]:
        """The command that makes the report of what is there."""
        return [ShellCommand(("editmt", "reproduce", self.places.task.name, "--report"))]

    def _published(self) -> tuple[Path, ...]:
        folder = self.places.task.results
        return self.places.results, folder / "report.html", folder / "report.md"

    def _fingerprint(self) -> str:
        wanted = decodings(self.places.task, set(self.waits_for))
        answers = [self.places.answers(each.condition.name, each.requests) for each in wanted]
        named = {"task": describe_task(self.places.task), "version": __version__}
        return fingerprint(named, [*map(stamp_of, answers), self.places.latency])


def publish(places: Places, models: Mapping[str, TrainedModel]) -> None:
    """Write all results of what has been answered so far."""
    from editmt.experiments.figures import make_figures  # noqa: PLC0415 - the plan is shown without them
    from editmt.experiments.html import to_html  # noqa: PLC0415
    from editmt.experiments.markdown import to_markdown  # noqa: PLC0415
    from editmt.experiments.tables import make_tables  # noqa: PLC0415

    folder = places.task.results
    folder.mkdir(parents=True, exist_ok=True)
    latency = read_latency(places.latency)  # before the longer part: it may be damaged
    results = collect(places, models)
    write_json(places.results, results)
    tables = make_tables(results, latency)
    figures = make_figures(results, latency, folder / FIGURES)
    write_text(folder / "report.md", to_markdown(results, latency, tables, figures))
    write_text(folder / "report.html", to_html(results, latency, tables, figures))


def collect(places: Places, models: Mapping[str, TrainedModel]) -> JsonObject:
    """Return everything that does not depend on the clock."""
    from editmt.experiments.examples import choose_examples  # noqa: PLC0415 - brings sacreBLEU
    from editmt.experiments.scoring import Scorer, describe_model  # noqa: PLC0415

    scorer = Scorer(places, models)
    compared = {"translation": scorer.translation(), "constrained": scorer.constrained()}
    return {
        "editmt": __version__,
        "task": describe_task(places.task),
        "models": {name: describe_model(model) for name, model in models.items()},
        **compared,
        "terminology": scorer.terminology(),
        "counts": scorer.counts(),
        "strengths": scorer.strengths(),
        "variants": scorer.variants(),
        "claims": claims.judge(compared, places.task.paper),
        "failures": scorer.failures(),
        "examples": choose_examples(scorer),
        "paper": _paper(places.task.paper),
    }


def describe_task(task: Task) -> JsonObject:
    """Return what was asked for, without where the corpora are on this machine."""
    return {
        "name": task.name,
        "title": task.title,
        "languages": list(task.languages),
        "paper": task.paper,
        "test": task.test,
        "tokenise": task.tokenise,
        "constraints": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(task.constraints).items()
        },
        "terminology": [each.name for each in task.terminology],
        "variants": list(task.variants),
        "processes": task.processes,
        "changes": list(task.changes),
        "edit_steps": task.edit_steps,
        "strength": task.strength,
    }


def _paper(pair: str) -> JsonObject | None:
    if not pair:
        return None
    return {
        "pair": paper_numbers.PAIRS[pair],
        "translation": paper_numbers.TRANSLATION[pair],
        "constrained": paper_numbers.CONSTRAINED[pair],
        "effort": paper_numbers.EFFORT[pair],
        "terminology": paper_numbers.TERMINOLOGY if pair == "en-de" else {},
    }
