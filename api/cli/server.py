"""`serve`: a server that listens, or says in one line why it cannot."""

import errno
import socket
from contextlib import suppress
from typing import Annotated

import typer

from api.cli.console import speaking, tell
from api.cli.options import library_of
from corpus.errors import EnvironmentFault, InputError
from corpus.messages import message
from rulestone import Library
from rulestone.limits import Range, whole

PORT = Range(0, 2**16 - 1, 8000)
"""0 is any free port."""
_REASONS = {
    errno.EADDRINUSE: message("the port is in use; stop what listens there or give another --port"),
    errno.EACCES: message("no permission for this port; give a --port above 1023"),
    errno.EADDRNOTAVAIL: message("this machine has no such address; give another --host"),
}


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[str, typer.Option(help="Port to listen on; 0 takes a free one.")] = "8000",
) -> None:
    """Serve the HTTP API, with its documentation at /docs."""
    number = whole("--port", port, PORT)
    with listening(host, number) as listener:
        library_of(context).ensure()
        _run(library_of(context), listener)


def _run(library: Library, listener: socket.socket) -> None:
    """Answers on a socket until it is interrupted."""
    import uvicorn

    from api.http.app import create_app

    app = create_app(Library.open(library.path, create=False))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    address = _address(listener)
    tell(message("serving {address}/v1, documented at {address}/docs; stop with Ctrl+C", address=address).said(speaking()))
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to an address. Raises InputError for a host without one, EnvironmentFault where it is refused."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError) as fault:
        raise InputError("--host {host!r} has no address; give an IP address or a known name", host=host[:80]) from fault
    except OSError as fault:
        reason = _REASONS.get(fault.errno or 0, fault.strerror)
        raise EnvironmentFault("cannot listen on {host}:{port}: {reason}", host=host, port=port, reason=reason) from fault


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
