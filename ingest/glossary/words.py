"""What glossaries call languages, statuses and columns: `ingest/data/glossaries.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def words() -> Mapping[str, Any]:
    """The whole file."""
    return tomllib.loads(files("ingest").joinpath("data/glossaries.toml").read_text(encoding="utf-8"))


def language(name: str) -> str | None:
    """The language that a column, an attribute or an option names."""
    plain = name.strip().lower()
    return next((lang for lang, names in words()["languages"].items() if plain in names), None)


def status(name: str) -> str | None:
    """The status that a word means."""
    plain = name.strip().lower()
    return next((known for known, names in words()["status"].items() if plain in names), None)


def column(name: str) -> str | None:
    """What a column holds besides terms: `concept`, `note`, `source` or `target`."""
    plain = name.strip().lower()
    return next((heading for heading in ("concept", "note", "source", "target") if plain in words()[heading]), None)
