"""Whether a difference is chance: the paired bootstrap on sentences, Student's t over runs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from editmt.evaluation.metric import Metric, Statistics

LEVEL = 0.05
"""The paper's: below it a difference is significant."""


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Samples of a test set: how often (samples, N) each sentence is in each.

    The same samples serve all systems and metrics, which makes the test a paired one.

    >>> Bootstrap.draw(4, samples=2, seed=1).counts.sum(axis=1).tolist()
    [4.0, 4.0]
    """

    counts: Statistics

    @classmethod
    def draw(cls, sentences: int, *, samples: int, seed: int) -> "Bootstrap":
        """Draw so many sentences with replacement, so many times."""
        generator = np.random.default_rng(seed)
        drawn = generator.integers(sentences, size=(samples, sentences))
        lifted = drawn + sentences * np.arange(samples)[:, None]  # one count for all samples at once
        counts = np.bincount(lifted.ravel(), minlength=samples * sentences).reshape(samples, sentences)
        return cls(counts.astype(np.float64))

    def scores(self, metric: Metric, statistics: Statistics) -> Statistics:
        """Return the score of each sample (samples,)."""
        sums = self.counts @ statistics  # (samples, K)
        return np.array([metric.score(row) for row in sums.tolist()])


def bootstrap_p(first: Statistics, second: Statistics, difference: float) -> float:
    """Return the two-sided p-value of a difference, from both systems' scores on the same samples.

    The samples' differences, moved to a mean of 0, show what chance makes of no difference (Riezler &
    Maxwell 2005). Samples without a score are left out.

    Differs: sacreBLEU takes the samples' absolute differences, and counts those that far above their mean:
    where no sample changes the sign, that is one side only, and half of this p-value.

    >>> bootstrap_p(np.array([3.0, 5.0]), np.array([3.0, 5.0]), 0.0)
    1.0
    """
    differences = first - second
    differences = differences[~np.isnan(differences)]
    if not len(differences) or math.isnan(difference):
        return math.nan
    spread = np.abs(differences - differences.mean())
    return float((np.sum(spread >= abs(difference)) + 1) / (len(differences) + 1))


def student_p(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the two-sided p-value of independent Student's t, equal variances, over the runs of two systems.

    >>> round(student_p([30.1, 30.5, 30.2], [31.0, 31.4, 31.3]), 4)
    0.0047
    """
    count = len(first), len(second)
    freedom = sum(count) - 2
    if min(count) < 1 or freedom < 1:
        raise ValueError("Student's t needs three runs, and one of each system")
    means = sum(first) / count[0], sum(second) / count[1]
    squares = sum((score - means[0]) ** 2 for score in first) + sum(
        (score - means[1]) ** 2 for score in second
    )
    difference = abs(means[0] - means[1])
    error = math.sqrt(squares / freedom * (1 / count[0] + 1 / count[1]))
    if difference == 0 or math.isnan(difference):
        return 1.0 if difference == 0 else math.nan
    return student_tail(difference / error, freedom) if error else 0.0


def student_tail(t: float, freedom: int) -> float:
    """Return the probability that |T| ≥ t ≥ 0 with so many degrees of freedom.

    For whole degrees, which equal variances give, the distribution is a finite sum (Abramowitz & Stegun
    26.7.3 and 26.7.4): exact, and no reason to install SciPy.

    >>> round(student_tail(2.306, 8), 4), round(student_tail(1.0, 1), 4)
    (0.05, 0.5)
    """
    angle = math.atan2(t, math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term, total = (cosine, cosine if freedom > 1 else 0.0) if odd else (1.0, 1.0)
    for power in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine**2 * (power - 1) / power
        total += term
    inside = math.sin(angle) * total
    within = 2 / math.pi * (angle + inside) if odd else inside
    return max(0.0, 1 - within)  # rounded, the sum may be a little more than 1
