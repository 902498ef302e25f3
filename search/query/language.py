"""Which language a question is in: told by kana, by what its labels are words of, and by which characters each script has."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from corpus.languages import language_of
from corpus.words.lexicon import LabelMatch
from search.index.concept_tokens import languages_of

if TYPE_CHECKING:
    from opencc import OpenCC

_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SCRIPTS = {"zh-Hans": "gb2312", "ja": "shift_jis", "zh-Hant": "big5"}
"""The characters that each way of writing has, as codecs; of two that may be meant the first is taken."""


def language(text: str, labels: Iterable[LabelMatch] = ()) -> str:
    """`ja`, `zh-Hans`, `zh-Hant` or `en`, good enough for three words; `found` are the labels in the text."""
    if _KANA.search(text):
        return "ja"
    han = "".join(_HAN.findall(text))
    if not han:
        return "en"
    likely = [lang for lang, codec in _SCRIPTS.items() if _writes(han, codec)]
    if "ja" in likely and "zh-Hans" not in likely and _today().convert(han) != han:
        likely.remove("ja")  # 戰 is 戦 in Japan today
    said = _said(labels)
    return max(likely or ["zh-Hans"], key=lambda lang: said[language_of(lang)])


def same_language(lang: str, other: str) -> bool:
    """Whether two language tags name one language, whatever its script."""
    return language_of(lang) == language_of(other)


def _writes(han: str, codec: str) -> bool:
    try:
        han.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _said(labels: Iterable[LabelMatch]) -> Counter[str]:
    """Language, whatever its script → characters of the labels that are its words."""
    said: Counter[str] = Counter()
    for match in labels:
        for lang in {language_of(tag) for tag in languages_of(match)}:
            said[lang] += match.end - match.start
    return said


@cache
def _today() -> "OpenCC":
    """From the old forms of characters to those that Japan writes today."""
    from opencc import OpenCC

    return OpenCC("t2jp")
