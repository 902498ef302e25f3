"""Requests to publishers: only by https, only to named hosts, as robots.txt allows, at most one per second, within limits."""

import ssl
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx2

from corpus.errors import EnvironmentFault
from corpus.messages import message
from corpus.store.home.disk import os_faults
from rulestone.version import version

USER_AGENT = f"Rulestone/{version()} (+https://w3id.org/rulestone/)"
PAUSE_SECONDS = 1.0
"""Minimum interval in seconds between the starts of two requests."""
SECONDS, LONGEST = 20.0, 300.0
"""Timeouts in seconds: for connecting or reading a chunk, and for the complete answer."""
_SIZE_IN_TIME = 64 << 20
"""Limit of bytes up to which `LONGEST` applies; a larger limit allows a proportionally longer time."""
SMALL_BYTES = 4 << 20
"""Maximum number of bytes of a page, and of robots.txt."""
_MAX_REDIRECTS = 5
_ROBOTS_PATH = "/robots.txt"
_REDIRECT_STATUSES = {301, 302, 303, 307, 308}
Received = Callable[[int, int], None]
"""Bytes received, total bytes (0: unknown)."""


class PublisherFault(EnvironmentFault):
    """A publisher, or a host in between, did not return the requested file."""


class DownloadedAnswer(NamedTuple):
    """An answer: its address after redirects, declared size (0: none), and the validators (`marks`) for a later request.

    `data` is empty if the answer was written to a file.
    """

    url: str
    status: int
    data: bytes
    size: int
    marks: Mapping[str, str]


def _no_progress(_count: int, _total: int) -> None:
    pass


class Client:
    """Sends requests to publishers, one after the other. It stores no cookies, does not log in and sends nothing about the user."""

    def __init__(self) -> None:
        self._rules: dict[str, RobotFileParser] = {}
        self._next = float("-inf")
        self._context: ssl.SSLContext | None = None

    def request(
        self,
        url: str,
        hosts: Collection[str],
        *,
        largest: float = SMALL_BYTES,
        head: bool = False,
        marks: Mapping[str, str] | None = None,
        report_bytes: Received = _no_progress,
        file: Path | None = None,
    ) -> DownloadedAnswer:
        """The answer to GET or HEAD, through redirects to the named hosts. With the `marks` of an earlier answer, it may be 304.

        `file` receives the body as it arrives, so that a large one needs no memory.
        Raises PublisherFault if a request is not allowed, times out, breaks off, or returns too much.
        """
        for _ in range(_MAX_REDIRECTS + 1):
            _refuse_other_host(url, hosts)
            if urlsplit(url).path != _ROBOTS_PATH:
                self._refuse_robots_excluded(url, hosts)
            answer, location = self._request_once(url, "HEAD" if head else "GET", largest, marks or {}, report_bytes, file)
            if location is None:
                return answer
            url = urljoin(url, location)
        raise PublisherFault("{url} redirects more than {most} times", url=url, most=_MAX_REDIRECTS)

    def _refuse_robots_excluded(self, url: str, hosts: Collection[str]) -> None:
        """Raises PublisherFault if robots.txt forbids the address (RFC 9309; 401 and 403 forbid everything)."""
        parts = urlsplit(url)
        root = f"https://{parts.netloc}"
        if root not in self._rules:
            address = root + _ROBOTS_PATH
            answer = self.request(address, hosts)
            if answer.status >= 500:
                raise PublisherFault("{url} responded with HTTP {status}", url=address, status=answer.status)
            rules = RobotFileParser()
            is_refused = answer.status in (401, 403)
            rules.parse(["User-agent: *", "Disallow: /"] if is_refused else answer.data.decode("utf-8-sig", "replace").splitlines())
            self._rules[root] = rules
        if not self._rules[root].can_fetch(USER_AGENT, url):
            raise PublisherFault("robots.txt of {host} does not allow programs to download {url}", host=parts.hostname, url=url)

    def _request_once(
        self, url: str, method: str, largest: float, marks: Mapping[str, str], report_bytes: Received, file: Path | None
    ) -> tuple[DownloadedAnswer, str | None]:
        """One request: its answer, and the target of a redirect."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + PAUSE_SECONDS
        longest = LONGEST * max(1.0, largest / _SIZE_IN_TIME)
        end = time.monotonic() + longest
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity", **marks}
        if self._context is None:
            self._context = httpx2.create_ssl_context()
        client = httpx2.Client(headers=headers, timeout=SECONDS, verify=self._context)  # a new client each time, without cookies
        timer = Timer(longest, client.close)  # a header sent byte by byte meets no other limit
        timer.start()
        with _cancel_after(timer), _convert_faults(url, end, longest), client, client.stream(method, url) as reply:
            size = int(reply.headers.get("Content-Length", "0") or 0)
            location = reply.headers.get("Location") if reply.status_code in _REDIRECT_STATUSES else None
            has_body = method == "GET" and reply.status_code == 200
            chunks = _limited(reply.iter_bytes(), url, size, largest, report_bytes) if has_body else iter(())
            data = b"".join(chunks) if file is None else _write(file, chunks)
            conditions = {"If-None-Match": reply.headers.get("ETag"), "If-Modified-Since": reply.headers.get("Last-Modified")}
            new_marks = {name: value for name, value in conditions.items() if value}
            return DownloadedAnswer(url, reply.status_code, data, size, new_marks), location


def _refuse_other_host(url: str, hosts: Collection[str]) -> None:
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.username is not None:
        raise PublisherFault("{url} is not an https address", url=url)
    if parts.hostname not in hosts:
        raise PublisherFault(
            "the redirect leads to {host}, which is not one of {hosts}", host=parts.hostname, hosts=", ".join(sorted(hosts))
        )


def _limited(chunks: Iterator[bytes], url: str, size: int, largest: float, report_bytes: Received) -> Iterator[bytes]:
    """The chunks of a body. Raises PublisherFault as soon as it has, or declares, more than `largest` bytes."""
    length = 0
    while size <= largest and length <= largest:
        with _convert_named_faults(url):
            chunk = next(chunks, None)
        if chunk is None:
            return
        length += len(chunk)
        report_bytes(length, size)
        yield chunk
    raise PublisherFault("{url} has more than {most} MB, which is the limit", url=url, most=round(largest) >> 20)


def _write(file: Path, chunks: Iterator[bytes]) -> bytes:
    """Writes chunks to a file as they arrive; no data remain in memory. Raises EnvironmentFault if the disk is full."""
    with os_faults(message("write {file}", file=file)), file.open("wb") as stream:
        for chunk in chunks:
            stream.write(chunk)
    return b""


@contextmanager
def _cancel_after(timer: Timer) -> Iterator[None]:
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _convert_faults(url: str, end: float, longest: float) -> Iterator[None]:
    """Turns errors of the HTTP library into one plain line; after `end`, into a timeout."""
    try:
        with _convert_named_faults(url):
            yield
    except PublisherFault as fault:
        if time.monotonic() < end:
            raise
        raise PublisherFault("{url} took more than {seconds} s", url=url, seconds=round(longest)) from fault


@contextmanager
def _convert_named_faults(url: str) -> Iterator[None]:
    host = urlsplit(url).hostname
    try:
        yield
    except httpx2.TimeoutException as fault:
        raise PublisherFault("{host} does not answer within {seconds} s", host=host, seconds=round(SECONDS)) from fault
    except httpx2.ProxyError as fault:
        raise PublisherFault("the proxy of this machine does not connect to {host}: {fault}", host=host, fault=fault) from fault
    except (httpx2.RemoteProtocolError, httpx2.ReadError) as fault:
        raise PublisherFault("{host} closed the connection before the end", host=host) from fault
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, RuntimeError) as fault:
        if isinstance(fault, httpx2.ConnectError) and "CERTIFICATE" in str(fault).upper():
            raise PublisherFault(
                "the server that answers as {host} has no valid certificate for it (a log-in page of this network, or a proxy?)",
                host=host,
            ) from fault
        raise PublisherFault("{host} cannot be reached: {fault}", host=host, fault=fault) from fault
