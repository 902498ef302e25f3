"""The forms of Japanese verbs, without other words that begin like them."""

import pytest

from corpus.words.inflection import verb_forms


@pytest.mark.parametrize(
    ("verb", "forms", "other_words"),
    [
        ("捨てる", "捨てる 捨てた 捨てて 一枚捨て 捨てられる", "捨て場 拾てる"),
        ("漕ぐ", "漕ぐ 漕がない 漕いだ 漕ぎ 漕ごう", "漕ぎ手 漕手"),
        ("支払う", "支払う 支払って 支払い 支払わない 支払え", "支払額 払って"),
        ("積む", "積む 積んだ 積み 積まない", "積み荷 荷積"),
        ("作る", "作る 作った 作り 作らない", "動作する 作用"),
        ("見る", "見る 見た 見ない 見ます", "見張り 見込み"),
        ("終わる", "終わる 終わった 終わり", "終える"),
        ("移動する", "移動する 移動した 移動して 移動せず", "移動先 移動"),
    ],
)
def test_forms_of_a_verb(verb: str, forms: str, other_words: str) -> None:
    pattern = verb_forms(verb)
    assert pattern is not None
    assert [form for form in forms.split() if not pattern.search(form)] == []
    assert [word for word in other_words.split() if pattern.search(word)] == []


@pytest.mark.parametrize("name", ["船倉", "フェリー", "積み荷", "する", "hold", "装载货箱", ""])
def test_other_names_have_no_forms(name: str) -> None:
    assert verb_forms(name) is None
