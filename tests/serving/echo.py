"""A translator without a model: it repeats the source after the words it starts from, as slowly as told.

The oracle leads it there, so its traces are real; it imports no torch. Run as a program it is a server:

    python -m tests.serving.echo --port 0 --data DIR --delay 0.05
"""

import argparse
import threading
import time
from dataclasses import replace
from pathlib import Path

from editmt.data.texts import Texts
from editmt.decoding.refine import Sentence, refine
from editmt.decoding.translator import Translator
from editmt.serving.server import serve
from editmt.serving.service import Model, Service
from editmt.serving.settings import ServingConfig
from editmt.text.subwords import SentencePiecePipeline
from tests.policies import OraclePolicy, batch
from tests.sentences import ENGLISH, GERMAN

PIPELINE = SentencePiecePipeline.train(ENGLISH + GERMAN, size=420)
BREAKING = "zzz"
"""A source on which the engine breaks, as no engine should."""


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
        goals = [self._goal(job) for job in jobs]
        canvas = batch([job.first for job in jobs], [job.locks for job in jobs])
        sentences = [Sentence(job.most_tokens, job.keep, job.mender) for job in jobs]
        return refine(OraclePolicy(goals), canvas, sentences)

    def _goal(self, job):
        if job.source == PIPELINE.encode(BREAKING):
            raise RuntimeError(f"I cannot bear {BREAKING}")
        kept = zip(job.first, job.locks, strict=True)
        return [index for index, lock in kept if lock or not job.draft] + job.source


def echo_service(folder, delay=0.0, **changes):
    """Return a server's inside, with its files in the folder."""
    engine = EchoEngine(delay)
    translator = Translator(engine, Texts(PIPELINE, PIPELINE))
    config = ServingConfig(data=Path(folder), **({"port": 0, "drain_seconds": 0.0} | changes))
    service = Service(Model("echo", ("en", "de"), translator), config)
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
