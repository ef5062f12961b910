"""The queue and its batches, with an engine that takes as long as it is told."""

import asyncio
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
        self.delay, self.batches, self.gate = delay, [], asyncio.Event()
        self.gate.set()

    async def __call__(self, questions):
        self.batches.append([question.request.source for question in questions])
        await self.gate.wait()
        await asyncio.sleep(self.delay)
        return [InputError(question.request.source) for question in questions]


def run(work, recorder=None, **limits):
    """Run the coroutine with a batcher; return what it returned."""

    async def go():
        limited = replace(BatchLimits(), **limits)
        batcher = Batcher(recorder or Recorder(), lambda request: len(request.source), limited, Metrics())
        try:
            return await work(batcher)
        finally:
            if recorder:
                recorder.gate.set()
            await batcher.stop()

    return asyncio.run(go())


def texts(*sources):
    return [Request.of(source) for source in sources]


def said(answers):
    return [str(answer) for answer in answers]


async def until(condition):
    while not condition():
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("at_once", [1, 3])
def test_answers_are_in_order_and_ones_own(at_once):
    async def work(batcher):
        asked = [[f"{number}-{text}" for text in range(number % 4)] for number in range(30)]
        found = await asyncio.gather(*(batcher.submit(texts(*sources)) for sources in asked))
        return asked == [said(answers) for answers in found]

    assert run(work, Recorder(delay=0.001), at_once=at_once)


def test_what_comes_together_is_decoded_together():
    recorder = Recorder()

    async def work(batcher):
        await asyncio.gather(*(batcher.submit(texts(str(number))) for number in range(8)))

    run(work, recorder, wait_ms=200, texts=8)
    assert recorder.batches == [[str(number) for number in range(8)]]


def while_busy(recorder, batcher, *groups):
    """Return what waits for the answers to groups of texts that come, in this order, while one is decoded."""

    async def go():
        first = asyncio.create_task(batcher.submit(texts("first")))
        await until(lambda: recorder.batches)
        others = []
        for group in groups:
            others.append(asyncio.create_task(batcher.submit(texts(*group))))
            await asyncio.sleep(0)
        recorder.gate.set()
        return await asyncio.gather(first, *others)

    recorder.gate.clear()
    return go()


def test_texts_of_a_length_are_decoded_together():
    recorder = Recorder()
    sources = ["a" * length for length in (9, 1, 8, 2, 7, 3)]

    async def work(batcher):
        await while_busy(recorder, batcher, *([source] for source in sources))

    run(work, recorder, wait_ms=0, tokens=33)  # three of 9 and its boundaries
    assert [list(map(len, batch)) for batch in recorder.batches[1:]] == [[7, 8, 9], [1, 2, 3]]


def test_batches_take_about_as_long_as_each_other():
    recorder = Recorder()
    sources = ["a" * length for length in (38, 18, 8, 8, 8, 8, 18, 38)]

    async def work(batcher):
        await while_busy(recorder, batcher, *([source] for source in sources))

    run(work, recorder, wait_ms=0, tokens=40)
    assert sorted([list(map(len, batch)) for batch in recorder.batches[1:]]) == [
        [8] * 4,
        [18] * 2,
        [38],
        [38],
    ]


def test_none_is_overtaken_by_more_than_are_put_into_batches_together():
    recorder = Recorder()
    sources = ["a" * 30, *("b" * 5 for _ in range(12))]

    async def work(batcher):
        await while_busy(recorder, batcher, *([source] for source in sources))

    run(work, recorder, wait_ms=0, texts=4, tokens=30)
    places = [number for number, batch in enumerate(recorder.batches) for source in batch if "a" in source]
    assert places == [1], "the first to come is in the first batch, though others are shorter"


def test_each_that_is_free_has_its_share():
    recorder = Recorder()
    recorder.gate.clear()

    async def work(batcher):
        task = asyncio.create_task(batcher.submit(texts(*"abcdef")))
        await until(lambda: len(recorder.batches) == 2)  # the gate is closed: they are decoded side by side
        recorder.gate.set()
        return said(await task)

    assert run(work, recorder, at_once=2) == [*"abcdef"]
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


@pytest.mark.parametrize(("limit", "sizes"), [({"texts": 2}, [2, 2, 1]), ({"tokens": 15}, [3, 2])])
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

    run(work, recorder, wait_ms=0, tokens=5)  # each alone
    assert recorder.batches == [["first"], ["a"], ["ccc"]]


@pytest.mark.parametrize("at_once", [1, 3])
def test_when_it_stops_it_finishes_what_waits_and_takes_no_more(at_once):
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

    assert run(work, recorder, texts=3, at_once=at_once) == [str(number) for number in range(20)]
