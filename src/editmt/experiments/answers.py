"""Decoding: a model answers all its sets of requests; each file of answers is whole or not there."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.evaluation.systems import read_records
from editmt.experiments.conditions import Condition, Decoding, decoding_of
from editmt.experiments.places import Places, fingerprint, has_stamp, manifest_of_run, write_stamp
from editmt.experiments.step import ShellCommand, State, Step
from editmt.experiments.task import Task, TrainedModel
from editmt.records import JsonObject, write_json_line
from editmt.storage import write_text

CHUNK = 256


@dataclass(frozen=True, eq=False)
class DecodeStep(Step):
    """All that is decoded with one model, which is loaded once."""

    places: Places
    model: TrainedModel
    decodings: Sequence[Decoding]
    estimate: float | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """Named after its model."""
        return f"decode-{self.model.name}"

    def state(self) -> State:
        """Look which answers are there."""
        missing = len(self._missing())
        return "done" if not missing else "begun" if missing < len(self.decodings) else "to do"

    def run(self) -> None:
        """Answer what is not answered yet."""
        missing = self._missing()
        if not missing:
            return
        translator = Translator.load(self.model.run)
        for decoding in missing:
            decoder = decoder_of(translator, self.places.task, decoding.condition)
            answers = self.places.answers(decoding.condition.name, decoding.requests)
            write_answers(decoder, self.places.requests(decoding.requests), answers)
            write_stamp(stamp_of(answers), _fingerprint(self.places, self.model, decoding), [answers])

    def seconds(self) -> float | None:
        """The estimate that it was made with."""
        return self.estimate

    def commands(self) -> list[ShellCommand]:
        """The calls of `editmt translate` that write the same files."""
        return [translate_command(self.places, self.model.run, decoding) for decoding in self.decodings]

    def _missing(self) -> list[Decoding]:
        return [each for each in self.decodings if not is_answered(self.places, self.model, each)]


def decoder_of(translator: Translator, task: Task, condition: Condition) -> Translator:
    """Return a task's model as it decodes under a condition, with the γ and first length that suit it."""
    own = translator.options
    options = dataclasses.replace(
        decoding_of(task, condition),
        penalty=own.penalty,
        penalty_foreseen=own.penalty_foreseen,
        length_quantile=own.length_quantile,
        fill_share=own.fill_share,
    )
    return translator.with_options(options)


def is_answered(places: Places, model: TrainedModel, decoding: Decoding) -> bool:
    """Whether the answers are there, of this model as it is now to the requests as they are now."""
    answers = places.answers(decoding.condition.name, decoding.requests)
    return answers.exists() and has_stamp(stamp_of(answers), _fingerprint(places, model, decoding))


def write_answers(translator: Translator, requests: Path, answers: Path) -> None:
    """Translate all requests of a file into a file of answers, in the form of `editmt translate --jsonl`.

    What cannot be translated has an empty text and the reason under `failure`: one sentence must not stop
    an experiment, and counts as wrong.
    """
    asked = [Request.from_json(record) for _, record in read_records(requests)]
    lines = [write_json_line(answer) for answer in answer_all(translator, asked)]
    answers.parent.mkdir(parents=True, exist_ok=True)
    write_text(answers, "".join(line + "\n" for line in lines))


def answer_all(translator: Translator, requests: Sequence[Request]) -> Iterator[JsonObject]:
    """Yield the answers in order."""
    pieces = translator.texts.target.vocabulary.pieces
    for chunk in _chunks(requests):
        for answer in translator.translate_all(chunk):
            yield answer.to_json(pieces) if isinstance(answer, Translation) else _failure(answer)


def translate_command(places: Places, run: Path, decoding: Decoding) -> ShellCommand:
    """Return the command that answers a set of requests."""
    options = decoding_of(places.task, decoding.condition)
    words = ["editmt", "translate", "--model", str(run), "--jsonl"]
    if not decoding.condition.edits:
        words += ["--beam", str(options.beam)]
    if options.strength:
        words += ["--strength", f"{options.strength:g}"]
    if decoding.condition.wish != "nothing" and decoding.condition.edits:
        words += ["--foresight", f"{options.foresight:g}"]
    answers = places.answers(decoding.condition.name, decoding.requests)
    return ShellCommand(tuple(words), places.requests(decoding.requests), answers)


def _chunks(requests: Sequence[Request]) -> Iterator[Sequence[Request]]:
    for start in range(0, len(requests), CHUNK):
        yield requests[start : start + CHUNK]


def _failure(error: InputError) -> JsonObject:
    counts = {"repositions": 0, "deletions": 0, "insertions": 0}
    return {"text": "", "iterations": 0, "counts": counts, "failure": str(error)}


def stamp_of(answers: Path) -> Path:
    """Return where it is noted what answers were made from."""
    return answers.with_suffix(".stamp")


def _fingerprint(places: Places, model: TrainedModel, decoding: Decoding) -> str:
    files = places.requests(decoding.requests), manifest_of_run(model.run)
    return fingerprint(dataclasses.asdict(decoding_of(places.task, decoding.condition)), files)
