"""One Transformer for every model: embeddings, an encoder, and decoder stacks over it."""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from editmt.config import ModelConfig
from editmt.models.layers import DecoderLayer, EncoderLayer, KeysValues
from editmt.text import PAD


class Source(NamedTuple):
    """An encoded source, as one decoder stack reads it: the keys and values of each layer, computed once."""

    layers: tuple[KeysValues, ...]
    mask: Tensor  # (B, 1, 1, S) True = a token

    def select(self, rows: Tensor) -> "Source":
        """Return the sources of these rows only."""
        layers = tuple(KeysValues(layer.keys[rows], layer.values[rows]) for layer in self.layers)
        return Source(layers, self.mask[rows])


class Embedding(nn.Module):
    """√D · token + position, then dropout."""

    def __init__(self, config: ModelConfig, vocabulary: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, config.width, padding_idx=PAD)
        self.learned = config.positions == "learned"
        if self.learned:
            self.positions = nn.Parameter(torch.empty(config.max_length, config.width))
        else:
            self.register_buffer("positions", sinusoids(config.max_length, config.width), persistent=False)
        self.dropout = nn.Dropout(config.dropout)
        self.scale = math.sqrt(config.width)

    def forward(self, ids: Tensor, first: int = 0) -> Tensor:
        """Embed ids (B, T), whose first stands at place `first`: (B, T, D)."""
        places = self.positions[first : first + ids.shape[1]]
        states: Tensor = self.dropout(self.tokens(ids) * self.scale + places)
        return states


class Encoder(nn.Module):
    """The source side."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.norm = _final_norm(config)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the encoder's states (B, S, D); `mask` is (B, 1, 1, S)."""
        for layer in self.layers:
            states = layer(states, mask)
        output: Tensor = self.norm(states)
        return output


class DecoderStack(nn.Module):
    """A stack of decoder layers."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.norm = _final_norm(config)

    def read(self, states: Tensor, mask: Tensor) -> Source:
        """Project the encoder's states once for all passes over this stack."""
        return Source(tuple(layer.source_attention.read(states) for layer in self.decoder_layers), mask)

    def forward(self, states: Tensor, mask: Tensor | None, source: Source, *, causal: bool = False) -> Tensor:
        """Return the last layer's states (B, T, D)."""
        for layer, memory in zip(self.decoder_layers, source.layers, strict=True):
            states = layer(states, mask, memory, source.mask, causal=causal)
        output: Tensor = self.norm(states)
        return output

    @property
    def decoder_layers(self) -> list[DecoderLayer]:
        """The layers, with their type."""
        return [layer for layer in self.layers if isinstance(layer, DecoderLayer)]


def attention_mask(mask: Tensor) -> Tensor:
    """Turn a mask of tokens (B, S) into one of keys for attention (B, 1, 1, S)."""
    return mask[:, None, None, :]


def sinusoids(length: int, width: int) -> Tensor:
    """Return the sinusoidal positions of Vaswani et al. (2017): (length, width)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = torch.arange(length)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def initialise(model: nn.Module, config: ModelConfig) -> None:
    """Draw the first weights: "bert" is N(0, 0.02²) everywhere, "xavier" that of the first Transformer."""
    for module in model.modules():
        if isinstance(module, nn.Linear):
            if config.init == "bert":
                nn.init.normal_(module.weight, std=0.02)
            else:
                nn.init.xavier_uniform_(module.weight)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, Embedding):
            std = 0.02 if config.init == "bert" else config.width**-0.5
            nn.init.normal_(module.tokens.weight, std=std)
            if module.learned:
                _initialise_positions(module.positions, config)


def _initialise_positions(positions: Tensor, config: ModelConfig) -> None:
    """Small numbers as the authors', or, for a quick start of small runs, the sinusoids."""
    with torch.no_grad():
        if config.init == "bert":
            positions.normal_(std=0.02)
        else:
            positions.copy_(sinusoids(*positions.shape))


def _final_norm(config: ModelConfig) -> nn.Module:
    return nn.LayerNorm(config.width) if config.norm == "pre" else nn.Identity()
