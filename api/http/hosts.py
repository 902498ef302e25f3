"""Host names that requests may use.

A page from elsewhere can make a browser send requests to a server on the browser's own machine under the page's own host name (DNS
rebinding); to the browser, the responses are then the page's own.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

from corpus.messages import Message, message

PEER_KEY = "rulestone.peer"
"""In the scope of a request, the address and port that connected, which a proxy's X-Forwarded-For does not replace."""
_HOST_HEADER = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\[\]]*)(:[0-9]*)?")
"""A name or address and a port (RFC 9110, section 7.2)."""


def requested_host(scope: Scope) -> str | None:
    """The name in Host without its port, in lower case; None unless there is exactly one valid field."""
    fields = [value for name, value in scope["headers"] if name == b"host"]
    if len(fields) > 1 or not all(map(_HOST_HEADER.fullmatch, fields)) or (not any(fields) and scope["http_version"] == "1.1"):
        return None
    host = b"".join(fields).decode("latin-1").lower()
    return host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]


def is_loopback_address(host: str) -> bool:
    """Whether an IP address is one of this machine's own (127.0.0.0/8, ::1)."""
    with suppress(ValueError):
        address = ip_address(host.partition("%")[0])
        ipv4_address = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return (ipv4_address or address).is_loopback
    return False


def is_loopback_name(host: str) -> bool:
    """Whether a host name always means the client's own machine."""
    return host == "localhost" or is_loopback_address(host.strip("[]"))


class HostNames:
    """The host names of a server: those that its operator lists, and for clients on its machine the loopback names.

    Without a list, clients on other machines may use any name.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name.lower() for name in names)

    def refusal(self, scope: Scope) -> Message | None:
        """The reason for refusing a request because of its host name."""
        host = requested_host(scope)
        if host is None or host in self._names:  # an invalid field is refused with the other limits
            return None
        peer = scope.get(PEER_KEY) or scope.get("client")
        is_local = peer is not None and is_loopback_address(str(peer[0]))
        if not host and is_local:  # HTTP/1.0 without Host, as simple health checks send it; no browser does
            return None
        if (is_local and is_loopback_name(host)) or not (is_local or self._names):
            return None
        return message(
            "this server does not accept the host name {host}; if it is the server's, the operator sets RULESTONE_HOSTS={host}",
            host=host[:100],
        )

    def allows_origin(self, origin: str) -> bool:
        """Whether a page belongs to this server, by the Origin that a browser sends for it."""
        host = origin.partition("://")[2].lower()
        host = host.partition("]")[0] + "]" if host.startswith("[") else host.partition(":")[0]
        return host in self._names or is_loopback_name(host)
