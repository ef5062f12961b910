"""What a server adds to its model: throughput, latency and refusals of `editmt serve`, on this machine only.

    python bench/serve.py --model RUN --languages en-de --source test.en
    python bench/serve.py                       # random weights, made-up sentences: the ratios only

Three things, one after the other: the model alone (`Translator.translate_all`, 512 sentences at a time); one
client, and then 32 that ask one sentence after the other for `--seconds`; and four times as many requests as
the server can answer, as they come. It prints the ratios that matter: throughput to the model's alone, the
99th percentile to a single client's median; how soon a refusal comes, how the memory grows, how long until
all is well again.
"""

import argparse
import asyncio
import itertools
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CHUNK = 512
CLIENTS, SINGLE_REQUESTS = 32, 50
OVERLOAD, OVERLOAD_SECONDS = 4, 20
START_SECONDS, RECOVERY_SECONDS = 120, 30


@dataclass
class Record:
    """What became of requests: the seconds that each took, by status."""

    seconds: dict[int, list[float]] = field(default_factory=dict)

    def add(self, status: int, seconds: float) -> None:
        """Count one."""
        self.seconds.setdefault(status, []).append(seconds)

    @property
    def errors(self) -> dict[int, int]:
        """How many there were of each status but success; 0 is a connection that broke."""
        return {status: len(times) for status, times in self.seconds.items() if status != 200}


class Client:
    """One connection that is kept open, and no more than HTTP needs: the clients share the cores."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def translate(self, body: bytes) -> int:
        """Ask, read the answer, and return its status."""
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection("127.0.0.1", self._port)
            reader, writer = self._streams
            writer.write(
                b"POST /v1/translate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
                b"content-length: %d\r\n\r\n%s" % (len(body), body)
            )
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head)
            await reader.readexactly(int(length[1]) if length else 0)
            return int(head[9:12])
        except (OSError, asyncio.IncompleteReadError):
            self._streams = None
            return 0

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()


async def ask_one_after_the_other(port: int, bodies: Iterator[bytes], until: float, record: Record) -> None:
    """Be one client until a time."""
    client = Client(port)
    while time.monotonic() < until:
        began = time.perf_counter()
        status = await client.translate(next(bodies))
        record.add(status, time.perf_counter() - began)
    client.close()


async def ask_as_they_come(port: int, bodies: Iterator[bytes], rate: float, seconds: float) -> Record:
    """Send so many requests a second, whatever becomes of those before."""
    record, free = Record(), [Client(port) for _ in range(600)]
    tasks: set[asyncio.Task[None]] = set()

    async def ask() -> None:
        client = free.pop()
        began = time.perf_counter()
        record.add(await client.translate(next(bodies)), time.perf_counter() - began)
        free.append(client)

    began = time.monotonic()
    for number in itertools.count():
        pause = began + number / rate - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
        if time.monotonic() - began > seconds:
            break
        if free:
            task = asyncio.create_task(ask())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    for client in free:
        client.close()
    return record


async def measure_clients(port: int, bodies: Sequence[bytes], count: int, seconds: float) -> Record:
    """Let so many clients ask at the same time."""
    record, shared, until = Record(), itertools.cycle(bodies), time.monotonic() + seconds
    await asyncio.gather(*(ask_one_after_the_other(port, shared, until, record) for _ in range(count)))
    return record


async def measure_recovery(port: int, body: bytes, usual: float) -> float:
    """Return the seconds until a request is answered again, not much slower than usual."""
    began, client = time.monotonic(), Client(port)
    while time.monotonic() - began < RECOVERY_SECONDS:
        asked = time.perf_counter()
        if await client.translate(body) == 200 and time.perf_counter() - asked < 5 * usual:
            break
        await asyncio.sleep(0.05)
    client.close()
    return time.monotonic() - began


def measure_model(model: Path, sentences: Sequence[str], threads: int) -> float:
    """Return how many sentences a second the model alone translates."""
    from editmt.decoding.request import Request  # noqa: PLC0415 - in a process of its own
    from editmt.decoding.translator import Translator  # noqa: PLC0415

    translator = Translator.load(model, threads=threads)
    requests = [Request.of(sentence) for sentence in sentences]
    translator.translate_all(requests[:64])
    began = time.perf_counter()
    for start in range(0, len(requests), CHUNK):
        translator.translate_all(requests[start : start + CHUNK])
    return len(requests) / (time.perf_counter() - began)


def make_model(folder: Path) -> Path:
    """Save an edit model of the shipped one's shape with random weights."""
    import dataclasses  # noqa: PLC0415

    import torch  # noqa: PLC0415

    from editmt.config import preset  # noqa: PLC0415
    from editmt.data.texts import Texts  # noqa: PLC0415
    from editmt.models import make_model as make  # noqa: PLC0415
    from editmt.models.saved import save_model, weights_of  # noqa: PLC0415
    from editmt.text.subwords import SentencePiecePipeline  # noqa: PLC0415

    torch.manual_seed(1)
    pipeline = SentencePiecePipeline.train(make_sentences(2000), size=360)
    small = preset("small", "editor")
    config = dataclasses.replace(small, width=256, feedforward=1024, encoder_layers=6, decoder_layers=2)
    size = len(pipeline.vocabulary)
    save_model(folder, config, weights_of(make(config, size, size)), Texts(pipeline, pipeline))
    return folder


def make_sentences(count: int) -> list[str]:
    """Make up sentences of five to thirty words."""
    words = "the old man sleeps on a green sofa while two dogs watch him from their place by a window".split()  # noqa: SIM905
    return [
        " ".join(words[(number * 7 + place * place) % len(words)] for place in range(5 + number % 26)) + "."
        for number in range(count)
    ]


def start_server(options: argparse.Namespace, data: str) -> tuple["subprocess.Popen[str]", int]:
    """Start `editmt serve` on a free port; return it when it is ready."""
    command = [sys.executable, "-m", "editmt", "serve", "--model", str(options.model), "--port", "0"]
    command += ["--languages", options.languages, "--data", data, "--threads", str(options.threads)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    if match is None:
        raise SystemExit(line + process.stderr.read())
    return process, int(match[1])


def read_memory(process: "subprocess.Popen[str]") -> float:
    """Return a process's resident memory in MB."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) / 1024 if found else 0.0


def quantile(times: Sequence[float], share: float) -> float:
    """Return the time that this share of the times is below."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def main() -> None:
    """Measure, and print one line of JSON with every figure."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("--model", type=Path, help="a run or a saved model (default: random weights)")
    parser.add_argument("--languages", default="en-de")
    parser.add_argument("--source", type=Path, help="sentences, one a line")
    parser.add_argument("--sentences", type=int, default=1024, help="of these, at most")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options.model = options.model or make_model(Path(folder) / "model")
        print(json.dumps(measure(options, folder), indent=2))


def measure(options: argparse.Namespace, folder: str) -> dict[str, object]:
    """Measure the model alone, and then the server."""
    lines = options.source.read_text(encoding="utf-8").split("\n") if options.source else make_sentences(1024)
    sentences = [line for line in lines if line.strip()][: options.sentences]
    alone = measure_model(options.model, sentences, options.threads)
    bodies = [json.dumps({"texts": [sentence]}).encode() for sentence in sentences]
    process, port = start_server(options, folder)
    try:
        single = asyncio.run(measure_clients(port, bodies, 1, max(5.0, options.seconds / 6)))
        many = asyncio.run(measure_clients(port, bodies, CLIENTS, options.seconds))
        throughput = len(many.seconds.get(200, [])) / options.seconds
        memory = read_memory(process)
        flood = asyncio.run(
            ask_as_they_come(port, itertools.cycle(bodies), OVERLOAD * throughput, OVERLOAD_SECONDS)
        )
        usual = statistics.median(single.seconds[200])
        recovery = asyncio.run(measure_recovery(port, bodies[0], usual))
        grown = read_memory(process) - memory
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
    refusals = flood.seconds.get(429, [])
    return {
        "model alone, sentences/s": round(alone, 1),
        "server, sentences/s": round(throughput, 1),
        "server / model alone": round(throughput / alone, 3),
        "one client, median ms": round(1000 * usual, 1),
        "32 clients, median ms": round(1000 * quantile(many.seconds[200], 0.5), 1),
        "32 clients, p99 ms": round(1000 * quantile(many.seconds[200], 0.99), 1),
        "p99 / one client's median": round(quantile(many.seconds[200], 0.99) / usual, 2),
        "errors of 32 clients": many.errors,
        "overload: answered": len(flood.seconds.get(200, [])),
        "overload: refused": len(refusals),
        "overload: other": {status: n for status, n in flood.errors.items() if status != 429},
        "overload: refusal p50, p99 ms": [
            round(1000 * quantile(refusals, share), 1) for share in (0.5, 0.99)
        ],
        "overload: memory MB": [round(memory, 1), round(grown, 1)],
        "recovery, s": round(recovery, 2),
    }


if __name__ == "__main__":
    main()
