"""Dynamic beam allocation (Post & Vilar, 2018): beam search whose translations hold the phrases wanted.

The beam is shared out among banks: hypotheses that have as many of the phrases' tokens compete only with each
other. So phrases come where the model likes them best, and the beam does not grow with their number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from editmt.decoding.beam import Choice, Hypothesis, best_candidates, search
from editmt.decoding.phrase_progress import PhraseTracker, Progress, WordBoundaries
from editmt.errors import InputError
from editmt.models.autoregressive import AutoregressiveModel
from editmt.text import EOS, PAD, SYMBOLS


@dataclass(frozen=True, eq=False)
class Constraints:
    """What is asked of a batch's translations: phrases of token ids, and a length that has room for them.

    With `boundaries`, phrases have to be whole words. Those that cannot be, as they begin or end within a
    word, still come, and where there is no room for other tokens they may touch a neighbour.
    """

    phrases: Sequence[Sequence[Sequence[int]]]  # of each sentence
    most_tokens: list[int]
    boundaries: WordBoundaries | None = None

    def __post_init__(self) -> None:
        for row, (phrases, most) in enumerate(zip(self.phrases, self.most_tokens, strict=True)):
            if sum(map(len, phrases)) > most:
                raise InputError(f"sentence {row}: the constraints have more tokens than the limit, {most}")
            if not all(phrases) or any(token < len(SYMBOLS) for phrase in phrases for token in phrase):
                raise InputError(f"sentence {row}: a constraint is empty or holds a special symbol")


def constrained_search(
    model: AutoregressiveModel,
    source_ids: Tensor,
    source_mask: Tensor,
    constraints: Constraints,
    *,
    beam: int = 4,
    length_power: float = 1.0,
) -> list[list[Hypothesis]]:
    """Return translations of each source (B, S) that hold all of its phrases, the best first; see `search`.

    Differs: ended hypotheses are set aside, as in our beam search, and do not keep a place in their bank;
    candidates that leave no room for the rest of the phrases are dropped, so that a length limit never
    costs a phrase; and phrases can be kept whole words.
    """
    with torch.inference_mode():
        source = model.encode(source_ids, source_mask)
    boundaries = constraints.boundaries or WordBoundaries.everywhere(model.output.out_features)
    trackers = [PhraseTracker(phrases, boundaries) for phrases in constraints.phrases]
    allocation = Allocation(trackers, constraints.most_tokens, beam)
    return search(
        model, source, constraints.most_tokens, allocation.choose, beam=beam, length_power=length_power
    )


def bank_sizes(beam: int, counts: Sequence[int]) -> list[int]:
    """Share a beam out among banks that have so many candidates; the last is that with most tokens met.

    All get the same, the last also the remainder. What a bank cannot fill goes to the next lower one, and
    what is left at the bottom to the highest that have candidates left.

    >>> bank_sizes(10, [20, 20, 20])
    [3, 3, 4]
    >>> bank_sizes(10, [20, 20, 1])
    [3, 6, 1]
    """
    share, rest = divmod(beam, len(counts))
    sizes = [share] * len(counts)
    sizes[-1] += rest
    spare = 0
    for bank in reversed([*range(len(counts)), *range(len(counts))]):  # down, and once more from the top
        sizes[bank], spare = _fill(sizes[bank] + spare, counts[bank])
    return sizes


def _fill(size: int, count: int) -> tuple[int, int]:
    """Return what a bank of so many candidates takes, and what it hands on."""
    return min(size, count), max(size - count, 0)


class Candidate(NamedTuple):
    """A hypothesis with one more token; without `progress` it has ended, or is none."""

    score: float
    parent: int
    token: int
    progress: Progress | None


NONE = Candidate(-torch.inf, 0, PAD, None)
"""Stands in a beam that there are too few candidates for."""


class Allocation:
    """Chooses the next hypotheses by banks; knows each sentence's hypotheses' progress."""

    def __init__(self, trackers: list[PhraseTracker], most_tokens: list[int], beam: int) -> None:
        self._trackers = trackers
        self._beam = beam
        starts = (tracker.start(most) for tracker, most in zip(trackers, most_tokens, strict=True))
        self._progress: list[list[Progress | None]] = [[start] + [None] * (beam - 1) for start in starts]

    def choose(self, rows: list[int], scores: Tensor, steps: Tensor) -> Choice:
        """Choose from the best candidates of a sentence, of each hypothesis, and those with wanted tokens."""
        totals = steps.add_(scores[:, :, None])  # (B, K, V)
        found = self._wanted(rows, totals)  # before `_restrict`: its rules are not for these
        self._restrict(rows, totals)
        values, tokens = totals.max(dim=2)  # (B, K)
        parents = torch.arange(self._beam, device=tokens.device).expand_as(tokens)
        for parts in (best_candidates(totals), (values, parents, tokens)):
            for candidates, *row in zip(found, *(part.tolist() for part in parts), strict=True):
                for value, parent, token in zip(*row, strict=True):
                    candidates.setdefault((parent, token), value)
        return self._choice(rows, found, scores)

    def _wanted(self, rows: list[int], totals: Tensor) -> list[dict[tuple[int, int], float]]:
        """Return each sentence's candidates that carry phrases on: by hypothesis and token, their scores."""
        places = [
            (index, parent, token)
            for index, row in enumerate(rows)
            for parent, progress in enumerate(self._progress[row])
            if progress is not None
            for token in sorted(self._trackers[row].wanted(progress))
        ]
        found: list[dict[tuple[int, int], float]] = [{} for _ in rows]
        if places:
            scores = totals[tuple(torch.tensor(places, device=totals.device).T)].tolist()
            for (index, parent, token), score in zip(places, scores, strict=True):
                found[index][parent, token] = score
        return found

    def _restrict(self, rows: list[int], totals: Tensor) -> None:
        """Rule out the end of hypotheses that lack phrases, and what goes on with the word of a phrase."""
        for index, row in enumerate(rows):
            tracker = self._trackers[row]
            for parent, progress in enumerate(self._progress[row]):
                if progress is None:
                    continue
                allowed = tracker.allowed(progress)
                if allowed is not None:
                    totals[index, parent, ~torch.from_numpy(allowed).to(totals.device)] = -torch.inf
                if progress.met < tracker.total:
                    totals[index, parent, EOS] = -torch.inf

    def _choice(self, rows: list[int], found: list[dict[tuple[int, int], float]], scores: Tensor) -> Choice:
        ended, going = [], []
        for row, candidates in zip(rows, found, strict=True):
            banks = self._banks(row, candidates)
            ended.append([(c.parent, c.score) for c in self._allot(banks) if c.token == EOS])
            chosen = self._allot([[c for c in bank if c.token != EOS] for bank in banks])
            going.append(chosen + [NONE] * (self._beam - len(chosen)))
            self._progress[row] = [candidate.progress for candidate in going[-1]]
        parts = ([[candidate[part] for candidate in row] for row in going] for part in range(3))
        values, parents, tokens = (torch.tensor(part, device=scores.device) for part in parts)
        return Choice(ended, values, parents, tokens)

    def _banks(self, row: int, candidates: dict[tuple[int, int], float]) -> list[list[Candidate]]:
        """Sort a sentence's candidates into banks by the tokens they have met, each best first."""
        tracker = self._trackers[row]
        banks: list[list[Candidate]] = [[] for _ in range(tracker.total + 1)]
        for (parent, token), score in candidates.items():
            before = self._progress[row][parent]
            if before is None or score == -torch.inf:
                continue
            after = None if token == EOS else tracker.advance(before, token)
            if after is not None or token == EOS:
                met = before.met if after is None else after.met
                banks[met].append(Candidate(score, parent, token, after))
        for bank in banks:
            bank.sort(key=lambda candidate: -candidate.score)
        return banks

    def _allot(self, banks: list[list[Candidate]]) -> list[Candidate]:
        """Return the winners of all banks, best first."""
        sizes = bank_sizes(self._beam, [len(bank) for bank in banks])
        winners = [candidate for bank, size in zip(banks, sizes, strict=True) for candidate in bank[:size]]
        return sorted(winners, key=lambda candidate: -candidate.score)
