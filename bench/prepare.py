"""How long `editmt prepare` takes on 200,000 pairs, and how much memory its processes take together.

    python bench/prepare.py [--corpus ../shared/data/europarl.en-de] [--json]

The limits are 60 s and 500 MB on two cores, learning the subwords included. Memory is the largest sum of the
resident sizes of the command and its workers, looked at every 10 ms; pages that they share count for each.
CPU time says what the wall clock would on an idle machine.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

CORPUS = Path(__file__).parents[1] / ".." / "shared" / "data" / "europarl.en-de"
MOST_SECONDS, MOST_MEGABYTES = 60, 500
LOOK_EVERY = 0.01
PAGE = os.sysconf("SC_PAGE_SIZE")


def tree_memory(process: int) -> int:
    """Return the resident bytes of a process and all its descendants; of those that are gone, none."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
        tasks = Path(f"/proc/{process}/task").glob("*/children")
        children = [int(child) for task in tasks for child in task.read_text().split()]
    except (OSError, IndexError):
        return 0
    return pages * PAGE + sum(map(tree_memory, children))


def measure(corpus: Path, workers: int) -> dict[str, float]:
    """Prepare the corpus' training pairs once and return seconds, CPU seconds and megabytes."""
    source, target = corpus.suffix[1:].split("-")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "editmt", "prepare", f"{folder}/out", "--workers", str(workers)]
        command += ["--source", f"{corpus}/train.{source}", "--target", f"{corpus}/train.{target}"]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        peak = 0
        while process.poll() is None:
            peak = max(peak, tree_memory(process.pid))
            time.sleep(LOOK_EVERY)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(process.returncode)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": seconds, "cpu_seconds": cpu, "megabytes": peak / 1e6}


def show(results: dict[int, dict[str, float]]) -> None:
    """Print the figures, a column for each number of workers."""
    table = Table(title="editmt prepare")
    table.add_column("workers")
    for workers in results:
        table.add_column(str(workers), justify="right")
    for name in ("seconds", "cpu_seconds", "megabytes"):
        table.add_row(name.replace("_", " "), *(f"{figures[name]:.1f}" for figures in results.values()))
    Console().print(table)
    figures = results[max(results)]
    within = figures["seconds"] < MOST_SECONDS and figures["megabytes"] < MOST_MEGABYTES
    limits = f"{MOST_SECONDS} s and {MOST_MEGABYTES} MB"
    print(f"{'within' if within else 'BEYOND'} {limits}; load average {os.getloadavg()[0]:.2f}")


def main() -> None:
    """Measure with one worker and with two, and print."""
    parser = argparse.ArgumentParser(description="Benchmark `editmt prepare`.")
    parser.add_argument(
        "--corpus", type=Path, default=CORPUS, help="a folder x.en-de with train.en, train.de"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    results = {workers: measure(options.corpus, workers) for workers in (1, 2)}
    if options.json:
        print(json.dumps(results))
    else:
        show(results)


if __name__ == "__main__":
    main()
