"""What a glossary costs: reading and finding terms, and translating with it, as ratios.

    python bench/glossary.py [--terms 50000]
    python bench/glossary.py --glossary FILE --sentences FILE [--first 150] [--size 1] [--threads 2]

Reading and finding are told in milliseconds of processor time and as a ratio to a plain loop of Python, since
machines differ; translating with a glossary as a ratio to translating without, in one run, in turns of some
sentences, with what became of the terms: processor time on one thread, by the clock on several. Without a
model it is the one that ships; sentences are lines of text, or JSON lines with a `source` and marked `terms`.
"""

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

from glossary_files import make_files, make_words
from glossary_use import Turns, measure_use, read_sentences

from editmt.text.glossary import Glossary

ROUNDS = 2


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--terms", type=int, default=50_000)
    parser.add_argument("--model", type=Path, help="(default: the shipped one)")
    parser.add_argument("--glossary", type=Path, help="measure translating with it")
    parser.add_argument("--sentences", type=Path, help="lines of text, or JSON lines")
    parser.add_argument("--first", type=int, help="only so many sentences")
    parser.add_argument("--rounds", type=int, default=3, help="of translating")
    parser.add_argument("--size", type=int, default=512, help="sentences of a turn (1: one by one)")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if options.glossary and options.sentences:
        sentences = read_sentences(options.sentences, options.first)
        glossary = Glossary.read(options.glossary)
        turns = Turns(options.size, options.threads, options.rounds)
        measure_use(options.model, glossary, sentences, turns)
        return
    loop, _ = seconds(lambda: sum(number * number for number in range(1_000_000)))
    print(f"a loop of a million: {1000 * loop:.0f} ms")
    glossary = measure_reading(options.terms, loop)
    measure_finding(glossary, loop)


def seconds(run: Callable[[], object]) -> tuple[float, float]:
    """Return the least processor time of some runs, and the least time by the clock."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time(), time.perf_counter()
        run()
        times.append((time.process_time() - start[0], time.perf_counter() - start[1]))
    return min(process for process, _ in times), min(wall for _, wall in times)


def measure_reading(count: int, loop: float) -> Glossary:
    """Read so many terms from each kind of file, on one thread."""
    files = make_files(count)
    for name, data in files.items():
        process, wall = seconds(lambda data=data: Glossary.parse(data))  # type: ignore[misc]  # bound now
        print(
            f"read {count:,} terms from {name} ({len(data) / 1e6:.1f} MB): {1000 * process:.0f} ms, "
            f"{process / loop:.1f} loops; by the clock {1000 * wall:.0f} ms"
        )
    return Glossary.parse(files["tsv, two columns"], source_language="en", target_language="de")


def measure_finding(glossary: Glossary, loop: float) -> None:
    """Find terms in sentences of twenty words, half of which are terms' words."""
    generator = random.Random(2)
    known = [word for entry in glossary.entries[:5000] for word in entry.source.split()]
    sentences = [" ".join(generator.choices(known, k=10) + make_words(10, generator)) for _ in range(500)]
    start = time.process_time()
    glossary.find("at first, automaton and lemmas are loaded")
    print(f"prepare to find: {1000 * (time.process_time() - start):.0f} ms")
    taken = seconds(lambda: [glossary.find(sentence) for sentence in sentences])[0] / len(sentences)
    print(f"find the terms of a sentence: {1000 * taken:.3f} ms, {taken / loop:.4f} loops")


if __name__ == "__main__":
    main()
