"""Which version of Rulestone this is."""

from importlib import metadata


def version() -> str:
    """The installed version; `0` where Rulestone is run from its source folder."""
    try:
        return metadata.version("rulestone")
    except metadata.PackageNotFoundError:
        return "0"
