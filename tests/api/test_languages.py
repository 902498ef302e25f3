"""Which language a tag or a locale names, and which one answers where that one is not there."""

import pytest

from api.languages import accepted_language, locale_language
from corpus.errors import InputError
from corpus.languages import choose, fallback_order
from rulestone.languages import language_option, parse_language


@pytest.mark.parametrize(
    ("tag", "lang"),
    [
        *[("ja", "ja"), ("ja_JP.UTF-8", "ja"), ("JA-jp", "ja"), ("en_GB@euro", "en"), ("jav", None), ("", None)],
        *[("zh", "zh-Hans"), ("zh_CN.GB18030", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-Hans-HK", "zh-Hans")],
        *[("zh-Hant", "zh-Hant"), ("zh_TW", "zh-Hant"), ("zh-hk", "zh-Hant"), ("C", None), ("POSIX", None)],
    ],
)
def test_the_language_of_a_tag(tag: str, lang: str | None) -> None:
    assert parse_language(tag) == lang


def test_languages_fall_back_in_one_order() -> None:
    assert fallback_order("ja") == ["ja", "en", "zh-Hans", "zh-Hant"]
    assert fallback_order("zh-Hant") == ["zh-Hant", "zh-Hans", "en", "ja"]
    assert choose("zh-Hant", {"ja", "zh-Hans"}) == "zh-Hans"
    assert choose("en", ()) is None
    assert locale_language({"LC_ALL": "", "LANG": "zh_HK.UTF-8"}) == "zh-Hant"
    assert locale_language({"LC_ALL": "C", "LANG": "ja_JP"}) == "en"
    assert accepted_language(None) is None
    assert language_option(None, "--lang") is None
    with pytest.raises(InputError, match="--lang 'jp'"):
        language_option("jp", "--lang")
