"""What a glossary costs: reading and finding terms, and translating with it, as ratios.

    python bench/glossary.py [--terms 50000] [--model DIR --glossary FILE --sentences FILE]

Reading and finding are told in milliseconds of processor time and as a ratio to a plain loop of Python, since
machines differ; translating with a glossary as a ratio to translating without, in one run, alternating.
"""

import argparse
import csv
import io
import random
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from editmt import DecodingConfig, Request, Translator
from editmt.decoding.terminology import TermMode, add_terms
from editmt.text.glossary import Entry, Glossary
from editmt.text.glossary.writing import WRITTEN_FORMATS, write_glossary

ROUNDS = 5


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--terms", type=int, default=50_000)
    parser.add_argument("--model", type=Path, help="measure translating, too")
    parser.add_argument("--glossary", type=Path)
    parser.add_argument("--sentences", type=Path, help="one a line")
    options = parser.parse_args()
    loop = seconds(lambda: sum(number * number for number in range(1_000_000)))
    print(f"a loop of a million: {1000 * loop:.0f} ms")
    glossary = measure_reading(options.terms, loop)
    measure_finding(glossary, loop)
    if options.model and options.glossary and options.sentences:
        sentences = options.sentences.read_text(encoding="utf-8").splitlines()
        measure_translating(options.model, Glossary.read(options.glossary), sentences)


def seconds(run: Callable[[], object]) -> float:
    """Return the least processor time of some runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def make_words(count: int, generator: random.Random) -> list[str]:
    """Return made-up words that look like some."""
    parts = ["ba", "cor", "de", "fi", "gan", "lo", "men", "nur", "pas", "ri", "sel", "ti", "vo", "wen", "za"]
    return ["".join(generator.choices(parts, k=generator.randint(1, 4))) for _ in range(count)]


def measure_reading(count: int, loop: float) -> Glossary:
    """Read so many terms from each format: pairs of terms, and concepts of three with notes."""
    generator = random.Random(1)
    words = make_words(20_000, generator)
    terms = dict.fromkeys(
        " ".join(generator.choices(words, k=generator.randint(1, 3))) for _ in range(2 * count)
    )
    rows = "".join(f"{term}\tGröße {number}\n" for number, term in enumerate([*terms][:count]))
    glossary = Glossary.parse(rows, source_language="en", target_language="de")
    files = {"tsv, two columns": rows, "csv, as Weblate writes it": write_weblate(glossary.entries)}
    files |= {form: write_glossary(glossary.entries, form) for form in WRITTEN_FORMATS}
    rich = [enrich(entry, number) for number, entry in enumerate(glossary.entries[: count // 3])]
    files |= {f"{form}, concepts": write_glossary(rich, form) for form in WRITTEN_FORMATS}
    for name, text in files.items():
        data = text.encode()
        taken = seconds(lambda data=data: Glossary.parse(data))  # type: ignore[misc]  # bound now
        print(f"read {count:,} terms from {name}: {1000 * taken:.0f} ms, {taken / loop:.1f} loops")
    return glossary


def write_weblate(entries: Iterable[Entry]) -> str:
    """Return a table of quoted cells with seven columns."""
    output = io.StringIO()
    writer = csv.writer(output, quoting=csv.QUOTE_ALL)
    writer.writerow(("location", "source", "target", "id", "fuzzy", "context", "translator_comments"))
    for number, entry in enumerate(entries):
        row = ("", entry.source, entry.targets[0].text, f"id {number}", "False", "noun", "Say, so it is.")
        writer.writerow(row)
    return output.getvalue()


def enrich(entry: Entry, number: int) -> Entry:
    """Return an entry with a second, forbidden target, and with notes and a definition."""
    (target,) = entry.targets
    return entry._replace(
        targets=(
            target._replace(part_of_speech="noun", note="say this"),
            target._replace(text=f"Zeug {number}", status="forbidden"),
        ),
        part_of_speech="noun",
        case="exact",
        note="as in the manual",
        definition=f"what it means, {number}",
        subject="IT",
        concept=f"c{number}",
    )


def measure_finding(glossary: Glossary, loop: float) -> None:
    """Find terms in sentences of twenty words, half of which are terms' words."""
    generator = random.Random(2)
    known = [word for entry in glossary.entries[:5000] for word in entry.source.split()]
    sentences = [" ".join(generator.choices(known, k=10) + make_words(10, generator)) for _ in range(500)]
    start = time.process_time()
    glossary.find("at first, automaton and lemmas are loaded")
    print(f"prepare to find: {1000 * (time.process_time() - start):.0f} ms")
    taken = seconds(lambda: [glossary.find(sentence) for sentence in sentences]) / len(sentences)
    print(f"find the terms of a sentence: {1000 * taken:.3f} ms, {taken / loop:.4f} loops")


def measure_translating(model: Path, glossary: Glossary, sentences: list[str]) -> None:
    """Translate with and without the glossary, in turns."""
    translator = Translator.load(model, options=DecodingConfig(), threads=1)
    glossary.find("loads what it needs")

    def translate(mode: TermMode) -> None:
        translator.translate_all(add_terms(Request.of(sentence), glossary, mode) for sentence in sentences)

    translate("off")
    times: dict[TermMode, list[float]] = {"off": [], "soft": [], "hard": []}
    for _ in range(ROUNDS):
        for mode, taken in times.items():
            start = time.process_time()
            translate(mode)
            taken.append(time.process_time() - start)
    for mode in ("soft", "hard"):
        ratios = [one / other for one, other in zip(times[mode], times["off"], strict=True)]
        print(f"translate with {mode} terms: {statistics.median(ratios):.3f} times without")


if __name__ == "__main__":
    main()
