"""Glossaries that are got ready: one after the other, few of them kept, and nobody else held up."""

import asyncio
import threading

import pytest

from editmt.serving import glossary_store, ready_glossaries
from editmt.serving.problems import Problem
from editmt.text.glossary import Entry, Target
from tests.serving.echo import echo_service
from tests.serving.running import client_of

PAIR = ("en", "de")


def entries(*sources):
    return [Entry(source, (Target(source.upper()),)) for source in sources]


@pytest.fixture
def service(tmp_path):
    return echo_service(tmp_path)


def make(service, *sources):
    return service.glossaries.create("", "any", {PAIR: entries(*sources)}).id


def find(service, *identities):
    return asyncio.run(service._ready.find("", identities, PAIR))


def test_several_are_one(service):
    first, second = make(service, "sea"), make(service, "ship", "salt")
    assert [entry.source for entry in find(service, first, second, first).entries] == ["sea", "ship", "salt"]
    with pytest.raises(Problem, match="no such glossary"):
        find(service, first, "none")


def test_they_stay_ready_until_they_change(service):
    identity = make(service, "sea")
    ready = find(service, identity)
    assert find(service, identity) is ready
    service.glossaries.put("", identity, PAIR, entries("ship"), merge=True)
    assert [entry.source for entry in find(service, identity).entries] == ["sea", "ship"]


def test_few_are_kept(service, monkeypatch):
    monkeypatch.setattr(ready_glossaries, "MOST_ENTRIES", 5)
    monkeypatch.setattr(ready_glossaries, "MOST_KEPT", 3)
    small, large = [make(service, "a"), make(service, "b"), make(service, "c")], make(service, *"abcd")
    old, *others = (find(service, identity) for identity in small)
    assert find(service, small[0]) is old
    find(service, large)
    assert find(service, small[0]) is old, "it was used last"
    assert find(service, small[1]) is not others[0]
    with pytest.raises(Problem, match="7 entries"):
        find(service, large, *small)


def test_entries_have_an_end(service, monkeypatch):
    monkeypatch.setattr(glossary_store, "MOST_ENTRIES", 2)
    identity = make(service, "a", "b")
    with pytest.raises(Problem, match="3 entries") as problem:
        service.glossaries.put("", identity, PAIR, entries("c"), merge=True)
    assert problem.value.status == 413
    with pytest.raises(Problem, match="3 entries"):
        make(service, "a", "b", "c")


def test_a_large_one_holds_nobody_up(service, monkeypatch):
    """However many ask for it: there are fewer threads than they."""
    go_on, begun, ready = threading.Event(), [], ready_glossaries._make_ready

    def be_slow(given):
        begun.append(len(given))
        assert go_on.wait(20)
        return ready(given)

    monkeypatch.setattr(ready_glossaries, "_make_ready", be_slow)
    identity = make(service, "sea")

    async def work():
        async with client_of(service) as client:
            asked = {"text": ["the sea"], "target_lang": "DE"}
            slow = [
                asyncio.create_task(
                    client.post("/v2/translate", json=asked | {"source_lang": "EN", "glossary_id": identity})
                )
                for _ in range(60)
            ]
            while not begun:
                await asyncio.sleep(0.01)
            other = await asyncio.wait_for(client.post("/v2/translate", json=asked), 10)
            go_on.set()
            return other, await asyncio.gather(*slow)

    other, answers = asyncio.run(work())
    assert other.status_code == 200
    assert {answer.status_code for answer in answers} == {200}
    assert begun == [1]
