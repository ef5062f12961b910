"""8-bit products as ONNX Runtime computes them, against the same in float64."""

import numpy as np
import pytest

from editmt.runtime import sessions
from editmt.runtime.graph import Graph
from editmt.runtime.sessions import Session, has_vnni

WIDTH, OUT = 64, 48


@pytest.fixture
def weight():
    return np.random.default_rng(1).normal(size=(OUT, WIDTH)).astype(np.float32)


@pytest.fixture
def states():
    return np.random.default_rng(2).normal(size=(2, 5, WIDTH)).astype(np.float32)


def multiply(folder, states, weight, bias=None, *, by_rows=True):
    graph = Graph("product", "int8")
    states_in = graph.add_input("states", ("B", "T", weight.shape[1]))
    product = graph.linear(states_in, weight, bias, by_rows=by_rows)
    graph.add_output(product, "product", ("B", "T", len(weight)))
    graph.save(folder / "product.onnx")
    return Session(folder / "product.onnx").run([states])[0]


def error(found, states, weight):
    expected = states.astype(np.float64) @ weight.T
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


def test_a_large_row_takes_no_precision_from_others(tmp_path, states, weight):
    states[0, 0] *= 50
    others = np.s_[1]
    by_rows, at_once = (
        multiply(tmp_path, states, weight, by_rows=by_rows)[others] for by_rows in (True, False)
    )
    assert error(by_rows, states[others], weight) < 0.01
    assert error(at_once, states[others], weight) > 0.1


def test_a_row_of_zeros_has_the_bias(tmp_path, states, weight):
    states[1, 2] = 0
    bias = np.arange(OUT, dtype=np.float32)
    found = multiply(tmp_path, states, weight, bias)
    assert found[1, 2].tolist() == bias.tolist()
    assert error(found - bias, states, weight) < 0.01


@pytest.mark.parametrize("by_rows", [True, False])
@pytest.mark.parametrize("vnni", [True, False])
def test_the_largest_numbers_do_not_overflow(tmp_path, monkeypatch, by_rows, vnni):
    if vnni and not has_vnni():
        pytest.skip("this processor adds such products in 16 bits")
    monkeypatch.setattr(sessions, "has_vnni", lambda: vnni)
    weight = np.ones((OUT, WIDTH), dtype=np.float32)
    weight[1::2] = -1
    states = np.ones((1, 3, WIDTH), dtype=np.float32)
    assert error(multiply(tmp_path, states, weight, by_rows=by_rows), states, weight) < 1e-5


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx2 avx512_vnni\n", True),
        ("processor\t: 0\nflags\t\t: fpu avx_vnni\n", True),
        ("processor\t: 0\nflags\t\t: fpu avx2\n", False),
        ("processor\t: 0\nFeatures\t: asimd\n", False),
        (None, False),
    ],
)
def test_what_the_processor_says_of_itself(tmp_path, monkeypatch, text, known):
    path = tmp_path / "cpuinfo"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(sessions, "CPU_FILE", path)
    assert has_vnni.__wrapped__() == known
