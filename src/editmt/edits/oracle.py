"""The oracle π*: the cheapest actions that turn a canvas into the reference (§3.2.2).

Keeping a token is free; an insertion, a deletion and, for EDITOR, a replacement by any token of the canvas
cost 1 each. That is a Levenshtein distance, found by dynamic programming (`oracle_loops`). The labels are
those of the authors' CUDA code, ties included; their CPU code gives wrong ones.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from array_api_compat import device, to_device

from editmt.edits import oracle_loops
from editmt.edits.actions import Placeholders, Reposition, Tokens
from editmt.edits.apply import repeat
from editmt.edits.arrays import Array, functions_of
from editmt.edits.canvas import Canvas
from editmt.errors import InputError, MissingPackage

Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Labels:
    """The cheapest script from each canvas to its reference.

    Place by place of the canvas *as it is*: the gap after a token that is deleted may get placeholders.
    """

    distance: Array  # (B,) the number of edits
    reposition: Array  # (B, T) as in `Reposition.index`
    placeholders: Array  # (B, G) reference tokens to insert after each canvas token
    inserted: Array  # (B, R) 1 = this token of the reference is inserted

    def actions(self, reference: Canvas) -> tuple[Reposition, Placeholders, Tokens]:
        """Return the actions that lead, one after the other, from the canvas to the reference.

        The placeholders are for the gaps that are left after repositioning: between the tokens of the
        reference that are not inserted.
        """
        xp = functions_of(self.inserted)
        stays = xp.astype(reference.mask & (self.inserted == 0), xp.int64)
        place, _, mask = repeat(stays)  # (B, K) where in the reference each kept token comes to stand
        gaps = (place[:, 1:] - place[:, :-1] - 1) * xp.astype(mask[:, 1:], xp.int64)
        return Reposition(self.reposition), Placeholders(gaps), Tokens(reference.ids)


@dataclass(frozen=True)
class Oracle:
    """How to label. The defaults are the authors' EDITOR.

    moves
        False forbids replacements: the oracle of the Levenshtein Transformer.
    prefer
        Among the cheapest scripts, "delete" takes insertions and deletions before replacements, as the
        authors do, so that a swap of two words is deleted and inserted anew; "reposition" takes one that
        deletes the fewest tokens.
    compiled
        False runs the same loops in plain Python: right for a few pairs, and needs no numba. The compiled
        ones let go of Python's lock, so that data workers may be threads.

    >>> labels = Oracle(compiled=False).label(Canvas.of([[1, 7, 8, 2]]), Canvas.of([[1, 8, 9, 7, 2]]))
    >>> labels.distance.tolist(), labels.reposition.tolist(), labels.placeholders.tolist()
    ([3], [[0, 0, 2, 3]], [[0, 0, 2]])
    """

    moves: bool = True
    prefer: Literal["delete", "reposition"] = "delete"
    compiled: bool = True

    def __post_init__(self) -> None:
        if self.prefer not in ("delete", "reposition"):
            raise InputError(f"the oracle prefers 'delete' or 'reposition', not {self.prefer!r}")

    def label(self, canvas: Canvas, reference: Canvas) -> Labels:
        """Label a padded batch; the answer is of the canvas's kind of array, on its device."""
        x, y = _to_numpy(canvas.ids), _to_numpy(reference.ids)
        lengths = np.stack([_to_numpy(canvas.lengths), _to_numpy(reference.lengths)], axis=1)
        found = self._label_rows(_compile() if self.compiled else _PLAIN, x, y, lengths)
        xp = functions_of(canvas.ids)
        return Labels(*(xp.asarray(part, device=device(canvas.ids)) for part in found))

    def _label_rows(self, loops: "_Loops", x: Integers, y: Integers, lengths: Integers) -> list[Integers]:
        """Run the loops and return distance, reposition, placeholders and inserted."""
        rows, shapes = len(x), (x.shape, x.shape, y.shape)
        ends = np.cumsum((lengths + 1).prod(axis=1))
        costs, unit = self._costs(x.shape[1])
        first = np.full_like(y, -1)
        table = np.zeros(ends[-1] if rows else 0, dtype=np.int64)
        labels = (np.zeros_like(x), np.zeros_like(x), np.zeros_like(y))
        if loops is _PLAIN:  # Python's own lists are several times faster to index than arrays
            x, y, lengths, first, table = (part.tolist() for part in (x, y, lengths, first, table))
            labels = tuple(part.tolist() for part in labels)
        if self.moves:
            loops.find_first(x, y, lengths, first)
        loops.fill_table(x, y, lengths, first, costs, table)
        loops.walk_back(lengths, first, costs, table, labels)
        distance = np.asarray(table, dtype=np.int64)[ends - 1] // unit
        reposition, placeholders, inserted = (
            np.asarray(part, dtype=np.int64).reshape(shape)
            for part, shape in zip(labels, shapes, strict=True)
        )
        return [distance, reposition, placeholders[:, :-1], inserted]

    def _costs(self, width: int) -> tuple[oracle_loops.Costs, int]:
        """Return the costs of insertion, deletion, replacement, and what one edit costs.

        To prefer repositions, an edit costs so much that all deletions together, at 1 more each, never
        outweigh it: the cheapest script is then, of those with fewest edits, one with fewest deletions.
        """
        if self.prefer == "delete":
            return (1, 1, 1), 1
        unit = width + 1
        return (unit, unit + 1, unit), unit


class _Loops(NamedTuple):
    find_first: Callable[..., None]
    fill_table: Callable[..., None]
    walk_back: Callable[..., None]


_PLAIN = _Loops(oracle_loops.find_first, oracle_loops.fill_table, oracle_loops.walk_back)


@functools.cache
def _compile() -> _Loops:
    """Compile the loops; numba keeps the machine code on disk, so only the first run waits for it."""
    try:
        import numba  # noqa: PLC0415 - a third of a second that plain loops need not pay
    except ImportError:
        raise MissingPackage("numba", extra="train") from None
    try:
        return _Loops(*map(numba.njit(nogil=True, cache=True), _PLAIN))
    except RuntimeError:  # nowhere to keep it: a read-only installation without a home
        return _Loops(*map(numba.njit(nogil=True), _PLAIN))


def _to_numpy(array: Any) -> Integers:
    return np.ascontiguousarray(np.asarray(to_device(array, "cpu")), dtype=np.int64)
