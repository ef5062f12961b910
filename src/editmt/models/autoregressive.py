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
        return states[: packing.count]

    def start_cache(self, rows: int, beam: int, length: int) -> "Cache":
        """Make room for `length` tokens of `beam` hypotheses of each of so many sentences."""
        return Cache(self.config, (rows, beam, length), self.output.weight)

    def step(self, source: Source, cache: "Cache", ids: Tensor) -> Tensor:
        """Score the token after the newest of each hypothesis, `ids` (B, K): (B, K, V).

        The K hypotheses of a sentence ask its source, and its cache, together, as K queries of one
        attention, so that nothing of either is copied.
        """
        packing, newest = Packing(*ids.shape), ids.flatten()
        states = self.target_embedding(newest, torch.full_like(newest, cache.length))  # (B·K, D)
        cache.grow()
        for index, layer in enumerate(self.decoder.decoder_layers):
            seen = layer.residual.enter(states)
            past = cache.append(index, layer.attention.read(seen, packing))
            states = layer.residual.leave(states, layer.attention(seen, packing, past))
            states = layer.attend_source(states, packing, source.memory(index))
        logits: Tensor = self.output(self.decoder.norm(states))  # (B·K, V)
        return logits.view(*ids.shape, -1)


class Cache:
    """The keys and values of every token that was ever in a beam, and which of them each hypothesis sees.

    Hypotheses share their past. So none is copied when the beam is sorted anew, only the mask is: a
    hypothesis looks at all of its sentence's tokens, and sees its own. That costs attention K times the keys,
    but these are few beside the weights, while the copies of all layers at each step were a quarter of the
    time.
    """

    def __init__(self, config: ModelConfig, sizes: tuple[int, int, int], like: Tensor) -> None:
        rows, beam, length = sizes
        width = config.width // config.heads
        self._room = like.new_empty(config.decoder_layers, 2, rows, config.heads, length * beam, width)
        self._seen = like.new_zeros(rows, beam, length, beam, dtype=torch.bool)  # (B, K, T, K)
        self.length = 0

    def grow(self) -> None:
        """Begin a new token, which each hypothesis will see of itself only."""
        beam = self._seen.shape[1]
        self._seen[:, :, self.length] = torch.eye(beam, dtype=torch.bool, device=self._seen.device)
        self.length += 1

    def append(self, layer: int, new: KeysValues) -> Memory:
        """Write the newest tokens' keys and values (B, H, K, D/H), and return all of that layer's."""
        beam = self._seen.shape[1]
        used = self.length * beam
        for room, part in zip((self._room[layer, 0], self._room[layer, 1]), new, strict=True):
            room[:, :, used - beam : used] = part
        mask = self._seen[:, None, :, : self.length].flatten(3)  # (B, 1, K, T·K)
        return Memory(KeysValues(*self._room[layer, :, :, :, :used]), None if beam == 1 else mask)

    def select(self, rows: Tensor, parents: Tensor) -> None:
        """Go on with the hypotheses `parents` (B', K) of the sentences `rows` (B',), which rise."""
        self._seen = self._seen[rows[:, None], parents]
        if len(rows) < self._room.shape[2]:
            used = self._room[:, :, :, :, : self.length * self._seen.shape[1]]
            for new, old in enumerate(rows.tolist()):
                if new < old:
                    used[:, :, new] = used[:, :, old]  # in its place: a new room would cost more
            self._room = self._room[:, :, : len(rows)]
