"""What an operator sees: counts and times, never whose or what."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
TEXTS = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The figures of one server, in a registry of its own."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        self._registry = registry
        self.requests = Counter(
            "editmt_requests", "Answered requests.", ("route", "status"), registry=registry
        )
        self.seconds = Histogram(
            "editmt_request_seconds", "Time to answer.", ("route",), buckets=SECONDS, registry=registry
        )
        self.refused = Counter(
            "editmt_refused", "Requests refused: the queue, a time-out, a rate.", ("why",), registry=registry
        )
        self.waiting = Gauge("editmt_waiting_texts", "Texts that wait to be decoded.", registry=registry)
        self.texts = Counter("editmt_texts", "Translated sentences.", registry=registry)
        self.characters = Counter("editmt_characters", "Characters of source text.", registry=registry)
        self.batch_texts = Histogram(
            "editmt_batch_texts", "Texts decoded together.", buckets=TEXTS, registry=registry
        )
        self.batch_seconds = Histogram(
            "editmt_batch_seconds", "Time to decode a batch.", buckets=SECONDS, registry=registry
        )
        self.ready = Gauge("editmt_ready", "1 while requests are welcome.", registry=registry)

    def show(self) -> bytes:
        """Return all figures in Prometheus' text format."""
        return generate_latest(self._registry)
