"""How fast the oracle labels: noised batches of 8,100 tokens, on one thread and two, against plain Python.

    python bench/oracle.py [--json]

Each figure is the best of several rounds, the contestants taking turns, so that all meet the same noise of
the machine. "plain" is the very same loops, run by Python on lists instead of compiled by numba.
"""

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from rich.console import Console
from rich.table import Table

from editmt.edits import Canvas, Oracle, apply
from editmt.edits.noise import Chances, drop_and_shuffle
from editmt.text import BOS, EOS, SYMBOLS

BATCH_TOKENS = 8_100
LENGTHS = (10, 30, 100)
AUTHORS_PAIRS = {10: 31_000, 30: 46_000, 100: 3_000}
"""Sentence pairs a second of the authors' C++ on one thread of such a machine (reported, not run here)."""
VOCABULARY = 40_000
ROUNDS, LEAST_SECONDS = 5, 0.2
SEED = 1


def noised_batch(length: int, generator: np.random.Generator) -> tuple[Canvas, Canvas]:
    """Make references of `length` tokens, boundaries included, distributed as words are, and noise them."""
    rows = BATCH_TOKENS // length
    frequency = 1.0 / np.arange(1, VOCABULARY - len(SYMBOLS) + 1)
    words = generator.choice(len(frequency), size=(rows, length - 2), p=frequency / frequency.sum())
    reference = Canvas.of([[BOS, *row, EOS] for row in (words + len(SYMBOLS)).tolist()])
    word_numbers = np.broadcast_to(np.arange(length), (rows, length))  # each token is a word
    chances = Chances.draw(generator, reference.ids.shape)
    return apply(reference, drop_and_shuffle(reference, word_numbers, chances)), reference


def label_rate(oracle: Oracle, batch: tuple[Canvas, Canvas]) -> float:
    """Return the sentence pairs labelled a second, over enough calls for the clock to be trusted."""
    calls, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < LEAST_SECONDS or calls == 0:
        oracle.label(*batch)
        calls += 1
    return calls * len(batch[0].ids) / elapsed


def measure(length: int) -> dict[str, float]:
    """Return sentence pairs a second for each contestant at one length."""
    batch, other = (noised_batch(length, np.random.default_rng(seed)) for seed in (SEED, SEED + 1))
    contestants = {
        "one_thread": Oracle(),
        "levenshtein": Oracle(moves=False),
        "prefer_reposition": Oracle(prefer="reposition"),
    }
    for oracle in contestants.values():
        oracle.label(*batch)  # compile
    rates: dict[str, list[float]] = {name: [] for name in (*contestants, "two_threads", "plain")}
    for _ in range(ROUNDS):
        for name, oracle in contestants.items():
            rates[name].append(label_rate(oracle, batch))
        with ThreadPoolExecutor(2) as pool:  # each labels batches of its own, as data workers do
            rates["two_threads"].append(sum(pool.map(label_rate, [Oracle()] * 2, [batch, other])))
        rates["plain"].append(label_rate(Oracle(compiled=False), batch))
    return {name: max(values) for name, values in rates.items()}


def show(results: dict[int, dict[str, float]]) -> None:
    """Print the figures, a column for each length."""
    table = Table(title=f"sentence pairs a second, batches of {BATCH_TOKENS:,} tokens")
    table.add_column("tokens in a reference")
    for length in results:
        table.add_column(str(length), justify="right")
    names = {
        "one_thread": "EDITOR, one thread",
        "two_threads": "EDITOR, two threads",
        "levenshtein": "Levenshtein, one thread",
        "prefer_reposition": "prefer reposition, one thread",
        "plain": "EDITOR, the same loops in plain Python",
    }
    for name, title in names.items():
        table.add_row(title, *(f"{rates[name]:,.0f}" for rates in results.values()))
    ratios = {length: rates["one_thread"] / rates["plain"] for length, rates in results.items()}
    table.add_row("one thread / plain Python", *(f"{ratio:.0f}×" for ratio in ratios.values()))
    ratios = {length: rates["two_threads"] / rates["one_thread"] for length, rates in results.items()}
    table.add_row("two threads / one", *(f"{ratio:.2f}×" for ratio in ratios.values()))
    ratios = {length: rates["one_thread"] / AUTHORS_PAIRS[length] for length, rates in results.items()}
    table.add_row("one thread / the authors' C++ (reported)", *(f"{ratio:.1f}×" for ratio in ratios.values()))
    Console().print(table)
    print(f"seed {SEED}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}")


def main() -> None:
    """Measure at each length and print."""
    parser = argparse.ArgumentParser(description="Benchmark the oracle.")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    results = {length: measure(length) for length in LENGTHS}
    if options.json:
        print(json.dumps(results))
    else:
        show(results)


if __name__ == "__main__":
    main()
