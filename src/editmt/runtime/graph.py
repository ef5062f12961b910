"""An ONNX graph as it is written, node by node, in float32 or with 8-bit weights.

Graphs are written by hand, not traced from PyTorch: so each holds the fused operators that make ONNX Runtime
fast (attention, residual with layer norm, quantised products), and its weights exactly once.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from editmt.quantising import MOST, quantise
from editmt.runtime.cpu_folder import Precision

Floats: TypeAlias = npt.NDArray[np.float32]
OPSET = 17
IR_VERSION = 8
FUSED = "com.microsoft"
"""ONNX Runtime's own operators."""

EPSILON = 1e-5
"""Of layer norms, as in torch."""

SMALLEST = 1e-30
"""What a row is at least divided by: it may be all zeros."""


class Graph:
    """A graph under construction; values go by their names.

    graph = Graph("head", "int8")
    states = graph.add_input("states", ("N", 192))
    graph.add_output(graph.linear(states, weight, bias), "logits", ("N", 256))
    graph.save(path)
    """

    def __init__(self, name: str, precision: Precision) -> None:
        self._name = name
        self._precision = precision
        self._inputs: list[onnx.ValueInfoProto] = []
        self._outputs: list[onnx.ValueInfoProto] = []
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def add_input(self, name: str, shape: Sequence[str | int], kind: int = TensorProto.FLOAT) -> str:
        """Declare an input; a named axis may have any size."""
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def add_output(
        self, value: str, name: str, shape: Sequence[str | int], kind: int = TensorProto.FLOAT
    ) -> None:
        """Declare that a value leaves the graph under a name."""
        self._nodes.append(helper.make_node("Identity", [value], [name]))
        self._outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def constant(self, array: npt.NDArray[np.generic]) -> str:
        """Put an array into the graph."""
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(
        self,
        operator: str,
        inputs: Sequence[str],
        attributes: Mapping[str, Any] | None = None,
        *,
        outputs: int = 1,
        domain: str = "",
    ) -> list[str]:
        """Add an operator, and return its outputs; an input of "" is left out."""
        names = [f"{operator}_{len(self._nodes)}_{place}" for place in range(outputs)]
        self._nodes.append(helper.make_node(operator, inputs, names, domain=domain, **(attributes or {})))
        return names

    def linear(
        self, states: str, weight: Floats, bias: Floats | None = None, *, by_rows: bool = False
    ) -> str:
        """Multiply states (…, in) by a weight (out, in), and add the bias (out,).

        With 8 bits the states are quantised as they come: by the range of all of them, or with `by_rows` each
        by its own, which is more exact. It takes six small operations more, too many for a stack's products.
        """
        shift = None if bias is None else self.constant(bias)
        if self._precision == "float32":
            (product,) = self.node("MatMul", [states, self.constant(weight.T)])
            return self._add(product, shift)
        numbers, scales = quantise(weight, MOST)
        table = self.constant(numbers.T), self.constant(scales)
        if by_rows:
            return self._add(self.multiply_rows(states, *table), shift)
        inputs = [states, *table, "", *([] if shift is None else [shift])]
        return self.node("DynamicQuantizeMatMul", inputs, domain=FUSED)[0]

    def multiply_rows(self, states: str, table: str, scales: str) -> str:
        """Multiply states (…, in), quantised row by row, by an 8-bit table (in, out) with scales (out,)."""
        (sizes,) = self.node("Abs", [states])
        (largest,) = self.node("ReduceMax", [sizes], {"axes": [-1]})  # (…, 1)
        (largest,) = self.node("Max", [largest, self.constant(np.array(SMALLEST, dtype=np.float32))])
        (scaled,) = self.node("Div", [states, largest])
        (product,) = self.node("DynamicQuantizeMatMul", [scaled, table, scales, ""], domain=FUSED)
        return self.node("Mul", [product, largest])[0]

    def _add(self, product: str, bias: str | None) -> str:
        return product if bias is None else self.node("Add", [product, bias])[0]

    def norm(self, states: str, gain: Floats, shift: Floats) -> str:
        """Normalise each state."""
        inputs = [states, self.constant(gain), self.constant(shift)]
        return self.node("LayerNormalization", inputs, {"axis": -1, "epsilon": EPSILON})[0]

    def add_and_norm(self, states: str, change: str, gain: Floats, shift: Floats) -> tuple[str, str]:
        """Return the sum of states and change, normalised, and the sum itself.

        ONNX Runtime has one operator for both, `SkipLayerNormalization`, but on CPUs it takes eight times as
        long as these two, a fifth of a pass: sessions leave them apart (`sessions.SLOWER`).
        """
        (total,) = self.node("Add", [states, change])
        return self.norm(total, gain, shift), total

    def save(self, path: Path) -> None:
        """Check the graph, and write it."""
        graph = helper.make_graph(
            self._nodes, self._name, self._inputs, self._outputs, initializer=self._constants
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="editmt")
        onnx.checker.check_model(model)
        path.write_bytes(model.SerializeToString())
