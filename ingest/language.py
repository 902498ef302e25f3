"""Detects the language of a text by its scripts; Latin text by py3langid."""

import re
from collections.abc import Iterator

from corpus.errors import InputError
from corpus.messages import Message, message

_SAMPLE_LENGTH = 40_000  # characters
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_WORD = re.compile("[a-z\u00df-\u024f]+")
_COMMON_ENGLISH_WORDS = {"the", "of", "and", "to", "that", "or", "is", "if", "with", "from"}
_MIN_KANA = 0.05
"""Share of kana among kana and Han above which a text is Japanese; Chinese has kana only in names."""


def language(text: str, name: str) -> str:
    """`ja`, `zh-Hans`, `zh-Hant` or `en`. Raises InputError for a text in any other language."""
    sample = "".join(_samples(text))
    kana, han, latin = (len(script.findall(sample)) for script in (_KANA, _HAN, _LATIN))
    other = len([character for character in sample if character.isalpha()]) - kana - han - latin
    if other > kana + han + latin or len(_HANGUL.findall(sample)) > kana + han:
        raise _unknown_language_error(name, message("a script that is neither kana, Han nor Latin"))
    if 3 * (kana + han) >= latin:
        if kana >= _MIN_KANA * (kana + han):
            return "ja"
        encoded_lengths = {codec: len("".join(_HAN.findall(sample)).encode(codec, errors="ignore")) for codec in ("big5", "gb2312")}
        return (
            "zh-Hant" if encoded_lengths["big5"] > encoded_lengths["gb2312"] else "zh-Hans"
        )  # the national set that contains more of its characters
    return _latin_language(sample, name)


def _samples(text: str) -> Iterator[str]:
    """The beginning, the middle and the end of a long text."""
    if len(text) <= _SAMPLE_LENGTH:
        yield text
        return
    third = _SAMPLE_LENGTH // 3
    for start in (0, len(text) // 2, len(text) - third):
        yield text[start : start + third]


def _latin_language(sample: str, name: str) -> str:
    if _is_plainly_english(sample):
        return "en"
    import py3langid  # imports numpy and a model, which are needed only if the script does not decide

    tag: str = py3langid.classify(sample)[0]
    if tag != "en":
        raise _unknown_language_error(name, message("the language {tag!r}", tag=tag))
    return "en"


def _is_plainly_english(sample: str) -> bool:
    """Whether at least one word in eight is a common English word.

    This saves most files the half second of loading the model.
    """
    words = _WORD.findall(sample.lower())
    common = [word for word in words if word in _COMMON_ENGLISH_WORDS]
    return len(common) >= 0.125 * len(words) and common.count("the") >= 0.03 * len(words) > 0


def _unknown_language_error(name: str, guess: Message) -> InputError:
    return InputError(
        "{file}: the text seems to be in {what}; Rulestone reads Japanese, Chinese and English (use --lang if it is one of them)",
        file=name,
        what=guess,
    )
