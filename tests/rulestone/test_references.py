"""Wrong citations inside an invented book: twelve planted ones are found with the rule that is meant, and no right one."""

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from corpus.contract import ReferenceCheck
from rulestone import InputError, Library
from tests.support.commands import call
from tests.support.homes import books_alone, put, put_editions

BEFORE = """The Kite Yard Rules
1. Kites
1-1. Red kites
1-1-1. A red kite is tied to the long pole before its first flight.
1-1-2. Each knot of a torn kite counts as one strike against its owner.
1-1-3. A player who breaks a pole pays its owner, as 4-2-2 tells.
1-2. Blue kites
1-2-1. A blue kite lands last of all. Its string stays wet, as 4-1-2 tells.
1-2-2. A player rolls the string up at dusk, as 4-2-1 tells.
2. Yards
2-1. Moving
2-1-1. A kite moves one step each turn.
2-2. Poles
2-2-1. A pole holds at most two kites.
2-3. Tokens
2-3-1. A token stands for a lost kite.
2-4. Counters
2-4-1. A counter shows the strikes on a kite.
2-5. Overflow
2-5-1. A yard that holds too many strings spills them over the fence.
2-6. Landing
2-6-1. A pilot brings the kite to the ground by the fence.
3. Turns
3-1. Harbour check
3-1-1. The yard is looked over for fallen strings.
3-2. Wind phase
3-2-1. The oldest player reads the vane aloud.
3-3. Weather table
3-3-1. A storm ends the round for everyone.
3-4. Pilots
3-4-1. A pilot holds one string in each hand.
4. Ends
4-1. Dusk
4-1-1. When the sun is down nobody ties a new kite.
4-1-2. Wet string is hung over the fence until the morning bell.
4-2. Closing
4-2-1. Every player winds the string on the wooden reel of the yard.
4-2-2. Broken poles cost three shells from the purse of their breaker.
4-2-3. The gate is shut by the last one out.
"""
PLANTED = {
    "1-1-4": ("title", "2-4", "A player marks a strike beside the kite. (See 2-3. Counters)"),
    "1-1-5": ("title", "2-5", 'A yard may spill its strings. (For details, refer to 2-2 "Overflow")'),
    "1-1-6": ("title", "2-6", "Every flight ends with a “Landing” (2-1)."),
    "1-1-7": ("title", "3-1-1", "The turn ends after a last harbour check (see 3-2-1)."),
    "1-1-8": ("title", "3-3", "A storm may come. See rule 3-2. Weather table for more information."),
    "1-2-3": ("dangling", "3-4", "A kite without hands falls. (See 2-9 “Pilots”)"),
    "1-2-4": ("dangling", "2-4-1", "What shows the strikes on a kite is told in rule 2-7-1."),
    "1-2-5": ("dangling", None, "Nobody sleeps in the yard, see rule 9-9-9."),
}
"""Locator → kind, number of the rule that is meant, and the words of a rule that cites another one."""
SINCE = {"1-2-1": ("removed", None), "1-2-2": ("moved", "4-2-2"), "1-1-3": ("moved", "4-2-3")}
SOUND = """A flight ends with a “Landing” (2-6).
A player marks a strike. (See 2-4. Counter)
A yard may spill. (For details, refer to 2-5 "Overflow")
A spill over the fence (see 2-5-1) costs nothing.
The kite takes one step (see 2-1-1).
Poles are counted as rule 2-2 and rule 2-3 tell.
The game of the league is in section 7.2 of the Kite Tournament Rules.
""".splitlines()

JAPANESE = """凧揚げ規則
1. 凧
1-1. 赤い凧
1-1-1. 赤い凧は長い竿に結びます。
1-1-2. 傷を一つ印します（2-3「カウンター」を参照）。
1-1-3. 糸があふれることがあります。詳細は2-2「あふれ」を参照してください。
1-1-4. 飛行は着地（2-1）で終わります。
1-1-5. 最後に港の確認（3-2-1）をして手番を終えます。
1-1-6. 嵐が来ることがあります（詳しくは3-2. 天気表）。
1-1-7. 手を使う者は操縦者（2-9参照）です。
1-1-8. カウンター（2-4）を置きます。
1-1-9. 凧は庭（2-6）に着地（2-6）します。
1-1-10. ‘操縦者’（3-5）が糸を持ちます。
1-2. 青い凧
1-2-1. 青い凧は最後に降ります。
2. 庭
2-1. 移動
2-1-1. 凧は一歩進みます。
2-2. 竿
2-2-1. 竿には凧を二つまで結べます。
2-3. トークン
2-3-1. トークンは失った凧の代わりです。
2-4. カウンター
2-4-1. カウンターは傷の数を示します。
2-5. あふれ
2-5-1. 多すぎる糸は柵を越えます。
2-6. 着地
2-6-1. 凧を地面に降ろし、庭に置きます。
3. 手番
3-1. 港の確認
3-1-1. 落ちた糸を探します。
3-2. 風の段階
3-2-1. 最年長者が風を読みます。
3-3. 天気表
3-3-1. 嵐は回を終わらせます。
3-4. 操縦者
3-4-1. 両手に一本ずつ持ちます。
3-5. 終了
3-5-1. 日が沈むと終わります。
"""
CHINESE = """风筝规则
1. 风筝
1-1. 红风筝
1-1-1. 红风筝系在长杆上。
1-1-2. 牌手记一处损伤（参见2-3“指示物”）。
1-1-3. 线可能溢出。参见规则2-2，“溢出”。
1-1-4. 飞行以着陆（参见2-1）结束。
1-1-5. 最后作一次港口检查（参见3-2-1）。
1-1-6. 可能有暴风（详细参照3-2“天气表”）。
1-1-7. 用手的人是操纵者（参见规则2-9）。
1-1-8. 放置指示物（参见2-4）。
1-1-9. 每位牌手可以移动（参见规则2-1-1）一步。
1-2. 蓝风筝
1-2-1. 蓝风筝最后降落。
2. 院子
2-1. 移动
2-1-1. 风筝前进一步。
2-2. 杆
2-2-1. 杆上最多系两只风筝。
2-3. 衍生物
2-3-1. 衍生物代替失去的风筝。
2-4. 指示物
2-4-1. 指示物表示损伤的数量。
2-5. 溢出
2-5-1. 过多的线会越过围栏。
2-6. 着陆
2-6-1. 将风筝降到地面。
3. 回合
3-1. 港口检查
3-1-1. 寻找掉落的线。
3-2. 风阶段
3-2-1. 最年长的人读风向。
3-3. 天气表
3-3-1. 暴风结束本轮。
3-4. 操纵者
3-4-1. 双手各持一线。
"""
MEANT = {
    "ja": {"1-1-2": "2-4", "1-1-3": "2-5", "1-1-4": "2-6", "1-1-5": "3-1-1", "1-1-7": "3-4", "1-1-10": "3-4"},
    "zh-Hans": {"1-1-2": "2-4", "1-1-3": "2-5", "1-1-4": "2-6", "1-1-5": "3-1-1", "1-1-6": "3-3", "1-1-7": "3-4"},
}
"""Language → the citing rules with a wrong number, and the rule that is meant."""


def after() -> str:
    lines = []
    for line in BEFORE.splitlines():
        number = line.partition(" ")[0].rstrip(".")
        if number == "4-1-2":
            lines.append("4-1-2. Lanterns belong to whoever lights them.")
            continue
        if number == "4-2-1":
            lines.append("4-2-1. The bell is rung twice at the closing of the yard.")
        shifted = {"4-2-1": "4-2-2", "4-2-2": "4-2-3", "4-2-3": "4-2-4"}.get(number, number)
        lines.append(line.replace(number, shifted, 1))
        if number == "1-1-3":
            lines += [f"{place}. {words}" for place, (_, _, words) in PLANTED.items() if place.startswith("1-1")]
        if number == "1-2-2":
            lines += [f"{place}. {words}" for place, (_, _, words) in PLANTED.items() if place.startswith("1-2")]
            lines += [f"1-2-{nth}. {words}" for nth, words in enumerate(SOUND, 6)]
            lines += ["Example (2-2): A player ties a kite to a pole."]
    return "\n".join((*lines, ""))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with books_alone():
        folder = tmp_path_factory.mktemp("references")
        put_editions(folder / "home", [(BEFORE, "2024-04-04", "en"), (after(), "2025-05-05", "en")], game="kite")
        yield folder / "home"


@pytest.fixture(scope="module")
def body(home: Path) -> ReferenceCheck:
    return Library.open(home).check_references("kite")


def test_the_planted_ones_are_found_and_no_other(body: ReferenceCheck) -> None:
    by_place = {
        finding["place"]["locator"]: (finding["kind"], finding["meant"]["locator"] if finding["meant"] else None)
        for finding in body["findings"]
    }
    planted = {place: (kind, meant) for place, (kind, meant, _) in PLANTED.items()}
    assert by_place == planted | SINCE | {f"1-2-{5 + len(SOUND)}": ("example", f"1-2-{5 + len(SOUND)}")}
    assert body["total"] == sum(body["counts"].values()) == 12


def test_an_earlier_edition_of_sound_citations_has_none(home: Path) -> None:
    assert Library.open(home).check_references("kite/cr/2024-04-04")["findings"] == []


def test_every_finding_points_at_its_words(body: ReferenceCheck) -> None:
    for finding in body["findings"]:
        [[start, end]] = finding["place"]["spans"]
        assert finding["place"]["text"][start:end] == finding["surface"]


def test_kinds_pages_and_languages_are_chosen(home: Path) -> None:
    library = Library.open(home)
    assert library.check_references("kite", kinds=["dangling"])["counts"] == {"dangling": 3}
    assert len(library.check_references("kite", limit=2, offset=1)["findings"]) == 2
    with pytest.raises(InputError, match="dangling"):
        library.check_references("kite", kinds=["nothing"])


def test_the_command_prints_a_table_and_sarif(home: Path, tmp_path: Path) -> None:
    ended = call(home, "check", "references", "kite", "--tsv", tmp_path / "r.tsv", "--sarif", tmp_path / "r.sarif")
    assert ended.code == 1
    rows = list(csv.DictReader(io.StringIO((tmp_path / "r.tsv").read_text()), delimiter="\t"))
    assert [row["meant_locator"] for row in rows if row["rule"].endswith("/1-1-4")] == ["2-4"]
    findings = Library.open(home).check_references("kite")["findings"]
    assert [row["cited_locator"] for row in rows] == [finding["locator"] for finding in findings]
    log = json.loads((tmp_path / "r.sarif").read_text())
    results = log["runs"][0]["results"]
    assert len(results) == len(rows) == 12
    assert all(result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] for result in results)
    assert "2-4" in call(home, "check", "references", "kite", "--lang", "ja").out
    assert call(home, "check", "references", "kite/cr/2024-04-04").code == 0
    assert call(home, "check", "references").code == call(home, "check", "references", "kite", "--source", "en").code == 2


def test_the_api_answers_the_same(home: Path, body: ReferenceCheck) -> None:
    with TestClient(create_app(Library.open(home))) as client:
        answer = client.get("/v1/checks", params={"book": "kite/cr"})
        assert answer.json() == body
        assert client.get("/v1/checks", params={"book": "kite", "kinds": "x"}).status_code == 400
        some = client.get("/v1/checks", params={"book": "kite", "kinds": "title, dangling,"}).json()
        assert some["counts"] == {kind: body["counts"][kind] for kind in ("dangling", "title")}


ANSWERS = {
    "1": "The wet string is hung up, see rule 4-1-2.",
    "2": "At dusk rule 4-2-1 applies.",
    "3": "See rule 2-9-9.",
    "4": "Strings are spilled, see 2-2 “Overflow”.",
    "5": "See 2-5 “Overflow” and rule 2-1-1.",
}


@pytest.fixture
def ruled(home: Path, tmp_path: Path) -> Iterator[Path]:
    """A home that has rulings of the day of the first edition."""
    faq = [{"id": name, "question": "What now?", "answer": answer, "date": "2024-04-04"} for name, answer in ANSWERS.items()]
    file = tmp_path / "faq.json"
    file.write_text(json.dumps({"game": "Kite", "cards": {"K-1": {"name": "Long String", "faq": faq}}}), encoding="utf-8")
    shutil.copytree(home, tmp_path / "home")
    with books_alone(), Library.open(tmp_path / "home") as library:
        library.add(file, game="kite", source="desk", authority="official")
        yield tmp_path / "home"


def test_rulings_are_checked_as_of_their_date(ruled: Path, tmp_path: Path) -> None:
    body = Library.open(ruled).check_references("kite/rulings/desk", lang="en")
    by_place = {
        finding["place"]["locator"]: (finding["kind"], finding["locator"], finding["meant"] and finding["meant"]["locator"])
        for finding in body["findings"]
    }
    assert by_place == {
        "1": ("removed", "4-1-2", None),
        "2": ("moved", "4-2-1", "4-2-2"),
        "3": ("dangling", "2-9-9", None),
        "4": ("title", "2-2", "2-5"),
    }
    assert (body["ref"], body["citations"], body["total"]) == ("kite/rulings/desk", 6, 4)
    for finding in body["findings"]:
        [[start, end]] = finding["place"]["spans"]
        assert (finding["place"]["part"], finding["place"]["text"][start:end]) == ("answer", finding["surface"])
    ended = call(ruled, "check", "references", "kite/rulings/desk", "--sarif", tmp_path / "r.sarif", "--tsv", tmp_path / "r.tsv")
    assert ended.code == 1
    assert len(json.loads((tmp_path / "r.sarif").read_text())["runs"][0]["results"]) == 4
    assert Library.open(ruled).check_references("kite/rulings/desk", kinds=["title"])["counts"] == {"title": 1}
    assert Library.open(ruled).check_references("kite/rulings/desk", book_lang="ja")["citations"] == 0


@pytest.mark.parametrize("path", ["kite/rulings", "kite/rulings/bench"])
def test_rulings_that_are_not_loaded_are_refused(ruled: Path, path: str) -> None:
    with pytest.raises(InputError, match="kite/rulings/desk"):
        Library.open(ruled).check_references(path)


@pytest.mark.parametrize(("lang", "text"), [("ja", JAPANESE), ("zh-Hans", CHINESE)])
def test_titles_are_read_in_japanese_and_chinese(lang: str, text: str, tmp_path: Path) -> None:
    with books_alone():
        put(tmp_path / "home", text, "2025-05-05", lang, game="kite")
        body = Library.open(tmp_path / "home").check_references("kite", book_lang=lang)
    meant = {finding["place"]["locator"]: finding["meant"] and finding["meant"]["locator"] for finding in body["findings"]}
    assert meant == MEANT[lang]
