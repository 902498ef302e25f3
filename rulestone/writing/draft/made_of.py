"""What something is made of, as one digest: it is made anew where the digest is another."""

from hashlib import sha256


def made_of(*parts: str) -> str:
    """The digest of some parts, in hexadecimal."""
    return sha256("\n".join(parts).encode()).hexdigest()
