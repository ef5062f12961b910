"""The autoregressive baseline and teacher: a causal decoder with a cache of keys and values."""

import torch
from torch import Tensor

from editmt.config import ModelConfig
from editmt.models.layers import KeysValues, Memory
from editmt.models.packing import Packing
from editmt.models.transformer import DecoderStack, Source, Transformer


class AutoregressiveModel(Transformer):
    """Vaswani et al.'s Transformer, of the same parts as the edit models."""

    def __init__(self, config: ModelConfig, source_vocabulary: int, target_vocabulary: int) -> None:
        super().__init__(config, source_vocabulary, target_vocabulary)
        self.decoder = DecoderStack(config)
        self.initialise()

    @property
    def stacks(self) -> tuple[DecoderStack, ...]:
        """The one decoder stack."""
        return (self.decoder,)

    def encode(self, ids: Tensor, mask: Tensor) -> Source:
        """Encode source ids (B, S), and project the states once for the decoder."""
        return self.read_source(ids, mask)[0]

    def states(self, source: Source, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the states that predict the token after each of `ids` (B, T) that `mask` tells: (N, D)."""
        packing = Packing.of(mask)
        # No mask of padding: it stands on the right, where a causal decoder does not look.
        states: Tensor = self.decoder(
            self.target_embedding.embed_batch(ids, packing), packing, None, source, causal=True
        )
        return states

    def start_cache(self, rows: int, length: int) -> "Cache":
        """Make room for `length` tokens of so many hypotheses."""
        return Cache(self.config, rows, length, self.output.weight)

    def step(self, source: Source, cache: "Cache", ids: Tensor) -> Tensor:
        """Score the token after the newest of each hypothesis, `ids` (B, K): (B, K, V).

        The K hypotheses of a sentence ask its source together, as K queries of one attention, so that
        nothing of the source is copied.
        """
        rows, beam = ids.shape
        apart, together = Packing(rows * beam, 1), Packing(rows, beam)
        newest = ids.flatten()
        states = self.target_embedding(newest, torch.full_like(newest, cache.length))  # (B·K, D)
        for index, layer in enumerate(self.decoder.decoder_layers):
            states = self._attend_past(index, states, apart, cache)
            states = layer.attend_source(states, together, source.memory(index))
        cache.length += 1
        logits: Tensor = self.output(self.decoder.norm(states))
        return logits.view(rows, beam, logits.shape[1])

    def _attend_past(self, index: int, states: Tensor, packing: Packing, cache: "Cache") -> Tensor:
        layer = self.decoder.decoder_layers[index]
        seen = layer.residual.enter(states)
        past = Memory(cache.append(index, layer.attention.read(seen, packing)), None)
        return layer.residual.leave(states, layer.attention(seen, packing, past))


class Cache:
    """The keys and values of the tokens so far, for each layer; hypotheses are rows."""

    def __init__(self, config: ModelConfig, rows: int, length: int, like: Tensor) -> None:
        shape = (2, config.decoder_layers, rows, config.heads, length, config.width // config.heads)
        self._room = like.new_empty(shape)
        self.length = 0

    def append(self, layer: int, new: KeysValues) -> KeysValues:
        """Write the newest token's keys and values, and return all of that layer's."""
        now = self.length
        self._room[0, layer, :, :, now : now + 1] = new.keys
        self._room[1, layer, :, :, now : now + 1] = new.values
        return KeysValues(*self._room[:, layer, :, :, : now + 1])

    def select(self, rows: Tensor) -> None:
        """Go on with these hypotheses: row i from now on is row `rows[i]` of before."""
        if torch.equal(rows, torch.arange(self._room.shape[2], device=rows.device)):
            return
        self._room = torch.cat(
            [self._room[..., : self.length, :].index_select(2, rows), self._room.new_empty(self._tail(rows))],
            dim=-2,
        )

    def _tail(self, rows: Tensor) -> list[int]:
        shape = list(self._room.shape)
        shape[2], shape[4] = len(rows), shape[4] - self.length
        return shape
