"""What a server adds to its model: throughput, latency and refusals of `editmt serve`, on this machine only.

    python bench/serve.py --source ../shared/data/tatoeba.en-de/test.en
    python bench/serve.py --seconds 10          # made-up sentences, and a first look only

One thing after the other: the model alone (`Translator.translate_all`, 512 sentences at a time, in a process
of its own, before and after); how soon the server is ready; one client, and then 32 that ask one sentence
after the other for `--seconds`; and four times as many requests as the server can answer, as they come. It
prints each figure beside what is wanted of it, and ends with code 1 if one fails.
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
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import uvloop
from serve_clients import (
    Record,
    ask_as_they_come,
    ask_side_by_side,
    wait_for_recovery,
    wait_until_ready,
)

CHUNK = 512
CLIENTS = 32
OVERLOAD, OVERLOAD_SECONDS = 4, 20.0


@dataclass(frozen=True)
class Figure:
    """Something measured, and what is wanted of it: at least or at most so much."""

    name: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def fails(self) -> bool:
        """Whether it is not as wanted; what is no number is not."""
        low = self.least is not None and not self.value >= self.least
        return low or (self.most is not None and not self.value <= self.most)

    def __str__(self) -> str:
        wanted = "" if self.least is None else f"≥ {self.least:g}"
        wanted = wanted if self.most is None else f"≤ {self.most:g}"
        mark = "FAILS" if self.fails else "ok" if wanted else ""
        return f"{self.name:<44} {self.value:>10.4g}  {wanted:<8} {mark}".rstrip()


@dataclass
class Server:
    """`editmt serve` in a process of its own, and how long it took until it was ready."""

    options: argparse.Namespace
    folder: str
    port: int = 0
    start_seconds: float = 0.0
    memory: list[float] = field(default_factory=list)  # MB, as it was watched

    def __enter__(self) -> "Server":
        began = time.perf_counter()
        command = [sys.executable, "-m", "editmt", "serve", "--port", "0", "--data", self.folder]
        command += ["--languages", self.options.languages, "--threads", str(self.options.threads)]
        command += ["--model", str(self.options.model)] if self.options.model else []
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if match is None:
            raise SystemExit(line + self.process.stderr.read())
        self.port = int(match[1])
        asyncio.run(wait_until_ready(self.port))
        self.start_seconds = time.perf_counter() - began
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate()

    def _read(self, name: str) -> list[str]:
        """Return what the kernel knows of it and of the processes that decode for it."""
        first = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        numbers = [str(self.process.pid), *first.read_text(encoding="ascii").split()]
        return [Path(f"/proc/{number}/{name}").read_text(encoding="ascii") for number in numbers]

    def read_memory(self) -> float:
        """Return its resident memory in MB."""
        found = [re.search(r"VmRSS:\s+(\d+)", status) for status in self._read("status")]
        return sum(int(each[1]) / 1024 for each in found if each)

    def read_cpu(self) -> float:
        """Return the seconds of CPU it has used."""
        fields = [stat.rpartition(")")[2].split() for stat in self._read("stat")]
        return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")

    def watch_memory(self, stopped: threading.Event) -> None:
        """Read its memory twice a second until told to stop."""
        while not stopped.wait(0.5):
            self.memory.append(self.read_memory())


def measure_model(model: Path | None, sentences: Sequence[str], threads: int, seconds: float) -> float:
    """Return how many sentences a second the model alone translates, all of them until the time is up."""
    from editmt.decoding.request import Request  # noqa: PLC0415 - in a process of its own
    from editmt.decoding.translator import Translator  # noqa: PLC0415

    translator = Translator.load(model, threads=threads)
    requests = [Request.of(sentence) for sentence in sentences]
    translator.translate_all(requests[:64])
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        for start in range(0, len(requests), CHUNK):
            translator.translate_all(requests[start : start + CHUNK])
        count += len(requests)
    return count / (time.perf_counter() - began)


def make_sentences(count: int) -> list[str]:
    """Make up sentences of five to thirty words."""
    words = "the old man sleeps on a green sofa while two dogs watch him from their place by a window".split()  # noqa: SIM905
    return [
        " ".join(words[(number * 7 + place * place) % len(words)] for place in range(5 + number % 26)) + "."
        for number in range(count)
    ]


def quantile(times: Sequence[float], share: float) -> float:
    """Return the time in ms that this share of the times is below."""
    return 1000 * sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def read_busy() -> float:
    """Return the seconds of CPU that the machine has used, whoever for."""
    times = [
        int(ticks) for ticks in Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:9]
    ]
    return (sum(times) - times[3] - times[4]) / os.sysconf("SC_CLK_TCK")  # but idle, and waiting for a disk


def measure_clients(server: Server, bodies: Sequence[bytes], seconds: float) -> tuple[list[Figure], Record]:
    """Measure one client, and then many; return the record of the one, too."""
    one = uvloop.run(ask_side_by_side(server.port, bodies, 1, max(5.0, seconds / 6)))
    usual, cpu, own = quantile(one.of(200), 0.5), server.read_cpu(), time.process_time()
    began, busy = time.perf_counter(), read_busy()
    many = uvloop.run(ask_side_by_side(server.port, bodies, CLIENTS, seconds))
    seconds = time.perf_counter() - began  # until the last answer
    cpu, own, busy = server.read_cpu() - cpu, time.process_time() - own, read_busy() - busy
    times, count = many.of(200), len(many.of(200))
    tail = quantile(times, 0.99)
    return [
        Figure("one client, median ms", usual),
        Figure("32 clients, errors", many.count_others(200), most=0),
        Figure("32 clients, sentences/s", count / seconds),
        Figure("32 clients, median ms", quantile(times, 0.5)),
        Figure("32 clients, p99 ms", tail),
        Figure("32 clients, p99 / one client's median", tail / usual, most=10),
        Figure("CPU ms a sentence, server", 1000 * cpu / max(count, 1)),
        Figure("CPU ms a sentence, the clients", 1000 * own / max(count, 1)),
        Figure("cores that the server kept busy", cpu / seconds),
        Figure("cores that others kept busy", (busy - cpu - own) / seconds, most=0.1),
    ], one


def measure_overload(server: Server, bodies: Sequence[bytes], rate: float, usual: float) -> list[Figure]:
    """Ask for far more than can be answered, and then as usual."""
    before, stopped = server.read_memory(), threading.Event()
    watch = threading.Thread(target=server.watch_memory, args=[stopped])
    watch.start()
    flood = uvloop.run(ask_as_they_come(server.port, itertools.cycle(bodies), rate, OVERLOAD_SECONDS))
    stopped.set()
    watch.join()
    recovery = asyncio.run(wait_for_recovery(server.port, bodies[0], usual))
    half, refusals = len(server.memory) // 2, flood.of(429)
    sent = sum(map(len, flood.seconds.values()))
    return [
        Figure("overload, requests/s", sent / OVERLOAD_SECONDS, least=0.9 * rate),
        Figure("overload, not sent for lack of a connection", flood.unsent),
        Figure("overload, answered/s", len(flood.of(200)) / OVERLOAD_SECONDS),
        Figure("overload, refused/s", len(refusals) / OVERLOAD_SECONDS, least=1),
        Figure("overload, neither 200 nor 429", flood.count_others(200, 429), most=0),
        Figure("overload, refusal median ms", quantile(refusals, 0.5)),
        Figure("overload, refusal p99 ms", quantile(refusals, 0.99), most=100),
        Figure("overload, refusal slowest ms", quantile(refusals, 1.0)),
        Figure("overload, answer p99 ms", quantile(flood.of(200), 0.99)),
        Figure("memory before, MB", before),
        Figure(
            "memory, second half above the first, MB",
            max(server.memory[half:]) - max(server.memory[:half]),
            most=5,
        ),
        Figure("memory after, above before, MB", server.read_memory() - before),
        Figure("recovery, s", recovery, most=5),
    ]


def measure(options: argparse.Namespace, folder: str) -> list[Figure]:
    """Measure the model alone, the server, and the model alone again."""
    lines = options.source.read_text(encoding="utf-8").split("\n") if options.source else make_sentences(1024)
    sentences = [line for line in lines if line.strip()][: options.sentences]
    bodies = [json.dumps({"texts": [sentence]}).encode() for sentence in sentences]

    def alone() -> float:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            seconds = max(5.0, options.seconds / 6)
            return pool.submit(measure_model, options.model, sentences, options.threads, seconds).result()

    rates = [alone()]
    with Server(options, folder) as server:
        clients, one = measure_clients(server, bodies, options.seconds)
        throughput = next(figure.value for figure in clients if figure.name.endswith("sentences/s"))
        usual = statistics.median(one.of(200))
        flood = measure_overload(server, bodies, OVERLOAD * throughput, usual)
    rates.append(alone())
    return [
        Figure("model alone, sentences/s, before", rates[0]),
        Figure("model alone, sentences/s, after", rates[1]),
        Figure("server ready after, s", server.start_seconds, most=2),
        *clients,
        Figure("32 clients / model alone (mean)", throughput / statistics.mean(rates), least=0.85),
        *flood,
    ]


def main() -> None:
    """Measure, and print a table of every figure."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("--model", type=Path, help="a run or a model (default: the one that ships)")
    parser.add_argument("--languages", default="en-de")
    parser.add_argument("--source", type=Path, help="sentences, one a line (default: made up)")
    parser.add_argument("--sentences", type=int, default=1024, help="of these, at most")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    print(f"{sys.argv[1:]}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(options, folder)
    for figure in figures:
        print(figure)
    failed = [figure.name for figure in figures if figure.fails]
    print("all as wanted" if not failed else f"{len(failed)} fail: " + "; ".join(failed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
