"""Which version of Rulestone this is."""


def version() -> str:
    """The installed version; `0` where Rulestone is run from its source folder."""
    from importlib import metadata

    try:
        return metadata.version("rulestone")
    except metadata.PackageNotFoundError:
        return "0"
