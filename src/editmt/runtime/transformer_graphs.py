"""The parts of a Transformer as ONNX graphs: encoder, decoder stacks, heads.

Embedding is a look-up that NumPy does: every graph begins with embedded tokens, so that the largest table is
kept once. The encoder's graph ends in the keys and values of every decoder layer, computed once a sentence.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import TensorProto

from editmt.config import ModelConfig
from editmt.models.heads import DRAFT_BLOCKS, DRAFT_MARGIN, DRAFT_RANK
from editmt.runtime.cpu_folder import Precision
from editmt.runtime.graph import FUSED, Floats, Graph

Sublayer = Callable[[str], str]
"""From normalised states to what is added to the states."""


class Weights:
    """The tensors of a saved model, by the names that the model's parts have."""

    def __init__(self, tensors: Mapping[str, Floats]) -> None:
        self._tensors = tensors

    def __getitem__(self, name: str) -> Floats:
        return self._tensors[name]

    def under(self, prefix: str) -> "Weights":
        """Return the tensors of a part."""
        start = f"{prefix}."
        return Weights(
            {name.removeprefix(start): t for name, t in self._tensors.items() if name.startswith(start)}
        )

    def linear(self, name: str) -> tuple[Floats, Floats]:
        """Return the weight and the bias of a linear layer."""
        return self[f"{name}.weight"], self[f"{name}.bias"]


@dataclass(frozen=True, eq=False)
class Step:
    """A sublayer, and the gain and shift of its norm."""

    norm: tuple[Floats, Floats]
    change: Sublayer


@dataclass(frozen=True)
class Past:
    """The values that a causal decoder's step reads, by name."""

    layers: Sequence[str]  # the keys and values of what was written so far, layer by layer
    bias: str  # (B, 1, K, P) 0 where a hypothesis may look, else very low
    source_mask: str


class StackWriter:
    """Writes the layers of an encoder or a decoder into a graph."""

    def __init__(self, graph: Graph, config: ModelConfig) -> None:
        self._graph = graph
        self._config = config

    def encoder(self, states: str, mask: str, weights: Weights) -> str:
        """Write the encoder over embedded tokens (B, S, D); `mask` (B, S) tells them from padding."""
        steps: list[Step] = []
        for index in range(self._config.encoder_layers):
            layer = weights.under(f"layers.{index}")
            steps += [self._self_attention(layer, mask), self._feedforward(layer)]
        return self._residuals(states, steps, weights)

    def decoder(
        self, states: str, mask: str, sources: Sequence[str], source_mask: str, weights: Weights
    ) -> str:
        """Write a stack over embedded tokens (B, T, D); `sources` are the layers' keys and values in turn."""
        steps: list[Step] = []
        for index in range(self._config.decoder_layers):
            layer = weights.under(f"layers.{index}")
            keys, values = sources[2 * index : 2 * index + 2]
            steps += [
                self._self_attention(layer, mask),
                self._source_attention(layer, (keys, values, source_mask)),
                self._feedforward(layer),
            ]
        return self._residuals(states, steps, weights)

    def decoder_step(
        self, states: str, past: "Past", sources: Sequence[str], weights: Weights
    ) -> tuple[str, list[str]]:
        """Write a causal decoder's next step, over the newest token of each hypothesis (B, K, D).

        The hypotheses of a sentence ask its source, and all that any of them ever wrote, as K queries of one
        attention; `past.bias` shows each its own. Returns the states and all keys and values, old and new.
        """
        steps: list[Step] = []
        grown: list[str] = []
        for index in range(self._config.decoder_layers):
            layer = weights.under(f"layers.{index}")
            keys, values = sources[2 * index : 2 * index + 2]
            steps += [
                self._past_attention(layer, past, index, grown),
                self._source_attention(layer, (keys, values, past.source_mask)),
                self._feedforward(layer),
            ]
        return self._residuals(states, steps, weights), grown

    def keys_and_values(self, states: str, stacks: Iterable[Weights]) -> list[str]:
        """Project the encoder's states for every layer of the stacks at once: (B, H, S, D/H) each."""
        graph, config = self._graph, self._config
        layers = [
            stack.under(f"layers.{index}.source_attention.key_value")
            for stack in stacks
            for index in range(config.decoder_layers)
        ]
        weight = np.concatenate([layer["weight"] for layer in layers])
        bias = np.concatenate([layer["bias"] for layer in layers])
        count = 2 * len(layers)
        shape = graph.constant(np.array([0, 0, count, config.heads, config.width // config.heads]))
        (parts,) = graph.node("Reshape", [graph.linear(states, weight, bias), shape])
        (turned,) = graph.node("Transpose", [parts], {"perm": [2, 0, 3, 1, 4]})  # (parts, B, H, S, D/H)
        pieces = graph.node("Split", [turned], {"axis": 0}, outputs=count)
        axis = graph.constant(np.array([0]))
        return [graph.node("Squeeze", [piece, axis])[0] for piece in pieces]

    def _self_attention(self, layer: Weights, mask: str) -> Step:
        part = layer.under("attention")

        def change(states: str) -> str:
            return self._attend([*self._query_keys_values(states, part), "", mask], part)

        return Step(layer.linear("residual.norm"), change)

    def _past_attention(self, layer: Weights, past: "Past", index: int, grown: list[str]) -> Step:
        part = layer.under("attention")

        def change(states: str) -> str:
            old = past.layers[2 * index : 2 * index + 2]
            inputs = [*self._query_keys_values(states, part), "", "", past.bias, *old]
            heads = {"num_heads": self._config.heads}
            read, *new = self._graph.node("MultiHeadAttention", inputs, heads, outputs=3, domain=FUSED)
            grown.extend(new)
            return self._graph.linear(read, *part.linear("output"))

        return Step(layer.linear("residual.norm"), change)

    def _query_keys_values(self, states: str, part: Weights) -> list[str]:
        weight = np.concatenate([part["query.weight"], part["key_value.weight"]])
        bias = np.concatenate([part["query.bias"], part["key_value.bias"]])
        joined = self._graph.linear(states, weight, bias)  # (B, T, 3 · D)
        return self._graph.node("Split", [joined], {"axis": -1}, outputs=3)

    def _source_attention(self, layer: Weights, source: tuple[str, str, str]) -> Step:
        part = layer.under("source_attention")
        keys, values, mask = source

        def change(states: str) -> str:
            query = self._graph.linear(states, *part.linear("query"))
            return self._attend([query, keys, values, "", mask], part)

        return Step(layer.linear("source_residual.norm"), change)

    def _attend(self, inputs: list[str], part: Weights) -> str:
        heads = {"num_heads": self._config.heads}
        (read,) = self._graph.node("MultiHeadAttention", inputs, heads, domain=FUSED)
        return self._graph.linear(read, *part.linear("output"))

    def _feedforward(self, layer: Weights) -> Step:
        part = layer.under("feedforward")

        def change(states: str) -> str:
            (hidden,) = self._graph.node("Relu", [self._graph.linear(states, *part.linear("inner"))])
            return self._graph.linear(hidden, *part.linear("outer"))

        return Step(part.linear("residual.norm"), change)

    def _residuals(self, states: str, steps: Sequence[Step], weights: Weights) -> str:
        """Write x + f(x) for each step, with its norm before ("pre", and one after all) or after ("post")."""
        if self._config.norm == "post":
            for step in steps:
                states, _ = self._graph.add_and_norm(states, step.change(states), *step.norm)
            return states
        norms = [*(step.norm for step in steps), weights.linear("norm")]
        normed = self._graph.norm(states, *norms[0])
        for step, following in zip(steps, norms[1:], strict=True):
            normed, states = self._graph.add_and_norm(states, step.change(normed), *following)
        return normed


def encoder_graph(
    config: ModelConfig, encoder: Weights, stacks: Sequence[Weights], precision: Precision
) -> Graph:
    """Return the graph from embedded source tokens to the keys and values of all decoder layers."""
    graph = Graph("encoder", precision)
    states = graph.add_input("states", ("B", "S", config.width))
    mask = graph.add_input("mask", ("B", "S"), TensorProto.INT32)
    writer = StackWriter(graph, config)
    read = writer.keys_and_values(writer.encoder(states, mask, encoder), stacks)
    for index, value in enumerate(read):
        graph.add_output(value, f"source_{index}", ("B", config.heads, "S", config.width // config.heads))
    return graph


def stack_graph(config: ModelConfig, stack: Weights, precision: Precision) -> Graph:
    """Return the graph of a decoder stack that sees the whole canvas."""
    graph = Graph("stack", precision)
    states = graph.add_input("states", ("B", "T", config.width))
    mask = graph.add_input("mask", ("B", "T"), TensorProto.INT32)
    source_mask = graph.add_input("source_mask", ("B", "S"), TensorProto.INT32)
    shape = ("B", config.heads, "S", config.width // config.heads)
    sources = [graph.add_input(f"source_{index}", shape) for index in range(2 * config.decoder_layers)]
    output = StackWriter(graph, config).decoder(states, mask, sources, source_mask, stack)
    graph.add_output(output, "output", ("B", "T", config.width))
    return graph


def step_graph(config: ModelConfig, stack: Weights, precision: Precision) -> Graph:
    """Return the graph of a causal decoder's next step; what it has read goes in, and comes out longer."""
    graph = Graph("step", precision)
    sizes = ("B", config.heads, "P", config.width // config.heads)
    states = graph.add_input("states", ("B", "K", config.width))
    bias = graph.add_input("bias", ("B", 1, "K", "Q"))
    source_mask = graph.add_input("source_mask", ("B", "S"), TensorProto.INT32)
    layers = range(2 * config.decoder_layers)
    sources = [graph.add_input(f"source_{index}", ("B", sizes[1], "S", sizes[3])) for index in layers]
    past = Past([graph.add_input(f"past_{index}", sizes) for index in layers], bias, source_mask)
    output, grown = StackWriter(graph, config).decoder_step(states, past, sources, stack)
    graph.add_output(output, "output", ("B", "K", config.width))
    for index, value in enumerate(grown):
        graph.add_output(value, f"grown_{index}", ("B", sizes[1], "Q", sizes[3]))
    return graph


def placeholder_graph(weight: Floats) -> Graph:
    """Return the graph of the placeholder head: from the states of two neighbours to scores of counts.

    In float32, as the reposition head: it costs next to nothing, and a wrong count costs an iteration.
    """
    classes, width = weight.shape
    graph = Graph("placeholder_head", "float32")
    pairs = graph.add_input("pairs", ("B", "G", width))
    graph.add_output(graph.linear(pairs, weight), "scores", ("B", "G", classes))
    return graph


def token_graph(weight: Floats, precision: Precision, *, by_rows: bool) -> Graph:
    """Return the graph of the token head: the best words, and their log-probabilities.

    Only these leave the graph, not the scores of the whole vocabulary.
    """
    graph = Graph("token_head", precision)
    states = graph.add_input("states", ("N", weight.shape[1]))
    return _choose_words(graph, graph.linear(states, weight, by_rows=by_rows))


def draft_graph(weight: Floats, precision: Precision) -> Graph:
    """Return the graph of the token head for drafts: how likely some words are, of all but roughly.

    It does as `score_drafted`, in half the time that it takes to find the best words among all of them.
    """
    size = -(-len(weight) // min(DRAFT_BLOCKS, len(weight)))
    padded = np.pad(weight, ((0, -len(weight) % size), (0, 0)), mode="edge")  # the last word, once more
    graph = Graph("draft_head", precision)
    states = graph.add_input("states", ("N", weight.shape[1]))
    words = graph.add_input("words", ("N", "K"), TensorProto.INT64)
    logits = graph.linear(states, padded)
    (own,) = graph.node("GatherElements", [logits, words], {"axis": 1})
    (blocks,) = graph.node("Reshape", [logits, graph.constant(np.array([0, -1, size]))])
    (best,) = graph.node("ReduceMax", [blocks], {"axes": [2], "keepdims": 0})
    (total,) = graph.node("ReduceLogSumExp", [best], {"axes": [1]})
    rank = graph.constant(np.array([min(DRAFT_RANK, len(padded) // size)]))
    ranked, _ = graph.node("TopK", [best, rank], {"axis": -1}, outputs=2)
    (last,) = graph.node("Gather", [ranked, graph.constant(np.array([-1]))], {"axis": 1})
    (floor,) = graph.node("Sub", [last, graph.constant(np.array(DRAFT_MARGIN, dtype=np.float32))])
    (likely,) = graph.node("Max", [own, floor])
    (scores,) = graph.node("Sub", [likely, total])
    graph.add_output(scores, "scores", ("N", "K"))
    return graph


def short_token_graph(width: int, precision: Precision) -> Graph:
    """Return the graph of a token head over a shortlist, whose weights come with each run."""
    graph = Graph("short_token_head", precision)
    states = graph.add_input("states", ("N", width))
    if precision == "float32":
        (logits,) = graph.node("MatMul", [states, graph.add_input("table", (width, "V"))])
    else:
        table = graph.add_input("table", (width, "V"), TensorProto.INT8)
        logits = graph.multiply_rows(states, table, graph.add_input("scales", ("V",)))
    return _choose_words(graph, logits)


def _choose_words(graph: Graph, logits: str) -> Graph:
    """Let the best of the logits (N, V) leave the graph."""
    count = graph.add_input("count", (1,), TensorProto.INT64)
    (known,) = graph.node("LogSoftmax", [logits], {"axis": -1})  # ReduceLogSumExp takes ten times as long
    scores, places = graph.node("TopK", [known, count], {"axis": -1}, outputs=2)
    graph.add_output(places, "places", ("N", "count"), TensorProto.INT64)
    graph.add_output(scores, "scores", ("N", "count"))
    return graph


def reposition_graph(width: int) -> Graph:
    """Return the graph of the reposition head: each state's dot products with the canvas (eq. 1)."""
    graph = Graph("reposition_head", "float32")
    states = graph.add_input("states", ("B", "T", width))
    choices = graph.add_input("choices", ("B", "T", width))
    (turned,) = graph.node("Transpose", [choices], {"perm": [0, 2, 1]})
    (scores,) = graph.node("MatMul", [states, turned])
    graph.add_output(scores, "scores", ("B", "T", "T"))
    return graph


def deletion_graph(weight: Floats) -> Graph:
    """Return the graph of the Levenshtein Transformer's head: scores of keeping and of deleting."""
    classes, width = weight.shape
    graph = Graph("reposition_head", "float32")
    states = graph.add_input("states", ("B", "T", width))
    graph.add_output(graph.linear(states, weight), "scores", ("B", "T", classes))
    return graph
