"""Who asks: the name of a key, or an address."""

from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from starlette.datastructures import Headers
from starlette.types import Scope

_PREFIX = 64
"""Bits of an IPv6 address that one customer has alone."""


def key_of(fields: Headers) -> str | None:
    """The key that a request brings: as a bearer token, or in X-API-Key."""
    scheme, _, token = fields.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return fields.get("x-api-key")


def hashed(key: str) -> str:
    """What is kept of a key."""
    return sha256(key.encode("utf-8", "replace")).hexdigest()


def address_of(scope: Scope) -> str:
    """The address that a request comes from; of IPv6 the network that is one customer's."""
    client = scope.get("client")
    if not client:
        return "unknown"
    try:
        address = ip_address(str(client[0]).partition("%")[0])
    except ValueError:
        return str(client[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return f"{IPv6Address(int(address) >> (128 - _PREFIX) << (128 - _PREFIX))}/{_PREFIX}"
    return str(address)
