"""Our own format, without a socket."""

import asyncio
import gc
import json
import subprocess
import sys
import weakref

import pytest

from editmt.serving import gate
from editmt.serving.app import make_app
from editmt.serving.native_schemas import TranslateAnswer
from editmt.serving.settings import BatchLimits
from tests.serving.echo import BREAKING, echo_service
from tests.serving.running import client_of

HELLO = "the old sea"


@pytest.fixture
def ask(tmp_path):
    """Return a function that sends one request to a new server, and returns the answer."""

    def run(method, path, service=None, **options):
        async def go():
            async with client_of(service or echo_service(tmp_path)) as client:
                return await client.request(method, path, **options)

        return asyncio.run(go())

    return run


def translate(ask, *texts, **options):
    return ask("POST", "/v1/translate", json={"texts": texts, **options})


def test_texts_are_translated_in_order(ask):
    answer = translate(ask, HELLO, {"text": "a man"})
    assert answer.status_code == 200
    assert [each["text"] for each in answer.json()["translations"]] == [HELLO, "a man"]
    assert answer.json()["model"] == "echo"
    assert answer.json()["milliseconds"] > 0


def test_words_are_asked_for_and_reported(ask):
    wish = {"text": HELLO, "terms": [["Boot", "Boote"]], "hard": ["am See"], "forbidden": ["old"]}
    (found,) = translate(ask, wish).json()["translations"]
    assert "old" not in found["text"].split()
    hard, soft = found["terms"]
    assert (hard["term"], hard["hard"], hard["status"]) == ("am See", True, "used")
    assert (soft["term"], soft["hard"], soft["status"]) == ("Boot", False, "used")
    assert found["text"][slice(*hard["span"])] == "am See"


def test_a_draft_and_what_is_locked_in_it(ask):
    draft = "👩‍🚀 das Boot"  # characters are code points: JavaScript's are not
    start = draft.index("Boot")
    wish = {"text": HELLO, "draft": draft, "locked": [[start, start + 4]]}
    (found,) = translate(ask, wish).json()["translations"]
    assert found["text"] == "Boot the old sea"


def test_words_have_a_confidence_each(ask):
    (found,) = translate(ask, {"text": "the old sea.", "hard": ["Boot"]}).json()["translations"]
    words = [found["text"][slice(*word["span"])] for word in found["words"]]
    assert words == ["Boot", "the", "old", "sea", "."]
    assert all(0 < word["confidence"] <= 1 for word in found["words"])


def test_words_of_bytes_have_a_confidence_too(ask):
    (found,) = translate(ask, "👩‍🚀 the sea").json()["translations"]
    words = [found["text"][slice(*word["span"])] for word in found["words"]]
    assert words == ["👩‍🚀", "the", "sea"]


def test_a_plain_text_is_handed_to_no_thread_but_those_that_decode(tmp_path, monkeypatch):
    service = echo_service(tmp_path)

    async def refuse(*_):
        pytest.fail("it was")

    async def go():
        async with client_of(service) as client:
            monkeypatch.setattr("anyio.to_thread.run_sync", refuse)
            monkeypatch.setattr(service, "on_thread", refuse)
            answer = await client.post("/v1/translate", json={"texts": [HELLO, {"text": "a", "hard": ["b"]}]})
            monkeypatch.undo()
            return answer.status_code

    assert asyncio.run(go()) == 200


def test_a_body_that_is_called_a_form_is_told_what_it_should_be(ask):
    form = {"content-type": "application/x-www-form-urlencoded"}  # as `curl -d` does
    answer = ask("POST", "/v1/translate", content=b'{"texts": ["sea"]}', headers=form)
    assert answer.status_code == 400
    assert "content-type: application/json" in answer.json()["message"]


def test_whoever_looks_whether_the_page_is_there_is_told(ask):
    assert ask("HEAD", "/").status_code == 200


def test_line_ends_and_tabs_are_spaces(ask):
    answer = translate(ask, "the\n old\tsea", {"text": "the old\u00a0sea"}).json()
    assert [each["text"] for each in answer["translations"]] == [HELLO, HELLO]


def test_a_term_of_white_space_is_no_term(ask):
    wish = {"text": HELLO, "entries": [{"source": "\f", "target": "a"}]}
    (found,) = translate(ask, wish).json()["translations"]
    assert (found["text"], found["terms"]) == (HELLO, [])


def test_the_trace_is_told_on_request(ask):
    assert translate(ask, HELLO).json()["translations"][0]["trace"] is None
    trace = translate(ask, HELLO, trace=True).json()["translations"][0]["trace"]
    assert trace["first"] == ["<s>", "</s>"]
    assert [step["action"] for step in trace["steps"][:2]] == ["placeholders", "tokens"]


BAD = {
    "{": "Invalid JSON",
    "[]": "Input should be",
    '{"texts": []}': "texts: ",
    '{"texts": ["a"], "sauce": 1}': "sauce: ",
    '{"texts": [{"text": "a", "sauce": 1}]}': "sauce: ",
    '{"texts": [5]}': "texts.0",
    json.dumps({"texts": ["a"] * 51}): "texts: ",
    '{"texts": ["a \\ud800"]}': "half a surrogate pair",
    json.dumps({"texts": [{"text": "x", "hard": ["a b"], "forbidden": ["b"]}]}): "'b' is forbidden",
    json.dumps({"texts": [{"text": "x", "hard": [" "]}]}): "hard: item 1 is empty",
    json.dumps({"texts": [{"text": "x", "draft": "y", "locked": [[0, 9]]}]}): "locked: item 1",
    json.dumps({"texts": ["ok", "word " * 400]}): "text 2: the source has",
    '{"texts": ' + "[" * 5000: "",
}


@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
def test_what_is_wrong_is_said_in_one_line(ask, body):
    answer = ask("POST", "/v1/translate", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert BAD[body] in answer.json()["message"]
    assert "\n" not in answer.json()["message"]


def test_what_is_answered_is_what_is_described(ask):
    answer = translate(ask, {"text": HELLO, "terms": ["Boot"], "hard": ["am See"]}, trace=True).json()
    assert TranslateAnswer.model_validate(answer).model_dump(mode="json") == answer, "no field more, or less"


def test_the_shortcut_and_the_route_that_is_described_answer_alike(ask):
    """FastAPI has those whose type is given at length."""
    body, plain = json.dumps({"texts": [HELLO]}), "application/json"
    answers = [
        ask("POST", "/v1/translate", content=body, headers={"content-type": kind})
        for kind in (plain, f"{plain}; charset=utf-8")
    ]
    first, second = ({**answer.json(), "milliseconds": 0} for answer in answers)
    assert first == second
    assert [answer.status_code for answer in answers] == [200, 200]


def test_who_leaves_is_not_decoded_for(tmp_path):
    """Without a client of httpx's, which never leaves."""
    service = echo_service(tmp_path, batches=BatchLimits(wait_ms=60_000))
    messages = [{"type": "http.request", "body": json.dumps({"texts": [HELLO]}).encode()}]

    async def receive():
        if messages:
            return messages.pop()
        while not service.batcher._waiting.texts:
            await asyncio.sleep(0.001)
        return {"type": "http.disconnect"}

    async def send(_message):
        pass

    async def go():
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/v1/translate",
            "query_string": b"",
            "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        }
        await asyncio.wait_for(make_app(service)(scope, receive, send), 10)

    asyncio.run(go())
    assert (service.batcher._waiting.texts, service.engine.batches) == (0, [])


def test_what_was_kept_for_a_slow_request_is_gone_with_its_answer(tmp_path, monkeypatch):
    """And not when garbage is collected, which holds all others up."""
    watches = []

    class Known(gate._Watch):
        def __init__(self, replay):
            super().__init__(replay)
            watches.append(weakref.ref(self))

    monkeypatch.setattr(gate, "_Watch", Known)
    monkeypatch.setattr(gate, "WATCH_SECONDS", 0.01)

    async def go():
        async with client_of(echo_service(tmp_path, delay=0.1)) as client:
            gc.collect()
            gc.disable()
            await client.post("/v1/translate", json={"texts": [HELLO]})
            await asyncio.sleep(0.01)
            return [watch() for watch in watches]

    try:
        assert asyncio.run(go()) == [None]
    finally:
        gc.enable()


def test_an_engine_that_breaks_breaks_for_its_text_only(tmp_path, caplog):
    service = echo_service(tmp_path)

    async def go():
        async with client_of(service) as client:
            asked = [{"texts": [BREAKING if number == 3 else f"sea {number}"]} for number in range(6)]
            return await asyncio.gather(*(client.post("/v1/translate", json=body) for body in asked))

    answers = asyncio.run(go())
    assert [answer.status_code for answer in answers] == [200, 200, 200, 500, 200, 200]
    assert answers[4].json()["translations"][0]["text"] == "sea 4"
    assert "RuntimeError" in caplog.text
    assert BREAKING not in caplog.text, "users' text does not belong in logs"


def test_models_health_and_metrics(ask, tmp_path):
    assert ask("GET", "/v1/models").json() == {
        "models": [{"name": "echo", "source_language": "en", "target_language": "de"}]
    }
    assert ask("GET", "/health/live").json() == {"status": "ok"}
    assert ask("GET", "/health/ready").json() == {"status": "ok"}
    service = echo_service(tmp_path)

    async def go():
        async with client_of(service) as client:
            await client.post("/v1/translate", json={"texts": [HELLO, "secret word"]})
            await client.get("/there/is/none/secret")
            return (await client.get("/metrics")).text

    metrics = asyncio.run(go())
    assert 'editmt_requests_total{route="/v1/translate",status="200"} 1.0' in metrics
    assert 'editmt_requests_total{route="other",status="404"} 1.0' in metrics
    assert "editmt_texts_total 2.0" in metrics
    assert "secret" not in metrics


def test_while_it_drains_it_is_not_ready_and_still_answers(tmp_path):
    service = echo_service(tmp_path)

    async def go():
        async with client_of(service) as client:
            service.begin_draining()
            ready = await client.get("/health/ready")
            return ready, await client.post("/v1/translate", json={"texts": [HELLO]})

    ready, answer = asyncio.run(go())
    assert (ready.status_code, ready.json()) == (503, {"status": "draining"})
    assert answer.status_code == 200
    assert answer.headers["connection"] == "close"


def test_the_server_imports_no_torch():
    code = (
        "import sys, editmt.serving.server, editmt.cli.serve_options, editmt.decoding.translator;"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
