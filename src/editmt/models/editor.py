"""EDITOR and the Levenshtein Transformer: an encoder, one or two decoder stacks, three heads (§3.1)."""

from typing import NamedTuple

from torch import Tensor

from editmt.config import ModelConfig
from editmt.edits import Canvas
from editmt.models.heads import DeletionHead, PlaceholderHead, RepositionHead
from editmt.models.packing import Packing
from editmt.models.transformer import DecoderStack, Source, Transformer, attention_mask


class EditSource(NamedTuple):
    """An encoded source as the two stacks read it; the same when they share one."""

    insertion: Source
    reposition: Source

    def select(self, rows: Tensor) -> "EditSource":
        """Return some of the sentences."""
        chosen = self.insertion.select(rows)
        shared = self.reposition is self.insertion
        return EditSource(chosen, chosen if shared else self.reposition.select(rows))


class EditModel(Transformer):
    """The policy network: for a source and a canvas, scores of each kind of action.

    The placeholder and the token head run, one after the other, over the *insertion* stack; the reposition
    head (deletion head of the Levenshtein Transformer) over a stack of its own, or the same one.
    """

    def __init__(self, config: ModelConfig, source_vocabulary: int, target_vocabulary: int) -> None:
        super().__init__(config, source_vocabulary, target_vocabulary)
        self.insertion = DecoderStack(config)
        self.reposition = DecoderStack(config) if config.stacks == "own" else self.insertion
        self.placeholder_head = PlaceholderHead(config)
        heads = {"editor": RepositionHead, "levenshtein": DeletionHead}
        self.reposition_head = heads[config.kind](config)
        self.initialise()

    @property
    def stacks(self) -> tuple[DecoderStack, ...]:
        """The decoder stacks, each once."""
        return (self.insertion,) if self.shared else (self.insertion, self.reposition)

    @property
    def shared(self) -> bool:
        """Whether all heads read one stack."""
        return self.reposition is self.insertion

    def encode(self, ids: Tensor, mask: Tensor) -> EditSource:
        """Encode source ids (B, S), and project the states once for each stack."""
        sources = self.read_source(ids, mask)
        return EditSource(insertion=sources[0], reposition=sources[-1])

    def reposition_logits(self, source: EditSource, canvas: Canvas) -> Tensor:
        """Score which token comes to stand at each place: (B, T, T), column 0 is deletion (eq. 1)."""
        return self.score_moves(self.reposition_states(source, canvas), canvas)

    def placeholder_logits(self, source: EditSource, canvas: Canvas) -> Tensor:
        """Score the number of placeholders in each gap: (B, G, 256) (eq. 2)."""
        return self.score_counts(self.insertion_states(source, canvas))

    def reposition_states(self, source: EditSource, canvas: Canvas) -> Tensor:
        """Return what the reposition stack makes of the canvas: (B, T, D)."""
        packing = Packing.of(canvas.mask)
        return packing.spread(self._decode(self.reposition, source.reposition, canvas, packing))

    def insertion_states(self, source: EditSource, canvas: Canvas) -> Tensor:
        """Return what the insertion stack makes of the canvas: (B, T, D)."""
        packing = Packing.of(canvas.mask)
        return packing.spread(self._decode(self.insertion, source.insertion, canvas, packing))

    def score_moves(self, states: Tensor, canvas: Canvas) -> Tensor:
        """Let the reposition head read the states of a canvas: (B, T, T)."""
        logits: Tensor = self.reposition_head(states, self.target_embedding.tokens(canvas.ids), canvas)
        return logits

    def score_counts(self, states: Tensor) -> Tensor:
        """Let the placeholder head read states: (B, G, 256)."""
        logits: Tensor = self.placeholder_head(states)
        return logits

    def token_states(self, source: EditSource, canvas: Canvas, places: Tensor) -> Tensor:
        """Return the states at the places (B, T) where a word is wanted: (N, D).

        The scores of words are their product with `output.weight` (eq. 3): N × V numbers, which training
        never holds all at once.
        """
        packing = Packing.of(canvas.mask)
        embedded = self.target_embedding.embed_batch(canvas.ids, packing)
        mask = attention_mask(canvas.mask, packing)
        return self.insertion.at_places(embedded, packing, mask, source.insertion, places)

    def _decode(self, stack: DecoderStack, source: Source, canvas: Canvas, packing: Packing) -> Tensor:
        """Return a stack's states of the canvas's tokens (N, D)."""
        states: Tensor = stack(
            self.target_embedding.embed_batch(canvas.ids, packing),
            packing,
            attention_mask(canvas.mask, packing),
            source,
        )
        return states
