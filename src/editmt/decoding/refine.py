"""Refinement (§3.3): reposition, insert placeholders, fill them, until nothing changes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editmt.decoding.policy import Policy
from editmt.edits import Canvas, Placeholders, apply
from editmt.text import PLH

MOST_ITERATIONS = 10


@dataclass(frozen=True)
class Refined:
    """One sentence's outcome."""

    ids: list[int]  # without `<s>` and `</s>`
    iterations: int


def refine(
    policy: Policy,
    canvas: Canvas,
    most_tokens: npt.NDArray[np.int64],
    *,
    most_iterations: int = MOST_ITERATIONS,
) -> list[Refined]:
    """Edit each canvas until two iterations agree or there were `most_iterations`.

    `most_tokens` (B,) bounds each canvas, boundaries included.

    Differs: the authors' limit holds for a gap, not for the sum, and allows one iteration more.
    """
    if not len(canvas.ids):
        return []
    outcomes: dict[int, Refined] = {}
    left = np.arange(len(canvas.ids))
    for iteration in range(1, most_iterations + 1):
        before = canvas.rows()
        canvas = iterate(policy, canvas, most_tokens[left])
        after = canvas.rows()
        done = [old == new or iteration == most_iterations for old, new in zip(before, after, strict=True)]
        for row in np.flatnonzero(done):
            outcomes[int(left[row])] = Refined(after[row][1:-1], iteration)
        going = np.flatnonzero(~np.array(done))
        if not len(going):
            break
        if len(going) < len(left):
            left, policy = left[going], policy.select(going)
            canvas = _take_rows(canvas, going)
    return [outcomes[row] for row in range(len(outcomes))]


def _take_rows(canvas: Canvas, rows: npt.NDArray[np.int64]) -> Canvas:
    """Return some sentences, as wide as the longest of them; their locks stay."""
    width = canvas.lengths[rows].max()
    return Canvas(*(part[rows, :width] for part in vars(canvas).values()))


def iterate(policy: Policy, canvas: Canvas, most_tokens: npt.NDArray[np.int64]) -> Canvas:
    """Do the three actions once; an empty canvas has nothing to reposition."""
    if canvas.interior.any():
        canvas = apply(canvas, policy.reposition(canvas))
    placeholders = limit(canvas, policy.placeholders(canvas), most_tokens)
    canvas = apply(canvas, placeholders)
    if (canvas.ids == PLH).any():
        canvas = apply(canvas, policy.tokens(canvas))
    return canvas


def limit(canvas: Canvas, action: Placeholders, most_tokens: npt.NDArray[np.int64]) -> Placeholders:
    """Cut the placeholders, from the right, to what the limit leaves room for."""
    room = np.maximum(most_tokens - canvas.lengths, 0)[:, None]
    wanted = action.count * canvas.gaps
    total = np.minimum(np.cumsum(wanted, axis=1), room)
    return Placeholders(np.diff(total, axis=1, prepend=0))
