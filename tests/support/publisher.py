"""A publisher on this machine: a server with a certificate of its own, whose page and book are invented after the real shapes.

The page is at `localhost`, the book at `127.0.0.1`: two hosts, as with the real publishers.
"""

import json
import re
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from corpus.catalogue import catalogue
from corpus.sources import PublisherSource
from rulestone.publishers import download
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.pdfs import paginated, pdf_of


def book(day: str, title: str = "Magic: The Gathering Comprehensive Rules", rule: str = "at most six tokens") -> bytes:
    """An invented rulebook that says it is Magic's, in force from a day such as `June 19, 2026`."""
    text = HUNDREDS_EN.replace("The Game of Ferrymen: Complete Rules", title).replace("at most six tokens", rule)
    return text.replace("Effective from May 3, 2021, for every captain.", f"These rules are effective as of {day}.").encode()


def book_of(source: PublisherSource, date_line: str, *, size: int = 0) -> bytes:
    """An invented rulebook in the format of a source that says it is its book, with a line that states a date.

    A PDF is padded to at least `size` bytes.
    """
    text = {"en": HUNDREDS_EN, "ja": HUNDREDS_JA}[source.lang]
    _, _, rules = text.partition("\n\n")
    header = (*catalogue().books[source.book].marks[source.lang], date_line, "")
    text = "\n".join((*header, rules.replace("Effective from May 3, 2021, for every captain.", "")))
    return text.encode() if source.format == "txt" else _padded(pdf_of(paginated(text.split("\n"), 40)), size)


def _padded(pdf: bytes, size: int) -> bytes:
    """A PDF with a comment before its table of objects, so that it has at least `size` bytes."""
    table = pdf.rindex(b"xref\n0 ")
    comment = b"%" + b"x" * max(0, size - len(pdf)) + b"\n"
    return pdf[:table] + comment + pdf[table:].replace(b"startxref\n%d" % table, b"startxref\n%d" % (table + len(comment)))


def trust_local_publisher(patch: pytest.MonkeyPatch, certificate_file: Path) -> None:
    """Downloads accept the certificate of a publisher on this machine, go to it directly, and do not wait between requests."""
    patch.setenv("SSL_CERT_FILE", str(certificate_file))
    patch.setattr(download, "PAUSE_SECONDS", 0.0)
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        patch.delenv(name, raising=False)


def page(*links: str) -> bytes:
    anchors = "".join(f'<li><a class="cta" href="{link}">TXT</a></li>' for link in links)
    return f'<!doctype html><html><body><a href="/en/formats">Formats</a><ul>{anchors}</ul></body></html>'.encode()


@dataclass
class Given:
    """The response to a path."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


class Handler(BaseHTTPRequestHandler):
    server: "Publisher"

    def do_GET(self) -> None:
        with suppress(OSError):
            self._answer()

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self) -> None:
        self.server.asked.append((time.monotonic(), self.command, self.path, dict(self.headers)))
        response = self.server.paths.get(self.path, Given(b"nowhere", 404))
        if callable(response):
            response(self)
            return
        tag = response.headers.get("ETag")
        same = tag is not None and self.headers.get("If-None-Match") == tag
        self.send_response(304 if same else response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if not same:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command == "GET" and not same:
            self.wfile.write(response.body)

    def log_message(self, *_: object) -> None:
        pass


class Publisher(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, cert: Path, key: Path, folder: Path) -> None:
        self.folder = folder
        super().__init__(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.asked: list[tuple[float, str, str, dict[str, str]]] = []
        self.paths: dict[str, Given | Callable[[Any], None]] = {}
        self.over = threading.Event()
        """Set when it is closed."""

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"https://{host}:{self.server_port}{path}"

    def offers(self, day: str, data: bytes, **headers: str) -> str:
        """The page links to one book, as the real one does: with a blank in its name. Its path."""
        path = f"/2026/downloads/MagicCompRules%20{day}.txt"
        self.paths["/robots.txt"] = Given(b"User-agent: *\nDisallow: /private/\n")
        self.paths["/en/rules"] = Given(page(self.url(path.replace("%20", " "))), headers={"Set-Cookie": "who=you"})
        self.paths[path] = Given(data, headers=headers)
        return path

    def paths_asked(self) -> list[tuple[str, str]]:
        return [(command, path) for _, command, path, _ in self.asked]

    def handle_error(self, *_: object) -> None:
        pass  # who is refused hangs up


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost and 127.0.0.1, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*command, *subject, "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    return cert, key


@contextmanager
def publishing(cert: Path, key: Path, folder: Path) -> Iterator[Publisher]:
    with Publisher(cert, key, folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


def sources(server: Publisher, **changed: str) -> Path:
    """A list of sources with the one book of this publisher."""
    facts = {
        "book": "mtg/cr",
        "lang": "en",
        "page": server.url("/en/rules", "localhost"),
        "link": r"/MagicCompRules (?P<date>\d{8})\.(?:txt|pdf)$",
        "format": "txt",
        "licence": "https://localhost/licence",
        **changed,
    }
    file = server.folder / "sources.toml"
    lines = [f"{name} = '{value}'" for name, value in facts.items() if value]
    file.write_text(
        "\n".join(("[[source]]", *lines, 'hosts = ["127.0.0.1"]', "seen = [{where = 'here', what = 'it', when = 2026-11-23}]"))
    )
    return file


def local_sources(server: Publisher, shipped: PublisherSource) -> Path:
    """A list of sources with one shipped entry, whose hosts are this publisher's: `localhost` for the page."""
    link = shipped.link.pattern if shipped.link else ""
    for host in shipped.hosts:
        link = link.replace(host.replace(".", r"\."), rf"(?:localhost|127\.0\.0\.1):{server.server_port}")
    facts: dict[str, object] = {
        "book": shipped.book,
        "lang": shipped.lang,
        "page": local_address(server, shipped.page, "localhost"),
        "link": link,
        "words": shipped.words and shipped.words.pattern,
        "list": shipped.list and local_address(server, shipped.list),
        "file": shipped.file and local_address(server, shipped.file),
        "format": shipped.format,
        "licence": shipped.licence,
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in facts.items() if value]
    seen_line = "seen = [{where = 'here', what = 'it', when = 2026-11-29}]"
    file = server.folder / "sources.toml"
    file.write_text("\n".join(("[[source]]", *lines, 'hosts = ["127.0.0.1"]', seen_line)))
    return file


def local_address(server: Publisher, address: str, host: str = "127.0.0.1") -> str:
    """An address of a publisher, on this machine."""
    return re.sub("https://[^/]+", server.url("", host), address)
