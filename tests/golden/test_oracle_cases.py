"""1,200 cases labelled by the authors' own code: ours must agree on each label of each oracle.

The file is a copy of the cases kept beside the project, so that any clone can run them; ids: `<s>` 0,
`<pad>` 1, `</s>` 2, `<unk>` 3, words from 4.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from editmt.cli.explain_lines import describe_labels
from editmt.edits import Canvas, Oracle
from tests.property.strategies import to_torch

CASE_FILE = Path(__file__).with_name("oracle-cases.jsonl")
CASES = [json.loads(line) for line in CASE_FILE.read_text(encoding="utf-8").splitlines()]
NAMES = {True: "editor", False: "levenshtein"}


def batches_of(size):
    order = np.random.default_rng(size).permutation(len(CASES))
    return [[CASES[i] for i in order[start : start + size]] for start in range(0, len(CASES), size)]


def check(oracle, cases, make=Canvas.of):
    canvas, reference = (make([case[side] for case in cases]) for side in ("hypothesis", "reference"))
    labels = oracle.label(canvas, reference)
    for row, case in enumerate(cases):
        lengths = len(case["hypothesis"]), len(case["reference"])
        got = describe_labels(labels, row, lengths, moves=oracle.moves)
        assert got == case[NAMES[oracle.moves]], case


def test_all_cases_are_there():
    assert len(CASES) == 1200


@pytest.mark.parametrize("moves", [True, False], ids=NAMES.get)
@pytest.mark.parametrize("size", [1, 7, 64, 1200])
def test_labels_agree_whatever_the_batch(moves, size):
    for cases in batches_of(size):
        check(Oracle(moves=moves), cases)


@pytest.mark.parametrize("moves", [True, False], ids=NAMES.get)
def test_plain_loops_agree(moves):
    check(Oracle(moves=moves, compiled=False), CASES)


@pytest.mark.parametrize("moves", [True, False], ids=NAMES.get)
def test_torch_agrees(moves):
    check(Oracle(moves=moves), CASES, lambda rows: to_torch(Canvas.of(rows)))
