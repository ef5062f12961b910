"""Processes that decode for a server: with the shipped model, killed, told to end, and left alone."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from editmt.decoding.request import Request
from editmt.decoding.translation import Translation
from editmt.decoding.translator import Translator
from editmt.errors import InputError
from editmt.serving.answers import Question
from editmt.serving.decoders import Decoders, DecodingProcess, Died
from tests.serving.running import ROOT

SENTENCES = ["I bought a computer.", "The old man is on the sea.", "Where is he?"]


def ask(*sentences, trace=False):
    return [Question(Request.of(sentence), trace) for sentence in sentences]


@pytest.fixture(scope="module")
def decoders():
    with Decoders(None, processes=2, threads=1) as decoders:
        yield decoders.wait()


@pytest.fixture(scope="module")
def decode(decoders):
    """Return a function that has batches decoded side by side."""

    async def go(batches):
        return await asyncio.gather(*map(decoders.translate, batches), return_exceptions=True)

    with asyncio.Runner() as runner:  # the sockets belong to one event loop
        yield lambda *batches: runner.run(go(batches))


def test_batches_side_by_side_are_translated_as_ever(decode):
    translator = Translator.load(threads=1)
    expected = [translator.translate_all([Request.of(sentence)])[0].text for sentence in SENTENCES[:2]]
    found = decode(ask(SENTENCES[0]), ask(SENTENCES[1]))
    assert [answer.text for (answer,) in found] == expected


def test_the_server_comes_before_them(decoders):
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert all(os.getpriority(os.PRIO_PROCESS, process.pid) > own for process in decoders.processes)


def test_what_cannot_be_translated_is_told_beside_the_others(decode):
    ((good, bad),) = decode(ask(SENTENCES[0], "word " * 400))
    assert isinstance(good, Translation)
    assert isinstance(bad, InputError)
    assert "the source has" in str(bad)


def test_edits_come_only_where_they_are_asked_for(decode):
    ((plain,),) = decode(ask(SENTENCES[0]))
    ((traced,),) = decode(ask(SENTENCES[0], trace=True))
    assert plain.trace is None
    assert traced.trace.output.ids[0].tolist()[1:-1] == traced.outcome.ids == plain.outcome.ids
    for name in ("text", "score", "iterations"):
        assert getattr(plain, name) == getattr(traced, name)
    assert vars(plain.counts) == vars(traced.counts)


def test_a_process_that_dies_is_replaced(decoders, decode):
    before = {process.pid for process in decoders.processes}
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    answers = decode(ask(SENTENCES[0]), ask(SENTENCES[1]))
    assert all(isinstance(answer, Translation) for (answer,) in answers)
    assert not before & {process.pid for process in decoders.processes}


def test_what_a_process_dies_of_twice_is_not_tried_again(decode, monkeypatch):
    tried = []

    async def die(_process, questions):
        tried.append(questions)
        raise Died

    monkeypatch.setattr(DecodingProcess, "translate", die)
    (died,) = decode(ask(SENTENCES[0]))
    assert isinstance(died, Died)
    assert len(tried) == 2
    monkeypatch.undo()
    assert decode(ask(SENTENCES[0]), ask(SENTENCES[1]))[1][0].text, "both processes are free again"


def test_a_process_lives_on_when_it_breaks_down(decoders, decode):
    before = [process.pid for process in decoders.processes]
    (broken,) = decode([Question(None)])
    assert "broken down" in str(broken)
    assert decode(ask(SENTENCES[0]))[0][0].text
    assert [process.pid for process in decoders.processes] == before


def test_a_model_that_cannot_be_loaded_is_told(tmp_path):
    (tmp_path / "export.json").write_text('{"runtime": "cpu"}', encoding="utf-8")
    with Decoders(tmp_path, processes=1, threads=1) as decoders, pytest.raises(InputError):
        decoders.wait()


def test_all_end_with_the_decoders():
    with Decoders(None, processes=2, threads=1) as decoders:
        decoders.wait()
        pids = [process.pid for process in decoders.processes]
    assert not any(map(is_alive, pids))


class Server:
    """`editmt serve` with the shipped model, in a process of its own."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "editmt", "serve", "--port", "0", "--data", folder, "--drain", "3"],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.url = re.search(r"http://[\d.:]+", self.process.stderr.readline())[0]
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        self.children = [int(pid) for pid in children.read_text(encoding="ascii").split()]

    def translate(self, *sentences):
        return httpx.post(f"{self.url}/v1/translate", json={"texts": sentences}, timeout=30)


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.process.kill()
    server.process.communicate()


def is_alive(pid):
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until_gone(pids):
    end = time.monotonic() + 20
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(is_alive, pids))


def test_a_request_is_answered_though_a_process_has_died(server):
    expected = server.translate(*SENTENCES).json()["translations"]
    for pid in server.children:
        os.kill(pid, signal.SIGKILL)
    answer = server.translate(*SENTENCES)
    assert answer.status_code == 200
    assert [each["text"] for each in answer.json()["translations"]] == [each["text"] for each in expected]


def test_none_is_left_when_the_server_is_killed(server):
    assert server.children
    assert server.translate(SENTENCES[0]).is_success
    server.process.kill()
    assert wait_until_gone(server.children)


def test_told_to_end_with_its_processes_it_still_answers(server):
    """As systemd does, which tells all of a service's processes."""
    assert server.translate(SENTENCES[0]).is_success
    for pid in [*server.children, server.process.pid]:
        os.kill(pid, signal.SIGTERM)
    assert server.translate(*SENTENCES).status_code == 200
    said = server.process.communicate(timeout=30)[1]
    assert (server.process.returncode, said) == (0, "")
    assert wait_until_gone(server.children)
