"""An exported autoregressive model on ONNX Runtime: its steps, and the cache of what it has read."""

from pathlib import Path

import numpy as np

from editmt.config import ModelConfig
from editmt.runtime.cpu_folder import EMBEDDINGS_FILE
from editmt.runtime.cpu_source import Array, CpuEncoder, CpuSource, Floats, Integers, Mask
from editmt.runtime.embedding import EmbeddingTable
from editmt.runtime.sessions import Session

HIDDEN = np.float32(-1e9)
"""Added to the attention of what a hypothesis does not see."""


class CpuCache:
    """The keys and values of every token that was ever in a beam, and which of them each hypothesis sees.

    None is copied when the beam is sorted anew: only `seen` is.
    """

    def __init__(self, config: ModelConfig, rows: int, beam: int) -> None:
        shape = (rows, config.heads, 0, config.width // config.heads)
        self.arrays: list[Array] = [np.empty(shape, dtype=np.float32)] * (2 * config.decoder_layers)
        self._seen: Mask = np.zeros((rows, beam, 0), dtype=bool)  # (B, K, P)
        self.length = 0

    def grow(self) -> Floats:
        """Begin a new token, which each hypothesis sees of itself only; return the bias (B, 1, K, P)."""
        rows, beam, _ = self._seen.shape
        own = np.broadcast_to(np.eye(beam, dtype=bool), (rows, beam, beam))
        self._seen = np.concatenate([self._seen, own], axis=2)
        self.length += 1
        return np.where(self._seen, np.float32(0), HIDDEN)[:, None]

    def select(self, rows: Integers, parents: Integers) -> None:
        """Go on with the hypotheses `parents` (B', K) of the sentences `rows` (B',)."""
        if len(rows) < len(self._seen):
            self.arrays = [array[rows] for array in self.arrays]
        self._seen = self._seen[rows[:, None], parents]


class CpuSearchModel:
    """The graphs of an autoregressive model."""

    def __init__(self, config: ModelConfig, folder: Path) -> None:
        self.config = config
        arrays = dict(np.load(folder / EMBEDDINGS_FILE))
        self._target = EmbeddingTable(arrays, "target")
        self._word_ids: Integers = arrays["word_ids"]
        self.encode = CpuEncoder(arrays, folder).encode
        self._decoder = Session(folder / "decoder.onnx")
        self._tokens = Session(folder / "token_head.onnx")

    @property
    def vocabulary(self) -> int:
        """How many tokens it chooses among."""
        return len(self._word_ids)

    def step(self, source: CpuSource, cache: CpuCache, ids: Integers, count: int) -> tuple[Integers, Floats]:
        """Return the `count` best tokens after `ids` (B, K), the hypotheses' newest, and their scores."""
        states = self._target.embed_at(ids, cache.length)
        bias = cache.grow()
        output, *cache.arrays = self._decoder.run([states, bias, source.mask, *source.arrays, *cache.arrays])
        flat = output.reshape(-1, output.shape[-1])
        places, scores = self._tokens.run([flat, np.array([min(count, len(self._word_ids))])])
        return self._word_ids[places].reshape(*ids.shape, -1), scores.reshape(*ids.shape, -1)
