"""Sizes, keys, rates, origins, and the headers of every answer."""

import asyncio
from dataclasses import replace

import pytest

from editmt.serving.settings import BatchLimits, RequestLimits
from tests.serving.echo import echo_service
from tests.serving.running import client_of

ASKED = {"texts": ["the old sea"]}


def ask(service, *requests):
    """Send requests one after the other; return the answers."""

    async def go():
        async with client_of(service) as client:
            return [await client.request(method, path, **options) for method, path, options in requests]

    return asyncio.run(go())


def bearer(key):
    return {"headers": {"authorization": f"Bearer {key}"}}


def test_every_answer_has_the_security_headers(tmp_path):
    answers = ask(
        echo_service(tmp_path),
        ("POST", "/v1/translate", {"json": ASKED}),
        ("GET", "/none", {}),
        ("POST", "/v1/translate", {"content": b"x" * 200_000}),
    )
    assert [answer.status_code for answer in answers] == [200, 404, 413]
    for answer in answers:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


@pytest.mark.parametrize("path", ["/v1/translate", "/v2/translate", "/translate", "/v1/glossaries"])
def test_bodies_have_an_end(tmp_path, path):
    limits = RequestLimits(body_bytes=1000, glossary_bytes=3000)

    async def chunks():
        for _ in range(40):
            yield b"x" * 100  # no length is announced

    first, second = ask(
        echo_service(tmp_path, requests=limits),
        ("POST", path, {"content": b"x" * 4000}),
        ("POST", path, {"content": chunks()}),
    )
    assert first.status_code == second.status_code == 413
    name = "error" if path == "/translate" else "message"
    assert "more than" in first.json()[name]


def test_heads_have_an_end(tmp_path):
    (answer,) = ask(echo_service(tmp_path), ("GET", "/v1/models", {"headers": {"x": "y" * 20_000}}))
    assert answer.status_code == 431


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path):
    async def never():
        yield b"{"
        await asyncio.sleep(60)

    limits = RequestLimits(body_seconds=0.05)
    (answer,) = ask(echo_service(tmp_path, requests=limits), ("POST", "/v1/translate", {"content": never()}))
    assert answer.status_code == 408


def test_beyond_this_machine_a_key_is_needed(tmp_path):
    service = echo_service(tmp_path, host="0.0.0.0")
    key = service.keys.add("anna")
    deepl = {"headers": {"authorization": f"DeepL-Auth-Key {key}"}}
    answers = ask(
        service,
        ("POST", "/v1/translate", {"json": ASKED}),
        ("POST", "/v1/translate", {"json": ASKED, **bearer("editmt-wrong")}),
        ("POST", "/v1/translate", {"json": ASKED, **bearer(key)}),
        ("POST", "/v1/translate", {"json": ASKED, **deepl}),
        ("GET", "/v2/usage", {}),
        ("GET", "/metrics", {}),
        ("GET", "/health/live", {}),
    )
    assert [answer.status_code for answer in answers] == [401, 403, 200, 200, 403, 401, 200]


def test_a_removed_key_is_worthless_at_once(tmp_path):
    service = echo_service(tmp_path, require_keys=True)
    key = service.keys.add("anna")

    async def go():
        async with client_of(service) as client:
            before = await client.get("/v1/models", **bearer(key))
            echo_service(tmp_path).keys.remove("anna")  # by somebody else
            return before, await client.get("/v1/models", **bearer(key))

    before, after = asyncio.run(go())
    assert (before.status_code, after.status_code) == (200, 403)


def test_keys_are_kept_as_hashes(tmp_path):
    key = echo_service(tmp_path).keys.add("anna")
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"anna" in kept
    assert key.encode() not in kept


def test_each_key_has_its_rate(tmp_path):
    service = echo_service(tmp_path, require_keys=True, requests=replace(RequestLimits(), a_minute=12))
    anna, berta = service.keys.add("anna"), service.keys.add("berta")
    answers = ask(service, *(("GET", "/v1/models", bearer(key)) for key in [anna, anna, anna, berta]))
    assert [answer.status_code for answer in answers] == [200, 200, 429, 200]
    assert 1 <= int(answers[2].headers["retry-after"]) <= 6


def test_each_key_has_its_quota(tmp_path):
    service = echo_service(tmp_path, require_keys=True)
    key = service.keys.add("anna", quota=20)
    post = ("POST", "/v1/translate", {"json": ASKED, **bearer(key)})
    assert [answer.status_code for answer in ask(service, post, post)] == [200, 429]
    again = echo_service(tmp_path, require_keys=True)  # the characters were written down
    assert ask(again, post)[0].status_code == 429


def test_other_sites_pages_cannot_use_it(tmp_path):
    answers = ask(
        echo_service(tmp_path),
        ("POST", "/v1/translate", {"json": ASKED, "headers": {"origin": "http://evil.example"}}),
        ("POST", "/v1/translate", {"json": ASKED, "headers": {"origin": "http://localhost"}}),
        ("GET", "/v1/models", {"headers": {"host": "evil.example:8080"}}),  # a rebound name
        ("GET", "/v1/models", {"headers": {"host": "[::1]:8080"}}),
    )
    assert [answer.status_code for answer in answers] == [403, 200, 403, 200]
    assert not any("access-control-allow-origin" in answer.headers for answer in answers)


def test_a_full_queue_refuses_before_it_reads(tmp_path):
    service = echo_service(tmp_path, batches=BatchLimits(texts=1, waiting_texts=2, wait_ms=0))

    async def go():
        async with client_of(service) as client:
            service.engine.go.clear()
            waiting = [asyncio.create_task(client.post("/v1/translate", json=ASKED))]
            while not service.engine.batches:
                await asyncio.sleep(0.001)
            waiting += [asyncio.create_task(client.post("/v1/translate", json=ASKED)) for _ in range(2)]
            while not service.batcher.full:
                await asyncio.sleep(0.001)
            refused = [await client.post(path) for path in ("/v1/translate", "/v2/translate", "/translate")]
            service.engine.go.set()
            return refused, await asyncio.gather(*waiting)

    refused, served = asyncio.run(go())
    assert [answer.status_code for answer in refused] == [429] * 3
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    assert [answer.status_code for answer in served] == [200] * 3
