"""Slugs of names in every script."""

import pytest

from corpus.address import slugify


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        ("Ferry Zone", "ferry-zone"),
        ("The Goose’s Pier (old)", "the-gooses-pier-old"),
        ("エネルギー置き場", "エネルギー置き場"),
        ("エネルキー置き場", "エネルキー置き場"),
        ("メンバーエリア", "メンバーエリア"),
        ("エネルキ\u3099ー", "エネルギー"),  # decomposed
        ("ｴﾈﾙｷﾞｰ", "エネルギー"),
        ("Café Élan", "café-élan"),
        ("Cafe\u0301", "café"),
        ("ＡＣＥ ﬁsh", "ace-fish"),
        ("S・トリガー", "s-トリガー"),
        ("坟墓场_2", "坟墓场-2"),
        ("…", ""),
    ],
)
def test_a_slug_keeps_letters_as_they_are_written(words: str, slug: str) -> None:
    assert slugify(words) == slug
