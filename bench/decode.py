"""How long translations take: EDITOR, the Levenshtein Transformer, beam search and DBA, in one run.

    python bench/decode.py base                                            # random weights
    python bench/decode.py base --growth growth.png                        # cost by length and constraints
    python bench/decode.py --runs EDITOR AUTOREGRESSIVE --source test.en --target test.de   # trained ones

All contestants have one width and depth, and take turns: sentence by sentence (latency, the paper's
definition: one sentence at a time, loading excluded), and a batch of 64 (throughput). Models with random
weights would stop anywhere; so the searches run to the reference's length, and the edit models do all their
work, but it is decided by a script: after three passes, as in the paper's Table 4 (1.8 to 2.1 counted from
0), the reference stands. `generate` is Hugging Face's MarianMTModel of the same shape, beam 4.

Two words of the reference are wanted: DBA's are hard and whole words, so its counterpart is EDITOR with hard
words, which are locked and looked for in the text of each pass; soft ones are where it only starts from.

The paper's EDITOR has a decoder stack for repositions and one for insertions. "One stack" is EDITOR with all
heads on the same: its last pass, which changes nothing, need not compute a canvas's states twice.
"""

import argparse
import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from decode_tasks import (
    SEED,
    VOCABULARY,
    NumberedWords,
    Script,
    Scripted,
    Task,
    first_canvas,
    make_task,
    make_tasks,
    sentences_of,
)
from rich.console import Console
from rich.table import Table

from editmt.config import DecodingConfig, ModelKind, preset
from editmt.decoding.engine import Engine
from editmt.decoding.job import Job
from editmt.decoding.loading import LoadedModel, load_engine
from editmt.decoding.model_policy import ModelPolicy, to_torch
from editmt.decoding.refine import refine
from editmt.decoding.torch_engine import make_engine
from editmt.edits import Canvas
from editmt.evaluation.speed import Timing, take_turns
from editmt.models import EditModel, make_model
from editmt.text import BOS, EOS

LENGTHS, CONSTRAINTS = (10, 25, 50, 100), (0, 1, 2, 4, 7, 10)
BATCH, USUAL_LENGTH, USUAL_WORDS, FEW = 64, 25, 2, 1

RIVALS = ("editor", "editor, hard", "one stack", "one stack, hard")
"""Whose multiples all times are."""

NOT_DRAWN = ("levenshtein", "generate 4")
"""Whose growth is another's, as is that of an edit model without words, if there is one with them."""

Prepare = Callable[[Sequence[Task]], Callable[[], object]]
"""Makes ready what need not be timed, and returns what translates the tasks as one batch."""

Choose = Callable[[Task], Job]


def plain(task: Task) -> Job:
    """Want nothing."""
    return task.plain


def soft(task: Task) -> Job:
    """Start from the words."""
    return task.soft


def hard(task: Task) -> Job:
    """Keep the words."""
    return task.hard


def scripted(model: EditModel, choose: Choose) -> Prepare:
    """Return what refines by a script."""

    def prepare(tasks: Sequence[Task]) -> Callable[[], object]:
        jobs = [choose(task) for task in tasks]
        canvas, sentences = first_canvas(jobs), sentences_of(jobs)
        script = Script(jobs, [task.reference for task in tasks])

        def run() -> object:
            source = _sources(tasks)
            policy = Scripted(ModelPolicy.start(model, source.ids, source.mask), script)
            return refine(policy, canvas, sentences)

        return run

    return prepare


def decoding(engine: Engine, choose: Choose, beam: int = 1) -> Prepare:
    """Return what decodes."""
    options = DecodingConfig(beam=beam)

    def prepare(tasks: Sequence[Task]) -> Callable[[], object]:
        jobs = [choose(task) for task in tasks]
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
        length = max(task.plain.most_tokens for task in tasks) - 1  # with </s>, as ours

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
    shapes = [preset(size, kind) for kind in kinds]
    editor, levenshtein, teacher, one_stack = (
        make_model(shape, VOCABULARY, VOCABULARY).eval()
        for shape in (*shapes, dataclasses.replace(shapes[0], stacks="shared"))
    )
    assert isinstance(editor, EditModel)
    assert isinstance(levenshtein, EditModel)
    assert isinstance(one_stack, EditModel)
    return {
        "editor": scripted(editor, plain),
        "editor, soft": scripted(editor, soft),
        "editor, hard": scripted(editor, hard),
        "one stack": scripted(one_stack, plain),
        "one stack, hard": scripted(one_stack, hard),
        "levenshtein": scripted(levenshtein, plain),
        **searches(make_engine(teacher, NumberedWords(VOCABULARY).vocabulary), words=True),
        **({"generate 4": generating(size)} if generate else {}),
    }


def trained(editor: Engine, teacher: Engine, *, words: bool) -> dict[str, Prepare]:
    """Return two trained models."""
    ways = {"editor": decoding(editor, plain)}
    if words:
        ways |= {"editor, soft": decoding(editor, soft), "editor, hard": decoding(editor, hard)}
    return ways | searches(teacher, words=words)


def searches(engine: Engine, *, words: bool) -> dict[str, Prepare]:
    """Return the searches of an autoregressive model."""
    beams = {"greedy": 1, "beam 4": 4, "beam 10": 10}
    found = {name: decoding(engine, plain, beam) for name, beam in beams.items()}
    return found | ({f"DBA {beam}": decoding(engine, hard, beam) for beam in (4, 10)} if words else {})


def read_tasks(loaded: LoadedModel, source: Path, target: Path | None, words: int) -> list[Task]:
    """Read real sentences, with so many words of each reference, if there are any."""
    generator = np.random.default_rng(SEED)
    lines = source.read_text(encoding="utf-8").splitlines()
    references = target.read_text(encoding="utf-8").splitlines() if target else [""] * len(lines)
    tasks = []
    for ours, theirs in zip(lines, references, strict=True):
        chosen = generator.permutation(sorted(set(theirs.split())))[:words].tolist()
        positions = loaded.engine.max_length
        tasks.append(make_task(loaded.texts, ours, chosen, loaded.texts.target.encode(theirs), positions))
    return tasks


def _sources(tasks: Sequence[Task]) -> Canvas:
    return to_torch(Canvas.of([[BOS, *task.plain.source, EOS] for task in tasks]), torch.device("cpu"))


def measure(ways: dict[str, Prepare], tasks: Sequence[Task], rounds: int) -> dict[str, Timing]:
    """Return latency and throughput, in seconds a sentence."""
    return {
        "latency": take_turns(ways, [[task] for task in tasks[: BATCH // 4]], rounds),
        "throughput": take_turns(ways, [tasks[:BATCH]], rounds),
    }


Growth = dict[str, dict[int, dict[str, float]]]


def grow(ways: dict[str, Prepare], tasks: dict[str, dict[int, list[Task]]], rounds: int) -> Growth:
    """Return latencies by length, and by the number of constraints."""
    without = {*NOT_DRAWN, *(name.removesuffix(", hard") for name in ways if name.endswith(", hard"))}
    drawn = {name: way for name, way in ways.items() if name not in without}
    return {
        quantity: {
            n: take_turns(drawn, [[task] for task in some], rounds).seconds
            for n, some in table.items()
            if some
        }
        for quantity, table in tasks.items()
    }


def drawn_growth() -> dict[str, dict[int, list[Task]]]:
    """Draw sentences of several lengths, and with several constraints."""
    return {
        "words": {n: make_tasks(FEW, n, USUAL_WORDS) for n in LENGTHS},
        "constraints": {n: make_tasks(FEW, USUAL_LENGTH, n) for n in CONSTRAINTS},
    }


def read_growth(loaded: LoadedModel, source: Path, target: Path | None) -> dict[str, dict[int, list[Task]]]:
    """Take the sentences whose length is nearest to each; constraints only where there are references."""
    tasks = read_tasks(loaded, source, target, USUAL_WORDS)
    found = {
        "words": {n: [t for t in tasks if abs(len(t.plain.source) - n) <= n // 5][:FEW] for n in LENGTHS}
    }
    if target:
        found["constraints"] = {n: read_tasks(loaded, source, target, n)[:FEW] for n in CONSTRAINTS}
    return found


def draw(growth: Growth, path: Path) -> None:
    """Draw the growth as two curves for each contestant."""
    import matplotlib as mpl  # noqa: PLC0415 - for this only

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(1, len(growth), figsize=(11, 4.5), layout="constrained", squeeze=False)
    for axis, (quantity, table) in zip(axes[0], growth.items(), strict=True):
        for name in next(iter(table.values())):
            axis.plot(list(table), [1000 * row[name] for row in table.values()], marker="o", label=name)
        axis.set(xlabel=quantity, ylabel="ms a sentence", ylim=(0, None))
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=len(handles[0]))
    figure.savefig(path, dpi=120)


def show_growth(growth: Growth) -> None:
    """Print what is drawn: ms a sentence."""
    for quantity, rows in growth.items():
        table = Table(quantity, *(str(n) for n in rows))
        for name in next(iter(rows.values())):
            table.add_row(name, *(f"{1000 * row[name]:.0f}" for row in rows.values()))
        Console().print(table)


def show(results: dict[str, Timing], title: str) -> None:
    """Print each contestant's time, and how many times EDITOR's it is."""
    rivals = [name for name in RIVALS if name in results["latency"].seconds]
    others = " and ".join(f"{timing.others or 0:.0%}" for timing in results.values())
    table = Table(title=f"{title}; others had {others} of the machine")
    for name in ("", "ms", *rivals, f"ms in a batch of {BATCH}", *rivals):
        table.add_column(f"× {name}" if name in rivals else name, justify="right" if name else "left")
    for name in results["latency"].seconds:
        cells = []
        for timing in results.values():
            seconds = timing.seconds
            cells.append(f"{1000 * seconds[name]:.1f}")
            cells += [f"{seconds[name] / seconds[rival]:.2f}" for rival in rivals]
        table.add_row(name, *cells)
    Console(width=max(Console().width, 140)).print(table)


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("size", nargs="?", default="base", choices=("tiny", "small", "base"))
    parser.add_argument("--runs", nargs="+", type=Path, metavar="RUN", help="EDITOR's run, and the teacher's")
    parser.add_argument("--source", type=Path, help="with --runs: sentences to translate")
    parser.add_argument("--target", type=Path, help="with --runs: their references, for words")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-generate", action="store_true", help="without Hugging Face's transformers")
    parser.add_argument(
        "--growth", type=Path, metavar="PNG", help="draw cost by length and constraints instead"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    if options.runs:
        if options.source is None or len(options.runs) != 2:
            parser.error("--runs takes two runs, and needs --source")
        editor, teacher = (load_engine(run) for run in options.runs)
        ways = trained(editor.engine, teacher.engine, words=options.target is not None)
        files = (editor, options.source, options.target)
        tasks = read_tasks(*files, USUAL_WORDS)
    else:
        ways = contestants(options.size, generate=not options.no_generate)
        tasks = make_tasks(BATCH, USUAL_LENGTH, USUAL_WORDS)
    if options.growth:
        growth = grow(ways, read_growth(*files) if options.runs else drawn_growth(), options.rounds)
        draw(growth, options.growth)
        show_growth(growth)
        return
    results = measure(ways, tasks, options.rounds)
    if options.json:
        print(json.dumps({name: timing.seconds for name, timing in results.items()}))
    else:
        show(results, f"{options.runs or options.size}")


if __name__ == "__main__":
    main()
