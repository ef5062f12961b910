"""The server keeps to its own description, whatever it is sent."""

import math
import re
import signal
from collections import Counter
from contextlib import contextmanager, nullcontext

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import booleans
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
    """Send so many requests of each kind, of which some keep to the description; count the answers by status.

    Each number has requests of its own. A kind that has no more different requests gets fewer. Half of those
    about a glossary are about one that there is.
    """
    schema = schemathesis.openapi.from_url(f"{url}/openapi.json")
    answers = Counter()
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
            @given(case=cases, known=booleans())
            def run(case, known):
                with glossary_for(case, url, session) if known else nullcontext():
                    answers[case.call_and_validate(checks=CHECKS, session=session).status_code] += 1

            run()
    return answers


@contextmanager
def glossary_for(case, url, session):
    """Let a request that is about a glossary be about a new one, and leave none behind."""
    if "identity" not in case.path_parameters:
        yield
        return
    glossaries = f"{url}/v2/glossaries"
    fields = {"name": "any", "source_lang": "en", "target_lang": "de", "entries": "sea\tMeer"}
    made = session.post(glossaries, json=fields).json()["glossary_id"]
    case.path_parameters["identity"] = made
    yield
    session.delete(f"{glossaries}/{made}")


def count_operations(url):
    paths = httpx.get(f"{url}/openapi.json").json()["paths"]
    return sum(map(len, paths.values()))


def resident(url):
    return float(
        re.search(r"^process_resident_memory_bytes (\S+)", httpx.get(f"{url}/metrics").text, re.M)[1]
    )


def test_it_keeps_to_its_description(tmp_path):
    with listening(echo_service(tmp_path)) as url:
        answers = fuzz(url, 3)
    assert answers.total() > 60
    assert answers[200] > 10


@pytest.mark.soak
def test_twenty_thousand_requests(tmp_path):
    server = Process(tmp_path)
    try:
        fuzz(server.url, 20)  # whatever is loaded once
        before, answers, number = resident(server.url), Counter(), 0
        while answers.total() < 20_000:
            number += 1
            answers += fuzz(server.url, math.ceil(20_000 / 3 / count_operations(server.url)), number)
        growth = resident(server.url) - before
    finally:
        server.send(signal.SIGTERM)
        code, said = server.end()
    print(f"{answers.total()} requests {dict(sorted(answers.items()))}, {growth / 1e6:.1f} MB more")
    assert (code, said) == (0, "")
    assert growth < MOST_GROWTH, (answers, growth)
