"""The oracle's loops, as in a textbook: fill the table of edit distances, then walk back through it.

They are plain Python over anything that can be indexed: lists, for a few sentence pairs, or arrays, for a
batch, compiled by numba (`oracle.py`). `lengths` holds the tokens of each pair's canvas and reference. The
tables lie flat in `table`, one pair's after the other's; cell (i, j) of one is the cost of turning the
first i tokens of the canvas into the first j of the reference.
"""

from typing import Any, TypeAlias

Costs: TypeAlias = tuple[int, int, int]
"""What an insertion, a deletion and a replacement cost; keeping is free."""

Grid: TypeAlias = Any
"""Rows of integers: a list of lists or a 2-d array."""


def find_first(canvas: Grid, reference: Grid, lengths: Grid, first: Grid) -> None:
    """Write into `first` where in the canvas each reference token first stands; it holds −1 before."""
    for row in range(len(lengths)):
        x, y, found = canvas[row], reference[row], first[row]
        for j in range(lengths[row][1]):
            for i in range(lengths[row][0]):
                if x[i] == y[j]:
                    found[j] = i
                    break


def fill_table(canvas: Grid, reference: Grid, lengths: Grid, first: Grid, costs: Costs, table: Any) -> None:
    """Fill the table by dynamic programming; a token may be replaced by any that stands in the canvas."""
    insert, delete, replace = costs
    above = 0
    for row in range(len(lengths)):
        x, y, found = canvas[row], reference[row], first[row]
        width = lengths[row][1] + 1
        for j in range(width):
            table[above + j] = j * insert
        for i in range(lengths[row][0]):
            here = above + width
            best = (i + 1) * delete
            table[here] = best
            for j in range(width - 1):
                diagonal = table[above + j]
                if x[i] == y[j]:
                    best = diagonal  # keeping is never dearer than another way
                else:
                    best = min(best + insert, table[above + j + 1] + delete)
                    if found[j] >= 0:
                        best = min(best, diagonal + replace)
                table[here + j + 1] = best
            above = here
        above += width


def walk_back(lengths: Grid, first: Grid, costs: Costs, table: Any, labels: Any) -> None:
    """Read a cheapest script off the table, from the end; of equals insertion wins, then deletion.

    `labels` are the grids `(reposition, placeholders, inserted)` to write into, zeros before.
    """
    insert, delete, _ = costs
    reposition, placeholders, inserted = labels
    end = 0
    for row in range(len(lengths)):
        i, j = lengths[row][0], lengths[row][1]
        width = j + 1
        end += (i + 1) * width
        here = end - 1
        while i > 0 or j > 0:
            cost = table[here]
            if j > 0 and table[here - 1] + insert == cost:
                j -= 1
                here -= 1
                placeholders[row][i - 1] += 1
                inserted[row][j] = 1
            elif i > 0 and table[here - width] + delete == cost:
                i -= 1
                here -= width
            else:
                i -= 1
                j -= 1
                here -= width + 1
                reposition[row][i] = i if table[here] == cost else first[row][j]
