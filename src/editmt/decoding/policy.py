"""The policy protocol: whatever answers "which action next?" for a batch of sources."""

from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from editmt.edits import Canvas, Placeholders, Reposition, Tokens


class Policy(Protocol):
    """Chooses actions on NumPy canvases; row b of a canvas belongs to the policy's b-th source."""

    def reposition(self, canvas: Canvas) -> Reposition:
        """Choose which token comes to stand at each place."""

    def placeholders(self, canvas: Canvas) -> Placeholders:
        """Choose how many placeholders to put into each gap."""

    def tokens(self, canvas: Canvas) -> Tokens:
        """Choose a word for each placeholder."""

    def select(self, rows: npt.NDArray[np.int64]) -> Self:
        """Return the policy for some of its sources only: finished sentences leave the batch."""
