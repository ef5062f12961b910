"""What a beam search found, mended where it breaks the user's rules.

Dynamic beam allocation writes every hard phrase, but it counts tokens: it does not see that a phrase stands
there once too often, that a free piece makes another word of it, or that a forbidden word is spelled.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from editmt.decoding.beam import Hypothesis
from editmt.decoding.engine import Searched
from editmt.decoding.job import Job
from editmt.decoding.mending import Proposals
from editmt.edits import Canvas
from editmt.models import AutoregressiveModel
from editmt.models.heads import word_logits
from editmt.text import BOS, EOS, NEVER_WRITTEN, PLH, SYMBOLS


class SearchMender:
    """Chooses among what was found for the sources of a batch, and mends."""

    def __init__(self, model: AutoregressiveModel, sources: Canvas, length_power: float) -> None:
        self._model = model
        self._sources = sources  # of tensors
        self._length_power = length_power

    def choose(self, row: int, job: Job, hypotheses: Sequence[Hypothesis]) -> Searched:
        """Return the best hypothesis that keeps the job's rules, or the best of all, mended."""
        best, mender = hypotheses[0], job.mender
        if mender is None:
            return Searched(best.ids, best.score, lock_phrases(best.ids, job.hard))
        for hypothesis in hypotheses:
            locks = lock_phrases(hypothesis.ids, job.hard)
            if not mender.misses(hypothesis.ids, locks):
                return Searched(hypothesis.ids, hypothesis.score, locks)
        continuation = _Continuation(self._model, self._sources.take([row]).trim())
        locks = lock_phrases(best.ids, job.hard)
        pieces = mender.mend([BOS, *best.ids, EOS], [0, *locks, 0], continuation.propose)[1:-1]
        ids = [piece.id for piece in pieces]
        score = continuation.score(ids) / (len(ids) + 1) ** self._length_power
        return Searched(ids, score, [piece.lock for piece in pieces])


class _Continuation:
    """How one source's translation may go on, by the model."""

    def __init__(self, model: AutoregressiveModel, source: Canvas) -> None:
        self._model = model
        with torch.inference_mode():
            self._source = model.encode(source.ids, source.mask)

    @torch.inference_mode()
    def propose(self, ids: list[int], count: int) -> Proposals:
        """Return the likeliest words at the placeholder, after what is left of it."""
        logits = word_logits(self._logits(ids[: ids.index(PLH)])[-1:])[0]  # (V − symbols,)
        scores, words = logits.log_softmax(0).topk(min(count, len(logits)))
        return list(zip((words + len(SYMBOLS)).tolist(), scores.tolist(), strict=True))

    @torch.inference_mode()
    def score(self, ids: list[int]) -> float:
        """Return the log-probability of a translation, as the search counts it."""
        logits = self._logits([BOS, *ids])
        logits[:, NEVER_WRITTEN] = -torch.inf
        following = torch.tensor([*ids, EOS], device=logits.device)[:, None]
        return float(logits.log_softmax(-1).gather(1, following).sum())

    def _logits(self, prefix: list[int]) -> Tensor:
        """Score all words after each token of the prefix: (T, V)."""
        ids = torch.tensor([prefix], device=self._source.mask.device)
        logits: Tensor = self._model.output(
            self._model.states(self._source, ids, torch.ones_like(ids).bool())
        )
        return logits.float()


def lock_phrases(ids: Sequence[int], phrases: Sequence[Sequence[int]]) -> list[int]:
    """Lock each phrase, by its number from 1, where it stands with tokens of its own, the longest first.

    >>> lock_phrases([7, 8, 7], [[7], [7, 8]])
    [2, 2, 1]
    """
    order = sorted(range(len(phrases)), key=lambda number: (-len(phrases[number]), *phrases[number]))
    locks = [0] * len(ids)
    return _place(list(ids), [(number + 1, list(phrases[number])) for number in order], locks, 0) or locks


def _place(
    ids: list[int], phrases: list[tuple[int, list[int]]], locks: list[int], start: int
) -> list[int] | None:
    """Return the locks with the phrases', the first no earlier than the start; None if they do not fit."""
    if not phrases:
        return locks
    (number, phrase), *rest = phrases
    for place in range(start, len(ids) - len(phrase) + 1):
        end = place + len(phrase)
        if ids[place:end] == phrase and not any(locks[place:end]):
            taken = [*locks[:place], *[number] * len(phrase), *locks[end:]]
            again = end if rest and rest[0][1] == phrase else 0  # of equals, the next stands later
            if found := _place(ids, rest, taken, again):
                return found
    return None
