"""EDITOR on the CPU runtime against autoregressive search on the same, on CTranslate2, and PyTorch.

    python bench/runtime.py --threads 2                      # base size
    python bench/runtime.py --threads 2 --size shipped       # the shape of the model inside the package
    python bench/runtime.py --threads 2 --words 2            # from two words of the reference

The model inside the package itself, on real sentences: `editmt bench`. Here all weights are random.
Contestants take turns, sentence by sentence. Random weights decide nothing: searches run to the reference's
length; EDITOR does all its work, and a script decides (bench/scripted.py), with as many iterations as
`--iterations` says, a trained model's mean. CTranslate2 runs with one thread and with all, and its better
setting counts. The share of the machine that other processes had is printed: two threads need a quiet one.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from scripted import Actor, write_script

from editmt.cli.bench_rivals import SEED, make_rival, on_ctranslate2, on_the_same_runtime
from editmt.config import ModelConfig, preset
from editmt.decoding.cpu_policy import CpuPolicy
from editmt.decoding.job import Job
from editmt.decoding.model_policy import ModelPolicy
from editmt.decoding.policy import Policy
from editmt.decoding.refine import Sentence, refine
from editmt.decoding.refinement import source_canvas
from editmt.edits import Canvas
from editmt.evaluation.speed import Prepare, take_turns
from editmt.models import EditModel, make_model
from editmt.runtime.cpu_export import save_weights
from editmt.runtime.cpu_folder import Precision
from editmt.runtime.cpu_model import CpuEditModel
from editmt.runtime.sessions import set_threads
from editmt.text import BOS, EOS, SYMBOLS

BATCH = 32


def make_jobs(count: int, length: int, words: int, vocabulary: int) -> tuple[list[Job], list[list[int]]]:
    """Draw sentences of about a length, their translations, and some words of these as first canvases."""
    generator = np.random.default_rng(SEED)
    jobs, references = [], []
    for _ in range(count):
        size = int(generator.integers(length - 5, length + 6))
        source, target = generator.integers(len(SYMBOLS), vocabulary, (2, size)).tolist()
        first = generator.permutation(target)[:words].tolist()
        jobs.append(Job(source, size + 3, first, [0] * len(first)))  # a search writes </s>, too
        references.append(target)
    return jobs, references


def acting(start: Callable[[Canvas], Policy], references: dict[int, list[int]], thirds: float) -> Prepare:
    """Return an edit model that refines by a script; `thirds` of the sentences take a third iteration."""

    def prepare(jobs: Sequence[Job]) -> Callable[[], object]:
        canvas = Canvas.of([[BOS, *job.first, EOS] for job in jobs])
        sentences = [Sentence(job.most_tokens) for job in jobs]
        wanted = [references[id(job)] for job in jobs]
        late = [index in _share(list(references), thirds) for index in map(id, jobs)]
        lines = write_script(canvas, wanted, late)
        source = source_canvas(jobs)
        return lambda: refine(Actor(start(source), iter(lines)), canvas, sentences)

    return prepare


def _share(keys: list[int], share: float) -> set[int]:
    """Return that share of the keys, evenly spread."""
    return {key for place, key in enumerate(keys) if int((place + 1) * share) > int(place * share)}


def exported(model: EditModel, folder: Path, precision: Precision) -> Callable[[Canvas], Policy]:
    """Export an edit model, and return what starts it on the CPU runtime."""
    save_weights(model, folder, precision)
    loaded = CpuEditModel(model.config, folder)
    return lambda source: CpuPolicy.start(loaded, source)


def in_pytorch(model: EditModel) -> Callable[[Canvas], Policy]:
    """Return what starts an edit model in PyTorch."""
    return lambda source: ModelPolicy.start(
        model, torch.from_numpy(source.ids), torch.from_numpy(source.mask)
    )


def contestants(shape: ModelConfig, options: argparse.Namespace, folder: Path) -> dict[str, Prepare]:
    """Return all, of one shape, with random weights."""
    torch.manual_seed(SEED)
    found: dict[str, Prepare] = {}
    jobs, references = make_jobs(options.sentences, options.length, options.words, options.vocabulary)
    options.jobs = jobs
    by_job = {id(job): ids for job, ids in zip(jobs, references, strict=True)}
    thirds = options.iterations - 2
    for stacks in ("shared", "own"):
        config = replace(shape, kind="editor", stacks=stacks)
        model = make_model(config, options.vocabulary, options.vocabulary).eval()
        assert isinstance(model, EditModel)
        for precision in ("int8", "float32"):
            name = f"EDITOR {precision}, {stacks} stack"
            found[name] = acting(exported(model, folder / name, precision), by_job, thirds)
        found[f"EDITOR PyTorch, {stacks} stack"] = acting(in_pytorch(model), by_job, thirds)
    rival = make_rival(shape, options.vocabulary)
    found |= on_the_same_runtime(rival, folder / "search")
    return found | on_ctranslate2(rival, folder / "ctranslate2", options.threads)


def show(results: dict[str, dict[str, float]], title: str, ours: str) -> None:
    """Print each contestant's time, and how many times ours it is."""
    table = Table(title=title)
    table.add_column("")
    for name in results:
        table.add_column(f"ms, {name}", justify="right")
        table.add_column("× ours", justify="right")
    for name in next(iter(results.values())):
        cells = []
        for figures in results.values():
            cells += [f"{1000 * figures[name]:.1f}", f"{figures[name] / figures[ours]:.2f}"]
        table.add_row(name, *cells)
    Console().print(table)


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("--size", default="base", choices=("tiny", "small", "shipped", "base"))
    parser.add_argument("--vocabulary", type=int, default=40_000)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--sentences", type=int, default=BATCH)
    parser.add_argument("--latency-sentences", type=int, default=8)
    parser.add_argument("--length", type=int, default=25, help="tokens of a sentence, on average")
    parser.add_argument("--words", type=int, default=0, help="given as soft constraints")
    parser.add_argument("--iterations", type=float, default=2.5, help="between 2 and 3, on average")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    set_threads(options.threads)
    shape = SHIPPED_SHAPE if options.size == "shipped" else preset(options.size, "editor")
    with tempfile.TemporaryDirectory() as folder:
        ways = contestants(shape, options, Path(folder))
        single = take_turns(
            ways, [[job] for job in options.jobs[: options.latency_sentences]], options.rounds
        )
        batch = take_turns(ways, [options.jobs], options.rounds)
    results = {"one by one": single.seconds, f"batch of {options.sentences}": batch.seconds}
    if options.json:
        print(json.dumps({"settings": {k: v for k, v in vars(options).items() if k != "jobs"}, **results}))
        return
    others = f"{100 * (single.others or 0):.0f} and {100 * (batch.others or 0):.0f} %"
    title = f"{options.size}, {options.threads} threads; others had {others} of the machine"
    show(results, title, "EDITOR int8, shared stack")


SHIPPED_SHAPE = ModelConfig(
    width=192, feedforward=768, heads=4, encoder_layers=6, decoder_layers=2, norm="pre", max_length=256
)


if __name__ == "__main__":
    main()
