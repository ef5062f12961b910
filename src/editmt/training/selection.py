"""How a trained edit model decodes best: chosen on validation, and kept with the model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from editmt.config import DecodingConfig, RunConfig
from editmt.evaluation.metric import Metric, Statistics
from editmt.evaluation.overlap import Bleu
from editmt.evaluation.significance import LEVEL, Bootstrap, bootstrap_p

SAMPLES, SEED = 1000, 7
"""Of the bootstrap."""


class Judge(Protocol):
    """Translates the validation set in some way, from nothing or from users' words."""

    def __call__(self, way: DecodingConfig, *, with_words: bool) -> Statistics:
        """Return the sentences' statistics for BLEU."""


@dataclass(frozen=True, eq=False)
class Selection:
    """Chooses one value after the other."""

    judge: Judge
    say: Callable[[str], None]

    def choose(self, run: RunConfig) -> DecodingConfig | None:
        """Return how a model is to decode; none, if that is the paper's way.

        First how many words at a time, the penalty and the first length, without users' words, then, with
        some, whether they start where they are foreseen, and the penalty. Small models, trained for minutes,
        write too little without a penalty; the paper's needed none (§3.3).
        """
        plain = DecodingConfig()
        way = self._best_of(plain, "fill_share", run.fill_shares)
        way = self._best_of(way, "penalty", run.penalties)
        way = self._best_of(way, "length_quantile", run.length_quantiles)
        way = self._best_of(way, "foresight", run.foresights, with_words=True)
        if way.foresight:
            way = self._best_of(way, "penalty_foreseen", run.penalties, with_words=True)
        return None if way == plain else way

    def _best_of(
        self, way: DecodingConfig, name: str, values: Sequence[float], *, with_words: bool = False
    ) -> DecodingConfig:
        """Return a way to decode with one of the values, which begin with the one nearest to the paper's."""
        if not values:
            return way
        bleu = Bleu()
        ways, found = [], []
        for value in values:
            change: dict[str, Any] = {name: value}
            ways.append(replace(way, **change))
            found.append(self.judge(ways[-1], with_words=with_words))
            score = bleu.score_rows(found[-1])
            self.say(f"{name} {value:g}{' with words' if with_words else ''}: BLEU {score:.2f}")
        return ways[first_as_good(bleu, found)]


def first_as_good(metric: Metric, found: Sequence[Statistics]) -> int:
    """Return the number of the first that is not significantly worse than the best.

    The very best of many that are nearly as good is chance. Above all it is those whose length is by chance
    that of the validation set's references: a test set's are others.
    """
    scores = [metric.score_rows(statistics) for statistics in found]
    best = max(range(len(found)), key=scores.__getitem__)
    bootstrap = Bootstrap.draw(len(found[0]), samples=SAMPLES, seed=SEED)
    sampled = bootstrap.scores(metric, found[best])
    for number, statistics in enumerate(found[:best]):
        others = bootstrap.scores(metric, statistics)
        if bootstrap_p(sampled, others, scores[best] - scores[number]) >= LEVEL:
            return number
    return best
