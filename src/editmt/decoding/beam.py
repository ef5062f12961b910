"""Beam search for the autoregressive model, a batch of sentences at once; a beam of 1 is greedy search."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor

from editmt.models.autoregressive import AutoregressiveModel
from editmt.models.transformer import Source
from editmt.text import BOS, EOS, NEVER_WRITTEN


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


class Choice(NamedTuple):
    """The candidates of a step that win: those that end, and, best first, those that go on."""

    ended: list[list[tuple[int, float]]]  # of each sentence: which hypotheses, and their scores
    scores: Tensor  # (B, K)
    parents: Tensor  # (B, K) the hypotheses they continue
    tokens: Tensor  # (B, K)


Choose = Callable[[list[int], Tensor, Tensor], Choice]
"""From the sentences' rows, the hypotheses' scores (B, K) and their next tokens' (B, K, V), to the winners.

This is where one search differs from another. The next tokens' scores may be overwritten."""


def beam_search(
    model: AutoregressiveModel,
    source_ids: Tensor,
    source_mask: Tensor,
    most_tokens: list[int],
    *,
    beam: int = 4,
    length_power: float = 1.0,
) -> list[list[Hypothesis]]:
    """Return the translations of each source (B, S) that were found, the best first; see `search`."""
    with torch.inference_mode():
        source = model.encode(source_ids, source_mask)
    return search(model, source, most_tokens, choose_best, beam=beam, length_power=length_power)


@torch.inference_mode()
def search(
    model: AutoregressiveModel,
    source: Source,
    most_tokens: list[int],
    choose: Choose,
    *,
    beam: int,
    length_power: float,
) -> list[list[Hypothesis]]:
    """Return the translations of each source that were found, the best first.

    A hypothesis that ends is set aside with its score / length ** `length_power`; a sentence is done, and
    leaves the batch, when as many have ended as the beam is wide, or at `most_tokens`, where all must end.
    """
    searches = [Search(row, most) for row, most in enumerate(most_tokens)]
    going = list(searches)
    cache = model.start_cache(len(going), beam, max(most_tokens, default=0) + 1)
    scores = source.mask.new_full((len(going), beam), -torch.inf, dtype=torch.float32)
    scores[:, 0] = 0.0  # the beam starts as one hypothesis
    history = source.mask.new_full((len(going), beam, 1), BOS, dtype=torch.int64)  # (B, K, tokens so far)
    while going:
        logits = model.step(source, cache, history[:, :, -1])  # (B, K, V)
        length = history.shape[2]  # of a hypothesis that ends now, with its </s>
        _forbid(logits, [length > search.most_tokens for search in going])
        choice = choose([search.row for search in going], scores, logits.float().log_softmax(-1))
        _set_aside(going, history, choice.ended, length**length_power)
        rows = [row for row, search in enumerate(going) if not _is_done(search, beam, length)]
        kept = torch.tensor(rows, dtype=torch.int64, device=history.device)
        if len(rows) < len(going):
            going = [going[row] for row in rows]
            source = source.select(kept)
        scores, parents, tokens = choice.scores[kept], choice.parents[kept], choice.tokens[kept]
        history = torch.cat([history[kept[:, None], parents], tokens[:, :, None]], dim=2)
        cache.select(kept, parents)
    return [sorted(search.finished, key=lambda hypothesis: -hypothesis.score) for search in searches]


def choose_best(_rows: list[int], scores: Tensor, steps: Tensor) -> Choice:
    """Take the best candidates: those that end among the K best, and the K best of the others."""
    beam = scores.shape[1]
    values, parents, tokens = best_candidates(steps.add_(scores[:, :, None]))
    ends = tokens == EOS
    ended = [
        [(parent, value) for value, parent, end in zip(*row, strict=True) if end]
        for row in zip(*(part[:, :beam].tolist() for part in (values, parents, ends)), strict=True)
    ]
    # Of what goes on, the best: ended candidates sort last, the order of the others stays.
    order = ends.to(torch.int8).argsort(dim=1, stable=True)[:, :beam]
    return Choice(ended, *(part.gather(1, order) for part in (values, parents, tokens)))


def best_candidates(totals: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the scores, parents and tokens (B, 2K) of the best of `totals` (B, K, V): at most K end."""
    _, beam, vocabulary = totals.shape
    values, places = totals.flatten(1).topk(2 * beam, dim=1)
    return values, places // vocabulary, places % vocabulary


def _forbid(logits: Tensor, must_end: list[bool]) -> None:
    """Rule out symbols that are no words, and at the length limit all but the end."""
    logits[:, :, NEVER_WRITTEN] = -torch.inf
    if any(must_end):
        ended = logits[:, :, EOS].clone()
        logits[torch.tensor(must_end, device=logits.device)] = -torch.inf
        logits[:, :, EOS] = ended


def _set_aside(
    going: list[Search], history: Tensor, ended: list[list[tuple[int, float]]], norm: float
) -> None:
    """Keep the hypotheses that end, as many of a sentence as the beam is wide."""
    beam = history.shape[1]
    for row, search in enumerate(going):
        for parent, score in ended[row]:
            if score > -torch.inf and len(search.finished) < beam:
                search.finished.append(Hypothesis(history[row, parent, 1:].tolist(), score / norm))


def _is_done(search: Search, beam: int, length: int) -> bool:
    return len(search.finished) >= beam or length > search.most_tokens
