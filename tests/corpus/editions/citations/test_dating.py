"""The day that a text says it is of."""

import pytest

from corpus.editions.citations.dating import TextDate, date_of_text

TEXTS = [
    ("No day at all, rule 601.2a.", None),
    ("---\ntitle: x\ndate: 2023-10-21 08:00\n---\nText", TextDate("2023-10-21")),
    ('+++\ndate = "2023-10-21"\nlastmod = "2023-11-02"\n+++\nText', TextDate("2023-10-21", "2023-11-02")),
    ('<meta property="article:published_time" content="2023-05-14T09:30:00+02:00"><p>x</p>', TextDate("2023-05-14")),
    ('<article><time datetime="2024-07-07">7 July</time> Text</article>', TextDate("2024-07-07")),
    ("Bells\n\n*Published November 12, 2024. Reading time: 6.1 minutes.*\n\nText.", TextDate("2024-11-12")),
    ("作者：岸邊的貓｜2024年9月1日｜閱讀時間約 6.5 分鐘\n\n本文", TextDate("2024-09-01")),
    ("投稿日：2023年7月1日　書いた人：港の書記", TextDate("2023-07-01")),
    ("這篇寫於 2022 年 5 月 3 日，重讀時要小心編號。", TextDate("2022-05-03")),
    ("Subject: bells\nDate: Mon, 17 Jun 2024 21:40:11 +0200\n\nHi", TextDate("2024-06-17")),
    ("# 規則改訂のお知らせ（2025年1月31日）", TextDate("2025-01-31")),
    ("[2024-05-20 19:02] ada: a\n[2024-05-22 19:03] bo: b", TextDate("2024-05-20", "2024-05-22")),
    ("Text, text.\n\nLast updated: 2024-02-01", TextDate("2024-02-01")),
    ("References, as of the March 2024 rules:\n\n1. CR 601.2a", TextDate("2024-03", edition=True)),
    ("（本文以2024年3月15日版完整规则为准。）\n规则601.2a", TextDate("2024-03-15", edition=True)),
    ("以上編號以 2024-03-15 之後的版本為主。", None),
    ("In 2019 we met; on 2019-03-01 it rained, and rule 601.2a was new.", None),
    ("As of March 2019, rule 201.3 sends him back.", None),
    ("Rule 101.2 (2019-03-01) applies.", None),
    ("© 2024 · version 3.10.4", None),
    ("On May 3, 2021 the tournament took place. It was nice.", None),
    ("Posted 2024-13-45", None),
]


@pytest.mark.parametrize(("text", "day"), TEXTS)
def test_written(text: str, day: TextDate | None) -> None:
    assert date_of_text(text) == day
