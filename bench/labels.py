"""How often the oracle moves and deletes: shares of the labels on real text, for each way of noising it.

python bench/labels.py ../shared/data/multi30k.en-de/train.de
"""

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from editmt.edits import Canvas, Oracle, Reposition, apply, count_edits
from editmt.edits.noise import Chances, drop, drop_and_shuffle, pick_phrases
from editmt.text import BOS, EOS
from editmt.text.subwords import SentencePiecePipeline

SENTENCES, LEARN_FROM, VOCABULARY, SEED = 4_000, 20_000, 8_000, 1
ORACLES = {
    "authors' ties": Oracle(),
    "prefer reposition": Oracle(prefer="reposition"),
    "Levenshtein": Oracle(moves=False),
}


def canvases(lines: list[str]) -> tuple[Canvas, dict[str, Canvas]]:
    """Return the references of some lines, and canvases made of them by each kind of noise."""
    pipeline = SentencePiecePipeline.train(lines, size=VOCABULARY)
    reference = Canvas.of([[BOS, *pipeline.encode(line), EOS] for line in lines[:SENTENCES]])
    words = pipeline.vocabulary.words(reference.ids)
    chances = Chances.draw(np.random.default_rng(SEED), reference.ids.shape)
    noises = {
        "dropped": drop(reference, chances),
        "dropped and shuffled": drop_and_shuffle(reference, words, chances),
        "up to five words in random order": pick_phrases(reference, words, chances, most=5),
    }
    return reference, {name: apply(reference, noise) for name, noise in noises.items()}


def shares(canvas: Canvas, reference: Canvas, oracle: Oracle) -> str:
    """Return the per cent of the canvas tokens that move and that are deleted."""
    counts = count_edits(canvas, Reposition(oracle.label(canvas, reference).reposition))
    tokens = canvas.interior.sum()
    return f"{100 * counts.repositions.sum() / tokens:.1f} / {100 * counts.deletions.sum() / tokens:.1f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Count the oracle's labels.")
    parser.add_argument("text", type=Path, help="a text, one sentence a line")
    lines = parser.parse_args().text.read_text(encoding="utf-8").split("\n")[:LEARN_FROM]
    reference, made = canvases(lines)
    table = Table("canvas", *ORACLES, title="% of canvas tokens that move / are deleted")
    for name, canvas in made.items():
        table.add_row(name, *(shares(canvas, reference, oracle) for oracle in ORACLES.values()))
    Console().print(table)
    print(f"{SENTENCES:,} sentences, SentencePiece of {VOCABULARY:,}, seed {SEED}")


if __name__ == "__main__":
    main()
