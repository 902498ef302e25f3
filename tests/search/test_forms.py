"""Forms in which the same question is typed: decomposed, half-width and full-width kana, hiragana for names in katakana."""

import unicodedata

import pytest

from corpus.words.tokens import words
from search.searcher import Request, Searcher

NAMES = ("シールド・トリガー", "シールドゾーン", "ブロッカー", "バトルゾーン", "マナゾーン", "ドロー")
HALF_WIDTH = dict(
    zip(
        "アィイウエオカキクケコサシスセソタチツッテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンー",
        "ｱｨｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂｯﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝｰ",
        strict=True,
    )
)


def half_width(text: str) -> str:
    marked = unicodedata.normalize("NFD", text).translate({0x3099: "ﾞ", 0x309A: "ﾟ"})
    return "".join(HALF_WIDTH.get(character, character) for character in marked)


@pytest.mark.parametrize("name", NAMES)
def test_decomposed_and_half_width_kana_are_the_same_words(name: str) -> None:
    norms = [token.norm for token in words(f"「{name}」の処理")]
    for form in (unicodedata.normalize("NFD", name), half_width(name)):
        text = f"「{form}」の処理"
        tokens = words(text)
        assert [token.norm for token in tokens] == norms
        assert "".join(text[token.start : token.end] for token in tokens) == f"{form}の処理"


@pytest.mark.parametrize(
    ("typed", "katakana"),
    [
        ("しーるどぞーんを見る", {"しーるどぞーん": "シールドゾーン"}),
        ("たーんの終わり", {"たーん": "ターン"}),
        ("ぶろっかーはたっぷしていても", {"ぶろっかー": "ブロッカー", "たっぷ": "タップ"}),
        ("するときにどうなりますか", {}),
        ("カードはいつでも見られる", {}),
        ("カードをおこすとどうなる", {}),
        ("起こすと", {}),
        ("さいどつかえる", {}),
        ("カードをさいどする", {}),
        ("だいぶしました", {}),
        ("どろーする", {"どろー": "ドロー"}),
        ("ぷれいした", {"ぷれい": "プレイ"}),
        ("さいどは何枚", {"さいど": "サイド"}),
        ("これすとっぷ", {}),
        ("こすととは", {"こすと": "コスト"}),
        ("カードをたっぷする", {"たっぷ": "タップ"}),
        ("まなぞーんをみる", {"まなぞーん": "マナゾーン"}),
    ],
)
def test_names_in_hiragana_are_those_in_katakana(digest_searcher: Searcher, typed: str, katakana: dict[str, str]) -> None:
    query = digest_searcher.understand(Request(typed))
    assert query.corrected == katakana
    for hiragana, name in katakana.items():
        typed = typed.replace(hiragana, name)
    assert query.concepts == digest_searcher.understand(Request(typed)).concepts


@pytest.mark.parametrize("word", ["sell", "sells", "shipping"])
def test_words_of_shops_are_no_mistyped_words_of_rules(digest_searcher: Searcher, word: str) -> None:
    query = digest_searcher.understand(Request(f"what does the card {word} for"))
    assert not query.corrected
