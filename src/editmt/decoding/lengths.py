"""How long a translation may become."""

import numpy as np

from editmt.decoding.policy import Integers
from editmt.edits import Canvas, Placeholders


def limit(canvas: Canvas, action: Placeholders, most_tokens: Integers) -> Placeholders:
    """Cut the placeholders, from the right, to what the limit leaves room for."""
    room = np.maximum(most_tokens - canvas.lengths, 0)
    wanted = action.count * canvas.gaps
    if (wanted.sum(axis=1) <= room).all():
        return Placeholders(wanted)
    total = np.minimum(np.cumsum(wanted, axis=1), room[:, None])
    return Placeholders(np.diff(total, axis=1, prepend=0))
