"""The server keeps to its own description, whatever it is sent."""

import math
import re
import signal

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from requests import Session
from schemathesis import GenerationMode, checks

from tests.serving.echo import echo_service
from tests.serving.running import Process, listening

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
MOST_GROWTH = 50_000_000


def fuzz(url, examples, number=0):
    """Send so many requests of each kind, of which some keep to the description; return how many in all.

    Each number has requests of its own.
    """
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    sent = 0
    with Session() as session:
        for result in schema.get_all_operations():
            operation = result.ok()
            cases = operation.as_strategy() | operation.as_strategy(GenerationMode.NEGATIVE)

            @settings(
                max_examples=examples,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @seed(number)
            @given(case=cases)
            def run(case):
                nonlocal sent
                sent += 1
                case.call_and_validate(checks=CHECKS, session=session)

            run()
    return sent


def count_operations(url):
    paths = httpx.get(f"{url}/openapi.json").json()["paths"]
    return sum(map(len, paths.values()))


def resident(url):
    return float(
        re.search(r"^process_resident_memory_bytes (\S+)", httpx.get(f"{url}/metrics").text, re.M)[1]
    )


def test_it_keeps_to_its_description(tmp_path):
    with listening(echo_service(tmp_path)) as url:
        assert fuzz(url, 3) > 60


@pytest.mark.soak
def test_twenty_thousand_requests(tmp_path):
    server = Process(tmp_path)
    try:
        fuzz(server.url, 20)  # whatever is loaded once
        before, sent = resident(server.url), 0
        for number in (1, 2, 3):
            sent += fuzz(server.url, math.ceil(20_000 / 3 / count_operations(server.url)), number)
        growth = resident(server.url) - before
    finally:
        server.send(signal.SIGTERM)
        code, said = server.end()
    print(f"{sent} requests, {growth / 1e6:.1f} MB more")
    assert (code, said) == (0, "")
    assert sent >= 20_000
    assert growth < MOST_GROWTH, (sent, growth)
