"""One Transformer for every model: embeddings, an encoder, and decoder stacks over it."""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from editmt.config import ModelConfig
from editmt.models.layers import DecoderLayer, Dropout, EncoderLayer, KeysValues, Memory, Projection
from editmt.models.packing import Packing
from editmt.text import PAD


class Source(NamedTuple):
    """An encoded source, as one decoder stack reads it: the keys and values of each layer, computed once."""

    layers: tuple[KeysValues, ...]
    mask: Tensor  # (B, S) True = a token
    padded: bool  # whether anything is masked: attention takes twice as long with a mask

    def memory(self, layer: int) -> Memory:
        """Return what one layer attends to."""
        return Memory(self.layers[layer], self.mask[:, None, None, :] if self.padded else None)

    def tensors(self) -> list[Tensor]:
        """Return all keys and values."""
        return [part for layer in self.layers for part in layer]

    def detach(self) -> "Source":
        """Return the same, cut off from what it was computed from, with a gradient of its own."""
        layers = (KeysValues(*(part.detach().requires_grad_() for part in layer)) for layer in self.layers)
        return Source(tuple(layers), self.mask, self.padded)

    def select(self, rows: Tensor) -> "Source":
        """Return the sources of these rows only."""
        layers = tuple(KeysValues(layer.keys[rows], layer.values[rows]) for layer in self.layers)
        return Source(layers, self.mask[rows], self.padded)


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
        self.dropout = Dropout(config.dropout)
        self.scale = math.sqrt(config.width)

    def forward(self, ids: Tensor, places: Tensor) -> Tensor:
        """Embed ids (N,) that stand at such places of their sentences: (N, D).

        Places past `max_length` are taken for the last: only roll-in and users' canvases come there.
        """
        places = places.clamp(max=len(self.positions) - 1)
        total = self.tokens(ids) * self.scale + functional.embedding(places, self.positions)
        states: Tensor = self.dropout(total)
        return states

    def embed_batch(self, ids: Tensor, packing: Packing) -> Tensor:
        """Embed the tokens of a padded batch of ids (B, T): (N, D)."""
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        states: Tensor = self(packing.pack(ids), packing.pack(places))
        return states


class Encoder(nn.Module):
    """The source side."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_layers))
        self.norm = _final_norm(config)

    def forward(self, states: Tensor, packing: Packing, mask: Tensor | None) -> Tensor:
        """Return the encoder's states (N, D); `mask` is (B, 1, 1, S), None where all is to be seen."""
        for layer in self.layers:
            states = layer(states, packing, mask)
        output: Tensor = self.norm(states)
        return output


class DecoderStack(nn.Module):
    """A stack of decoder layers."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_layers))
        self.norm = _final_norm(config)

    def read(self, states: Tensor, packing: Packing, mask: Tensor) -> Source:
        """Project the encoder's states (N, D) once for all passes over this stack."""
        read = (layer.source_attention.read(states, packing) for layer in self.decoder_layers)
        return Source(tuple(read), mask, not packing.whole)

    def forward(
        self, states: Tensor, packing: Packing, mask: Tensor | None, source: Source, *, causal: bool = False
    ) -> Tensor:
        """Return the last layer's states (N, D)."""
        for index, layer in enumerate(self.decoder_layers):
            states = layer(states, packing, mask, source.memory(index), causal=causal)
        output: Tensor = self.norm(states)
        return output

    def at_places(
        self, states: Tensor, packing: Packing, mask: Tensor | None, source: Source, places: Tensor
    ) -> Tensor:
        """Return the last layer's states at some places (B, T): (N', D); elsewhere they are not computed."""
        *others, last = self.decoder_layers
        for index, layer in enumerate(others):
            states = layer(states, packing, mask, source.memory(index))
        output: Tensor = self.norm(last.at_places(states, packing, mask, source.memory(-1), places))
        return output

    @property
    def decoder_layers(self) -> list[DecoderLayer]:
        """The layers, with their type."""
        return [layer for layer in self.layers if isinstance(layer, DecoderLayer)]


class Transformer(nn.Module):
    """What every model has: embeddings of both sides, an encoder, and the output over words.

    A model adds its decoder stacks and heads, and then calls `initialise`.
    """

    def __init__(self, config: ModelConfig, source_vocabulary: int, target_vocabulary: int) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.source_embedding = Embedding(config, source_vocabulary)
        self.target_embedding = Embedding(config, target_vocabulary)
        self.output = Projection(config.width, target_vocabulary, bias=False)

    @property
    def stacks(self) -> tuple[DecoderStack, ...]:
        """The decoder stacks, each once."""
        raise NotImplementedError

    def initialise(self) -> None:
        """Draw the first weights, and tie the embeddings and the output if they are to be one."""
        draw_weights(self, self.config)
        if self.config.tied:
            self.source_embedding.tokens = self.target_embedding.tokens
            self.output.weight = self.target_embedding.tokens.weight

    def read_source(self, ids: Tensor, mask: Tensor) -> tuple[Source, ...]:
        """Encode source ids (B, S), and project the states once for each decoder stack."""
        packing = Packing.of(mask)
        embedded = self.source_embedding.embed_batch(ids, packing)
        states = self.encoder(embedded, packing, attention_mask(mask, packing))
        return tuple(stack.read(states, packing, mask) for stack in self.stacks)


def attention_mask(mask: Tensor, packing: Packing) -> Tensor | None:
    """Turn a mask of tokens (B, S) into one of keys for attention (B, 1, 1, S); None if it hides nothing."""
    return None if packing.whole else mask[:, None, None, :]


def sinusoids(length: int, width: int) -> Tensor:
    """Return the sinusoidal positions of Vaswani et al. (2017): (length, width)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))
    angles = torch.arange(length)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def draw_weights(model: nn.Module, config: ModelConfig) -> None:
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
