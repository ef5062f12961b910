"""What bench/decode.py translates: sentences with soft and hard words, and a script for random models."""

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from editmt.config import DecodingConfig
from editmt.data.texts import Texts
from editmt.decoding.job import Job, make_job
from editmt.decoding.policy import Floats, Integers, Mask, Policy, Words
from editmt.decoding.refine import Sentence, refine
from editmt.decoding.request import Request
from editmt.edits import Canvas, Oracle
from editmt.text import BOS, BOUNDARIES, EOS, PLH, SYMBOLS, Vocabulary
from editmt.text.pipeline import Own

SEED = 1
VOCABULARY = 32_000
POSITIONS = 1024


class Task(NamedTuple):
    """A sentence to translate: from nothing, from soft words, with these as hard ones; and its reference."""

    plain: Job
    soft: Job
    hard: Job
    reference: list[int]


class NumberedWords:
    """A text pipeline for models without text: the token 7 is w7; a third of the tokens go on with a word."""

    def __init__(self, size: int) -> None:
        self._begins = begins_word(np.arange(size))
        pieces = (*SYMBOLS, *(f"w{number}" for number in range(len(SYMBOLS), size)))
        self.vocabulary = Vocabulary(pieces, np.flatnonzero(self._begins).tolist(), ())

    def encode(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        return [int(number) for number in re.findall(r"w(\d+)", text)]

    def encode_phrase(self, phrase: str) -> list[int]:
        """Return the tokens of words."""
        return self.encode(phrase)

    def decode(self, ids: Sequence[int], _own: Sequence[Own] = (), /) -> str:
        """Return the text of tokens."""
        words = (f" w{i}" if self._begins[i] else f"w{i}" for i in ids if i >= len(SYMBOLS))
        return "".join(words).strip()

    def save(self, folder: Path) -> None:
        """Nobody keeps it."""
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Nobody kept it."""
        raise NotImplementedError


def begins_word(tokens: Integers) -> npt.NDArray[np.bool_]:
    """Tell with which tokens a word begins."""
    return tokens % 3 > 0


def make_tasks(count: int, length: int, constraints: int) -> list[Task]:
    """Draw sentences of a length, and words of each one's translation, in its order: no oracle drops any."""
    generator = np.random.default_rng([SEED, length, constraints])
    pipeline = NumberedWords(VOCABULARY)
    texts = Texts(pipeline, pipeline)
    tasks: list[Task] = []
    while len(tasks) < count:
        source, target = generator.integers(len(SYMBOLS), VOCABULARY, (2, length)).tolist()
        words = pipeline.decode(target).split()
        chosen = sorted(generator.permutation(len(words))[:constraints].tolist())
        task = make_task(
            texts, pipeline.decode(source), [words[place] for place in chosen], target, POSITIONS
        )
        if len(set(target)) == length and task.hard.first != target:  # no word twice, and something to write
            limit = length + BOUNDARIES  # where all searches end
            plain, soft, hard = (dataclasses.replace(job, most_tokens=limit) for job in task[:3])
            tasks.append(Task(plain, soft, hard, target))
    return tasks


def make_task(texts: Texts, source: str, words: Sequence[str], reference: list[int], positions: int) -> Task:
    """Make the jobs of a sentence."""
    requests = (Request.of(source), Request.of(source, terms=words), Request.of(source, hard=words))
    plain, soft, hard = (make_job(request, texts, DecodingConfig(), positions) for request in requests)
    return Task(plain, soft, hard, reference)


class Script:
    """The scores that lead a batch to its references in so many passes, the last of which changes nothing."""

    def __init__(self, jobs: Sequence[Job], references: Sequence[list[int]]) -> None:
        short = [_without_one(job, ids) for job, ids in zip(jobs, references, strict=True)]
        self._goals = [Canvas.of([[BOS, *ids, EOS] for ids in side]) for side in (short, references)]
        self.moves: list[Floats] = []
        self.counts: list[Floats] = []
        self.ids: list[Integers] = []
        outcomes = refine(self, first_canvas(jobs), sentences_of(jobs))
        assert [outcome.ids for outcome in outcomes] == list(references)

    def _actions(self, canvas: Canvas) -> tuple[Any, Any]:
        goal = self._goals[min(len(self.counts), 1)]
        return Oracle().label(canvas, goal).actions(goal)[:2]

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Point at what the oracle moves."""
        self.moves.append(np.eye(canvas.ids.shape[1], dtype=np.float32)[self._actions(canvas)[0].index])
        return self.moves[-1]

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Point at how many the oracle inserts."""
        self.counts.append(np.eye(256, dtype=np.float32)[self._actions(canvas)[1].count])
        return self.counts[-1]

    def words(self, canvas: Canvas, _count: int, only: Mask | None = None) -> Words:
        """Return the references' words."""
        goal = self._goals[min(len(self.counts) - 1, 1)]
        ids = goal.ids[:, : canvas.ids.shape[1]][canvas.ids == PLH][:, None]
        self.ids.append(ids if only is None else ids[only])
        return Words(self.ids[-1], np.zeros(self.ids[-1].shape))

    def draft_scores(self, _canvas: Canvas, _tokens: Integers) -> Floats:
        """Nothing is foreseen here."""
        raise AssertionError

    def select(self, _rows: Integers) -> "Script":
        """All sentences are done at once."""
        raise AssertionError


class Scripted:
    """A model that does all its work, and is not listened to."""

    def __init__(self, policy: Policy, script: Script) -> None:
        self._policy = policy
        self._moves, self._counts = iter(script.moves), iter(script.counts)
        self._ids = iter(script.ids)

    def reposition_scores(self, canvas: Canvas) -> Floats:
        """Score, and return the script's."""
        self._policy.reposition_scores(canvas)
        return next(self._moves)

    def placeholder_scores(self, canvas: Canvas) -> Floats:
        """Score, and return the script's."""
        self._policy.placeholder_scores(canvas)
        return next(self._counts)

    def words(self, canvas: Canvas, count: int, only: Mask | None = None) -> Words:
        """Find words, and return the script's."""
        return Words(next(self._ids), self._policy.words(canvas, count, only).scores[:, :1])

    def draft_scores(self, _canvas: Canvas, _tokens: Integers) -> Floats:
        """Nothing is foreseen here."""
        raise AssertionError

    def select(self, _rows: Integers) -> "Scripted":
        """All sentences are done at once."""
        raise AssertionError


def first_canvas(jobs: Sequence[Job]) -> Canvas:
    """Return what the jobs start from, with its locks."""
    return Canvas.of([[BOS, *job.first, EOS] for job in jobs], [[0, *job.locks, 0] for job in jobs])


def sentences_of(jobs: Sequence[Job]) -> list[Sentence]:
    """Return what refinement has to know of the jobs."""
    return [Sentence(job.most_tokens, job.keep, job.mender) for job in jobs]


def _without_one(job: Job, reference: list[int]) -> list[int]:
    """Leave out the last token that is not wanted, and whose word does not go on after it."""
    ends = [*begins_word(np.array(reference[1:])), True]
    place = max(place for place, token in enumerate(reference) if ends[place] and token not in job.first)
    return reference[:place] + reference[place + 1 :]
