"""`/metrics` for Prometheus: the number and duration of requests by path and status, over all worker processes."""

import os
from pathlib import Path

from starlette.types import Send

PATH = "/metrics"
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of prometheus_client for the folder in which worker processes share their counts."""
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """Counts requests by the first one or two segments of their path, which contain nothing of a question."""

    def __init__(self, paths: frozenset[str]) -> None:
        """`paths` are the labels; all other paths count as `other`, so that a client cannot create labels."""
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._paths = paths
        self._registry = CollectorRegistry()
        self._requests = Counter("rulestone_requests", "Requests by path and status", ("path", "status"), registry=self._registry)
        self._seconds = Histogram(
            "rulestone_request_seconds", "Seconds until a response was sent", ("path",), buckets=_BUCKETS, registry=self._registry
        )
        self._children: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def count(self, path: str, status: int, seconds: float) -> None:
        """Counts a request."""
        label = "/".join(path.split("/")[: 3 if path.startswith("/v1/") else 2])
        label = label if label in self._paths else "other"
        if (label, status) not in self._children:  # `labels` takes longer than counting
            self._children[label, status] = self._requests.labels(label, str(status)), self._seconds.labels(label)
        requests, times = self._children[label, status]
        requests.inc()
        times.observe(seconds)

    async def send_metrics(self, send: Send) -> None:
        """Sends the metrics."""
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        registry = self._registry
        if Path(os.environ.get(FOLDER_VARIABLE, "")).is_dir() and FOLDER_VARIABLE in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        body = generate_latest(registry)
        headers = [(b"content-type", CONTENT_TYPE_LATEST.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": [*headers, (b"cache-control", b"no-store")]})
        await send({"type": "http.response.body", "body": body})
