"""E(y, a): what an action makes of a canvas. Pure, and written once for NumPy and torch."""

from collections.abc import Sequence
from typing import Any

from array_api_compat import device

from editmt.edits.actions import DELETE, Action, Placeholders, Reposition, Tokens
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
    index = xp.where(inside, action.index, own)
    if (index == own).all() and _is_tight(canvas):
        return canvas, *values
    known = (index >= 0) & (index < own.shape[0])
    index = xp.where(known, index, DELETE)  # that of <s>, which is not inside either
    rows = _rows(index)
    kept = inside[rows, index] | (canvas.mask & ~inside)  # the boundaries stay
    origin, _, mask = repeat(xp.astype(kept, xp.int64))
    index = index[rows, origin]
    after = Canvas(_take(canvas.ids, index, mask, PAD), mask, _take(canvas.locks, index, mask, 0))
    return after, *(_take(each, index, mask, 0) for each in values)


def _insert(canvas: Canvas, action: Placeholders, values: Sequence[Array]) -> tuple[Any, ...]:
    xp = functions_of(canvas.ids)
    counts = action.count * canvas.gaps
    if not counts.any() and _is_tight(canvas):
        return canvas, *values
    repeats = xp.astype(canvas.mask, xp.int64)
    repeats[:, :-1] += counts  # each token, then the placeholders after it
    origin, first, mask = repeat(repeats)
    old = mask & first
    ids = xp.where(mask, PLH, PAD)
    after = Canvas(_take(canvas.ids, origin, old, ids), mask, _take(canvas.locks, origin, old, 0))
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
    ends = repeats.cumsum(1)  # (B, T) where each place's copies end
    width = int(ends[:, -1].max()) if rows else places  # without rows it is as wide as before
    target = xp.arange(width, device=device(repeats))
    mask = target < ends[:, -1:]  # (B, W)
    # One sorted search for the whole batch: each row's ends are lifted above those of the row before.
    row = _rows(repeats)
    lift = row * (width + 1)
    found = xp.searchsorted(xp.reshape(ends + lift, (-1,)), xp.reshape(target + lift, (-1,)), side="right")
    origin = xp.reshape(found, (rows, width)) - row * places
    origin = xp.where(origin < places, origin, places - 1)  # (B, W)
    start = (ends - repeats)[row, origin]
    return origin, mask & (target == start), mask


def _is_tight(canvas: Canvas) -> bool:
    """Tell whether the canvas is as wide as its longest sentence, as what an action leaves always is."""
    return bool(canvas.mask[:, -1:].any())


def _take(values: Array, index: Array, mask: Array, fill: Array | int) -> Array:
    """Return values (B, T) by their places (B, W), and `fill` where there is no token."""
    return functions_of(values).where(mask, values[_rows(index), index], fill)


def _rows(places: Array) -> Array:
    """Number the rows of (B, T), to index with: (B, 1); `take_along_axis` takes four times as long."""
    return functions_of(places).arange(places.shape[0], device=device(places))[:, None]
