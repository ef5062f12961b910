"""E(y, a): what an action makes of a canvas. Pure, and written once for NumPy and torch."""

from collections.abc import Sequence
from typing import Any

from array_api_compat import device

from editmt.edits.actions import Action, Placeholders, Reposition, Tokens
from editmt.edits.arrays import Array, functions_of
from editmt.edits.canvas import Canvas
from editmt.text import PAD, PLH


def apply(canvas: Canvas, action: Action) -> Canvas:
    """Return the canvas after the action; locks travel with their tokens.

    >>> canvas = Canvas.of([[1, 7, 8, 9, 2]])
    >>> apply(canvas, Reposition(np.array([[0, 3, 0, 1, 4]]))).ids.tolist()
    [[1, 9, 7, 2]]
    >>> apply(canvas, Placeholders(np.array([[0, 2, 0, 0]]))).ids.tolist()   # 4 is <plh>
    [[1, 7, 4, 4, 8, 9, 2]]
    """
    after: Canvas = apply_with(canvas, action)[0]
    return after


def apply_with(canvas: Canvas, action: Action, *values: Array) -> tuple[Any, ...]:
    """Return the canvas after the action, and values (B, T) of its tokens that travel with them.

    Those of new tokens are 0.

    >>> canvas = Canvas.of([[1, 7, 8, 2]])
    >>> apply_with(canvas, Placeholders(np.array([[0, 1, 0]])), np.array([[0.5, 0.6, 0.7, 0.8]]))[1].tolist()
    [[0.5, 0.6, 0.0, 0.7, 0.8]]
    """
    match action:
        case Reposition():
            return _reposition(canvas, action, values)
        case Placeholders():
            return _insert(canvas, action, values)
        case Tokens():
            return _fill(canvas, action), *values


def _reposition(canvas: Canvas, action: Reposition, values: Sequence[Array]) -> tuple[Any, ...]:
    xp = functions_of(canvas.ids)
    own = xp.arange(canvas.ids.shape[1], device=device(canvas.ids))
    inside = canvas.interior
    index = xp.clip(action.index, 0, own.shape[0] - 1)
    chosen = inside & xp.take_along_axis(inside, index, axis=1) & (index == action.index)
    index = xp.where(inside, index, own)
    kept = chosen | (canvas.mask & ~inside)  # the boundaries stay
    origin, _, mask = repeat(xp.astype(kept, xp.int64))
    index = xp.take_along_axis(index, origin, axis=1)
    after = Canvas(_take(canvas.ids, index, mask, PAD), mask, _take(canvas.locks, index, mask, 0))
    return after, *(_take(each, index, mask, 0) for each in values)


def _insert(canvas: Canvas, action: Placeholders, values: Sequence[Array]) -> tuple[Any, ...]:
    xp = functions_of(canvas.ids)
    repeats = xp.astype(canvas.mask, xp.int64)
    repeats[:, :-1] += action.count * canvas.gaps  # each token, then the placeholders after it
    origin, first, mask = repeat(repeats)
    ids = xp.where(first, xp.take_along_axis(canvas.ids, origin, axis=1), PLH)
    old = mask & first
    after = Canvas(xp.where(mask, ids, PAD), mask, _take(canvas.locks, origin, old, 0))
    return after, *(_take(each, origin, old, 0) for each in values)


def _fill(canvas: Canvas, action: Tokens) -> Canvas:
    xp = functions_of(canvas.ids)
    words = action.ids[:, : canvas.ids.shape[1]]  # more columns can only be padding
    return Canvas(xp.where(canvas.ids == PLH, words, canvas.ids), canvas.mask, canvas.locks)


def repeat(repeats: Array) -> tuple[Array, Array, Array]:
    """Repeat each place of each row so many times, and close the ranks: deletion is 0, insertion 1 + n.

    Returns, for each place of the result `(B, W)`: the place it comes from, whether it is the first made
    from it, and whether it is real (the rest is padding and comes from anywhere).

    >>> origin, first, mask = repeat(np.array([[1, 0, 3], [1, 1, 0]]))
    >>> origin.tolist(), first.tolist()
    ([[0, 2, 2, 2], [0, 1, 2, 2]], [[True, True, False, False], [True, True, False, False]])
    """
    xp = functions_of(repeats)
    rows, places = repeats.shape
    ends = xp.cumulative_sum(repeats, axis=1)  # (B, T) where each place's copies end
    width = int(xp.max(ends[:, -1])) if rows else places  # without rows it is as wide as before
    target = xp.arange(width, device=device(repeats))
    mask = target < ends[:, -1:]  # (B, W)
    # One sorted search for the whole batch: each row's ends are lifted above those of the row before.
    row = xp.arange(rows, device=device(repeats))[:, None]
    lift = row * (width + 1)
    found = xp.searchsorted(xp.reshape(ends + lift, (-1,)), xp.reshape(target + lift, (-1,)), side="right")
    origin = xp.clip(xp.reshape(found, (rows, width)) - row * places, 0, places - 1)  # (B, W)
    start = xp.take_along_axis(ends - repeats, origin, axis=1)
    return origin, mask & (target == start), mask


def _take(values: Array, index: Array, mask: Array, fill: int) -> Array:
    xp = functions_of(values)
    return xp.where(mask, xp.take_along_axis(values, index, axis=1), fill)
