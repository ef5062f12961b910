"""What the edit models answer with: the reposition, deletion and placeholder classifiers (eq. 1 and 2)."""

import torch
from torch import Tensor, nn

from editmt.config import ModelConfig
from editmt.edits import DELETE, Canvas
from editmt.text import SYMBOLS

MOST_PLACEHOLDERS = 255
IMPOSSIBLE = -1e9
"""The logit of what may not be chosen: finite, so that a row of nothing else gives no NaN."""

DRAFT_BLOCKS = 160
"""Parts of the vocabulary of which a draft knows the best word only: to rank all takes long."""

DRAFT_RANK = 16
"""Of the blocks' best words the one that a draft's unlikely words are compared with."""

DRAFT_MARGIN = 1.0
"""How much less likely than that one any other word is, at the least."""


class RepositionHead(nn.Module):
    """π_rps: the dot product of each state with the embeddings of the canvas and a deletion vector b.

    Differs: in the authors' code b is the embedding of `<s>` and padding takes part in the softmax. Here b
    is learned, as in the paper, padding is masked, and the boundaries are fixed in the softmax itself.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.delete = nn.Parameter(torch.empty(config.width).normal_(std=config.width**-0.5))

    def forward(self, states: Tensor, embeddings: Tensor, canvas: Canvas) -> Tensor:
        """Score for each place which token comes to stand there: (B, T, T), column 0 is deletion."""
        logits = states @ embeddings.transpose(1, 2)  # (B, T, T)
        logits = torch.cat([(states @ self.delete)[:, :, None], logits[:, :, 1:]], dim=2)
        interior: Tensor = canvas.interior
        choices = interior.clone()
        choices[:, DELETE] = True
        return widen(logits).masked_fill(~_allowed(interior, choices[:, None, :]), IMPOSSIBLE)


class DeletionHead(nn.Module):
    """The Levenshtein Transformer's: keep or delete, in the form of a reposition that moves nothing."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.classes = nn.Linear(config.width, 2, bias=False)

    def forward(self, states: Tensor, _embeddings: Tensor, canvas: Canvas) -> Tensor:
        """Score for each place to keep its token or to delete it: (B, T, T), column 0 is deletion."""
        keep, delete = self.classes(states).unbind(-1)  # (B, T) each
        logits = torch.diag_embed(keep)  # (B, T, T)
        logits = torch.cat([delete[:, :, None], logits[:, :, 1:]], dim=2)
        choices = torch.eye(states.shape[1], dtype=torch.bool, device=states.device)
        choices[:, DELETE] = True
        return widen(logits).masked_fill(~_allowed(canvas.interior, choices[None]), IMPOSSIBLE)


class PlaceholderHead(nn.Module):
    """π_plh: how many placeholders between two neighbours, from the states of both."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.classes = nn.Linear(2 * config.width, MOST_PLACEHOLDERS + 1, bias=False)

    def forward(self, states: Tensor) -> Tensor:
        """Score each count for each gap: (B, G, 256)."""
        logits: Tensor = self.classes(torch.cat([states[:, :-1], states[:, 1:]], dim=-1))
        return logits


def widen(numbers: Tensor) -> Tensor:
    """Return the numbers as float32 if autocast made them narrower."""
    return numbers.to(torch.promote_types(numbers.dtype, torch.float32))


def word_logits(logits: Tensor) -> Tensor:
    """Return the scores without those of the special symbols, which are no words: (N, V − symbols)."""
    return logits[:, len(SYMBOLS) :]


def score_drafted(logits: Tensor, words: Tensor) -> Tensor:
    """Return how likely words (N, K), counted from the first that is no symbol, are at places of a draft.

    They are log-probabilities among the words (N, V) that are the best of their blocks. What is unlikely
    is so by how sure the model is: the surer, the less it lets anything else stand there.
    """
    blocks = min(DRAFT_BLOCKS, logits.shape[1])
    size = -(-logits.shape[1] // blocks)
    padded = nn.functional.pad(logits, (0, -logits.shape[1] % size), value=IMPOSSIBLE)
    best = padded.view(len(padded), -1, size).amax(2)  # (N, blocks)
    floor = best.topk(min(DRAFT_RANK, best.shape[1]), dim=1).values[:, -1:] - DRAFT_MARGIN
    likely: Tensor = torch.maximum(logits.gather(1, words), floor)
    return likely - best.logsumexp(1, keepdim=True)


def best_word(logits: Tensor) -> Tensor:
    """Return the best-scored id (N,) that is no special symbol."""
    return word_logits(logits).argmax(-1) + len(SYMBOLS)


def score_best_word(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return the best word (N,) and its log-probability among words (N,); overwrites the logits (N, V).

    They are as many numbers as a small model's layers take: no copy, and three passes over them.
    """
    words = word_logits(logits)
    score, best = words.max(-1)
    return best + len(SYMBOLS), -words.sub_(score[:, None]).exp_().sum(-1).log()


def largest_word(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Return the largest score of any id (N,), and the best-scored id that is no special symbol (N,)."""
    score, best = word_logits(logits).max(-1)
    return torch.maximum(score, logits[:, : len(SYMBOLS)].amax(-1)), best + len(SYMBOLS)


def _allowed(interior: Tensor, choices: Tensor) -> Tensor:
    """Let places inside the sentence choose, and boundaries and padding stay: (B, T, T)."""
    own = torch.eye(interior.shape[1], dtype=torch.bool, device=interior.device)
    return torch.where(interior[:, :, None], choices, own)
