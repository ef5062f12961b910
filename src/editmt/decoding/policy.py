"""The policy protocol: whatever scores the next action for a batch of sources."""

from typing import NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from editmt.edits import Canvas

Floats = npt.NDArray[np.floating]
Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Words(NamedTuple):
    """The best words for each of N placeholders, the best first, with their log-probabilities."""

    ids: Integers  # (N, count)
    scores: Floats  # (N, count)


class Policy(Protocol):
    """Scores actions on NumPy canvases; row b of a canvas belongs to the policy's b-th source.

    Only differences within a place or a gap count: scores may be logits. Whoever refines chooses.
    """

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Score for each place which token comes to stand there: (B, T, T), column 0 is deletion."""

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Score each number of placeholders for each gap: (B, G, N)."""

    def words(self, canvas: Canvas, count: int, only: Mask | None = None) -> Words:
        """Return the `count` best words for each placeholder, in reading order of the batch.

        `only` (N,) are some of the placeholders: whoever asks for more of a canvas waits for no other pass.
        """

    def draft_scores(self, canvas: Canvas, tokens: Integers) -> Floats:
        """Return how likely tokens (N, K) are at the N placeholders, each row's at its own.

        Log-probabilities, roughly; unlikely tokens are told apart by how sure the policy is of others.
        """

    def select(self, rows: Integers) -> Self:
        """Return the policy for some of its sources only: finished sentences leave the batch."""
