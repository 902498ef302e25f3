"""`/metrics` for Prometheus: how many requests, how they ended and how long they took, of all processes together."""

import os
from pathlib import Path

from starlette.types import Send

PATH = "/metrics"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where processes put what they count, for whichever is asked."""
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """Counts requests by what was asked for: the first two parts of its path, never the question."""

    def __init__(self, paths: frozenset[str]) -> None:
        """`paths` are those that are counted by themselves; any other is `other`, so that nobody can make up names."""
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._paths = paths
        registry = CollectorRegistry()
        self._registry = registry
        self._requests: Counter = Counter(
            "rulestone_requests", "Requests by what was asked for and status", ("path", "status"), registry=registry
        )
        self._counters: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self._seconds: Histogram = Histogram(
            "rulestone_request_seconds", "Seconds until an answer was given", ("path",), buckets=_BUCKETS, registry=registry
        )

    def count(self, path: str, status: int, seconds: float) -> None:
        """Counts a request that was answered."""
        name = self.named(path)
        if (name, status) not in self._counters:  # finding them takes longer than counting
            self._counters[name, status] = self._requests.labels(name, str(status)), self._seconds.labels(name)
        requests, times = self._counters[name, status]
        requests.inc()
        times.observe(seconds)

    def named(self, path: str) -> str:
        """What a path is counted as."""
        first = "/".join(path.split("/")[: 3 if path.startswith("/v1/") else 2])
        return first if first in self._paths else "other"

    async def answer(self, send: Send) -> None:
        """Tells what was counted."""
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = self._registry
        if Path(os.environ.get(FOLDER, "")).is_dir() and FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        body = generate_latest(registry)
        headers = [(b"content-type", CONTENT_TYPE_LATEST.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": [*headers, (b"cache-control", b"no-store")]})
        await send({"type": "http.response.body", "body": body})
