"""Inflected forms of Japanese verbs: 捨てる is also written 捨てた and 捨て, 引く also 引いた and 引き."""

import re
from functools import lru_cache

_ROWS = {
    **{"く": "かきくけこいっ", "ぐ": "がぎぐげごい", "す": "さしすせそ", "つ": "たちつてとっ", "ぬ": "なにぬねのん"},
    **{"ぶ": "ばびぶべぼん", "む": "まみむめもん", "る": "らりるれろっ", "う": "わいうえおっ"},
}
"""Last kana of a verb → the kana that replace it in its forms."""
_STEM_VOWELS = "いきぎしじちにびみりえけげせぜてでねべめれ"
"""Kana before る in verbs that keep them in every form."""
_AFTER_STEM = "たてなまよずれ"
"""Kana that follow the stem of a verb that loses its る after a Han character: 見た, 見ない."""
HAN = "\u3400-\u9fff々"
"""Han characters, in a class of a pattern."""
_VERB = re.compile(f"(?P<stem>.*[{HAN}][\u3041-\u3096]{{0,2}})(?P<last>[くぐすつぬぶむるう])")


@lru_cache(maxsize=1 << 12)
def verb_forms(name: str) -> re.Pattern[str] | None:
    """A pattern of the forms of a verb that is written with Han characters; None for any other name.

    What follows a form is no Han character, because 捨て場 and 引き金 are other words.
    """
    verb = _VERB.fullmatch(name)
    if verb is None:
        return None
    stem, last = verb["stem"], verb["last"]
    kana = _ROWS[last]
    if last == "る":
        if stem.endswith("す"):  # 移動する
            stem, kana = stem[:-1], "さしすせ"
        elif re.fullmatch(f"[{HAN}]", stem[-1]):
            kana += _AFTER_STEM
        elif stem[-1] in _STEM_VOWELS:
            kana = ""
    forms = re.escape(stem) + (f"[{kana}]" if kana else "")
    return re.compile(f"{forms}(?![{HAN}])")
