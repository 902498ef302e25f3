"""The server and its certificate: granian runs the worker processes, each with its own application over the same home.

granian binds the port, parses HTTP, replaces dead workers, and stops all of them on SIGTERM or SIGINT; its documentation explains
the options that are set here.
"""

import multiprocessing
import os
import signal
import socket
import ssl
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.app import create_app
from api.http.hosts import PEER_KEY
from api.http.metrics import FOLDER_VARIABLE
from api.http.sending import PIECE_SECONDS
from api.http.settings import Settings
from corpus.errors import EnvironmentFault, InputError
from rulestone import Library

_PKCS8_MARK = b"-----BEGIN PRIVATE KEY-----"


class Certificate(NamedTuple):
    """Files in PEM: a certificate with its chain, and its private key in PKCS #8 (RFC 5958) without a password."""

    cert: Path
    key: Path


def certificate(cert: Path | None, key: Path | None) -> Certificate | None:
    """The two files, or None if neither is given.

    Raises InputError if only one is given, and for files that a server cannot use.
    """
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise InputError("--cert and --key belong together; give both or neither")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=_refuse_password)
        is_pkcs8 = _PKCS8_MARK in key.read_bytes()
    except FileNotFoundError as fault:
        missing = cert if not cert.exists() else key
        raise InputError("there is no file {file}; make a certificate as docs/page.md says", file=missing) from fault
    except (OSError, ValueError) as fault:
        raise InputError("{cert} and {key} are not a PEM certificate with its key", cert=cert, key=key) from fault
    if not is_pkcs8:
        raise InputError(
            "{key} is not in PKCS #8; convert it with: openssl pkey -in {key} -out NEW, and give NEW as --key", key=key
        )
    return Certificate(cert, key)


def _refuse_password() -> str:
    """Refuses a key with a password: a server cannot ask for it."""
    raise ValueError


HEADERS_BYTES = 64 << 10
"""Number of bytes of a request's header fields that a connection buffers; more is answered with 431."""
HEADERS_SECONDS = 20
"""Number of seconds within which the header fields of a request must arrive, and that a connection may stay idle between two
requests.
"""
SHUTDOWN_SECONDS = 6
"""Number of seconds after SIGTERM or SIGINT until workers that are still sending responses are killed."""
SOCKET_BACKLOG = 2048
"""Number of connections that the system queues until a worker accepts them."""
TRUSTED_PROXY = "127.0.0.1"
"""The address whose X-Forwarded-For and X-Forwarded-Proto are trusted: a reverse proxy on this machine."""
_SWITCH_SECONDS = 0.0005
"""Python's switch interval, 0.005 by default: a look-up takes less, and would be blocked for longer than it takes."""


def serve(
    home: Path, address: str, port: int, workers: int, certificate: Certificate | None, listening: Callable[[], None]
) -> None:
    """Serves HTTP on an address and port with a number of worker processes until SIGTERM or SIGINT.

    `listening` is called once, when the first worker accepts connections. Raises EnvironmentFault if the workers end unexpectedly;
    standard error has their output.
    """
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces, SSLProtocols
    from granian.http import HTTP1Settings
    from granian.log import LogLevels

    multiprocessing.set_start_method("spawn", force=True)  # a worker inherits neither threads nor signal handlers
    os.environ["RULESTONE_HOME"] = str(home)
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")  # glibc would otherwise keep a heap for each thread
    metrics = _metrics_folder() if workers > 1 and Settings.from_environment().metrics else None
    cert, key = certificate or (None, None)
    server = Granian(
        f"{__name__}:create_worker_app",
        address=address,
        port=port,
        interface=Interfaces.ASGI,
        factory=True,
        workers=workers,
        http=HTTPModes.http1,
        websockets=False,
        http1_settings=HTTP1Settings(header_read_timeout=1000 * HEADERS_SECONDS, max_buffer_size=HEADERS_BYTES),
        backlog=SOCKET_BACKLOG,
        respawn_failed_workers=True,
        workers_kill_timeout=SHUTDOWN_SECONDS,
        log_level=LogLevels.warning,
        ssl_cert=cert,
        ssl_key=key,
        ssl_protocol_min=SSLProtocols.tls12,
    )
    threading.Thread(target=_call_when_listening, args=(address, port, listening), name="listening", daemon=True).start()
    try:
        server.serve()
    except SystemExit as ended:
        if not server.interrupt_signal:  # else a worker received the same SIGTERM, which is not a failure
            raise EnvironmentFault("the server's worker processes ended; the lines above give the reason") from ended
    finally:
        if metrics:
            rmtree(metrics, ignore_errors=True)


def _call_when_listening(address: str, port: int, listening: Callable[[], None]) -> None:
    while True:
        with suppress(OSError), socket.create_connection((address, port), timeout=1):
            break
        time.sleep(0.05)
    listening()


def create_worker_app() -> ASGIApp:
    """The application of one worker, over the home in RULESTONE_HOME."""
    from granian.utils.proxies import wrap_asgi_with_proxy_headers

    sys.setswitchinterval(_SWITCH_SECONDS)
    library = Library.open(create=False)
    app = create_app(library, Settings.from_environment())
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: object) -> AsyncIterator[None]:
        _end_with_parent()
        _close_stalled_connections()
        async with inner(app):
            with library.watch_for_bundles():
                yield

    app.router.lifespan_context = lifespan
    behind_proxy = wrap_asgi_with_proxy_headers(app, TRUSTED_PROXY)

    async def keep_peer(scope: Scope, receive: Receive, send: Send) -> None:
        scope[PEER_KEY] = scope.get("client")
        await behind_proxy(scope, receive, send)

    return keep_peer


def _end_with_parent() -> None:
    """Stops this worker when the main process is killed (kill -9) and cannot stop it."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def end_process() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end_process, name="parent", daemon=True).start()


def _close_stalled_connections() -> None:
    """Makes Linux close connections whose client does not read (tcp(7), TCP_USER_TIMEOUT); elsewhere a proxy must close them.

    Connections inherit the option from the listening socket, which granian opens after this application has started.
    """
    if sys.platform != "linux":
        return

    def limit_listening_socket() -> None:
        while not any(_limit_if_listening(int(file.name)) for file in Path("/proc/self/fd").iterdir()):
            time.sleep(0.05)

    threading.Thread(target=limit_listening_socket, name="listening socket", daemon=True).start()


def _limit_if_listening(descriptor: int) -> bool:
    """Sets the option if a file descriptor of this process is a listening TCP socket; returns whether it is."""
    try:
        candidate = socket.socket(fileno=descriptor)
    except OSError:  # another kind of file, or closed meanwhile
        return False
    try:
        is_tcp = candidate.family in (socket.AF_INET, socket.AF_INET6) and candidate.type == socket.SOCK_STREAM
        is_listening = is_tcp and bool(candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
        if is_listening:
            candidate.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * PIECE_SECONDS))
    except OSError:  # the descriptor is another one's meanwhile
        return False
    else:
        return is_listening
    finally:
        candidate.detach()  # granian closes it


def _metrics_folder() -> str:
    """A new folder through which prometheus_client adds up the counts of this server's workers. Raises EnvironmentFault."""
    try:
        folder = mkdtemp(prefix="rulestone-metrics-")
    except OSError as fault:
        raise EnvironmentFault("cannot make a folder for the metrics: {reason}", reason=fault.strerror or fault) from fault
    os.environ[FOLDER_VARIABLE] = folder
    return folder
