"""What a run is judged by: the loss on a fixed noise, and BLEU of decoded sentences."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from editmt.config import DecodingConfig
from editmt.data.batching import plan_epoch
from editmt.data.collation import collate
from editmt.data.pairs import PairSet
from editmt.decoding.engine import translate_ids
from editmt.decoding.torch_engine import make_engine
from editmt.evaluation.metric import Segment, Statistics
from editmt.evaluation.overlap import Bleu
from editmt.models import Model
from editmt.text import TextPipeline
from editmt.training.distributed import Ranks
from editmt.training.examples import ExampleMaker
from editmt.training.step import TrainingStep

BATCH_TOKENS = 4096
SEED = 7
MOST_WORDS = 4


def draw_words(
    ids: npt.NDArray[np.int64], words: npt.NDArray[np.int64], generator: np.random.Generator
) -> list[list[int]]:
    """Return one to four words of a sentence, in random order, as the paper's users ask for.

    `words` (T,) numbers the words that the tokens belong to.

    >>> draw_words(np.array([5, 6, 7]), np.array([0, 1, 1]), np.random.default_rng(1))
    [[5], [6, 7]]
    """
    count = int(generator.integers(1, MOST_WORDS + 1))
    chosen = generator.permutation(np.unique(words))[:count]
    return [ids[words == number].tolist() for number in chosen]


@dataclass(frozen=True)
class Validation:
    """The scores of a model on the validation set."""

    losses: dict[str, float]
    bleu: float

    @property
    def loss(self) -> float:
        """The sum over the heads."""
        return sum(self.losses.values())


class Validator:
    """Judges models on the first sentences of the validation set, always with the same noise and paths."""

    def __init__(self, pairs: PairSet, target: TextPipeline, maker: ExampleMaker, sentences: int) -> None:
        self._pairs = pairs
        self._maker = maker
        self._target = target
        self._metric = Bleu()
        self._sources = [pairs.source(row).tolist() for row in range(min(sentences, len(pairs)))]
        targets = [pairs.target(row) for row in range(len(self._sources))]
        self._references = [target.decode(ids.tolist()) for ids in targets]
        self._words = [
            draw_words(ids, target.vocabulary.words(ids), np.random.default_rng([SEED, row]))
            for row, ids in enumerate(targets)
        ]

    def judge(self, model: Model, step: TrainingStep, device: torch.device) -> Validation:
        """Return the scores; the model is in training mode again afterwards."""
        model.eval()
        losses = self._losses(step, device)
        bleu = self.bleu(model)
        model.train()
        return Validation(losses, bleu)

    def bleu(self, model: Model) -> float:
        """Return sacreBLEU (13a, cased) of the greedy or refined translations."""
        return self._metric.score_rows(self.statistics(model, DecodingConfig()))

    def statistics(self, model: Model, way: DecodingConfig, *, with_words: bool = False) -> Statistics:
        """Return the sentences' statistics for BLEU, translated from nothing or from words of theirs."""
        words = self._words if with_words else None
        outputs = translate_ids(make_engine(model), self._sources, replace(way, beam=1), words)
        pairs = zip(outputs, self._references, strict=True)
        return self._metric.statistics(
            [Segment(self._target.decode(ids), text, (), ()) for ids, text in pairs]
        )

    @torch.no_grad()
    def _losses(self, step: TrainingStep, device: torch.device) -> dict[str, float]:
        """Return each head's mean loss over batches; the seed of each batch is its number."""
        totals: dict[str, list[float]] = {}
        batches = plan_epoch(self._pairs.lengths, tokens=BATCH_TOKENS, seed=SEED, epoch=0)
        for number, rows in enumerate(batches):
            generator = np.random.default_rng([SEED, number])
            example = self._maker.make(collate(self._pairs, rows), generator, Ranks().rows(), device)
            _, means = step(example)
            for name, mean in means.items():
                totals.setdefault(name, []).append(float(mean))
        return {name: float(np.mean(values)) for name, values in totals.items()}
