"""Models that do all their work, and are not listened to: random weights, the passes of a trained model.

A model with random weights would insert and delete for ever. Here the oracle decides: the first iteration
makes the reference but for its last word, where a sentence is to have three iterations, or all of it, where
it is to have two; the last iteration changes nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from editmt.decoding.policy import Floats, Integers, Mask, Policy, Words
from editmt.decoding.refine import Sentence, refine
from editmt.edits import Canvas, Oracle
from editmt.text import BOS, EOS, PLH

Said = TypeVar("Said")


class Director:
    """An oracle as a policy that writes down what it says."""

    def __init__(self, goals: Sequence[Sequence[list[int]]], said: list[Any], iteration: int = 0) -> None:
        self._goals = goals  # of each sentence: what it is after the first iteration, the second, …
        self.said = said
        self._iteration = iteration

    def _goal(self, back: int = 0) -> Canvas:
        chosen = (goals[min(self._iteration - back, len(goals) - 1)] for goals in self._goals)
        return Canvas.of([[BOS, *ids, EOS] for ids in chosen])

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Point at what the oracle moves."""
        goal = self._goal()
        moves = Oracle().label(canvas, goal).actions(goal)[0]
        return self._say(np.eye(canvas.ids.shape[1], dtype=np.float32)[moves.index])

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Point at how many the oracle inserts."""
        goal = self._goal()
        self._iteration += 1
        return self._say(np.eye(256, dtype=np.float32)[Oracle().label(canvas, goal).actions(goal)[1].count])

    def words(self, canvas: Canvas, _count: int, only: Mask | None = None) -> Words:
        """Return the goal's words."""
        ids = self._goal(back=1).ids[:, : canvas.ids.shape[1]][canvas.ids == PLH][:, None]
        ids = ids if only is None else ids[only]
        return self._say(Words(ids, np.zeros(ids.shape)))

    def draft_scores(self, _canvas: Canvas, _tokens: Integers) -> Floats:
        """Nothing is foreseen here."""
        raise AssertionError

    def select(self, rows: Integers) -> "Director":
        """Go on with some sentences."""
        return Director([self._goals[row] for row in rows], self.said, self._iteration)

    def _say(self, answer: Said) -> Said:
        self.said.append(answer)
        return answer


class Actor:
    """A policy that does all its work, and answers what was written down."""

    def __init__(self, policy: Policy, lines: Iterator[Any]) -> None:
        self._policy = policy
        self._lines = lines

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Score, and return the script's."""
        self._policy.reposition_scores(canvas)
        answer: Floats = next(self._lines)
        return answer

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Score, and return the script's."""
        self._policy.placeholder_scores(canvas)
        answer: Floats = next(self._lines)
        return answer

    def words(self, canvas: Canvas, count: int, only: Mask | None = None) -> Words:
        """Score, and return the script's words."""
        scores = self._policy.words(canvas, count, only).scores[:, :1]
        return Words(next(self._lines).ids, scores)

    def draft_scores(self, _canvas: Canvas, _tokens: Integers) -> Floats:
        """Nothing is foreseen here."""
        raise AssertionError

    def select(self, rows: Integers) -> "Actor":
        """Go on with some sentences."""
        return Actor(self._policy.select(rows), self._lines)


def write_script(canvas: Canvas, references: Sequence[list[int]], thirds: Sequence[bool]) -> list[Any]:
    """Return all answers that lead the canvas to its references; `thirds`: who has a third iteration."""
    goals = [[ids[:-1], ids] if third else [ids] for ids, third in zip(references, thirds, strict=True)]
    director = Director(goals, [])
    refine(director, canvas, [Sentence(len(ids) + 2) for ids in references])
    return director.said
