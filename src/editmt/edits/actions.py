"""The three actions of the paper's §3.1, for a batch of canvases, and how many edits they are.

One type serves as the oracle's label, the loss's target, the model's decision, the operation applied, the
recorded trace and the count. The Levenshtein Transformer's deletion is a reposition that moves nothing.
"""

from dataclasses import dataclass
from typing import TypeAlias

from array_api_compat import device

from editmt.edits.arrays import Array, functions_of
from editmt.edits.canvas import Canvas

DELETE = 0
"""The index that stands for "no token": that of `<s>`, which never moves and so is free to mean it."""


@dataclass(frozen=True, eq=False)
class Reposition:
    """For each place of the canvas, which of its tokens comes to stand there, or none (eq. 1).

    `index[b, i] == i` keeps, `DELETE` deletes, anything else moves or copies. The boundaries stay whatever
    their index says, and an index that is no word's (a boundary's, padding's) deletes.

    Differs: the paper counts from 1 and has 0 for "delete", which makes n + 1 classes; here the class of
    `<s>`, which no other place may take, is that of deletion, as in the authors' labels.
    """

    index: Array  # (B, T)


@dataclass(frozen=True, eq=False)
class Placeholders:
    """For each gap between neighbouring tokens, how many placeholders to put there (eq. 2)."""

    count: Array  # (B, G)


@dataclass(frozen=True, eq=False)
class Tokens:
    """The word for each placeholder (eq. 3), `<plh>` for one that waits; other places are not read."""

    ids: Array  # (B, T)


Action: TypeAlias = Reposition | Placeholders | Tokens


@dataclass(frozen=True, eq=False)
class EditCounts:
    """Edits per sentence, as in the paper's Table 4: each field is `(B,)`."""

    repositions: Array
    deletions: Array
    insertions: Array

    def __add__(self, other: "EditCounts") -> "EditCounts":
        return EditCounts(
            self.repositions + other.repositions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
        )


def no_edits(canvas: Canvas) -> EditCounts:
    """Return the counts of a canvas that nobody has touched."""
    none = canvas.lengths * 0
    return EditCounts(none, none, none)


def count_edits(canvas: Canvas, action: Action) -> EditCounts:
    """Count the edits of an action on a canvas; filling a placeholder is part of its insertion.

    Differs: the authors count over the batch, padding included, so their figures hold at batch 1 only.
    """
    xp = functions_of(canvas.ids)
    none = canvas.lengths * 0
    match action:
        case Reposition(index):
            own = xp.arange(index.shape[1], device=device(index))
            deleted = canvas.interior & (index == DELETE)
            moved = canvas.interior & (index != DELETE) & (index != own)
            return EditCounts(_total(moved), _total(deleted), none)
        case Placeholders(count):
            return EditCounts(none, none, _total(count * canvas.gaps))
        case Tokens():
            return no_edits(canvas)


def _total(values: Array) -> Array:
    xp = functions_of(values)
    return xp.sum(xp.astype(values, xp.int64), axis=1)
