"""Who asks: the name of a key, or an address."""

from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from starlette.types import Scope

_PREFIX = 64
"""Bits of an IPv6 address that one customer has alone."""


def field(scope: Scope, name: bytes) -> str:
    """A header field of a request; empty without it. The few that are wanted are found quicker so than by a mapping."""
    return next((value.decode("latin-1") for header, value in scope["headers"] if header == name), "")


def key_of(scope: Scope) -> str | None:
    """The key that a request brings: as a bearer token, or in X-API-Key."""
    scheme, _, token = field(scope, b"authorization").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return field(scope, b"x-api-key") or None


@lru_cache(4096)
def hashed(key: str) -> str:
    """What is kept of a key."""
    return sha256(key.encode("utf-8", "replace")).hexdigest()


def address_of(scope: Scope) -> str:
    """The address that a request comes from; of IPv6 the network that is one customer's."""
    client = scope.get("client")
    return _caller(str(client[0])) if client else "unknown"


@lru_cache(4096)
def _caller(host: str) -> str:
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return f"{IPv6Address(int(address) >> (128 - _PREFIX) << (128 - _PREFIX))}/{_PREFIX}"
    return str(address)
