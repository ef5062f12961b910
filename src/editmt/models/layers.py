"""The parts of a Transformer: attention, feed-forward, and the layers made of them."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from editmt.config import ModelConfig


class KeysValues(NamedTuple):
    """What attention reads: computed once for each encoder state, and for each past token."""

    keys: Tensor  # (B, H, S, D/H)
    values: Tensor  # (B, H, S, D/H)


class Attention(nn.Module):
    """Multi-head attention; whoever calls it decides what is read."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.query = nn.Linear(config.width, config.width)
        self.key_value = nn.Linear(config.width, 2 * config.width)
        self.output = nn.Linear(config.width, config.width)

    def read(self, states: Tensor) -> KeysValues:
        """Project states (B, S, D) to the keys and values that others attend to."""
        keys, values = self.key_value(states).chunk(2, dim=-1)
        return KeysValues(self._split(keys), self._split(values))

    def forward(
        self, states: Tensor, memory: KeysValues, mask: Tensor | None, *, causal: bool = False
    ) -> Tensor:
        """Attend from each state (B, T, D) to the memory; `mask` (B, 1, 1 or T, S) is True where it may."""
        heads = functional.scaled_dot_product_attention(
            self._split(self.query(states)), memory.keys, memory.values, attn_mask=mask, is_causal=causal
        )  # (B, H, T, D/H)
        output: Tensor = self.output(heads.transpose(1, 2).flatten(2))
        return output

    def _split(self, states: Tensor) -> Tensor:
        rows, length, width = states.shape  # there may be no rows: -1 would not do
        return states.view(rows, length, self.heads, width // self.heads).transpose(1, 2)


class Residual(nn.Module):
    """x + f(x), normalised before f ("pre") or after the sum ("post", the paper's)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)
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
        self.inner = nn.Linear(config.width, config.feedforward)
        self.outer = nn.Linear(config.feedforward, config.width)

    def forward(self, states: Tensor) -> Tensor:
        """Return the states (B, T, D) after the layer."""
        hidden = torch.relu(self.inner(self.residual.enter(states)))
        return self.residual.leave(states, self.outer(hidden))


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.residual = Residual(config)
        self.feedforward = FeedForward(config)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the states (B, S, D) after the layer."""
        seen = self.residual.enter(states)
        states = self.residual.leave(states, self.attention(seen, self.attention.read(seen), mask))
        output: Tensor = self.feedforward(states)
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
        self,
        states: Tensor,
        mask: Tensor | None,
        source: KeysValues,
        source_mask: Tensor,
        *,
        causal: bool = False,
    ) -> Tensor:
        """Return the states (B, T, D) after the layer; all see all, or each what is before it."""
        seen = self.residual.enter(states)
        change = self.attention(seen, self.attention.read(seen), mask, causal=causal)
        return self.attend_source(self.residual.leave(states, change), source, source_mask)

    def attend_source(self, states: Tensor, source: KeysValues, source_mask: Tensor) -> Tensor:
        """Do the layer's second and third part."""
        change = self.source_attention(self.source_residual.enter(states), source, source_mask)
        output: Tensor = self.feedforward(self.source_residual.leave(states, change))
        return output
