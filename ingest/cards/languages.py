"""What files of cards call languages, and which language some words are in."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "data" / "cards.toml"
_KANA, _HAN = re.compile("[\u3041-\u309f\u30a1-\u30fa]"), re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@cache
def told() -> Mapping[str, Any]:
    """What is known of files of cards."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def language(name: object) -> str | None:
    """The language that a file of cards calls so; None for one that is not read."""
    tag: str | None = told()["languages"].get(name) if isinstance(name, str) else None
    return tag


def guessed(text: str) -> str:
    """The language of a text of which nobody says it, told by its script."""
    if _KANA.search(text):
        return "ja"
    return "zh-Hans" if _HAN.search(text) else "en"
