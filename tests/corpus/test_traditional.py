"""Our own Chinese words in traditional characters."""

import pytest

from corpus.digest import digests
from corpus.words.tokens import to_simplified
from corpus.words.traditional import traditional


@pytest.mark.parametrize(
    ("simple", "converted"),
    [
        ("墓地里的牌", "墓地裡的牌"),
        ("发动", "發動"),
        ("已被发动。", "已被發動。"),
        ("但不复制异能", "但不複製異能"),
        ("最多只能有一只生物", "最多只能有一隻生物"),
        ("每只怪兽", "每隻怪獸"),
        ("它只影响自己", "它只影響自己"),
        ("合并后", "合併後"),
        ("结算并产生", "結算並產生"),
        ("卡里侧放置", "卡裡側放置"),
        ("子游戏", "子遊戲"),
        ("系命", "繫命"),
    ],
)
def test_a_word_is_converted_by_its_meaning(simple: str, converted: str) -> None:
    assert traditional(simple) == converted


@pytest.mark.parametrize("text", ["graveyard", "", "墳墓場", "クリーチャーの国"])
def test_other_texts_are_returned_unchanged(text: str) -> None:
    assert traditional(text) == text


def test_every_gloss_keeps_its_characters() -> None:
    glosses = [gloss.words["zh-Hans"] for digest in digests(all_games=True) for gloss in digest.glosses]
    assert [gloss for gloss in glosses if len(traditional(gloss)) != len(gloss)] == []
    same = sum(to_simplified(traditional(gloss)) == to_simplified(gloss) for gloss in glosses)
    assert same / len(glosses) > 0.98
