"""How long `editmt evaluate` takes on 3,000 sentences of three systems, with every metric.

    python bench/evaluate.py ../shared/data/europarl.en-de/test.de ../shared/data/europarl.en-de/valid.de

The limit is 30 s, with 1,000 samples of the bootstrap. A system's output is the reference with some words
left out and some exchanged with their neighbours, more of them from system to system; its edits and times are
made up, so that these metrics have something to count. CPU time says what the wall clock would on an idle
machine.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from editmt.evaluation.samples import Amount, sample_constraints
from editmt.evaluation.words import find_splitter
from editmt.records import JsonObject, write_json_line

SENTENCES, SAMPLES, SEED, MOST_SECONDS = 3_000, 1_000, 1, 30
SYSTEMS = {"a": 0.05, "b": 0.10, "c": 0.15}
"""What share of the words each leaves out, and what share it exchanges."""
LANGUAGE = "de"


def spoil(words: list[str], share: float, generator: np.random.Generator) -> list[str]:
    """Leave out some words, and exchange some with the next."""
    kept = [word for word in words if generator.random() >= share]
    for place in range(len(kept) - 1):
        if generator.random() < share:
            kept[place : place + 2] = kept[place + 1], kept[place]
    return kept


def answers(references: Iterable[str], share: float, generator: np.random.Generator) -> Iterator[JsonObject]:
    """Yield what a system would answer."""
    for reference in references:
        words = spoil(reference.split(), share, generator)
        moved, deleted, passes = generator.integers(0, 5, 3).tolist()
        yield {
            "text": " ".join(words),
            "counts": {"repositions": moved, "deletions": deleted, "insertions": len(words)},
            "iterations": 1 + passes,
            "latency_ms": 20 + 5 * generator.random(),
        }


def write_files(references: list[str], folder: Path) -> list[str]:
    """Write references, constraints and outputs, and return the arguments of `editmt evaluate`."""
    (folder / "reference").write_text("".join(line + "\n" for line in references), encoding="utf-8")
    pairs = zip(references, references, strict=True)
    wanted = sample_constraints(pairs, find_splitter("13a"), Amount(1, 4), seed=SEED, hard=False)
    _write(folder / "constraints.jsonl", wanted)
    generator = np.random.default_rng(SEED)
    for name, share in SYSTEMS.items():
        _write(folder / f"{name}.jsonl", answers(references, share, generator))
    return [
        "--reference", str(folder / "reference"), "--constraints", str(folder / "constraints.jsonl"),
        "--tokenise", f"moses:{LANGUAGE}", "--lemmas", LANGUAGE, "--samples", str(SAMPLES), "--json",
        *(f"{name}={folder / name}.jsonl" for name in SYSTEMS),
    ]  # fmt: skip


def _write(path: Path, records: Iterable[JsonObject]) -> None:
    path.write_text("".join(write_json_line(record) + "\n" for record in records), encoding="utf-8")


def measure(references: list[str]) -> JsonObject:
    """Run the command, and return its seconds and its metrics."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "editmt", "evaluate", *write_files(references, Path(folder))]
        start = time.perf_counter()
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    metrics = list(json.loads(done.stdout)["metrics"])
    return {"seconds": seconds, "cpu_seconds": used.ru_utime + used.ru_stime, "metrics": metrics}


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description="Time `editmt evaluate`.")
    parser.add_argument("texts", type=Path, nargs="+", help="German texts, a sentence a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    lines = [line for path in options.texts for line in path.read_text(encoding="utf-8").splitlines()]
    references = lines[:SENTENCES]
    found = {"sentences": len(references), **measure(references)}
    if options.json:
        print(json.dumps(found))
        return
    table = Table("", "here", "at most", title=f"{len(references):,} sentences, {len(SYSTEMS)} systems")
    table.add_row("wall clock", f"{found['seconds']:.1f} s", f"{MOST_SECONDS} s")
    table.add_row("CPU time", f"{found['cpu_seconds']:.1f} s", "")
    Console().print(table)
    print(f"{SAMPLES:,} samples, seed {SEED}; metrics: {', '.join(found['metrics'])}")


if __name__ == "__main__":
    main()
