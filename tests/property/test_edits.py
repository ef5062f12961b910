"""What holds for any canvas and any reference."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from editmt.edits import Canvas, Oracle, Placeholders, Reposition, Tokens, Trace, apply, count_edits
from editmt.text import EOS, PAD
from tests.property.strategies import PAIRS, SENTENCES, split, to_torch

ORACLES = [Oracle(), Oracle(moves=False), Oracle(prefer="reposition")]
NAMES = ["editor", "levenshtein", "prefer reposition"]
every_oracle = pytest.mark.parametrize("oracle", ORACLES, ids=NAMES)


@st.composite
def edits(draw):
    """Draw canvases with locks and, one after the other, an action of each kind."""
    rows = draw(st.lists(SENTENCES, min_size=1, max_size=5))
    locks = [
        [0, *draw(st.lists(st.integers(0, 3), min_size=len(r) - 2, max_size=len(r) - 2)), 0] for r in rows
    ]
    canvas = Canvas.of(rows, locks)
    index, count = np.zeros_like(canvas.ids), np.zeros_like(canvas.ids[:, 1:])
    for row, length in enumerate(canvas.lengths.tolist()):
        for place in range(length):
            index[row, place] = draw(st.integers(0, max(length - 2, 0)))
        for gap in range(length - 1):
            count[row, gap] = draw(st.integers(0, 3))
    words = draw(st.integers(5, 9))
    return canvas, Reposition(index), count, words


@every_oracle
@given(pairs=PAIRS)
def test_applying_the_oracles_actions_gives_the_reference(oracle, pairs):
    canvas, reference = split(pairs)
    labels = oracle.label(canvas, reference)
    trace = Trace.replay(canvas, labels.actions(reference))
    assert trace.output.rows() == reference.rows()
    assert (sum(vars(trace.counts).values()) == labels.distance).all()


@every_oracle
@given(pairs=PAIRS)
def test_an_oracle_asked_before_each_action_reaches_the_reference_in_one_iteration(oracle, pairs):
    canvas, reference = split(pairs)
    reposition, _, _ = oracle.label(canvas, reference).actions(reference)
    canvas = apply(canvas, reposition)
    _, placeholders, _ = oracle.label(canvas, reference).actions(reference)
    canvas = apply(canvas, placeholders)
    assert apply(canvas, Tokens(reference.ids)).rows() == reference.rows()


@every_oracle
@given(pairs=PAIRS, padding=st.integers(0, 3))
def test_a_padded_batch_equals_single_sentences(oracle, pairs, padding):
    canvas, reference = (widen(part, padding) for part in split(pairs))
    labels = oracle.label(canvas, reference)
    output = Trace.replay(canvas, labels.actions(reference)).output.rows()
    for row, pair in enumerate(pairs):
        alone = split([pair])
        single = oracle.label(*alone)
        assert labels.distance[row] == single.distance[0]
        for batched, lone in zip(
            list(vars(labels).values())[1:], list(vars(single).values())[1:], strict=True
        ):
            assert batched[row, : lone.shape[1]].tolist() == lone[0].tolist()
            assert not batched[row, lone.shape[1] :].any()
        assert [output[row]] == Trace.replay(alone[0], single.actions(alone[1])).output.rows()


@every_oracle
@given(pairs=PAIRS)
def test_labels_are_the_same_in_numpy_and_torch(oracle, pairs):
    canvas, reference = split(pairs)
    here, there = oracle.label(canvas, reference), oracle.label(to_torch(canvas), to_torch(reference))
    for ours, theirs in zip(vars(here).values(), vars(there).values(), strict=True):
        assert isinstance(theirs, torch.Tensor)
        assert np.array_equal(ours, theirs.numpy())


@given(drawn=edits())
def test_apply_and_counts_are_the_same_in_numpy_and_torch(drawn):
    canvas, reposition, count, word = drawn
    twin = to_torch(canvas)
    for action, twin_action in (
        (reposition, Reposition(torch.from_numpy(reposition.index))),
        (Placeholders(count), Placeholders(torch.from_numpy(count))),
        (Tokens(canvas.ids * 0 + word), Tokens(to_torch(canvas).ids * 0 + word)),
    ):
        ours, theirs = apply(canvas, action), apply(twin, twin_action)
        for mine, other in zip(vars(ours).values(), vars(theirs).values(), strict=True):
            assert isinstance(other, torch.Tensor)
            assert np.array_equal(mine, other.numpy())
        pairs = zip(
            vars(count_edits(canvas, action)).values(),
            vars(count_edits(twin, twin_action)).values(),
            strict=True,
        )
        assert all(np.array_equal(mine, other.numpy()) for mine, other in pairs)


@given(drawn=edits())
def test_apply_does_what_a_loop_would_do(drawn):
    canvas, reposition, count, word = drawn
    moved = apply(canvas, reposition)
    filled = Trace.replay(canvas, [Placeholders(count)]).then(Tokens(np.full((len(count), 99), word))).output
    for row, (ids, locks) in enumerate(zip(canvas.rows(), canvas.locks.tolist(), strict=True)):
        index = reposition.index[row].tolist()
        inner = [index[place] for place in range(1, len(ids) - 1) if index[place] != 0]
        assert moved.rows()[row] == [ids[0], *(ids[i] for i in inner), EOS]
        assert moved.locks[row].tolist()[: len(inner) + 2] == [0, *(locks[i] for i in inner), 0]
        gaps = [[token, *[word] * number] for token, number in zip(ids, count[row].tolist(), strict=False)]
        assert filled.rows()[row] == [*itertools.chain(*gaps[: len(ids) - 1]), EOS]


@given(drawn=edits())
def test_padding_is_where_the_mask_says(drawn):
    canvas, reposition, count, _ = drawn
    for after in (apply(canvas, reposition), apply(canvas, Placeholders(count))):
        assert ((after.ids == PAD) == ~after.mask).all()
        assert (after.locks[~after.mask] == 0).all()
        assert after.mask.any(axis=0).all(), "no column is padding only"


@given(pairs=PAIRS, drawn=edits())
def test_nothing_mutates_its_input(pairs, drawn):
    canvas, reposition, count, word = drawn
    for action in (reposition, Placeholders(count), Tokens(canvas.ids * 0 + word)):
        with unchanged(canvas, action):
            apply(canvas, action)
            count_edits(canvas, action)
    start, reference = split(pairs)
    for oracle in ORACLES:
        with unchanged(start, reference):
            labels = oracle.label(start, reference)
        with unchanged(labels, reference):
            labels.actions(reference)


@given(pairs=PAIRS)
def test_preferring_repositions_costs_the_same_and_deletes_the_fewest(pairs):
    canvas, reference = split(pairs)
    labels = Oracle(prefer="reposition").label(canvas, reference)
    assert (labels.distance == Oracle().label(canvas, reference).distance).all()
    deleted = (canvas.interior & (labels.reposition == 0)).sum(axis=1).tolist()
    for row, (left, right) in enumerate(pairs):
        assert (labels.distance[row], deleted[row]) == cheapest(left, right)


@given(pairs=PAIRS)
def test_plain_and_compiled_loops_agree(pairs):
    canvas, reference = split(pairs)
    for moves, prefer in ((True, "delete"), (True, "reposition"), (False, "delete")):
        plain = Oracle(moves=moves, prefer=prefer, compiled=False).label(canvas, reference)
        compiled = Oracle(moves=moves, prefer=prefer).label(canvas, reference)
        assert all(map(np.array_equal, vars(plain).values(), vars(compiled).values()))


def widen(canvas, columns):
    """Add columns of padding."""
    return Canvas(*(np.pad(part, ((0, 0), (0, columns))) for part in vars(canvas).values()))


def cheapest(left, right):
    """Return the least edits and, among scripts with so many, the least deletions: by trying all."""
    memory = {}

    def best(i, j):
        if (i, j) == (0, 0):
            return 0, 0
        if (i, j) not in memory:
            options = []
            if i:
                edits, deletions = best(i - 1, j)
                options.append((edits + 1, deletions + 1))
            if j:
                edits, deletions = best(i, j - 1)
                options.append((edits + 1, deletions))
            if i and j and right[j - 1] in left:
                edits, deletions = best(i - 1, j - 1)
                options.append((edits + (left[i - 1] != right[j - 1]), deletions))
            memory[i, j] = min(options)
        return memory[i, j]

    return best(len(left), len(right))


class unchanged:  # noqa: N801 - reads as a word after `with`
    """Fail if an array inside the given objects is written to in the block."""

    def __init__(self, *holders):
        self.arrays = [array for holder in holders for array in vars(holder).values()]

    def __enter__(self):
        self.copies = [array.copy() for array in self.arrays]
        for array in self.arrays:
            array.flags.writeable = False

    def __exit__(self, *_):
        for array in self.arrays:
            array.flags.writeable = True
        assert all(map(np.array_equal, self.arrays, self.copies))
