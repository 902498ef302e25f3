"""The version of Rulestone."""


def version() -> str:
    """The installed version; `0` if Rulestone runs from its source folder."""
    from importlib import metadata

    try:
        return metadata.version("rulestone")
    except metadata.PackageNotFoundError:
        return "0"
