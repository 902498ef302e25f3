"""A server that listens, or says in one line why it cannot."""

import errno
import socket
from contextlib import suppress

from api.cli.console import tell
from api.cli.opening import ensure
from corpus.errors import EnvironmentFault, InputError
from ontology.store.home import Home

_REASONS = {
    errno.EADDRINUSE: "the port is in use; stop what listens there or give another --port",
    errno.EACCES: "no permission for this port; give a --port above 1023",
    errno.EADDRNOTAVAIL: "this machine has no such address; give another --host",
}


def run(home: Home, host: str, port: int) -> None:
    """Serves the HTTP API until it is interrupted. Raises EnvironmentFault where it cannot listen."""
    with listening(host, port) as listener:
        ensure(home, tell)
        import uvicorn

        from api.http.app import create_app

        server = uvicorn.Server(uvicorn.Config(create_app(home), log_level="warning", access_log=False))
        tell(f"serving {_address(listener)}/v1, documented at {_address(listener)}/docs; stop with Ctrl+C")
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def port_of(text: str) -> int:
    """The port that --port names; 0 is any free one. Raises InputError."""
    if text.isascii() and text.isdigit() and int(text[:6]) < 2**16:
        return int(text)
    raise InputError(f"--port {text[:40]!r}: expected a number from 0 (any free port) to 65535")


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to an address. Raises InputError for a host without one, EnvironmentFault where it is refused."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError) as fault:
        raise InputError(f"--host {host[:80]!r} has no address; give an IP address or a known name") from fault
    except OSError as fault:
        reason = _REASONS.get(fault.errno or 0, fault.strerror)
        raise EnvironmentFault(f"cannot listen on {host}:{port}: {reason}") from fault


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
