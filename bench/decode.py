"""How long translations take: EDITOR, the Levenshtein Transformer, beam search and DBA, in one run.

    python bench/decode.py base                                            # random weights
    python bench/decode.py --runs EDITOR AUTOREGRESSIVE --source test.en   # trained ones

All contestants have one width and depth, and take turns, sentence by sentence (latency, the paper's
definition: one sentence at a time, loading excluded) or batch by batch of 64 (throughput). Models with random
weights would stop anywhere; so the searches run to the reference's length, and the edit models do all their
work, but it is decided by a script: after three passes, as in the paper's Table 4 (1.8 to 2.1 counted from
0), the reference stands. `generate` is Hugging Face's MarianMTModel of the same shape, beam 4.
"""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from editmt.config import DecodingConfig, ModelKind, preset
from editmt.decoding.engine import Engine
from editmt.decoding.job import Job, most_tokens
from editmt.decoding.loading import load_engine
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.policy import Floats, Integers, Words
from editmt.decoding.refine import Sentence, refine
from editmt.decoding.torch_engine import BeamEngine
from editmt.edits import Canvas, Oracle
from editmt.models import AutoregressiveModel, EditModel, make_model
from editmt.text import BOS, EOS, PLH, SYMBOLS

SEED = 1
VOCABULARY = 32_000
LENGTHS, CONSTRAINTS = (10, 25, 50, 75, 100), (0, 1, 2, 4, 6, 8, 10)
BATCH, USUAL_LENGTH = 64, 25
PASSES = 3


class Task(NamedTuple):
    """A sentence to translate, with words of its translation as constraints; and that translation."""

    job: Job
    reference: list[int]


Prepare = Callable[[Sequence[Task]], Callable[[], object]]
"""Makes ready what need not be timed, and returns what translates the tasks as one batch."""


class Script:
    """The scores that lead a batch to its references in so many passes, the last of which changes nothing."""

    def __init__(self, references: Sequence[list[int]], canvas: Canvas) -> None:
        short = [ids[:-1] for ids in references]
        self._goals = [Canvas.of([[BOS, *ids, EOS] for ids in side]) for side in (short, references)]
        self.moves: list[Floats] = []
        self.counts: list[Floats] = []
        self.ids: list[Integers] = []
        limits = [Sentence(len(ids) + 2) for ids in references]
        refine(self, canvas, limits)

    def _actions(self, canvas: Canvas) -> tuple[Any, Any]:
        goal = self._goals[min(len(self.counts), 1)]
        return Oracle().label(canvas, goal).actions(goal)[:2]

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Point at what the oracle moves."""
        self.moves.append(np.eye(canvas.ids.shape[1], dtype=np.float32)[self._actions(canvas)[0].index])
        return self.moves[-1]

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Point at how many the oracle inserts."""
        self.counts.append(np.eye(256, dtype=np.float32)[self._actions(canvas)[1].count])
        return self.counts[-1]

    def words(self, canvas: Canvas, _count: int) -> Words:
        """Return the references' words."""
        goal = self._goals[min(len(self.counts) - 1, 1)]
        self.ids.append(goal.ids[:, : canvas.ids.shape[1]][canvas.ids == PLH][:, None])
        return Words(self.ids[-1], np.zeros(self.ids[-1].shape))

    def select(self, _rows: Integers) -> "Script":
        """All sentences are done at once."""
        raise AssertionError


class Scripted:
    """A model that does all its work, and is not listened to."""

    def __init__(self, policy: ModelPolicy, script: Script) -> None:
        self._policy = policy
        self._moves, self._counts = iter(script.moves), iter(script.counts)
        self._ids = iter(script.ids)

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Score, and return the script's."""
        self._policy.reposition_scores(canvas)
        return next(self._moves)

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Score, and return the script's."""
        self._policy.placeholder_scores(canvas)
        return next(self._counts)

    def words(self, canvas: Canvas, count: int) -> Words:
        """Score, and return the script's."""
        return Words(next(self._ids), self._policy.words(canvas, count).scores)

    def select(self, _rows: Integers) -> "Scripted":
        """All sentences are done at once."""
        raise AssertionError


def scripted(model: EditModel) -> Prepare:
    """Return what refines by a script."""

    def prepare(tasks: Sequence[Task]) -> Callable[[], object]:
        canvas = Canvas.of([[BOS, *task.job.first, EOS] for task in tasks])
        sentences = [Sentence(task.job.most_tokens) for task in tasks]
        script = Script([task.reference for task in tasks], canvas)

        def run() -> object:
            source = _sources(tasks)
            policy = Scripted(ModelPolicy.start(model, source.ids, source.mask), script)
            return refine(policy, canvas, sentences)

        return run

    return prepare


def decoding(engine: Engine, options: DecodingConfig, *, constrained: bool) -> Prepare:
    """Return what decodes, with the tasks' words as constraints or without."""

    def prepare(tasks: Sequence[Task]) -> Callable[[], object]:
        jobs = [task.job if constrained else Job(task.job.source, task.job.most_tokens) for task in tasks]
        return lambda: engine.decode(jobs, options)

    return prepare


def generating(size: str) -> Prepare:
    """Return Hugging Face's beam search with a model of the same shape."""
    from transformers import MarianConfig, MarianMTModel  # noqa: PLC0415 - for this only

    ours = preset(size, "autoregressive")
    config = MarianConfig(
        vocab_size=VOCABULARY, d_model=ours.width, encoder_layers=ours.encoder_layers,
        decoder_layers=ours.decoder_layers,
        encoder_ffn_dim=ours.feedforward, decoder_ffn_dim=ours.feedforward,
        encoder_attention_heads=ours.heads, decoder_attention_heads=ours.heads, activation_function="relu",
        scale_embedding=True, pad_token_id=0, bos_token_id=BOS, eos_token_id=EOS, decoder_start_token_id=BOS,
        forced_eos_token_id=None,
    )  # fmt: skip
    model: Any = MarianMTModel(config)
    model.train(False)

    def prepare(tasks: Sequence[Task]) -> Callable[[], object]:
        source = _sources(tasks)
        length = max(task.job.most_tokens for task in tasks) - 1  # with </s>, as ours

        @torch.inference_mode()
        def run() -> object:
            return model.generate(
                input_ids=source.ids, attention_mask=source.mask.long(), num_beams=4, do_sample=False,
                min_new_tokens=length, max_new_tokens=length,
            )  # fmt: skip

        return run

    return prepare


def contestants(size: str, *, generate: bool) -> dict[str, Prepare]:
    """Return all models of one size, with random weights."""
    torch.manual_seed(SEED)
    kinds: tuple[ModelKind, ...] = ("editor", "levenshtein", "autoregressive")
    models = {kind: make_model(preset(size, kind), VOCABULARY, VOCABULARY).eval() for kind in kinds}
    teacher = models["autoregressive"]
    assert isinstance(teacher, AutoregressiveModel)
    found: dict[str, Prepare] = {
        kind: scripted(model) for kind, model in models.items() if isinstance(model, EditModel)
    }
    found |= searches(BeamEngine(teacher))
    return found | ({"generate 4": generating(size)} if generate else {})


def _sources(tasks: Sequence[Task]) -> Canvas:
    return to_torch(Canvas.of([[BOS, *task.job.source, EOS] for task in tasks]), torch.device("cpu"))


def searches(engine: Engine) -> dict[str, Prepare]:
    """Return the searches of an autoregressive model."""
    return {
        "greedy": decoding(engine, DecodingConfig(beam=1), constrained=False),
        "beam 4": decoding(engine, DecodingConfig(beam=4), constrained=False),
        "beam 10": decoding(engine, DecodingConfig(beam=10), constrained=False),
        "DBA 4": decoding(engine, DecodingConfig(beam=4), constrained=True),
        "DBA 10": decoding(engine, DecodingConfig(beam=10), constrained=True),
    }


def make_tasks(count: int, length: int, constraints: int) -> list[Task]:
    """Draw sentences of a length, and words of each one's translation in any order."""
    generator = np.random.default_rng([SEED, length, constraints])
    tasks = []
    for _ in range(count):
        source, target = generator.integers(len(SYMBOLS), VOCABULARY, (2, length)).tolist()
        words = generator.permutation(target)[:constraints].tolist()
        phrases = [[word] for word in words]
        tasks.append(Task(Job(source, length + 2, words, [0] * len(words), hard=phrases), target))
    return tasks


def read_tasks(folders: Sequence[Path], source: Path, target: Path, count: int) -> list[Task]:
    """Read real sentences, with two words of each reference as constraints (limits are the models' own)."""
    texts = load_engine(folders[0], threads=1).texts
    generator = np.random.default_rng(SEED)
    sides = (path.read_text(encoding="utf-8").splitlines()[:count] for path in (source, target))
    tasks = []
    for ours, theirs in zip(*sides, strict=True):
        ids = texts.source.encode(ours)
        words = generator.permutation(theirs.split())[:2].tolist()
        phrases = [texts.target.encode_phrase(word) for word in words]
        first = [index for phrase in phrases for index in phrase]
        job = Job(ids, most_tokens(len(ids) + 2), first, [0] * len(first), hard=phrases)
        tasks.append(Task(job, texts.target.encode(theirs)))
    return tasks


def take_turns(ways: dict[str, Prepare], batches: Sequence[Sequence[Task]], rounds: int) -> dict[str, float]:
    """Return the seconds a sentence takes each, over all batches: the best of some rounds for each batch."""
    totals = dict.fromkeys(ways, 0.0)
    for batch in batches:
        runs = {name: prepare(batch) for name, prepare in ways.items()}
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, run in runs.items():
                start = time.perf_counter()
                run()
                seconds[name].append(time.perf_counter() - start)
        for name, values in seconds.items():
            totals[name] += min(values)
    sentences = sum(map(len, batches))
    return {name: total / sentences for name, total in totals.items()}


def measure(ways: dict[str, Prepare], tasks: Sequence[Task], rounds: int) -> dict[str, dict[str, float]]:
    """Return latency and throughput, in seconds a sentence."""
    take_turns(ways, [tasks[:1]], 1)  # warm up
    return {
        "latency": take_turns(ways, [[task] for task in tasks[: BATCH // 4]], rounds),
        "throughput": take_turns(ways, [tasks[:BATCH]], rounds),
    }


def grow(ways: dict[str, Prepare], rounds: int) -> dict[str, dict[int, dict[str, float]]]:
    """Return latencies by length, and by the number of constraints."""
    few = 3
    return {
        "words": {n: take_turns(ways, [[t] for t in make_tasks(few, n, 2)], rounds) for n in LENGTHS},
        "constraints": {
            n: take_turns(ways, [[t] for t in make_tasks(few, USUAL_LENGTH, n)], rounds) for n in CONSTRAINTS
        },
    }


def draw(growth: dict[str, dict[int, dict[str, float]]], path: Path) -> None:
    """Draw the growth as two curves for each contestant."""
    import matplotlib as mpl  # noqa: PLC0415 - for this only

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(1, len(growth), figsize=(11, 4.5), layout="constrained")
    for axis, (quantity, table) in zip(axes, growth.items(), strict=True):
        for name in next(iter(table.values())):
            axis.plot(list(table), [1000 * row[name] for row in table.values()], marker="o", label=name)
        axis.set(xlabel=quantity, ylabel="ms a sentence", ylim=(0, None))
    axes[-1].legend()
    figure.savefig(path, dpi=120)


def show(results: dict[str, dict[str, float]], title: str) -> None:
    """Print each contestant's time, and how many times EDITOR's it is."""
    table = Table(title=title)
    for name in ("", "ms", "× EDITOR", "ms in a batch of 64", "× EDITOR"):
        table.add_column(name, justify="right" if name else "left")
    for name in results["latency"]:
        cells = []
        for figures in results.values():
            cells += [f"{1000 * figures[name]:.1f}", f"{figures[name] / figures['editor']:.2f}"]
        table.add_row(name, *cells)
    Console().print(table)


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("size", nargs="?", default="base", choices=("tiny", "small", "base"))
    parser.add_argument("--runs", nargs="+", type=Path, metavar="RUN", help="EDITOR's run, AUTOREGRESSIVE's")
    parser.add_argument("--source", type=Path, help="with --runs: sentences to translate")
    parser.add_argument("--target", type=Path, help="with --runs: their references")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-generate", action="store_true", help="without Hugging Face's transformers")
    parser.add_argument("--growth", type=Path, metavar="PNG", help="also draw cost by length and constraints")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.runs:
        engines = [load_engine(run).engine for run in options.runs]
        ways = {
            "editor": decoding(engines[0], DecodingConfig(), constrained=False),
            "editor, 2 words": decoding(engines[0], DecodingConfig(), constrained=True),
            **searches(engines[1]),
        }
        tasks = read_tasks(options.runs, options.source, options.target, BATCH)
    else:
        ways = contestants(options.size, generate=not options.no_generate)
        tasks = make_tasks(BATCH, USUAL_LENGTH, 2)
    results = measure(ways, tasks, options.rounds)
    if options.growth:
        growth = grow(ways, options.rounds)
        draw(growth, options.growth)
    print(json.dumps(results)) if options.json else show(results, f"{options.runs or options.size}")


if __name__ == "__main__":
    main()
