"""Our own Chinese words, which are stored in simplified characters, in the traditional characters of Taiwan."""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from corpus.words.tokens import to_simplified

if TYPE_CHECKING:
    from opencc import OpenCC

_KANA = re.compile(r"[\u3040-\u30ff]")
_CORRECTIONS = {
    "隻能": "只能",
    "隻影響": "只影響",
    "是隻": "是只",
    "復制": "複製",
    "髮動": "發動",
    "空白麵": "空白面",
    "末日鍾": "末日鐘",
    "游戲": "遊戲",
    "里側": "裡側",
    "卡里": "卡裡",
    "本里": "本裡",
    "疊里": "疊裡",
    "一里": "一裡",
}
"""What OpenCC makes of some words of rules → what they are."""
_CORRECTED = re.compile("|".join(map(re.escape, _CORRECTIONS)))
_MERGED = re.compile("(?<![合一])併(?![入合])")
"""并 as “and”, which OpenCC takes for “merge” after some words."""


def traditional(text: str) -> str:
    """A Chinese text in traditional characters. Other texts, and those with a traditional character, are returned unchanged."""
    return text if text.isascii() else _converted(text)


@lru_cache(maxsize=8192)
def _converted(text: str) -> str:
    if to_simplified(text) != text or _KANA.search(text):
        return text
    converted = _CORRECTED.sub(lambda found: _CORRECTIONS[found[0]], _converter().convert(text))
    return _MERGED.sub("並", converted)


@cache
def _converter() -> "OpenCC":
    from opencc import OpenCC

    return OpenCC("s2tw")
