"""Translating with a glossary: what it costs, and whether its terms are used; for `bench/glossary.py`."""

import statistics
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from editmt import Request, Translator
from editmt.decoding.segments import Segment, Translated, translate_segments
from editmt.decoding.term_report import UseStatus, make_report
from editmt.decoding.terminology import TermMode
from editmt.decoding.translation import Translation
from editmt.records import parse_json_line
from editmt.text.glossary import Glossary
from editmt.text.lemmas import load_lemmatiser
from editmt.text.phrases import find_phrase


@dataclass(frozen=True)
class Sentence:
    """A sentence and the terms that are marked in it: source, target."""

    text: str
    terms: tuple[tuple[str, str], ...] = ()


@dataclass
class Run:
    """What came of translating all sentences in one way, and how long each round took."""

    seconds: list[float] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    done: list[Translated] = field(default_factory=list)


Way = Callable[[Run, Sequence[Sentence]], None]
"""Translates sentences, and adds what came of them to a run."""


def read_sentences(path: Path, most: int | None) -> list[Sentence]:
    """Read lines of text, or JSON lines with a `source` and marked `terms`."""
    lines = path.read_bytes().splitlines()[:most]
    if path.suffix != ".jsonl":
        return [Sentence(line.decode()) for line in lines]
    records = map(parse_json_line, lines)
    return [
        Sentence(record["source"], tuple((term["source"], term["target"]) for term in record["terms"]))
        for record in records
    ]


@dataclass(frozen=True)
class Turns:
    """How ways of translating take turns: so many sentences each, on so many threads, so many times."""

    size: int
    threads: int
    rounds: int

    @property
    def clock(self) -> Callable[[], float]:
        """Processor time on one thread, else the clock: threads that wait for work take processor time."""
        return time.process_time if self.threads == 1 else time.perf_counter


def measure_use(model: Path | None, glossary: Glossary, sentences: Sequence[Sentence], turns: Turns) -> None:
    """Translate without and with the glossary, in turns, and print what it cost and what became of terms.

    "off" is with markup kept, as documents are translated without a glossary.
    The last run forbids what the glossary wants: the words that a model is likeliest to say.
    """
    translator = Translator.load(model, threads=turns.threads, bulk=turns.size > 1)
    forbidding = forbid(glossary)
    for each in (glossary, forbidding):
        each.find("loads what it needs")
    tell_found(glossary, sentences)
    ways: dict[str, Way] = {
        "without": lambda run, group: translate_plain(translator, group, run),
        "off": lambda run, group: translate(translator, group, (glossary, "off"), run),
        "soft": lambda run, group: translate(translator, group, (glossary, "soft"), run),
        "hard": lambda run, group: translate(translator, group, (glossary, "hard"), run),
        "forbidden": lambda run, group: translate(translator, group, (forbidding, "soft"), run),
    }
    for way in ways.values():
        way(Run(), sentences[:20])
    runs = take_turns(ways, sentences, turns)
    for name, run in runs.items():
        tell(name, run, runs, sentences)


def take_turns(ways: Mapping[str, Way], sentences: Sequence[Sentence], turns: Turns) -> dict[str, Run]:
    """Translate all sentences in each way, some at a time, so that whatever else the machine does hits all.

    Each time another way is the first.
    """
    runs, names = {name: Run() for name in ways}, deque(ways)
    for _ in range(turns.rounds):
        for run in runs.values():
            run.done.clear()
            run.seconds.append(0.0)
        for first in range(0, len(sentences), turns.size):
            for name in names:
                start = turns.clock()
                ways[name](runs[name], sentences[first : first + turns.size])
                runs[name].seconds[-1] += turns.clock() - start
            names.rotate()
    return runs


def forbid(glossary: Glossary) -> Glossary:
    """Return the glossary with all of its targets forbidden."""
    return Glossary(
        tuple(
            entry._replace(targets=tuple(target._replace(status="forbidden") for target in entry.targets))
            for entry in glossary.entries
        )
    )


def translate_plain(translator: Translator, sentences: Sequence[Sentence], run: Run) -> None:
    """Translate lines as `editmt translate` does without a glossary."""
    answers = translator.translate_all([Request.of(sentence.text) for sentence in sentences])
    count(run, answers)
    run.done += [Translated(answer.text if isinstance(answer, Translation) else "") for answer in answers]


def translate(
    translator: Translator, sentences: Sequence[Sentence], terms: tuple[Glossary, TermMode], run: Run
) -> None:
    """Translate lines as `editmt translate --glossary` does."""
    steps = translate_segments([Segment(sentence.text) for sentence in sentences], *terms)
    try:
        asked = next(steps)
        while True:
            answers = translator.translate_all(asked)
            count(run, answers)
            asked = steps.send(answers)
    except StopIteration as end:
        run.done += end.value


def count(run: Run, answers: Sequence[Translation | Exception]) -> None:
    """Add what translations took, each round's."""
    good = [answer for answer in answers if isinstance(answer, Translation)]
    run.iterations += [answer.iterations for answer in good]
    run.tokens += [len(answer.outcome.ids) for answer in good]


def tell_found(glossary: Glossary, sentences: Sequence[Sentence]) -> None:
    """Print how many of the marked terms the glossary finds."""
    found = [
        any(
            match.span[0] <= start and end <= match.span[1]
            for match in glossary.find(sentence.text)
            for start, end in find_phrase(sentence.text, source)
        )
        for sentence in sentences
        for source, _ in sentence.terms
    ]
    if found:
        print(f"{len(sentences)} sentences, {len(found)} marked terms: {share(sum(found), len(found))} found")


def tell(name: str, run: Run, runs: Mapping[str, Run], sentences: Sequence[Sentence]) -> None:
    """Print a line on a run: time, iterations, length, and the share of terms that were used."""
    milliseconds = 1000 * statistics.median(run.seconds) / len(sentences)
    ratios = " and ".join(f"{compare(run, runs[other]):.3f} times {other}" for other in ("without", "off"))
    marked = [
        next(find_phrase(done.text, target), None) is not None
        for sentence, done in zip(sentences, run.done, strict=True)
        for _, target in sentence.terms
    ]
    passages = [(0, passage) for done in run.done for passage in done.passages]
    report = make_report(passages, lambda: load_lemmatiser("de"))
    wanted: tuple[UseStatus, ...] = ("used", "other form", "inflected", "missed")
    total = sum(map(report.count, wanted))
    shares = [f"{status} {share(report.count(status), total)}" for status in wanted]
    print(
        f"{name:>9}: {milliseconds:6.2f} ms a sentence, {ratios}; "
        f"{statistics.mean(run.iterations):.2f} iterations, {statistics.mean(run.tokens):.1f} tokens; "
        f"marked terms in the output as given {share(sum(marked), len(marked))}; "
        + (f"the glossary's: {', '.join(shares)}; " if total else "")
        + f"forbidden words used {report.count('forbidden')}"
    )


def compare(run: Run, other: Run) -> float:
    """Return how many times as long as another a run took: the median of the rounds."""
    return statistics.median(ours / theirs for ours, theirs in zip(run.seconds, other.seconds, strict=True))


def share(part: int, whole: int) -> str:
    """Return a share in per cent."""
    return f"{100 * part / whole:.2f} %" if whole else "–"
