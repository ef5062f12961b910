"""The queue and the decoding threads, with an engine that takes as long as it is told."""

import asyncio
import threading
import time
from dataclasses import replace

import pytest

from editmt.decoding.request import Request
from editmt.errors import InputError
from editmt.serving.batcher import Batcher
from editmt.serving.metrics import Metrics
from editmt.serving.problems import Problem
from editmt.serving.settings import BatchLimits


class Recorder:
    """Answers each request with an error that names it; waits for `gate` before the first batch."""

    def __init__(self, delay=0.0):
        self.delay, self.batches, self.gate = delay, [], threading.Event()
        self.gate.set()

    def __call__(self, requests):
        self.batches.append([request.source for request in requests])
        self.gate.wait()
        time.sleep(self.delay)
        return [InputError(request.source) for request in requests]


def run(work, recorder=None, **limits):
    """Run the coroutine with a batcher; return what it returned."""

    async def go():
        batcher = Batcher(recorder or Recorder(), replace(BatchLimits(), **limits), Metrics())
        batcher.start()
        try:
            return await work(batcher)
        finally:
            (recorder or Recorder()).gate.set()
            await batcher.stop()

    return asyncio.run(go())


def texts(*sources):
    return [Request.of(source) for source in sources]


def said(answers):
    return [str(answer) for answer in answers]


async def until(condition):
    while not condition():
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("threads", [1, 3])
def test_answers_are_in_order_and_ones_own(threads):
    async def work(batcher):
        asked = [[f"{number}-{text}" for text in range(number % 4)] for number in range(30)]
        found = await asyncio.gather(*(batcher.submit(texts(*sources)) for sources in asked))
        return asked == [said(answers) for answers in found]

    assert run(work, Recorder(delay=0.001), threads=threads)


def test_what_comes_together_is_decoded_together():
    recorder = Recorder()

    async def work(batcher):
        await asyncio.gather(*(batcher.submit(texts(str(number))) for number in range(8)))

    run(work, recorder, wait_ms=200, texts=8)
    assert recorder.batches == [[str(number) for number in range(8)]]


def test_texts_of_a_length_are_decoded_together():
    recorder = Recorder()
    sources = ["a" * length for length in (9, 1, 8, 2, 7, 3)]

    async def work(batcher):
        await asyncio.gather(*(batcher.submit(texts(source)) for source in sources))

    run(work, recorder, wait_ms=200, texts=2, threads=1)
    assert [sorted(map(len, batch)) for batch in recorder.batches if len(batch) == 2][-1] == [8, 9]
    assert max(max(map(len, batch)) - min(map(len, batch)) for batch in recorder.batches) < 5


def test_batches_are_whole_where_enough_waits():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        first = asyncio.create_task(batcher.submit(texts("first")))
        await until(lambda: recorder.batches)
        others = asyncio.create_task(batcher.submit(texts(*map(str, range(11)))))
        await asyncio.sleep(0.01)
        recorder.gate.set()
        await asyncio.gather(first, others)

    run(work, recorder, wait_ms=0, texts=4)
    assert list(map(len, recorder.batches)) == [1, 4, 4, 3]


def test_each_free_thread_has_its_share():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        await asyncio.sleep(0.05)  # both threads wait
        task = asyncio.create_task(batcher.submit(texts(*"abcdef")))
        await until(lambda: len(recorder.batches) == 2)  # the gate is closed: they are decoded side by side
        recorder.gate.set()
        return said(await task)

    assert run(work, recorder, threads=2) == [*"abcdef"]
    assert sorted(map(len, recorder.batches)) == [3, 3]


def test_what_waits_while_a_batch_is_decoded_is_the_next():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        first = asyncio.create_task(batcher.submit(texts("first")))
        await until(lambda: recorder.batches)
        others = [asyncio.create_task(batcher.submit(texts(name))) for name in "abc"]
        await asyncio.sleep(0.01)
        recorder.gate.set()
        await asyncio.gather(first, *others)

    run(work, recorder, wait_ms=0)
    assert recorder.batches == [["first"], ["a", "b", "c"]]


@pytest.mark.parametrize(("limit", "sizes"), [({"texts": 2}, [2, 2, 1]), ({"characters": 9}, [3, 2])])
def test_batches_have_an_end(limit, sizes):
    recorder = Recorder()

    async def work(batcher):
        await batcher.submit(texts("aaa", "bbb", "ccc", "ddd", "eee"))

    run(work, recorder, **limit)
    assert list(map(len, recorder.batches)) == sizes


def test_many_texts_of_one_do_not_stand_before_one_of_another():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        first = asyncio.create_task(batcher.submit(texts("first")))
        await until(lambda: recorder.batches)
        many = asyncio.create_task(batcher.submit(texts(*(f"many-{number}" for number in range(20)))))
        await asyncio.sleep(0)
        one = asyncio.create_task(batcher.submit(texts("one")))
        await asyncio.sleep(0)
        recorder.gate.set()
        await asyncio.gather(first, many, one)

    run(work, recorder, texts=4)
    assert "one" in recorder.batches[1]


def test_a_full_queue_refuses_and_says_when_to_come_again():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        waiting = [asyncio.create_task(batcher.submit(texts("first")))]
        await until(lambda: recorder.batches)
        waiting += [asyncio.create_task(batcher.submit(texts(str(number)))) for number in range(5)]
        await asyncio.sleep(0.01)
        assert batcher.full
        with pytest.raises(Problem) as refusal:
            await batcher.submit(texts("one more"))
        assert (refusal.value.status, refusal.value.retry_after > 0) == (429, True)
        recorder.gate.set()
        assert said([answer for (answer,) in await asyncio.gather(*waiting)]) == ["first", *"01234"]
        assert not batcher.full
        assert said(await batcher.submit(texts("now"))) == ["now"]

    run(work, recorder, waiting_texts=5, wait_ms=0)


def test_a_queue_that_would_take_too_long_is_full():
    recorder = Recorder(delay=0.05)

    async def work(batcher):
        await batcher.submit(texts("how long it takes"))
        waiting = [asyncio.create_task(batcher.submit(texts(str(number)))) for number in range(50)]
        done = await asyncio.gather(*waiting, return_exceptions=True)
        return [answer.status if isinstance(answer, Problem) else 200 for answer in done]

    found = run(work, recorder, texts=1, seconds=2.0, wait_ms=0)
    assert set(found) == {200, 429}, "none is accepted only to be too late"


def test_a_request_larger_than_the_queue_is_done_when_nobody_waits():
    async def work(batcher):
        return len(await batcher.submit(texts(*map(str, range(40)))))

    assert run(work, waiting_texts=5) == 40


def test_who_waits_too_long_gets_no_answer_and_is_not_decoded_for():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        first = asyncio.create_task(batcher.submit(texts("first")))
        await until(lambda: recorder.batches)
        with pytest.raises(Problem) as late:
            await batcher.submit(texts("late"))
        assert late.value.status == 503
        with pytest.raises(Problem):
            await first
        gone = asyncio.create_task(batcher.submit(texts("gone")))
        await asyncio.sleep(0.001)
        gone.cancel()
        recorder.gate.set()
        assert said(await batcher.submit(texts("next"))) == ["next"]

    run(work, recorder, seconds=0.05, wait_ms=0)
    assert recorder.batches == [["first"], ["next"]]


def test_who_leaves_is_not_decoded_for_though_it_was_planned():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        first = asyncio.create_task(batcher.submit(texts("first")))
        await until(lambda: recorder.batches)
        tasks = {name: asyncio.create_task(batcher.submit(texts(name))) for name in ("a", "bb", "ccc")}
        await asyncio.sleep(0.001)
        recorder.delay = 0.05
        recorder.gate.set()
        await until(lambda: len(recorder.batches) == 2)  # "a" is decoded, the others are planned
        tasks["bb"].cancel()
        await asyncio.gather(first, tasks["a"], tasks["ccc"])
        assert batcher._waiting.texts == batcher._waiting.characters == 0

    run(work, recorder, wait_ms=0, texts=1)
    assert recorder.batches == [["first"], ["a"], ["ccc"]]


@pytest.mark.parametrize("threads", [1, 3])
def test_when_it_stops_it_finishes_what_waits_and_takes_no_more(threads):
    recorder = Recorder(delay=0.01)

    async def work(batcher):
        waiting = [asyncio.create_task(batcher.submit(texts(str(number)))) for number in range(20)]
        await asyncio.sleep(0)
        stopping = asyncio.create_task(batcher.stop())
        await asyncio.sleep(0.01)
        with pytest.raises(Problem) as refusal:
            await batcher.submit(texts("late"))
        assert refusal.value.status == 503
        await stopping
        return said([answer for (answer,) in await asyncio.gather(*waiting)])

    assert run(work, recorder, texts=3, threads=threads) == [str(number) for number in range(20)]


def test_the_event_loop_is_free_while_a_batch_is_decoded():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        task = asyncio.create_task(batcher.submit(texts("a")))
        await until(lambda: recorder.batches)  # it is being decoded, and we are here
        recorder.gate.set()
        return said(await task)

    assert run(work, recorder) == ["a"]
