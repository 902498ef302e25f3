"""Names in katakana that are written in hiragana: しーるど for シールド."""

import re
import unicodedata

TO_KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_TO_HIRAGANA = {katakana: hiragana for hiragana, katakana in TO_KATAKANA.items()}
_MIN_KANA = 3
"""Minimum number of characters of a name that may be written in hiragana; shorter ones resemble endings."""
_HIRAGANA = re.compile(f"[\u3041-\u3096\u30fc\u30fb ]{{{_MIN_KANA},}}")
_KATAKANA = re.compile(f"[\u30a1-\u30f6\u30fc\u30fb ]{{{_MIN_KANA},}}")
_ONLY_HIRAGANA = re.compile("[\u3041-\u309f]+")


def in_katakana(name: str) -> str | None:
    """A name in hiragana, composed or not (NFD), written in katakana; None for any other name."""
    normalised_name = unicodedata.normalize("NFKC", name)
    return normalised_name.translate(TO_KATAKANA) if _HIRAGANA.fullmatch(normalised_name) else None


def in_hiragana(name: str) -> str | None:
    """A name in katakana written in hiragana; None for any other name."""
    return name.translate(_TO_HIRAGANA) if _KATAKANA.fullmatch(name) else None


def is_hiragana(text: str) -> bool:
    """Whether a text is hiragana alone, as endings and particles are."""
    return _ONLY_HIRAGANA.fullmatch(text) is not None
