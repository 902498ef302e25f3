"""`serve`: a server that listens, or says in one line why it cannot."""

import errno
import os
import socket
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.console import speaking, tell
from api.cli.options import library_of
from api.cli.secure import Secure, secure
from api.http.gate.settings import Settings
from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from rulestone import Library
from rulestone.limits import Range, whole

if TYPE_CHECKING:
    from uvicorn import Config
    from uvicorn.supervisors import Multiprocess

    from api.http.delivery.generations import Generations

PORT = Range(0, 2**16 - 1, 8000)
"""0 is any free port."""
WORKERS = Range(1, 64, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
EVERY = Range(1, 86_400, 10)
STARTING = 120
"""Seconds in which a process must have begun to answer; uvicorn's 5 let a busy machine start and end processes for ever."""
GRACE = 60
"""Seconds in which a process that ends may still give an answer that is under way."""
BACKLOG = 2048
"""Connections that may wait to be accepted."""
_REASONS = {
    errno.EADDRINUSE: message("the port is in use; stop what listens there or give another --port"),
    errno.EACCES: message("no permission for this port; give a --port above 1023"),
    errno.EADDRNOTAVAIL: message("this machine has no such address; give another --host"),
}


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[str, typer.Option(help="Port to listen on; 0 takes a free one.")] = "8000",
    workers: Annotated[str | None, typer.Option(help="Processes that answer; else one for each core.")] = None,
    source: Annotated[
        str | None, typer.Option("--from", help="A folder or an address that is published to: answer from it.")
    ] = None,
    every: Annotated[str | None, typer.Option(help="Seconds between two looks at --from.")] = None,
    cert: Annotated[Path | None, typer.Option(help="A certificate in PEM: pages work offline from a secure address only.")] = None,
    key: Annotated[Path | None, typer.Option(help="The key that belongs to it.")] = None,
) -> None:
    """Serve the pages for people and the HTTP API, which is documented at /docs."""
    number, processes = whole("--port", port, PORT), whole("--workers", workers, WORKERS)
    seconds = whole("--every", every, EVERY)
    if every is not None and source is None:
        raise InputError("--every is for --from; give both or neither")
    Settings.of()  # what cannot be understood is told before anything is done
    proven = secure(cert, key)
    with listening(host, number) as listener:
        _ready(library_of(context), source)
        address = _address(listener, proven)
        there = message(
            "serving {address}: open it in a browser; the API is documented at {address}/docs; Ctrl+C stops it", address=address
        )
        tell(there.said(speaking()))
        with suppress(KeyboardInterrupt), _following(library_of(context), source, seconds):
            run(library_of(context).path, listener, processes, proven)


def _ready(library: Library, source: str | None) -> None:
    """A knowledge base to answer from; one that was copied before is enough where nothing can be copied now."""
    if source is None:
        library.ensure()
        return
    try:
        library.pull(source)
    except EnvironmentFault as fault:
        if library.bundle_name() is None:
            raise
        tell(fault.said(speaking()))


def _following(library: Library, source: str | None, seconds: int) -> AbstractContextManager[None]:
    return nullcontext() if source is None else library.following(source, seconds)


def run(home: Path, listener: socket.socket, workers: int, proven: Secure | None = None) -> None:
    """Answers on a socket, in so many processes, until it is interrupted; with a certificate over TLS."""
    import uvicorn

    from api.http.delivery.connections import IDLE, Protocol
    from api.http.delivery.shelf import shelf_between_processes
    from api.http.gate.metrics import share_between_processes
    from api.http.gate.shared import shared_between_processes

    os.environ["RULESTONE_HOME"] = str(home)
    os.environ.setdefault("MALLOC_ARENA_MAX", "2")  # for the processes started below: glibc else keeps memory apart for each thread
    if workers > 1 and Settings.of().metrics:
        share_between_processes()
    in_turn = workers > 1 and sys.platform == "linux"
    config = uvicorn.Config(
        f"api.http.delivery.serving:{'of_one_bundle' if in_turn else 'create'}",
        factory=True,
        http=Protocol,
        workers=workers,
        timeout_worker_healthcheck=STARTING,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
        log_level="warning",
        access_log=False,
        ssl_certfile=proven.cert if proven else None,
        ssl_keyfile=proven.key if proven else None,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[listener])
    else:
        with shared_between_processes(), shelf_between_processes():
            _processes(config, listener, in_turn, Library.open(home, create=False)).run()


def _processes(config: "Config", listener: socket.socket, in_turn: bool, library: Library) -> "Generations | Multiprocess":
    """Several processes: those of one bundle after those of another, or elsewhere than on Linux the same ones for all."""
    if not in_turn:
        from uvicorn.supervisors import Multiprocess

        return Multiprocess(config, sockets=[listener])
    from api.http.delivery.generations import Generations

    return Generations(config, [listener], library.newest_bundle)


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to an address. Raises InputError for a host without one, EnvironmentFault where it is refused."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return _bound(socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP), address)
    except (socket.gaierror, UnicodeError) as fault:
        raise InputError("--host {host!r} has no address; give an IP address or a known name", host=host[:80]) from fault
    except OSError as fault:
        reason = _REASONS.get(fault.errno or 0, fault.strerror)
        raise EnvironmentFault("cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason) from fault


def _bound(listener: socket.socket, address: tuple[object, ...]) -> socket.socket:
    """A listening socket.

    It names its protocol: asyncio turns Nagle's algorithm off for such ones alone, without which an answer may wait 40 ms for
    an acknowledgement.
    """
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _address(listener: socket.socket, proven: Secure | None) -> str:
    host, port = listener.getsockname()[:2]
    scheme = "https" if proven else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
