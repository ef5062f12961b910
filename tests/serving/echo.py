"""A translator without a model: it repeats the source after the words it starts from, as slowly as told.

It refines as a model does, so its traces are real; it imports no torch. Run as a program it is a server:

    python -m tests.serving.echo --port 0 --data DIR --delay 0.05
"""

import argparse
import asyncio
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from editmt.data.texts import Texts
from editmt.decoding.policy import Words
from editmt.decoding.refine import Sentence, refine
from editmt.decoding.translator import Translator
from editmt.serving.answers import shorten
from editmt.serving.server import serve
from editmt.serving.service import Model, Service
from editmt.serving.settings import ServingConfig
from editmt.text import PLH, SYMBOLS
from editmt.text.subwords import SentencePiecePipeline
from tests.policies import batch, one_hot
from tests.sentences import ENGLISH, GERMAN

PIPELINE = SentencePiecePipeline.train(ENGLISH + GERMAN, size=420)
UNKNOWN = PIPELINE.encode("?")
"""What it writes where there is no source: a term that may not stay may have to be another word."""

BREAKING = "zzz"
"""A source on which the engine breaks, as no engine should."""


class EchoPolicy:
    """In the first pass, delete what of a draft is not locked, and write the source at the end."""

    def __init__(self, jobs, written=None):
        self.jobs = jobs
        self.written = written if written is not None else [False] * len(jobs)

    def reposition_scores(self, canvas):
        index = np.tile(np.arange(canvas.ids.shape[1]), (len(canvas.ids), 1))
        for row, job in enumerate(self.jobs):
            if job.draft and not self.written[row]:
                index[row, (canvas.locks[row] == 0) & canvas.interior[row]] = 0
        return one_hot(index, canvas.ids.shape[1])

    def placeholder_scores(self, canvas):
        count = np.zeros((len(canvas.ids), canvas.ids.shape[1] - 1), dtype=int)
        for row, job in enumerate(self.jobs):
            if not self.written[row]:
                count[row, int(canvas.lengths[row]) - 2] = len(job.source)
                self.written[row] = True
        return one_hot(count, 256)

    def words(self, canvas, count, only=slice(None)):
        firsts = [
            source[place % len(source)]
            for row, source in zip(canvas.ids, (job.source or UNKNOWN for job in self.jobs), strict=True)
            for place in range(int((row == PLH).sum()))
        ]
        ids = (np.array(firsts, dtype=int)[:, None] + np.arange(count)) % len(PIPELINE.vocabulary)
        scores = -0.3 * (np.arange(len(firsts)) % 4)[:, None] - np.arange(count)
        return Words(np.maximum(ids, len(SYMBOLS))[only], scores[only])

    def select(self, rows):
        return EchoPolicy([self.jobs[row] for row in rows], [self.written[row] for row in rows])


class EchoEngine:
    """Locked words, terms, then the source; `delay` seconds a batch."""

    searches = False
    max_length = 256

    def __init__(self, delay=0.0):
        self.delay = delay
        self.batches = []
        self.running = threading.Lock()
        self.go = threading.Event()  # cleared, it holds the next batch up
        self.go.set()

    def check(self, job):
        pass

    def decode(self, jobs, _options):
        assert self.running.acquire(blocking=False), "two batches at a time"
        try:
            self.batches.append(len(jobs))
            time.sleep(self.delay)
            self.go.wait()
            return self._refine(jobs)
        finally:
            self.running.release()

    def _refine(self, jobs):
        if any(job.source == PIPELINE.encode(BREAKING) for job in jobs):
            raise RuntimeError(f"I cannot bear {BREAKING}")
        canvas = batch([job.first for job in jobs], [job.locks for job in jobs])
        sentences = [Sentence(job.most_tokens, job.keep, job.mender) for job in jobs]
        return refine(EchoPolicy(jobs), canvas, sentences)


class OnThread:
    """What decodes for a server, in its own process."""

    def __init__(self, translator):
        self.translator = translator

    async def translate(self, questions):
        requests = [question.request for question in questions]
        answers = await asyncio.to_thread(self.translator.translate_all, requests)
        return [shorten(answer, trace=ask.trace) for ask, answer in zip(questions, answers, strict=True)]


def echo_service(folder, delay=0.0, **changes):
    """Return a server's inside, with its files in the folder."""
    engine = EchoEngine(delay)
    texts = Texts(PIPELINE, PIPELINE)
    config = ServingConfig(data=Path(folder), **({"port": 0, "drain_seconds": 0.0} | changes))
    service = Service(Model("echo", ("en", "de"), texts, OnThread(Translator(engine, texts))), config)
    service.engine = engine
    return service


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--drain", type=float, default=0.5)
    parser.add_argument("--queue", type=int, default=256)
    options = parser.parse_args()
    batches = replace(ServingConfig().batches, waiting_texts=options.queue)
    serve(
        echo_service(
            options.data, options.delay, port=options.port, drain_seconds=options.drain, batches=batches
        )
    )


if __name__ == "__main__":
    main()
