"""One training step of EDITOR, as it is and written the plain way: tokens a second, padding, memory, parts.

python bench/train.py small base

The plain way has the scores of all words at every place, their whole cross-entropy after all passes are
done, and keys and values of the source projected anew for each head, as in the authors' code. Each way runs
in a process of its own; they take turns, step by step, on the same batches, half of the steps on either
path. Memory is the peak resident size of one more process each, all that Python and torch need included.
"""

import argparse
import multiprocessing
import os
import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn
from torch.nn import functional

from editmt.config import Config, DataConfig, ModelConfig, preset
from editmt.data.batching import plan_epoch
from editmt.data.collation import Batch
from editmt.edits import Canvas, Oracle, Reposition, Tokens, apply
from editmt.models.editor import EditModel, EditSource
from editmt.models.heads import MOST_PLACEHOLDERS, best_word
from editmt.models.layers import KeysValues
from editmt.models.packing import Packing
from editmt.models.transformer import DecoderStack, Source, attention_mask
from editmt.text import BOS, EOS, PLH, SYMBOLS, Vocabulary
from editmt.training import rollin
from editmt.training.distributed import Ranks
from editmt.training.examples import EditExample, ExampleMaker, Path
from editmt.training.optimisation import make_optimiser
from editmt.training.step import TrainingStep

SEED, PAIRS = 1, 20_000
VOCABULARY = {"tiny": 2_000, "small": 8_000, "base": 40_000}
TOKENS = {"tiny": 1_024, "small": 8_192, "base": 8_100}  # of a batch; the paper's is 8,100 on each GPU
PATHS = (Path(True, False), Path(False, True))


class Padded(Packing):
    """Nothing is left out, and padding is masked."""

    @classmethod
    def of(cls, mask: Tensor) -> "Padded":
        """Take all places."""
        return cls(*mask.shape)

    @property
    def whole(self) -> bool:
        """There may be padding."""
        return False


class PlainModel(EditModel):
    """The same weights; padding goes through all layers, and each pass projects keys and values anew."""

    def __init__(self, config: ModelConfig, source_vocabulary: int, target_vocabulary: int) -> None:
        super().__init__(config, source_vocabulary, target_vocabulary)
        for module in list(self.modules()):
            if hasattr(module, "dropout"):
                module.dropout = nn.Dropout(config.dropout)
        Packing.of = Padded.of  # type: ignore[method-assign]

    def encode(self, ids: Tensor, mask: Tensor) -> EditSource:
        """Return the bare states, in the place of keys and values."""
        packing = Padded.of(mask)
        embedded = self.source_embedding.embed_batch(ids, packing)
        states = self.encoder(embedded, packing, attention_mask(mask, packing))
        source = Source((KeysValues(states, states),), mask, padded=True)
        return EditSource(source, source)

    def _decode(self, stack: DecoderStack, source: Source, canvas: Canvas, packing: Packing) -> Tensor:
        memory = stack.read(source.layers[0].keys, Padded.of(source.mask), source.mask)
        return super()._decode(stack, memory, canvas, packing)

    def token_logits(self, source: EditSource, canvas: Canvas) -> Tensor:
        """Score all words at every place: (B, T, V)."""
        packing = Packing.of(canvas.mask)
        states = self._decode(self.insertion, source.insertion, canvas, packing)
        logits: Tensor = self.output(packing.spread(states))
        return logits


def plain_loss(model: PlainModel, oracle: Oracle, example: EditExample) -> Tensor:
    """Do all passes, then take the mean cross-entropy of each head, skipping what has no label."""
    source = model.encode(example.source_ids, example.source_mask)
    canvas, labels, reference = example.noised, example.labels, example.reference
    if example.path.reposition_from_noise:
        reposition = model.reposition_logits(source, canvas)
        moves = labels.reposition.masked_fill(~canvas.interior, -1)
        canvas = apply(canvas, Reposition(reposition.detach().argmax(-1)))
        labels = oracle.label(canvas, reference)
    placeholder = model.placeholder_logits(source, canvas)
    counts = labels.placeholders.clamp(max=MOST_PLACEHOLDERS).masked_fill(~canvas.gaps, -1)
    places = labels.inserted == 1
    masked = Canvas(reference.ids.masked_fill(places, PLH), reference.mask, reference.locks)
    token = model.token_logits(source, masked)
    words = reference.ids.masked_fill(~places, -1)
    if not example.path.reposition_from_noise:
        best = best_word(token.detach().flatten(0, 1)).view(words.shape)
        filled = apply(masked, Tokens(best))
        reposition = model.reposition_logits(source, filled)
        moves = oracle.label(filled, reference).reposition.masked_fill(~filled.interior, -1)
    return (
        _plain_cross_entropy(reposition, moves, 0.0)
        + _plain_cross_entropy(placeholder, counts, 0.01)
        + _plain_cross_entropy(token, words, 0.1)
    )


def _plain_cross_entropy(logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    return functional.cross_entropy(
        logits.flatten(0, 1), targets.flatten(), ignore_index=-1, label_smoothing=smoothing
    )


class Clock:
    """Adds up the seconds spent in functions, without those of other functions measured inside."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inner = [0.0]

    def wrap(self, owner: Any, name: str, part: str) -> None:
        """Replace a function of an object or module by one that is measured."""
        setattr(owner, name, self.measured(getattr(owner, name), part))

    def measured(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        """Return the function with a stop-watch."""

        def run(*arguments: Any, **named: Any) -> Any:
            self._inner.append(0.0)
            start = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                spent = time.perf_counter() - start
                self.seconds[part] += spent - self._inner.pop()
                self._inner[-1] += spent

        return run


class Worker:
    """Trains one way, a step at a time."""

    def __init__(self, size: str, plain: bool, threads: int) -> None:
        torch.set_num_threads(threads)
        torch.manual_seed(SEED)
        vocabulary = VOCABULARY[size]
        self.config = Config(data=DataConfig(folder=""), model=preset(size, "editor"))
        kind = PlainModel if plain else EditModel
        self.model = kind(self.config.model, vocabulary, vocabulary)
        pieces = (*SYMBOLS, *map(str, range(len(SYMBOLS), vocabulary)))
        begins = range(len(SYMBOLS), vocabulary, 2)  # every other piece begins a word
        self.maker = ExampleMaker(self.config, Vocabulary(pieces, begins_word=begins, ends_word=()))
        self.step = TrainingStep(self.model, self.maker.oracle, self.config.objective, Ranks())
        self.optimiser = make_optimiser(self.model, self.config.optimiser)
        self.clock = Clock()
        self._measure()

    def run(self, batch: Batch, path: Path) -> float:
        """Do one step and return its seconds."""
        start = time.perf_counter()
        self._run(batch, path)
        return time.perf_counter() - start

    def _run(self, batch: Batch, path: Path) -> None:
        example = self.maker.make(batch, np.random.default_rng(SEED), slice(None), torch.device("cpu"))
        assert isinstance(example, EditExample)
        example = EditExample(**vars(example) | {"path": path})
        if isinstance(self.model, PlainModel):
            loss = plain_loss(self.model, self.maker.oracle, example)
        else:
            loss, _ = self.step(example)
        self._backward(loss)
        self._optimise()

    def _backward(self, loss: Tensor) -> None:
        loss.backward()  # type: ignore[no-untyped-call]

    def _optimise(self) -> None:
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.optimiser.clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)

    def _measure(self) -> None:
        clock, model = self.clock, self.model
        clock.wrap(self, "_run", "the rest")
        clock.wrap(self.maker, "_noise", "noise")
        Oracle.label = clock.measured(Oracle.label, "labels")  # type: ignore[method-assign]
        clock.wrap(model, "encode", "encoder")
        clock.wrap(model, "reposition_logits", "reposition pass")
        clock.wrap(model, "placeholder_logits", "placeholder pass")
        clock.wrap(model, "token_states", "token pass")
        clock.wrap(rollin, "cross_entropy", "reposition and placeholder losses")
        clock.wrap(rollin, "token_cross_entropy", "token loss, with its gradient")
        clock.wrap(torch.autograd, "grad", "backward of the passes")
        clock.wrap(self, "_backward", "backward of the rest")
        clock.wrap(self, "_optimise", "optimiser")


def serve(connection: Connection, size: str, plain: bool, threads: int) -> None:
    """Answer each (batch, path, warming) with its seconds, and None with the peak memory and the parts."""
    worker = Worker(size, plain, threads)
    while True:
        asked = connection.recv()
        if asked is None:
            break
        *step, warming = asked
        connection.send(worker.run(*step))
        if warming:
            worker.clock.seconds.clear()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    connection.send((peak, dict(worker.clock.seconds)))


def draw_batches(size: str, tokens: int, count: int) -> list[Batch]:
    """Draw sentence pairs with lengths like WMT's, 27 tokens on average, and take batches of some lengths."""
    generator = np.random.default_rng(SEED)
    target = np.clip(generator.gamma(2.2, 12.0, PAIRS).round(), 1, 200)
    source = np.clip((target * generator.normal(1.0, 0.15, PAIRS)).round(), 1, 200)
    lengths = np.stack([source, target], axis=1).astype(np.int64)
    plan = plan_epoch(lengths, tokens=tokens, seed=SEED, epoch=0)
    return [_fill(lengths[rows], VOCABULARY[size], generator) for rows in plan[:count]]


def _fill(lengths: Any, vocabulary: int, generator: np.random.Generator) -> Batch:
    sides = []
    for column in (0, 1):
        words = (
            generator.zipf(1.2, length) % (vocabulary - len(SYMBOLS)) + len(SYMBOLS)
            for length in lengths[:, column]
        )
        sides.append(Canvas.of([[BOS, *row.tolist(), EOS] for row in words]))
    source, target = sides
    return Batch(source.ids, source.mask, target, np.arange(len(lengths)))


class Way:
    """One way of training, in a process of its own."""

    def __init__(self, size: str, plain: bool, threads: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, there = context.Pipe()
        self._process = context.Process(target=serve, args=(there, size, plain, threads), daemon=True)
        self._process.start()

    def run(self, batch: Batch, path: Path, *, warming: bool = False) -> float:
        """Do one step and return its seconds; those of a warm-up do not count for the parts."""
        self._line.send((batch, path, warming))
        seconds: float = self._line.recv()
        return seconds

    def end(self) -> tuple[float, dict[str, float]]:
        """Return the peak memory in GB, and the seconds spent in each part."""
        self._line.send(None)
        peak, parts = self._line.recv()
        self._process.join()
        return peak, parts


class Outcome(NamedTuple):
    """What a way of training took."""

    seconds: list[float]
    parts: dict[str, float]
    peak: float  # GB


def take_turns(size: str, batches: list[Batch], threads: int) -> list[Outcome]:
    """Run both ways on each batch and path, after a warm-up on the first."""
    ways = [Way(size, plain, threads) for plain in (False, True)]
    seconds: list[list[float]] = [[], []]
    for way in ways:
        way.run(batches[0], PATHS[0], warming=True)
    for batch in batches:
        for path in PATHS:
            for way, times in zip(ways, seconds, strict=True):
                times.append(way.run(batch, path))
    parts = [way.end()[1] for way in ways]
    peaks = [peak_memory(size, batches[0], plain, threads) for plain in (False, True)]
    return [Outcome(*each) for each in zip(seconds, parts, peaks, strict=True)]


def peak_memory(size: str, batch: Batch, plain: bool, threads: int) -> float:
    """Return the peak resident memory of a process that does one step on either path.

    What is freed goes back to the system at once here, which takes time but leaves no holes in the count.
    """
    os.environ["MALLOC_MMAP_THRESHOLD_"] = str(2**18)
    way = Way(size, plain, threads)
    del os.environ["MALLOC_MMAP_THRESHOLD_"]
    for path in PATHS:
        way.run(batch, path)
    return way.end()[0]


def report(size: str, batches: list[Batch], outcomes: list[Outcome]) -> None:
    """Print the comparison, and where our own time goes."""
    console = Console()
    real = [int(batch.source_mask.sum() + batch.target.mask.sum()) for batch in batches]
    padded = sum(batch.source_ids.size + batch.target.ids.size for batch in batches)
    ours, plain = outcomes
    table = Table("", "EditMT", "plain", "ratio", title=f"EDITOR {size}, vocabulary {VOCABULARY[size]:,}")
    rates = [2 * sum(real) / sum(outcome.seconds) for outcome in outcomes]
    table.add_row("tokens a second", *(f"{rate:,.0f}" for rate in rates), f"{rates[0] / rates[1]:.2f}")
    ratio = statistics.median(a / b for a, b in zip(ours.seconds, plain.seconds, strict=True))
    medians = (statistics.median(outcome.seconds) for outcome in outcomes)
    table.add_row("seconds a step", *(f"{median:.2f}" for median in medians), f"{ratio:.2f}")
    table.add_row("peak memory, GB", f"{ours.peak:.2f}", f"{plain.peak:.2f}", f"{ours.peak / plain.peak:.2f}")
    console.print(table)
    console.print(
        f"{len(ours.seconds)} steps; source and target tokens; {1 - sum(real) / padded:.1%} padding"
    )
    total = sum(ours.parts.values())
    parts = Table("part", "% of a step", title=f"{size}: where our time goes")
    for part, spent in sorted(ours.parts.items(), key=lambda item: -item[1]):
        parts.add_row(part, f"{100 * spent / total:.1f}")
    console.print(parts)


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(description="Measure a training step.")
    parser.add_argument("sizes", nargs="+", choices=list(VOCABULARY))
    parser.add_argument("--tokens", type=int, help="of a batch; else what suits the size")
    parser.add_argument("--batches", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    for size in arguments.sizes:
        batches = draw_batches(size, arguments.tokens or TOKENS[size], arguments.batches)
        report(size, batches, take_turns(size, batches, arguments.threads))


if __name__ == "__main__":
    main()
