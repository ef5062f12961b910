import numpy as np
import pytest
import torch

from editmt.decoding.known_states import KnownStates
from editmt.decoding.model_policy import ModelPolicy
from tests.policies import batch
from tests.tiny import canvas_of, tiny_model

BEFORE = batch([[5, 6, 7], [8, 9], [5]])


def recall(after, width=5):
    """Return the states of `after`, kept ones being 1 and new ones 2, and which rows were asked for."""
    known, asked = KnownStates(), []
    known.keep(BEFORE, np.ones((3, width, 2)))

    def compute(rows):
        asked.append(None if rows is None else rows.tolist())
        return np.full((len(after.ids) if rows is None else len(rows), after.ids.shape[1], 2), 2.0)

    return known.recall(after, compute)[:, :, 0].max(axis=1).tolist(), asked, known


def test_what_stayed_is_known():
    assert recall(BEFORE)[:2] == ([1, 1, 1], [])


def test_rows_that_changed_are_computed():
    assert recall(batch([[5, 6, 7], [9, 8], [5]]))[:2] == ([1, 2, 1], [[1]])
    assert recall(batch([[5, 6, 7], [8], [5]]))[:2] == ([1, 2, 1], [[1]]), "a deletion at the end"
    assert recall(batch([[6, 7], [8, 9], [5]]))[:2] == ([2, 1, 1], [[0]]), "a narrower canvas"


def test_all_are_computed_where_none_stayed_or_the_canvas_is_wider():
    assert recall(batch([[5], [9], [6]]))[:2] == ([2, 2, 2], [None])
    assert recall(batch([[5, 6, 7, 8], [8, 9], [5]]))[:2] == ([2, 2, 2], [None])


def test_states_are_read_once():
    known = recall(BEFORE)[2]
    assert known.recall(BEFORE, lambda rows: rows) is None


@pytest.mark.parametrize("stacks", ["own", "shared"])
def test_a_shared_stack_does_not_run_twice_on_a_canvas(stacks):
    model = tiny_model("editor", stacks=stacks).eval()
    source, canvas = canvas_of([[7, 8], [9, 5]]), batch([[5, 6], [7, 8]])
    policy = ModelPolicy.start(model, source.ids, source.mask)
    passes = []
    model.insertion.register_forward_hook(lambda *_: passes.append(1))
    policy.reposition_scores(canvas)
    scores = policy.placeholder_scores(canvas)
    assert len(passes) == 1
    with torch.no_grad():
        expected = model.placeholder_logits(
            model.encode(source.ids, source.mask), canvas_of([[5, 6], [7, 8]])
        )
    assert np.allclose(scores, expected, atol=1e-6)
