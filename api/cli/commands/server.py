"""`serve` and `mcp`: the HTTP server, and the tools for chatbots over standard input and output."""

import errno
import os
import socket
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from api.cli.console import print_to_stderr
from api.cli.options import library_of, option
from api.languages import gettext as _
from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from rulestone.limits import Range, parse_int
from rulestone.options import Option

PORTS, WORKER_COUNTS = Range(0, 2**16 - 1, 8000), Range(1, 64, 1)
PORT = Option("Port to listen on; 0 selects a free one.", bounds=PORTS)
WORKERS = Option("Worker processes; use more than one if many people search at once.", bounds=WORKER_COUNTS)
_BIND_ERRORS = {
    errno.EADDRINUSE: message("the port is in use; stop the program that uses it or give another --port"),
    errno.EACCES: message("no permission for this port; give a --port above 1023"),
    errno.EADDRNOTAVAIL: message("this machine has no such address; give another --host"),
}


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[str | None, option(PORT)] = None,
    workers: Annotated[str | None, option(WORKERS)] = None,
    cert: Annotated[
        Path | None, typer.Option(help="Certificate in PEM format; pages work offline only from a secure address.")
    ] = None,
    key: Annotated[Path | None, typer.Option(help="The private key of the certificate, in PKCS #8.")] = None,
) -> None:
    """Serve the web pages and the HTTP API, which is documented at /docs."""
    from api.http.access import open_log
    from api.http.server import certificate
    from api.http.server import serve as run
    from api.http.settings import Settings

    number, processes = parse_int("--port", port, PORTS), parse_int("--workers", workers, WORKER_COUNTS)
    open_log(Settings.from_environment())
    tls = certificate(cert, key)
    library = library_of(context)
    address = resolve(host, number)
    library.ensure_built()
    ready = _(
        "serving {address}: open it in a browser; the API is documented at {address}/docs; Ctrl+C stops it",
        address=address.url("https" if tls else "http"),
    )
    run(library.path, address.host, address.port, processes, tls, listening=lambda: print_to_stderr(ready))


def mcp(context: typer.Context) -> None:
    """Offer the rules to a chatbot as MCP tools over standard input and output (stdio)."""
    from api.mcp.stdio import serve_stdio

    library = library_of(context)
    library.ensure_built()
    serve_stdio(library)


class Address(NamedTuple):
    """An IP address of this machine, with a port."""

    host: str
    port: int

    def url(self, scheme: str) -> str:
        """The address for a browser."""
        return f"{scheme}://[{self.host}]:{self.port}" if ":" in self.host else f"{scheme}://{self.host}:{self.port}"


def resolve(host: str, port: int) -> Address:
    """The address to listen on for a host and port; port 0 becomes a free one.

    Tests the address by binding a socket to it. Raises InputError for a host without an address, EnvironmentFault if the address
    cannot be bound.
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
        reason = _BIND_ERRORS.get(fault.errno or 0, fault.strerror)
        raise EnvironmentFault("cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason) from fault
