"""A secure origin of one's own: a certificate and its key, looked at before anybody is told of the address."""

import ssl
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import InputError


@dataclass(frozen=True, slots=True)
class Secure:
    """Files in PEM: a certificate, with what vouches for it behind, and the key that belongs to it."""

    cert: Path
    key: Path


def secure(cert: Path | None, key: Path | None) -> Secure | None:
    """The two, or None where neither is given. Raises InputError for one alone, and for what cannot be used."""
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise InputError("--cert goes with --key; give both or neither")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=_refuse)
    except FileNotFoundError as fault:
        there = cert if not cert.exists() else key
        raise InputError("there is no file {file}; make a certificate as docs/page.md says", file=there) from fault
    except (OSError, ValueError) as fault:
        raise InputError("{cert} and {key} are no certificate in PEM with its key", cert=cert, key=key) from fault
    return Secure(cert, key)


def _refuse() -> str:
    """The password of a key: a server has nobody to ask."""
    raise ValueError
