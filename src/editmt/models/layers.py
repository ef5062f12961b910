"""The parts of a Transformer: attention, feed-forward, and the layers made of them."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from editmt.config import ModelConfig
from editmt.models.packing import Packing

FEW_STATES = 8
"""Up to so many states a CPU multiplies by a weight two to four times as fast from the other side."""


class Projection(nn.Linear):
    """A linear layer that knows from which side to multiply states (N, D).

    For states · weightᵀ a CPU's library copies the weight into an order of its own, which for a few states
    takes longer than the product, and it does not share out what one state needs. For weight · statesᵀ it
    need not copy, but where the weight is wider than high that gains nothing.
    """

    def forward(self, states: Tensor) -> Tensor:
        """Return states · weightᵀ + bias."""
        count = states.shape[0]
        few = states.dim() == 2 and 0 < count <= FEW_STATES
        if not few or self.in_features > self.out_features or states.device.type != "cpu":
            return super().forward(states)
        columns = (states if count > 1 else states.repeat(2, 1)).T  # a single one would take twice as long
        product = (self.weight @ columns)[:, :count].T
        if self.bias is not None:
            product = product + self.bias
        return product.contiguous()


class KeysValues(NamedTuple):
    """What attention reads: computed once for each encoder state, and for each past token."""

    keys: Tensor  # (B, H, S, D/H)
    values: Tensor  # (B, H, S, D/H)


class Memory(NamedTuple):
    """The rows of tokens that attention reads, and where in them it may look."""

    tokens: KeysValues
    mask: Tensor | None  # (B, 1, 1 or T, S) True = a token to look at; None = everywhere


class Dropout(nn.Module):
    """Zeroes a share of the numbers, and scales the others up.

    On CPUs torch's own draws a number for each place, which takes as long as a matrix product, and keeps its
    mask as floats, a seventh of a small model's activations. Here one number serves four places, so that the
    share is a multiple of 1/65536, and the mask is kept as bytes.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, states: Tensor) -> Tensor:
        """Return the states with some numbers dropped, in training only."""
        if not (self.training and self.share):
            return states
        if states.device.type != "cpu":
            return functional.dropout(states, self.share)
        numbers = torch.empty(-(-states.numel() // 4), dtype=torch.int64).random_(-(2**63), None)
        lots = numbers.view(torch.int16)[: states.numel()].view(states.shape)  # −32768 … 32767
        kept = lots >= round(self.share * 65536) - 32768
        return states * (1 / (1 - self.share)) * kept  # in half of the time of `masked_fill`


class Attention(nn.Module):
    """Multi-head attention; whoever calls it decides what is read."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.query = Projection(config.width, config.width)
        self.key_value = Projection(config.width, 2 * config.width)
        self.output = Projection(config.width, config.width)

    def read(self, states: Tensor, packing: Packing) -> KeysValues:
        """Project states (N, D) to the keys and values that others attend to."""
        keys, values = packing.spread(self.key_value(states)).chunk(2, dim=-1)
        return KeysValues(self._split(keys), self._split(values))

    def forward(self, states: Tensor, packing: Packing, memory: Memory, *, causal: bool = False) -> Tensor:
        """Attend from each state (N, D) to the memory of its row; `causal`: only to what is before it."""
        heads = attend(self._split(packing.spread(self.query(states))), memory, causal=causal)
        output: Tensor = self.output(packing.pack(heads.transpose(1, 2).flatten(2)))
        return output

    def _split(self, states: Tensor) -> Tensor:
        rows, length, width = states.shape  # there may be no rows: -1 would not do
        return states.view(rows, length, self.heads, width // self.heads).transpose(1, 2)


def attend(queries: Tensor, memory: Memory, *, causal: bool) -> Tensor:
    """Return what each query (B, H, T, D/H) reads of its row's memory: (B, H, T, D/H).

    On CPUs always in float32 where there will be a gradient: that of bfloat16 takes nine times as long.
    """
    keys, values = memory.tokens
    narrow = queries.dtype == torch.bfloat16 and queries.device.type == "cpu" and queries.requires_grad
    if not narrow:
        return functional.scaled_dot_product_attention(queries, keys, values, memory.mask, is_causal=causal)
    with torch.autocast("cpu", enabled=False):
        return functional.scaled_dot_product_attention(
            queries.float(), keys.float(), values.float(), memory.mask, is_causal=causal
        )


class Residual(nn.Module):
    """x + f(x), normalised before f ("pre") or after the sum ("post", the paper's)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.dropout = Dropout(config.dropout)
        self.pre = config.norm == "pre"

    def enter(self, states: Tensor) -> Tensor:
        """Return what f gets to see."""
        normed: Tensor = self.norm(states) if self.pre else states
        return normed

    def leave(self, states: Tensor, change: Tensor) -> Tensor:
        """Add what f gave."""
        total = states + self.dropout(change)
        normed: Tensor = total if self.pre else self.norm(total)
        return normed


class FeedForward(nn.Module):
    """The position-wise two-layer network, with its residual."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.residual = Residual(config)
        self.inner = Projection(config.width, config.feedforward)
        self.outer = Projection(config.feedforward, config.width)

    def forward(self, states: Tensor) -> Tensor:
        """Return the states (N, D) after the layer."""
        hidden = torch.relu_(self.inner(self.residual.enter(states)))
        return self.residual.leave(states, self.outer(hidden))


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.residual = Residual(config)
        self.feedforward = FeedForward(config)

    def forward(self, states: Tensor, packing: Packing, mask: Tensor | None) -> Tensor:
        """Return the states (N, D) after the layer."""
        seen = self.residual.enter(states)
        memory = Memory(self.attention.read(seen, packing), mask)
        output: Tensor = self.feedforward(self.residual.leave(states, self.attention(seen, packing, memory)))
        return output


class DecoderLayer(nn.Module):
    """Self-attention, attention to the source, feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.residual = Residual(config)
        self.source_attention = Attention(config)
        self.source_residual = Residual(config)
        self.feedforward = FeedForward(config)

    def forward(
        self, states: Tensor, packing: Packing, mask: Tensor | None, source: Memory, *, causal: bool = False
    ) -> Tensor:
        """Return the states (N, D) after the layer; all see all of their row, or each what is before it."""
        seen = self.residual.enter(states)
        memory = Memory(self.attention.read(seen, packing), mask)
        change = self.attention(seen, packing, memory, causal=causal)
        return self.attend_source(self.residual.leave(states, change), packing, source)

    def at_places(
        self, states: Tensor, packing: Packing, mask: Tensor | None, source: Memory, places: Tensor
    ) -> Tensor:
        """Return the states after the layer at some places (B, T) only, which see all others: (N', D)."""
        seen = self.residual.enter(states)
        memory = Memory(self.attention.read(seen, packing), mask)
        some = Packing.of(places)
        change = self.attention(some.pack(packing.spread(seen)), some, memory)
        before = some.pack(packing.spread(states))
        return self.attend_source(self.residual.leave(before, change), some, source)[: some.count]

    def attend_source(self, states: Tensor, packing: Packing, source: Memory) -> Tensor:
        """Do the layer's second and third part."""
        change = self.source_attention(self.source_residual.enter(states), packing, source)
        output: Tensor = self.feedforward(self.source_residual.leave(states, change))
        return output
