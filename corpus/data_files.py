"""The data files of the packages."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_toml(package: str, name: str) -> Any:  # noqa: ANN401
    """The content of a TOML file in the folder `data` of a package, read once."""
    return tomllib.loads(files(package).joinpath("data", name).read_text(encoding="utf-8"))
