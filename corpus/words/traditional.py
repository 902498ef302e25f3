"""Our own Chinese words, which are stored in simplified characters, in the traditional characters of Taiwan."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from corpus.data_files import read_toml
from corpus.words.tokens import to_simplified

if TYPE_CHECKING:
    from opencc import OpenCC

_KANA = re.compile(r"[\u3040-\u30ff]")


def traditional(text: str) -> str:
    """A Chinese text in traditional characters. Other texts, and those with a traditional character, are returned unchanged."""
    return text if text.isascii() else _converted(text)


@lru_cache(maxsize=8192)
def _converted(text: str) -> str:
    if to_simplified(text) != text or _KANA.search(text):
        return text
    traditional: str = _converter().convert(text)
    corrections = read_toml("corpus", "traditional.toml")
    for wrong, right in corrections["words"].items():
        traditional = traditional.replace(wrong, right)
    for pattern, right in corrections["patterns"].items():
        traditional = re.sub(pattern, right, traditional)
    return traditional


@cache
def _converter() -> "OpenCC":
    from opencc import OpenCC

    return OpenCC("s2tw")
