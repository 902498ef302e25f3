"""`serve`: a server that listens, or one line that says why it cannot."""

import errno
import os
import socket
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from api.cli.console import speaking, tell
from api.cli.options import library_of
from api.http.gate.settings import Settings
from api.tls import certificate
from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from rulestone.limits import Range, whole

PORT = Range(0, 2**16 - 1, 8000)
"""0 is any free port."""
WORKERS = Range(1, 64, 1)
_REASONS = {
    errno.EADDRINUSE: message("the port is in use; stop what listens there or give another --port"),
    errno.EACCES: message("no permission for this port; give a --port above 1023"),
    errno.EADDRNOTAVAIL: message("this machine has no such address; give another --host"),
}


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[str, typer.Option(help="Port to listen on; 0 takes a free one.")] = "8000",
    workers: Annotated[str | None, typer.Option(help="Worker processes; more than one where many search at once.")] = None,
    cert: Annotated[Path | None, typer.Option(help="A certificate in PEM: pages work offline from a secure address only.")] = None,
    key: Annotated[Path | None, typer.Option(help="The key that belongs to it, in PKCS #8.")] = None,
) -> None:
    """Serve the pages for people and the HTTP API, which is documented at /docs."""
    from api.http.server import serve as answer

    number, processes = whole("--port", port, PORT), whole("--workers", workers, WORKERS)
    Settings.of().check()
    tls = certificate(cert, key)
    library = library_of(context)
    address = resolve(host, number)
    library.ensure()
    said = message(
        "serving {address}: open it in a browser; the API is documented at {address}/docs; Ctrl+C stops it",
        address=address.url("https" if tls else "http"),
    )
    answer(library.path, address.host, address.port, processes, tls, listening=lambda: tell(said.said(speaking())))


class Address(NamedTuple):
    """An IP address of this machine, and a port of it."""

    host: str
    port: int

    def url(self, scheme: str) -> str:
        """The address for a browser."""
        return f"{scheme}://[{self.host}]:{self.port}" if ":" in self.host else f"{scheme}://{self.host}:{self.port}"


def resolve(host: str, port: int) -> Address:
    """Where a server that is told this host and port can listen; 0 becomes a port that is free.

    A socket is bound there and closed again. Raises InputError for a host without an address, EnvironmentFault where it is refused.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
            return Address(*probe.getsockname()[:2])
    except (socket.gaierror, UnicodeError) as fault:
        raise InputError("--host {host!r} has no address; give an IP address or a known name", host=host[:80]) from fault
    except OSError as fault:
        reason = _REASONS.get(fault.errno or 0, fault.strerror)
        raise EnvironmentFault("cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason) from fault
