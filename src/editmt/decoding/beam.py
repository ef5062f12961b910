"""Beam search for the autoregressive model, a batch of sentences at once; a beam of 1 is greedy search."""

from dataclasses import dataclass, field

import torch
from torch import Tensor

from editmt.models.autoregressive import AutoregressiveModel
from editmt.text import BOS, EOS, PAD, PLH, UNK

NEVER = (PAD, BOS, UNK, PLH)
"""Symbols that are no words."""


@dataclass(frozen=True)
class Hypothesis:
    """A finished translation: its ids without boundaries, and its normalised log-probability."""

    ids: list[int]
    score: float


@dataclass
class Search:
    """The state of one sentence's search."""

    row: int
    most_tokens: int
    finished: list[Hypothesis] = field(default_factory=list)


@torch.inference_mode()
def beam_search(
    model: AutoregressiveModel,
    source_ids: Tensor,
    source_mask: Tensor,
    most_tokens: list[int],
    *,
    beam: int = 4,
    length_power: float = 1.0,
) -> list[Hypothesis]:
    """Return the best translation of each source (B, S).

    A hypothesis that ends is set aside with its score / length ** `length_power`; a sentence is done, and
    leaves the batch, when as many have ended as the beam is wide, or at `most_tokens`, where all must end.
    """
    source = model.encode(source_ids, source_mask)
    searches = [Search(row, most) for row, most in enumerate(most_tokens)]
    going = list(searches)
    cache = model.start_cache(len(going) * beam, max(most_tokens, default=0) + 1)
    scores = source_ids.new_full((len(going), beam), -torch.inf, dtype=torch.float32)
    scores[:, 0] = 0.0  # the beam starts as one hypothesis
    history = source_ids.new_full((len(going), beam, 1), BOS)  # (B, K, tokens so far)
    while going:
        logits = model.step(source, cache, history[:, :, -1])  # (B, K, V)
        length = history.shape[2]  # of a hypothesis that ends now, with its </s>
        _forbid(logits, [length > search.most_tokens for search in going])
        totals = scores[:, :, None] + logits.float().log_softmax(-1)
        values, places = totals.flatten(1).topk(2 * beam, dim=1)  # at most `beam` of these end
        parents, tokens = places // logits.shape[2], places % logits.shape[2]
        ends = tokens == EOS
        _set_aside(going, history, (values, parents, ends), length**length_power, beam)
        # Of what goes on, the best: ended candidates sort last, the order of the others stays.
        order = ends.to(torch.int8).argsort(dim=1, stable=True)[:, :beam]
        scores, parents, tokens = (part.gather(1, order) for part in (values, parents, tokens))
        rows = [row for row, search in enumerate(going) if not _is_done(search, beam, length)]
        kept = torch.tensor(rows, dtype=torch.int64, device=source_ids.device)
        if len(rows) < len(going):
            going = [going[row] for row in rows]
            source = source.select(kept)
        scores, parents, tokens = scores[kept], parents[kept], tokens[kept]
        history = torch.cat([history[kept[:, None], parents], tokens[:, :, None]], dim=2)
        cache.select((kept[:, None] * beam + parents).flatten())
    return [max(search.finished, key=lambda hypothesis: hypothesis.score) for search in searches]


def _forbid(logits: Tensor, must_end: list[bool]) -> None:
    """Rule out symbols that are no words, and at the length limit all but the end."""
    logits[:, :, NEVER] = -torch.inf
    if any(must_end):
        ended = logits[:, :, EOS].clone()
        logits[torch.tensor(must_end, device=logits.device)] = -torch.inf
        logits[:, :, EOS] = ended


def _set_aside(
    going: list[Search], history: Tensor, candidates: tuple[Tensor, Tensor, Tensor], norm: float, beam: int
) -> None:
    """Keep the candidates among the `beam` best that end."""
    values, parents, ends = (part[:, :beam].tolist() for part in candidates)
    for row, search in enumerate(going):
        for value, parent, end in zip(values[row], parents[row], ends[row], strict=True):
            if end and value > -torch.inf and len(search.finished) < beam:
                search.finished.append(Hypothesis(history[row, parent, 1:].tolist(), value / norm))


def _is_done(search: Search, beam: int, length: int) -> bool:
    return len(search.finished) >= beam or length > search.most_tokens
