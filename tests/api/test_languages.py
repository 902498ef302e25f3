"""Which language a tag or a locale names, and which one answers where that one is not there."""

import pytest

from api.languages import accepted, of_locale
from corpus.errors import InputError
from corpus.languages import choose, fallback
from rulestone.languages import language_option, named_language


@pytest.mark.parametrize(
    ("tag", "lang"),
    [
        *[("ja", "ja"), ("ja_JP.UTF-8", "ja"), ("JA-jp", "ja"), ("en_GB@euro", "en"), ("jav", None), ("", None)],
        *[("zh", "zh-Hans"), ("zh_CN.GB18030", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-Hans-HK", "zh-Hans")],
        *[("zh-Hant", "zh-Hant"), ("zh_TW", "zh-Hant"), ("zh-hk", "zh-Hant"), ("C", None), ("POSIX", None)],
    ],
)
def test_the_language_of_a_tag(tag: str, lang: str | None) -> None:
    assert named_language(tag) == lang


def test_languages_fall_back_in_one_order() -> None:
    assert fallback("ja") == ["ja", "en", "zh-Hans", "zh-Hant"]
    assert fallback("zh-Hant") == ["zh-Hant", "zh-Hans", "en", "ja"]
    assert choose("zh-Hant", {"ja", "zh-Hans"}) == "zh-Hans"
    assert choose("en", ()) is None
    assert of_locale({"LC_ALL": "", "LANG": "zh_HK.UTF-8"}) == "zh-Hant"
    assert of_locale({"LC_ALL": "C", "LANG": "ja_JP"}) == "en"
    assert accepted(None) is None
    assert language_option(None, "--lang") is None
    with pytest.raises(InputError, match="--lang 'jp'"):
        language_option("jp", "--lang")
