"""A mistake of our own: the client is told, the log says where, and neither says on whose text."""

import asyncio

import pytest

from tests.serving.echo import echo_service
from tests.serving.running import client_of


@pytest.mark.parametrize("path", ["/v2/usage", "/v1/translate"])
def test_a_mistake_is_told_without_the_text(tmp_path, caplog, monkeypatch, path):
    service = echo_service(tmp_path)

    def break_down(*_):
        raise KeyError("secret text")

    monkeypatch.setattr(service.usage, "of", break_down)
    monkeypatch.setattr(service.usage, "add", break_down)

    async def go():
        async with client_of(service) as client:
            asked = {"json": {"texts": ["secret text"]}} if path == "/v1/translate" else {}
            broken = await client.request("POST" if asked else "GET", path, **asked)
            return broken, await client.get("/health/live")

    broken, after = asyncio.run(go())
    assert (broken.status_code, broken.json()) == (500, {"message": "something broke in the server"})
    assert "nosniff" in broken.headers["x-content-type-options"]
    assert after.status_code == 200
    assert "KeyError in break_down" in caplog.text
    assert "secret" not in caplog.text
