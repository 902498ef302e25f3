"""Names in katakana that are written in hiragana: しーるど for シールド."""

import re

TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_TO_HIRAGANA = {katakana: hiragana for hiragana, katakana in TO_KATAKANA.items()}
MIN_KANA = 3
"""Minimum number of characters of a name that may be written in hiragana; shorter ones resemble endings."""
_HIRAGANA = re.compile(f"[\u3041-\u3096\u30fc\u30fb ]{{{MIN_KANA},}}")
_KATAKANA = re.compile(f"[\u30a1-\u30f6\u30fc\u30fb ]{{{MIN_KANA},}}")


def in_katakana(name: str) -> str | None:
    """A name in hiragana written in katakana; None for any other name."""
    return name.translate(TO_KATAKANA) if _HIRAGANA.fullmatch(name) else None


def in_hiragana(name: str) -> str | None:
    """A name in katakana written in hiragana; None for any other name."""
    return name.translate(_TO_HIRAGANA) if _KATAKANA.fullmatch(name) else None
