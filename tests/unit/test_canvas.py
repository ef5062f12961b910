import numpy as np
import pytest
import torch

from editmt.edits import (
    Canvas,
    EditCounts,
    Oracle,
    Placeholders,
    Reposition,
    Tokens,
    Trace,
    apply,
    count_edits,
)
from editmt.text import PAD, PLH

CANVAS = Canvas.of([[1, 7, 8, 9, 2], [1, 2]])


def values(counts: EditCounts):
    return {name: count.tolist() for name, count in vars(counts).items()}


def test_a_canvas_of_rows():
    assert CANVAS.ids.tolist() == [[1, 7, 8, 9, 2], [1, 2, PAD, PAD, PAD]]
    assert CANVAS.lengths.tolist() == [5, 2]
    assert CANVAS.interior.tolist() == [[False, True, True, True, False], [False] * 5]
    assert CANVAS.rows() == [[1, 7, 8, 9, 2], [1, 2]]


def test_a_canvas_may_have_tokens_that_look_like_padding():
    assert Canvas.of([[0, PAD, 5], [0, 5]]).rows() == [[0, PAD, 5], [0, 5]]


def test_reposition_moves_copies_deletes_and_keeps_the_boundaries():
    after = apply(CANVAS, Reposition(np.array([[3, 3, 0, 3, 0], [4, 4, 4, 4, 4]])))
    assert after.rows() == [[1, 9, 9, 2], [1, 2]]
    assert after.ids.shape == (2, 4)


@pytest.mark.parametrize("wrong", [0, 2, 3, 4, 5, 99, -1, -3])
def test_an_index_that_is_no_words_deletes(wrong):
    canvas = Canvas.of([[1, 5, 2], [1, 7, 8, 9, 2]])
    index = np.array([[0, wrong, 2, 0, 0], [0, 1, 2, 3, 4]])
    for kind in (np.asarray, torch.from_numpy):
        held = Canvas(*map(kind, vars(canvas).values()))
        assert apply(held, Reposition(kind(index))).rows() == [[1, 2], [1, 7, 8, 9, 2]]


def test_a_batch_without_sentences():
    for empty in (Canvas.of([]), Canvas(*(part[:0] for part in vars(CANVAS).values()))):
        assert apply(empty, Reposition(empty.ids)).rows() == []
        assert apply(empty, Placeholders(empty.ids[:, 1:])).rows() == []
        for compiled in (False, True):
            labels = Oracle(compiled=compiled).label(empty, empty)
            assert labels.distance.shape == (0,)
            assert labels.reposition.shape == empty.ids.shape


def test_placeholders_in_padding_gaps_are_not_read():
    after = apply(CANVAS, Placeholders(np.array([[1, 0, 0, 2], [1, 9, 9, 9]])))
    assert after.rows() == [[1, PLH, 7, 8, 9, PLH, PLH, 2], [1, PLH, 2]]


def test_tokens_go_to_placeholders_only():
    canvas = Canvas.of([[1, PLH, 8, PLH, 2]])
    assert apply(canvas, Tokens(np.full((1, 5), 6))).rows() == [[1, 6, 8, 6, 2]]


def test_locks_travel():
    canvas = Canvas.of([[1, 7, 8, 9, 2]], locks=[[0, 1, 2, 2, 0]])
    moved = apply(canvas, Reposition(np.array([[0, 2, 3, 1, 4]])))
    assert (moved.rows(), moved.locks.tolist()) == ([[1, 8, 9, 7, 2]], [[0, 2, 2, 1, 0]])
    wider = apply(moved, Placeholders(np.array([[1, 0, 1, 0]])))
    assert wider.locks.tolist() == [[0, 0, 2, 2, 0, 1, 0]]
    assert apply(wider, Tokens(wider.ids * 0 + 6)).locks.tolist() == wider.locks.tolist()


def test_counts_are_per_sentence_and_leave_padding_out():
    reposition = Reposition(np.array([[0, 3, 0, 3, 0], [0, 0, 0, 3, 1]]))
    assert values(count_edits(CANVAS, reposition)) == {
        "repositions": [1, 0],
        "deletions": [1, 0],
        "insertions": [0, 0],
    }
    placeholders = Placeholders(np.array([[1, 0, 0, 2], [1, 9, 9, 9]]))
    assert values(count_edits(CANVAS, placeholders)) == {
        "repositions": [0, 0],
        "deletions": [0, 0],
        "insertions": [3, 1],
    }
    assert not any(map(any, values(count_edits(CANVAS, Tokens(CANVAS.ids))).values()))


def test_a_trace_replays_to_its_output():
    trace = Trace.start(CANVAS)
    assert trace.output is CANVAS
    trace = trace.then(Reposition(np.array([[0, 2, 0, 3, 4], [0] * 5]))).then(
        Placeholders(np.array([[0, 1, 0], [2, 0, 0]]))
    )
    trace = trace.then(Tokens(np.full((2, 5), 6)))
    assert trace.output.rows() == [[1, 8, 6, 9, 2], [1, 6, 6, 2]]
    assert Trace.replay(CANVAS, [action for action, _ in trace.steps]).output.rows() == trace.output.rows()
    assert values(trace.counts) == {"repositions": [1, 0], "deletions": [1, 0], "insertions": [1, 2]}
    assert values(Trace.start(CANVAS).counts) == {
        "repositions": [0, 0],
        "deletions": [0, 0],
        "insertions": [0, 0],
    }


def test_apply_stays_on_the_tensors_side():
    canvas = Canvas(*(torch.from_numpy(part) for part in vars(CANVAS).values()))
    after = apply(canvas, Placeholders(torch.ones(2, 4, dtype=torch.int64)))
    assert all(isinstance(part, torch.Tensor) for part in vars(after).values())
    assert after.rows() == [[1, PLH, 7, PLH, 8, PLH, 9, PLH, 2], [1, PLH, 2]]


def test_an_action_that_does_nothing_leaves_what_others_leave():
    """As wide as the longest sentence: padding that no row needs goes, whether or not something changes."""
    stay = Reposition(np.tile(np.arange(CANVAS.ids.shape[1]), (len(CANVAS.ids), 1)))
    for idle in (stay, Placeholders(np.zeros_like(CANVAS.ids[:, 1:]))):
        assert apply(CANVAS, idle) is CANVAS
    wide = Canvas(*(np.pad(part, ((0, 0), (0, 2))) for part in vars(CANVAS).values()))
    assert apply(wide, Placeholders(np.zeros_like(wide.ids[:, 1:]))).ids.tolist() == CANVAS.ids.tolist()
