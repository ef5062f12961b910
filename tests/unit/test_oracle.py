"""The oracle's worked examples, as literal tables, and its rule for ties."""

import subprocess
import sys

import numba
import numpy as np
import pytest

from editmt.edits import Canvas, Oracle
from editmt.edits import oracle as oracle_module
from editmt.errors import InputError, MissingPackage
from editmt.text import BOS, EOS

WORDS = {word: index for index, word in enumerate("abcdexy", start=5)}
WORDS |= {word: index for index, word in enumerate(["the", "cat", "sat", "mat"], start=20)}

# hypothesis, reference, distance, reposition, placeholders, inserted
EXAMPLES = [
    ("", "a b c", 3, "0 1", "3", "01110"),
    ("a b c", "", 3, "0 0 0 0 4", "0 0 0 0", "00"),
    ("a b c", "a b c", 0, "0 1 2 3 4", "0 0 0 0", "00000"),
    ("b a", "a b", 2, "0 0 2 3", "0 0 1", "0010"),
    ("c a b", "a b c", 2, "0 0 2 3 4", "0 0 0 1", "00010"),
    ("c b a", "a b c", 2, "0 3 2 1 4", "0 0 0 0", "00000"),
    ("b d a c", "a b c d", 4, "0 0 0 3 4 5", "0 0 0 1 1", "001010"),
    ("a", "a a a", 2, "0 1 2", "0 2", "00110"),
    ("a a a", "a", 2, "0 1 0 0 4", "0 0 0 0", "000"),
    ("a b", "a a", 1, "0 1 1 3", "0 0 0", "0000"),
    ("a b a", "b a b", 2, "0 0 2 3 4", "0 0 0 1", "00010"),
    ("x y", "a b", 4, "0 0 0 3", "0 0 2", "0110"),
    ("a x b", "a b", 1, "0 1 0 3 4", "0 0 0 0", "0000"),
    ("a x y b c", "b c a", 4, "0 0 0 0 4 5 6", "0 0 0 0 0 1", "00010"),
    ("b c", "a b c d", 2, "0 1 2 3", "1 0 1", "010010"),
    ("d b", "a b c d", 4, "0 0 2 3", "0 1 2", "010110"),
    ("d a b c e", "a b c d", 2, "0 0 2 3 4 1 6", "0 0 0 0 0 0", "000000"),
    ("the cat cat sat", "cat sat the mat", 4, "0 0 2 0 4 5", "0 0 0 0 2", "000110"),
]

# hypothesis, reference, distance, reposition: where moving saves a deletion, and where it cannot
PREFER_REPOSITION = [
    ("b a", "a b", 2, "0 2 1 3"),
    ("c a b", "a b c", 2, "0 0 2 3 4"),  # three moves would be dearer than one deletion and insertion
    ("b d a c", "a b c d", 4, "0 3 1 4 2 5"),
    ("a x b", "a b", 1, "0 1 0 3 4"),
    ("x y", "a b", 4, "0 0 0 3"),
    ("d b", "a b c d", 4, None),
]


def canvas(sentence):
    return Canvas.of([[BOS, *(WORDS[word] for word in sentence.split()), EOS]])


def numbers(text):
    return [int(number) for number in text.split()]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "distance", "reposition", "placeholders", "inserted"), EXAMPLES
)
def test_worked_examples(hypothesis, reference, distance, reposition, placeholders, inserted):
    labels = Oracle().label(canvas(hypothesis), canvas(reference))
    assert labels.distance.tolist() == [distance]
    assert labels.reposition.tolist() == [numbers(reposition)]
    assert labels.placeholders.tolist() == [numbers(placeholders)]
    assert labels.inserted.tolist() == [[int(bit) for bit in inserted]]


@pytest.mark.parametrize(("hypothesis", "reference", "distance", "reposition"), PREFER_REPOSITION)
def test_prefer_reposition(hypothesis, reference, distance, reposition):
    labels = Oracle(prefer="reposition").label(canvas(hypothesis), canvas(reference))
    assert labels.distance.tolist() == [distance]
    if reposition is None:
        assert (labels.reposition[:, 1:] > 0).all()
    else:
        assert labels.reposition.tolist() == [numbers(reposition)]


def test_counts_beyond_255_are_not_clamped():
    reference = Canvas.of([[BOS, *[7] * 300, EOS]])
    assert Oracle().label(canvas(""), reference).placeholders.tolist() == [[300]]


def test_labels_are_integers_of_the_canvas_kind():
    labels = Oracle().label(canvas("a b"), canvas("b"))
    assert all(isinstance(part, np.ndarray) and part.dtype == np.int64 for part in vars(labels).values())


def test_without_numba_the_extra_is_named(monkeypatch):
    oracle_module._compile.cache_clear()
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(MissingPackage, match=r"editmt\[train\]"):
        Oracle().label(canvas("a"), canvas("a"))


def test_without_a_place_for_compiled_code_it_is_compiled_anew(monkeypatch):
    plain_njit = numba.njit

    def njit(*, nogil, cache=False):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return plain_njit(nogil=nogil)

    monkeypatch.setattr(numba, "njit", njit)
    oracle_module._compile.cache_clear()
    assert Oracle().label(canvas("a"), canvas("b")).distance.tolist() == [2]
    oracle_module._compile.cache_clear()


def test_an_unknown_preference_is_refused():
    with pytest.raises(InputError, match="'insert'"):
        Oracle(prefer="insert")


def test_edits_import_neither_torch_nor_numba():
    check = "import sys, editmt.cli.main, editmt.edits.noise; print({'torch', 'numba'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
