"""The certificate of a server, read before the server listens."""

import ssl
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import InputError

_PKCS8 = b"-----BEGIN PRIVATE KEY-----"


@dataclass(frozen=True, slots=True)
class Certificate:
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
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=_no_password)
        is_pkcs8 = _PKCS8 in key.read_bytes()
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


def _no_password() -> str:
    """Refuses a key with a password: a server cannot ask for it."""
    raise ValueError
