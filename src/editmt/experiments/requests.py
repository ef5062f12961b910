"""The sets of requests: the test set's sources, samples of constraints, terminology sets."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from editmt.data.lines import AlignedFiles, read_lines
from editmt.errors import InputError
from editmt.evaluation.samples import Amount, read_terminology, sample_constraints
from editmt.evaluation.words import find_splitter
from editmt.experiments.conditions import Wish, count_name, sample_names, term_name
from editmt.experiments.places import Places, fingerprint, has_stamp, write_stamp
from editmt.experiments.step import ShellCommand, State, Step
from editmt.experiments.task import TermSet
from editmt.records import JsonObject, write_json_line
from editmt.storage import write_text

SECONDS = 5.0


@dataclass(frozen=True, eq=False)
class RequestsStep(Step):
    """Writes all sets of requests; quick, so all or nothing."""

    places: Places
    name: str = "requests"

    def state(self) -> State:
        """Compare the stamp."""
        if not all(path.exists() for path in self._files()):
            return "to do"
        return "done" if has_stamp(self.places.stamp(self.name), self._fingerprint()) else "to do"

    def run(self) -> None:
        """Write the files, then the stamp."""
        for path in self._files():
            if not path.exists():
                raise InputError(f"{path}: there is no such file (see --mirror)")
        if self.places.task.lemmas:
            from editmt.evaluation.metrics import find_lemmatiser  # noqa: PLC0415 - brings sacreBLEU

            find_lemmatiser(self.places.task.lemmas)  # not hours later, when terms are counted
        if self.state() == "done":
            return
        written = []
        for name, requests in self._sets():
            path = self.places.requests(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, "".join(write_json_line(request) + "\n" for request in requests))
            written.append(path)
        write_stamp(self.places.stamp(self.name), self._fingerprint(), written)

    def seconds(self) -> float:
        """Seconds."""
        return SECONDS

    def commands(self) -> Sequence[ShellCommand]:
        """The calls of `editmt sample-constraints` that write the same files."""
        task = self.places.task
        source, target = map(str, task.test_files)
        sources = ShellCommand(("jq", "-cR", "{source: .}", source), writes=self.places.requests("nothing"))
        found = [sources]
        for wish in ("soft", "hard"):
            for number, name in enumerate(sample_names(task, wish), start=1):
                words = self._sample_words(task.constraints.words, number, wish)
                found.append(ShellCommand((*words, source, target), writes=self.places.requests(name)))
        for count in task.constraints.counts:
            words = self._sample_words(str(count), 1, "soft")
            found.append(
                ShellCommand((*words, source, target), writes=self.places.requests(count_name(count)))
            )
        for term_set in task.terminology:
            file = str(task.in_mirror(term_set.file))
            plain = self.places.requests(term_name(term_set.name, "nothing"))
            found.append(ShellCommand(("jq", "-c", "{source}", file), writes=plain))
            terms = ("editmt", "sample-constraints", "--terminology", file)
            for wish, more in (("soft", ()), ("hard", ("--hard",))):
                path = self.places.requests(term_name(term_set.name, wish))  # type: ignore[arg-type]
                found.append(ShellCommand((*terms, *more), writes=path))
        return found

    def _sample_words(self, words: str, seed: int, wish: Wish) -> tuple[str, ...]:
        hard = ("--hard",) if wish == "hard" else ()
        settings = ("--words", words, "--seed", str(seed), "--tokenise", self.places.task.tokenise)
        return ("editmt", "sample-constraints", *settings, *hard)

    def _fingerprint(self) -> str:
        task = self.places.task
        wanted = {"constraints": vars(task.constraints), "tokenise": task.tokenise}
        return fingerprint(wanted | {"sets": [vars(each) for each in task.terminology]}, self._files())

    def _files(self) -> list[Path]:
        task = self.places.task
        return [*task.test_files, *(task.in_mirror(each.file) for each in task.terminology)]

    def _sets(self) -> Iterator[tuple[str, Iterable[JsonObject]]]:
        task = self.places.task
        AlignedFiles(*task.test_files).count()
        source, target = (list(read_lines(path)) for path in task.test_files)
        pairs = list(zip(source, target, strict=True))
        split = cache(find_splitter(task.tokenise))  # the same references again and again
        yield "nothing", ({"source": line} for line in source)
        for number in range(1, task.constraints.samples + 1):
            amount = Amount.parse(task.constraints.words)
            for wish in ("soft", "hard"):
                drawn = sample_constraints(pairs, split, amount, seed=number, hard=wish == "hard")
                yield f"{wish}-{number}", drawn
        for count in task.constraints.counts:
            amount = Amount.parse(str(count))
            yield count_name(count), sample_constraints(pairs, split, amount, seed=1, hard=False)
        for term_set in task.terminology:
            yield from self._term_sets(term_set)

    def _term_sets(self, term_set: TermSet) -> Iterator[tuple[str, Iterable[JsonObject]]]:
        path = self.places.task.in_mirror(term_set.file)
        soft = list(read_terminology(path, hard=False))
        yield term_name(term_set.name, "nothing"), ({"source": each["source"]} for each in soft)
        yield term_name(term_set.name, "soft"), soft
        yield term_name(term_set.name, "hard"), read_terminology(path, hard=True)
