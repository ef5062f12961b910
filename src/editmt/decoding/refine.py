"""Refinement (§3.3): reposition, insert placeholders, fill them, until nothing changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from editmt.config import DecodingConfig
from editmt.decoding.foresight import Foreseen, foresee
from editmt.decoding.history import History
from editmt.decoding.lengths import foreseen_lengths, limit
from editmt.decoding.locks import Keep, choose_words, weigh_counts
from editmt.decoding.mending import Mender, Proposals, to_actions
from editmt.decoding.moves import choose_moves
from editmt.decoding.policy import Floats, Integers, Mask, Policy
from editmt.edits import Action, Canvas, EditCounts, Placeholders, Reposition, Tokens, Trace
from editmt.text import BOUNDARIES, PLH

FEWEST = 6
"""Placeholders of a sentence that are filled at a time, if there are as many."""


@dataclass(frozen=True, eq=False)
class Sentence:
    """What refinement has to know of one sentence beside its first canvas."""

    most_tokens: int  # of the canvas, boundaries included
    keep: Keep = field(default_factory=Keep)
    mender: Mender | None = None
    phrases: Sequence[int] = ()  # the tokens of each, where the first canvas is phrases and no draft


@dataclass(frozen=True, eq=False)
class Refined:
    """One sentence's outcome; what led to it is worked out when asked for."""

    ids: list[int]  # without `<s>` and `</s>`
    locks: list[int]
    token_scores: list[float]  # the log-probability that each was put in with; a user's own have 0
    iterations: int
    row: int
    history: History

    @property
    def counts(self) -> EditCounts:
        """The number of edits of each kind."""
        return self.history.counts(self.row)

    @cached_property
    def trace(self) -> Trace:
        """Every action from the first canvas on."""
        return self.history.trace(self.row)

    @property
    def score(self) -> float:
        """The tokens' mean log-probability, as the authors have it: boundaries and users' words have 0."""
        return sum(self.token_scores) / (len(self.token_scores) + BOUNDARIES)


def refine(
    policy: Policy, canvas: Canvas, sentences: Sequence[Sentence], options: DecodingConfig | None = None
) -> list[Refined]:
    """Edit each canvas until it is one that it has been before, or there were `options.iterations`.

    Differs: the authors' length limit holds for a gap, not for the sum; they allow one iteration more, and
    see only cycles of length one, which is an iteration that changes nothing.
    """
    outcomes: dict[int, Refined] = {}
    going = _Going(policy, canvas, np.arange(len(canvas.ids)), History(canvas))
    options = options or DecodingConfig()
    seen = [{tuple(row)} for row in canvas.rows()]
    for iteration in range(1, options.iterations + 1):
        if not len(going.rows):
            break
        going.iterate([sentences[row] for row in going.rows], options, first=iteration == 1)
        left, done = [], []
        for place, (row, ids) in enumerate(zip(going.rows.tolist(), going.canvas.rows(), strict=True)):
            if tuple(ids) in seen[row] or iteration == options.iterations:
                done.append(place)
            else:
                seen[row].add(tuple(ids))
                left.append(place)
        going.mend({place: sentences[going.rows[place]] for place in done})
        outcomes |= {going.rows[place]: going.outcome(place, iteration) for place in done}
        going.keep(np.array(left, dtype=np.int64))
    return [outcomes[row] for row in range(len(outcomes))]


class _Going:
    """The sentences that are not finished."""

    def __init__(self, policy: Policy, canvas: Canvas, rows: Integers, history: History) -> None:
        self.policy, self.canvas, self.rows, self.history = policy, canvas, rows, history
        self.scores: Floats = np.zeros(canvas.ids.shape)  # (B, T) that the tokens were put in with

    def keep(self, places: Integers) -> None:
        """Go on with some of them, in canvases as wide as the longest."""
        if 0 < len(places) < len(self.rows):
            self.policy = self.policy.select(places)
            self.canvas = self.canvas.take(places).trim()
            self.scores = self.scores[places, : self.canvas.ids.shape[1]]
        self.rows = self.rows[places]

    def outcome(self, place: int, iterations: int) -> Refined:
        """Return what became of one of them."""
        inside = slice(1, int(self.canvas.mask[place].sum()) - 1)
        parts = (self.canvas.ids, self.canvas.locks, self.scores)
        ids, locks, scores = (part[place, inside].tolist() for part in parts)
        return Refined(ids, locks, scores, iterations, int(self.rows[place]), self.history)

    def iterate(self, sentences: Sequence[Sentence], options: DecodingConfig, *, first: bool) -> None:
        """Do the three actions once."""
        keeps = [sentence.keep for sentence in sentences]
        phrases = {row: sentence.phrases for row, sentence in enumerate(sentences) if sentence.phrases}
        foreseen: dict[int, Foreseen] = {}
        if first and options.foresight and phrases:
            foreseen = foresee(self.policy, self.canvas, phrases, options)
        self._reposition(keeps, foreseen)
        self._insert(sentences, foreseen, options)
        self._fill(keeps, options.fill_share)

    def _reposition(self, keeps: Sequence[Keep], foreseen: Mapping[int, Foreseen]) -> None:
        """Move what there is; an empty canvas has nothing."""
        filled = set(np.flatnonzero(self.canvas.interior.any(axis=1)).tolist())
        if not filled:
            return
        if filled - foreseen.keys():
            moves = choose_moves(self.policy.reposition_scores(self.canvas), self.canvas, keeps)
        else:
            moves = Reposition(np.tile(np.arange(self.canvas.ids.shape[1]), (len(self.rows), 1)))
        for row, found in foreseen.items():
            moves.index[row, : len(found.order)] = found.order
        self._apply(moves)

    def _insert(
        self,
        sentences: Sequence[Sentence],
        foreseen: Mapping[int, Foreseen],
        options: DecodingConfig,
    ) -> None:
        """Insert placeholders, within the limits; what is foreseen is not scored again."""
        others = [row for row in range(len(self.rows)) if row not in foreseen] if foreseen else None
        counts = Placeholders(np.zeros_like(self.canvas.ids[:, 1:]))
        if others is None:
            counts = Placeholders(_choose_counts(self.policy, self.canvas, sentences, options))
        elif others:
            policy, canvas = self.policy.select(np.array(others)), self.canvas.take(others).trim()
            given = [sentences[row] for row in others]
            chosen = _choose_counts(policy, canvas, given, options)
            counts.count[others, : chosen.shape[1]] = chosen
        for row, found in foreseen.items():
            counts.count[row, : len(found.counts)] = found.counts
        most = np.array([sentence.most_tokens for sentence in sentences])
        self._apply(limit(self.canvas, counts, most))

    def _apply(self, action: Action) -> None:
        self.canvas, self.scores = self.history.apply(self.rows, self.canvas, action, self.scores)

    def _fill(self, keeps: Sequence[Keep], share: float) -> None:
        """Put the best words into the placeholders, the surest first.

        Differs: the paper fills them all at once; neighbours that do not know of each other say the same
        twice, or half of each of two things.
        """
        rows = np.flatnonzero((self.canvas.ids == PLH).any(axis=1))
        while len(rows):
            self._fill_some(rows, [keeps[row] for row in rows.tolist()], share)
            rows = rows[(self.canvas.ids[rows] == PLH).any(axis=1)]

    def _fill_some(self, rows: Integers, keeps: Sequence[Keep], share: float) -> None:
        """Put the best words into a share of the placeholders of some sentences."""
        canvas, policy, width = self.canvas, self.policy, self.canvas.ids.shape[1]
        if len(rows) < len(self.rows):
            canvas, policy = canvas.take(rows).trim(), policy.select(rows)
            width = canvas.ids.shape[1]
        places = canvas.ids == PLH
        best = choose_words(policy, canvas, keeps)
        chosen = surest(places, best.scores[:, 0], share)
        ids, scores = canvas.ids.copy(), self.scores[rows, :width]
        ids[places] = np.where(chosen, best.ids[:, 0], PLH)
        scores[places] = np.where(chosen, best.scores[:, 0], 0.0)
        after, scores = self.history.apply(self.rows[rows], canvas, Tokens(ids), scores)
        filled = self.canvas.ids.copy()
        filled[rows, :width], self.scores[rows, :width] = after.ids, scores
        self.canvas = Canvas(filled, self.canvas.mask, self.canvas.locks)

    def mend(self, sentences: Mapping[int, Sentence]) -> None:
        """Edit those of these sentences, by their places, whose text breaks their rules.

        Only those that are done: the model mends most of what it broke itself in a later iteration.
        """
        lengths = self.canvas.lengths.tolist() if sentences else []
        broken = [
            (place, each.mender)
            for place, each in sentences.items()
            if each.mender is not None and self._is_broken(place, lengths[place], each.mender)
        ]
        if not broken:
            return
        rows, locks, scores = self.canvas.rows(), self.canvas.locks.tolist(), [*self.scores]
        for place, mender in broken:
            mended, scores[place] = self._mend_one(place, mender, sentences[place].keep)
            rows[place], locks[place] = mended.ids[0].tolist(), mended.locks[0].tolist()
        self.canvas = Canvas.of(rows, [locks[place][: len(row)] for place, row in enumerate(rows)])
        self.scores = np.zeros(self.canvas.ids.shape)
        for place, row in enumerate(rows):
            self.scores[place, : len(row)] = scores[place][: len(row)]

    def _is_broken(self, place: int, length: int, mender: Mender) -> bool:
        """Tell whether a sentence's text breaks its rules."""
        ids, locks = (part[place, :length].tolist() for part in (self.canvas.ids, self.canvas.locks))
        return bool(mender.misses(ids, locks))

    def _mend_one(self, place: int, mender: Mender, keep: Keep) -> tuple[Canvas, Floats]:
        """Return a sentence and its scores after mending, of which the history keeps the actions.

        What is locked with some strength only may go, as all that is free: hard and forbidden come first.
        """
        canvas = self.canvas.take([place]).trim()
        policy = self.policy.select(np.array([place]))

        def propose(ids: list[int], count: int) -> Proposals:
            words = policy.words(Canvas.of([ids]), count)
            return list(zip(words.ids[0].tolist(), words.scores[0].tolist(), strict=True))

        hard = np.where(keep.hard(canvas.locks[0]), canvas.locks[0], 0)
        pieces = mender.mend(canvas.ids[0].tolist(), hard.tolist(), propose)
        given = np.array([[piece.score for piece in pieces]])
        scores = self.scores[[place], : canvas.ids.shape[1]]
        for action in to_actions(canvas.ids.shape[1], pieces):
            if isinstance(action, Tokens):
                scores = np.where(canvas.ids == PLH, given, scores)
            canvas, scores = self.history.apply(self.rows[place : place + 1], canvas, action, scores)
        return canvas, scores[0]


def surest(places: Mask, scores: Floats, share: float) -> Mask:
    """Tell which of the N placeholders at these places (B, T) get their words first, by their scores (N,).

    A share of each row's, but `FEWEST` at least: a pass for fewer is not worth its time.

    >>> surest(np.array([[False] + [True] * 8]), np.array([-3, -1, -8, -2, -4, -7, -6, -5]), 0.5).tolist()
    [True, True, False, True, True, False, True, True]
    """
    counts = places.sum(axis=1)
    owners = np.repeat(np.arange(len(places)), counts)
    rank = np.empty(len(owners), dtype=np.int64)
    rank[np.lexsort((-scores, owners))] = np.arange(len(owners)) - (np.cumsum(counts) - counts)[owners]
    chosen: Mask = rank < np.maximum(np.ceil(share * counts), FEWEST)[owners]
    return chosen


def _choose_counts(
    policy: Policy, canvas: Canvas, sentences: Sequence[Sentence], options: DecodingConfig
) -> Integers:
    """Choose how many placeholders come into each gap (B, G): an empty canvas's is the whole length."""
    penalties = np.array([options.penalty_of(words=bool(sentence.phrases)) for sentence in sentences])
    keeps = [sentence.keep for sentence in sentences]
    scores = weigh_counts(policy.placeholder_scores(canvas), canvas, keeps, penalties)
    counts: Integers = scores.argmax(-1)
    empty = np.flatnonzero(canvas.lengths == BOUNDARIES)
    if len(empty):
        counts[empty, 0] = foreseen_lengths(scores[empty, 0], options.length_quantile)
    return counts
