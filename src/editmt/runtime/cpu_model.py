"""An exported edit model on ONNX Runtime, NumPy in and NumPy out, without torch."""

from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from editmt.config import ModelConfig
from editmt.errors import InputError
from editmt.runtime.cpu_folder import DRAFT_HEAD, EMBEDDINGS_FILE, SHORTLIST_FILE
from editmt.runtime.cpu_source import Array, CpuEncoder, CpuSource, Floats, Integers, Mask
from editmt.runtime.embedding import EmbeddingTable
from editmt.runtime.sessions import Session
from editmt.runtime.shortlist import Shortlist


class ShortWords(NamedTuple):
    """The words that a batch of sources may have in its translations, and their columns of the output."""

    ids: Integers  # (V',)
    columns: tuple[Array, ...]  # (D, V'), and with 8 bits the scales (V',)


class CpuEditModel:
    """The graphs of an edit model; `shared`: all heads read one stack's states.

    `shortlist`: words are chosen among the likely ones only.
    """

    def __init__(self, config: ModelConfig, folder: Path, *, shortlist: bool = False) -> None:
        self.config = config
        self.shared = config.stacks == "shared"
        arrays = dict(np.load(folder / EMBEDDINGS_FILE))
        self._target = EmbeddingTable(arrays, "target")
        self._delete: Floats | None = arrays.get("delete")
        self._word_ids: Integers = arrays["word_ids"]
        self.encode = CpuEncoder(arrays, folder).encode
        self._insertion = Session(folder / "insertion.onnx")
        self._reposition = self._insertion if self.shared else Session(folder / "reposition.onnx")
        self._heads = {
            name: Session(folder / f"{name}_head.onnx") for name in ("placeholder", "reposition", "token")
        }
        self._draft_file = folder / f"{DRAFT_HEAD}.onnx"
        self._shortlist: Shortlist | None = None
        if shortlist:
            self._load_shortlist(folder)

    def _load_shortlist(self, folder: Path) -> None:
        if not (folder / SHORTLIST_FILE).exists():
            raise InputError(f"{folder}: there is no shortlist; `editmt export --shortlist` makes one")
        arrays = dict(np.load(folder / SHORTLIST_FILE))
        self._shortlist = Shortlist(arrays["likely"].astype(np.int64), arrays["frequent"].astype(np.int64))
        self._tables = [arrays[name] for name in ("table", "scales") if name in arrays]
        self._heads["short_token"] = Session(folder / "short_token_head.onnx")

    def insertion_states(self, source: CpuSource, ids: Integers, mask: Mask) -> Floats:
        """Return the states (B, T, D) that the placeholder and the token head read."""
        layers = source.arrays[: 2 * self.config.decoder_layers]
        return self._states(self._insertion, layers, source, ids, mask)

    def reposition_states(self, source: CpuSource, ids: Integers, mask: Mask) -> Floats:
        """Return the states (B, T, D) that the reposition head reads."""
        layers = source.arrays[-2 * self.config.decoder_layers :]
        return self._states(self._reposition, layers, source, ids, mask)

    def reposition_scores(self, states: Floats, ids: Integers) -> Floats:
        """Score for each place which token comes to stand there: (B, T, T), column 0 is deletion."""
        if self._delete is None:
            return self._deletion_scores(states)
        choices = self._target.tokens(ids)
        choices[:, 0] = self._delete  # instead of <s>, which never moves
        scores: Floats = self._heads["reposition"].run([states, choices])[0]
        return scores

    def placeholder_scores(self, states: Floats) -> Floats:
        """Score each number of placeholders for each gap: (B, G, 256)."""
        pairs = np.concatenate([states[:, :-1], states[:, 1:]], axis=-1)
        scores: Floats = self._heads["placeholder"].run([pairs])[0]
        return scores

    def best_words(
        self, states: Floats, count: int, words: ShortWords | None = None
    ) -> tuple[Integers, Floats]:
        """Return the `count` best words, or all there are, for each state (N, D), and their scores."""
        if words is not None:
            return self._best_of(words, states, count)
        most = np.array([min(count, len(self._word_ids))])
        places, scores = self._heads["token"].run([states, most])
        return self._word_ids[places], scores

    @cached_property
    def _draft_head(self) -> Session | None:
        """Its graph, loaded when first used: a second table of all words, which only users' words need."""
        return Session(self._draft_file) if self._draft_file.exists() else None

    def score_drafted(self, states: Floats, tokens: Integers) -> Floats | None:
        """Return how likely tokens (N, K) are where the states (N, D) are, roughly; None without a graph."""
        if self._draft_head is None:
            return None
        places = np.searchsorted(self._word_ids, tokens)
        scores: Floats = self._draft_head.run([states, places])[0]
        return scores

    def choose_words(self, source_ids: Integers) -> ShortWords | None:
        """Return the shortlist's words for a batch of sources, if there is one."""
        if self._shortlist is None:
            return None
        ids = self._shortlist.words(source_ids)
        columns = tuple(np.ascontiguousarray(table[ids].T) for table in self._tables)
        return ShortWords(ids, columns)

    def _best_of(self, words: ShortWords, states: Floats, count: int) -> tuple[Integers, Floats]:
        most = np.array([min(count, len(words.ids))])
        places, scores = self._heads["short_token"].run([states, *words.columns, most])
        return words.ids[places], scores

    def _deletion_scores(self, states: Floats) -> Floats:
        """Write keeping and deleting as a reposition that moves nothing."""
        keep, delete = np.moveaxis(self._heads["reposition"].run([states])[0], -1, 0)  # (B, T) each
        scores: Floats = np.eye(states.shape[1], dtype=np.float32) * keep[:, :, None]
        scores[:, :, 0] = delete
        return scores

    def _states(
        self, stack: Session, layers: tuple[Array, ...], source: CpuSource, ids: Integers, mask: Mask
    ) -> Floats:
        inputs = [self._target.embed(ids), mask.astype(np.int32), source.mask, *layers]
        states: Floats = stack.run(inputs)[0]
        return states
