"""Servers that are stopped, killed, and held up, in processes of their own."""

import concurrent.futures
import contextlib
import http.client
import json
import signal
import socket
import threading
import time
from urllib.parse import urlsplit

import httpx
import pytest

from tests.serving.running import Process

BODY = json.dumps({"texts": ["the old sea"]})


class Load:
    """Clients that ask one after the other until the server is gone, and count what became of it."""

    def __init__(self, url, clients):
        self.address = urlsplit(url).netloc
        self.served, self.lost, self.stop = 0, [], threading.Event()
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def run(self):
        connection = http.client.HTTPConnection(self.address, timeout=30)
        while not self.stop.is_set():
            try:
                if connection.sock is None:
                    connection.connect()
            except ConnectionError:
                return  # it listens no more
            try:
                connection.request("POST", "/v1/translate", BODY, {"content-type": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
                good = answer.status == 200 and json.loads(text)["translations"][0]["text"] == "the old sea"
                problem = None if good else f"{answer.status} {text!r}"
            except (OSError, http.client.HTTPException) as error:
                problem = repr(error)
                connection.close()
            with self.lock:
                self.served += problem is None
                self.lost += [problem] if problem else []

    def end(self):
        for thread in self.threads:
            thread.join()


def stop_under_load(folder, clients, seconds):
    server = Process(folder, "--delay", 0.02, "--drain", 0.3)
    load = Load(server.url, clients)
    while load.served < 2 * clients and not load.lost:
        time.sleep(0.01)
    time.sleep(seconds)
    server.send(signal.SIGTERM)
    code, said = server.end()
    load.end()
    return code, said, load


def test_told_to_end_it_loses_nothing_that_it_has_accepted(tmp_path):
    code, said, load = stop_under_load(tmp_path, 8, 0.1)
    assert (code, load.lost) == (0, [])
    assert "sea" not in said


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
def test_told_to_end_twenty_times(tmp_path, number):
    code, _, load = stop_under_load(tmp_path, 16, number * 0.03)
    assert (code, load.lost) == (0, [])


def test_told_to_end_it_is_not_ready_first(tmp_path):
    server = Process(tmp_path, "--drain", 2)
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/health/ready").status_code == 200
        server.send(signal.SIGTERM)
        deadline = time.monotonic() + 1.5
        while (answer := client.get("/health/ready")).status_code == 200 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert (answer.status_code, answer.json()) == (503, {"status": "draining"})
        assert client.post("/v1/translate", content=BODY).status_code in (200, 400)
    assert server.end()[0] == 0


def test_told_twice_it_ends_at_once(tmp_path):
    server = Process(tmp_path, "--drain", 60)
    server.send(signal.SIGINT)
    time.sleep(0.3)
    server.send(signal.SIGINT)
    server.end(timeout=20)


def kill_while_writing(folder, writes):
    """Kill a server that is given glossaries; return those it acknowledged."""
    server, acknowledged = Process(folder), []
    client = httpx.Client(base_url=server.url)
    entries = "\n".join(f"term {number}\tBegriff {number}" for number in range(200))
    fields = {"source_lang": "en", "target_lang": "de", "entries_format": "tsv", "entries": entries}

    def write(number):
        with contextlib.suppress(httpx.HTTPError):
            answer = client.post("/v2/glossaries", json=fields | {"name": str(number)})
            if answer.status_code == 201:
                acknowledged.append(answer.json()["glossary_id"])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for number in range(writes):
            pool.submit(write, number)
        while len(acknowledged) < writes // 3:
            time.sleep(0.001)
        server.send(signal.SIGKILL)
    server.end()
    client.close()
    return acknowledged


def test_killed_while_it_writes_it_keeps_what_it_has_acknowledged(tmp_path):
    acknowledged = kill_while_writing(tmp_path, 50)
    assert len(acknowledged) >= 16
    server = Process(tmp_path)
    with httpx.Client(base_url=server.url) as client:
        found = client.get("/v2/glossaries").json()["glossaries"]
        assert set(acknowledged) <= {each["glossary_id"] for each in found}
        for each in found:
            assert each["entry_count"] == 200
            entries = client.get(f"/v2/glossaries/{each['glossary_id']}/entries").text
            assert len(entries.splitlines()) == 200, "none is half-written"
    server.send(signal.SIGTERM)
    server.end()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Process(tmp_path_factory.mktemp("server"))
    yield server
    server.send(signal.SIGTERM)
    assert server.end()[0] == 0


def test_slow_connections_hold_nobody_up(server):
    host = urlsplit(server.url)
    slow = []
    for number in range(300):
        each = socket.create_connection((host.hostname, host.port))
        head = b"POST /v1/translate HTTP/1.1\r\nhost: localhost\r\n"
        each.sendall(head[:10] if number % 2 else head + b"content-length: 100\r\n\r\n{")
        slow.append(each)
    with httpx.Client(base_url=server.url) as client:
        for _ in range(5):
            assert client.get("/health/live").status_code == 200
        assert client.post(
            "/v1/translate", content=BODY, headers={"content-type": "application/json"}
        ).is_success
    for each in slow:
        each.close()


def exchange(url, given, seconds=10):
    """Send bytes, and return what comes until the server closes."""
    host = urlsplit(url)
    with socket.create_connection((host.hostname, host.port), timeout=seconds) as connection:
        connection.sendall(given)
        received = b""
        with contextlib.suppress(ConnectionResetError):
            while data := connection.recv(65536):
                received += data
        return received


def test_garbage_on_the_wire(server):
    assert b" 400 " in exchange(server.url, b"\x00\xff\x00\xff\r\n\r\n")
    endless = b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 400_000
    assert b" 200 " not in exchange(server.url, endless)
    assert httpx.get(f"{server.url}/health/live").status_code == 200
