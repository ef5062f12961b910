"""The one language of edits: canvas, the three actions, `apply`, the oracle, the noise, the trace."""

from editmt.edits.actions import DELETE, Action, EditCounts, Placeholders, Reposition, Tokens, count_edits
from editmt.edits.apply import apply, apply_with
from editmt.edits.arrays import Array
from editmt.edits.canvas import Canvas
from editmt.edits.oracle import Labels, Oracle
from editmt.edits.trace import Trace

__all__ = [
    "DELETE",
    "Action",
    "Array",
    "Canvas",
    "EditCounts",
    "Labels",
    "Oracle",
    "Placeholders",
    "Reposition",
    "Tokens",
    "Trace",
    "apply",
    "apply_with",
    "count_edits",
]
