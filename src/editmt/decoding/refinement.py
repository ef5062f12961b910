"""The engine of an edit model, wherever it runs: refinement of a batch of jobs."""

from collections.abc import Callable, Sequence

from editmt.config import DecodingConfig
from editmt.decoding.job import Job
from editmt.decoding.policy import Policy
from editmt.decoding.refine import Refined, Sentence, refine
from editmt.edits import Canvas
from editmt.text import BOS, EOS


class RefinementEngine:
    """An edit model, refining; `start` makes the policy for a batch of sources."""

    searches = False

    def __init__(self, start: Callable[[Canvas], Policy], max_length: int) -> None:
        self._start = start
        self._max_length = max_length

    @property
    def max_length(self) -> int:
        """How many tokens a sentence may have, boundaries included."""
        return self._max_length

    def check(self, job: Job) -> None:
        """Take any job."""

    def decode(self, jobs: Sequence[Job], options: DecodingConfig) -> list[Refined]:
        """Refine the first canvases of the jobs."""
        canvas = Canvas.of([[BOS, *job.first, EOS] for job in jobs], [[0, *job.locks, 0] for job in jobs])
        sentences = [
            Sentence(job.most_tokens, job.keep, job.mender, () if job.draft else job.parts) for job in jobs
        ]
        return refine(self._start(source_canvas(jobs)), canvas, sentences, options)


def source_canvas(jobs: Sequence[Job]) -> Canvas:
    """Return the jobs' sources as a batch."""
    return Canvas.of([[BOS, *job.source, EOS] for job in jobs])
