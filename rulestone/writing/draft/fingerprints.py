"""A hash of the sources of a derived file, which is rebuilt if the hash changes."""

from hashlib import sha256


def fingerprint(*parts: str) -> str:
    """The SHA-256 of the parts, in hexadecimal."""
    return sha256("\n".join(parts).encode()).hexdigest()
