"""`terms`: a glossary is compared, a person decides, what they take is a label named as theirs, and outlives `build`."""

import csv
import unicodedata
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from tests.support.commands import call
from tests.support.editions import DIGEST
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.schemas import faults

RULE = "https://w3id.org/rulestone/id/ferry/cr/2021-05-03/100.1"
CONCEPT = "https://w3id.org/rulestone/id/concept/"
GLOSSARY = """English,日本語
graveyard,墓地
library|book pile,山札
hand,墓地
sandpit,砂場
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with a small digest, shipped concepts and one book."""
    home = tmp_path_factory.mktemp("desk") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        put(home, HUNDREDS_EN, "2021-05-03")
        yield home


def proposals(home: Path, text: str, *options: str) -> list[dict[str, str]]:
    glossary, target = home.with_name("glossary.csv"), home.with_name("proposals.csv")
    glossary.write_text(text, encoding="utf-8")
    ended = call(home, "terms", "import", glossary, "-o", target, *options)
    assert ended.code == 0, ended.err
    return list(csv.DictReader(StringIO(target.read_text("utf-8-sig"))))


def decide(home: Path, rows: list[dict[str, str]], *, by: str = "Anna") -> str:
    target = home.with_name("decided.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    ended = call(home, "terms", "apply", target, "--by", by)
    assert ended.code == 0, ended.err
    return ended.out


def test_every_term_is_compared_and_none_is_taken(desk: Path) -> None:
    compared = {(row["lang"], row["label"], row["finding"], row["concept"]) for row in proposals(desk, GLOSSARY, "--game", "mtg")}
    assert compared >= {
        ("en", "graveyard", "known", f"{CONCEPT}mtg/graveyard"),
        ("ja", "墓地", "known", f"{CONCEPT}mtg/graveyard"),
        ("en", "book pile", "new", f"{CONCEPT}mtg/library"),
        ("en", "sandpit", "unknown", ""),
    }
    other = proposals(desk, "en,ja\nhand,墓地\n", "--game", "mtg")
    assert {row["finding"] for row in other if row["label"] == "墓地"} & {
        "contradicts", "ambiguous",
    }  # fmt: skip
    assert call(desk, "terms", "list").out == ""


def test_a_name_that_a_glossary_forbids_now_is_a_change(desk: Path) -> None:
    compared = proposals(desk, "concept,en,ja,ja never\nmtg/graveyard,graveyard,,墓地\n", "--game", "mtg")
    assert {row["label"]: row["finding"] for row in compared} == {"graveyard": "known", "墓地": "changed"}


@pytest.mark.slow
def test_what_is_taken_is_a_label_of_the_curator_and_outlives_build(desk: Path) -> None:
    compared = proposals(desk, GLOSSARY, "--game", "mtg")
    rows = [row | {"decision": "take", "status": "preferred"} for row in compared if row["label"] == "book pile"]
    assert "1 labels added, 0 dropped" in decide(desk, rows)
    for again in (False, True):
        if again:
            assert call(desk, "build", "--later").code == 0
        [concept] = call(desk, "concept", "mtg/library", "--json").json()["concepts"]
        [label] = [name for name in concept["labels"]["en"] if name["label"] == "book pile"]
        assert (label["curator"], label["official"]) == ("Anna", False)
        named = [term["concept"] for term in call(desk, "term", "book pile", "--json").json()["terms"] if term["named"]]
        assert named == [f"{CONCEPT}mtg/library"]
    table = call(desk, "export", "csv", "--game", "mtg", "--lang", "en").out
    [row] = [row for row in csv.DictReader(StringIO(table.removeprefix("\ufeff"))) if row["concept"] == f"{CONCEPT}mtg/library"]
    assert (row["en"], row["en status"]) == ("book pile", "preferred: curator")
    assert call(desk, "check").code == 0
    decide(desk, [row | {"decision": "drop"} for row in rows])
    assert call(desk, "terms", "list").out == ""
    assert call(desk, "term", "book pile").code == 1


@pytest.mark.slow
def test_a_label_that_looks_like_a_formula_comes_back_as_it_was(desk: Path) -> None:
    label = "=1+1"
    [row] = [row for row in proposals(desk, f"en,ja\nlibrary,山札\n{label}|,山札\n", "--game", "mtg") if label in row["label"]]
    assert row["label"] == f"'{label}"
    taken = row | {"decision": "take", "status": "preferred", "concept": f"{CONCEPT}mtg/library"}
    decide(desk, [taken])
    assert label in call(desk, "terms", "list").out.replace(f"'{label}", "")
    [exported] = [
        row
        for row in csv.DictReader(StringIO(call(desk, "export", "csv", "--game", "mtg", "--lang", "en").out.removeprefix("\ufeff")))
        if row["concept"] == f"{CONCEPT}mtg/library"
    ]
    assert exported["en"] == f"'{label}"
    decide(desk, [taken | {"decision": "drop"}])


DECISIONS = (
    ("zh-Hans", "坟场", "preferred"),
    ("zh-Hans", "弃牌堆", "forbidden"),
    ("zh-Hans", "坟堆", "admitted"),
    ("en", "boneyard", "forbidden"),
)


def test_a_record_survives_every_format(desk: Path, tmp_path: Path) -> None:
    yard = f"{CONCEPT}mtg/graveyard"
    rows = [
        {
            "decision": "take",
            "concept": yard,
            "lang": lang,
            "label": label,
            "status": status,
            "note": f"on {label}",
            "evidence": RULE,
        }
        for lang, label, status in DECISIONS
    ]
    decide(desk, rows)
    listed = call(desk, "terms", "list").out
    [english, chinese] = call(desk, "terms", "list", "--json").json()["records"]
    assert (english["decision"], english["status"], english["forbidden"]) == ("graveyard", "inherited", ["boneyard"])
    assert (chinese["decision"], chinese["status"], chinese["forbidden"]) == ("坟场", "decided", ["弃牌堆"])
    assert {"坟墓场", "坟堆"} <= set(chinese["admitted"])
    assert (chinese["by"], chinese["evidence"][0]) == ("Anna", {"name": "坟场", "rule": RULE})
    files = {
        "records.json": call(desk, "terms", "list", "--json").out,
        "terms.tbx": call(desk, "export", "tbx", "--game", "mtg", "--lang", "en,zh").out,
        "terms-2008.tbx": call(desk, "export", "tbx", "--dialect", "2008", "--game", "mtg", "--lang", "en,zh").out,
        "terms.csv": call(desk, "export", "csv", "--game", "mtg", "--lang", "en,zh").out,
    }
    assert faults("tbx-basic-2019", files["terms.tbx"].encode()) == []
    assert call(desk, "terms", "list", "-o", tmp_path / "whole.csv").code == 0
    decide(desk, [row | {"decision": "drop"} for row in rows])
    assert call(desk, "terms", "list").out == ""
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        ended = call(desk, "terms", "import", tmp_path / name, "--game", "mtg")
        read = [row for row in csv.DictReader(StringIO(ended.out.removeprefix("\ufeff"))) if row["concept"] == yard]
        assert set(DECISIONS) <= {(row["lang"], row["label"], row["status"]) for row in read}, name
        if not name.endswith(".csv"):
            assert {row["by"] for row in read if row["label"] in ("坟场", "弃牌堆")} == {"Anna"}
            assert {row["date"] for row in read if row["label"] == "弃牌堆"} == {chinese["date"]}
            assert all("on 弃牌堆" in row["note"] for row in read if row["label"] == "弃牌堆")
    assert call(desk, "terms", "apply", tmp_path / "whole.csv", "--by", "Bob").code == 0
    assert call(desk, "terms", "list").out == listed
    assert "Bob" not in listed
    decide(desk, [row | {"decision": "drop"} for row in rows])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"decision": "perhaps"}, "line 2: decision 'perhaps'"),
        ({"decision": "take", "concept": f"{CONCEPT}mtg/nothing"}, "line 2: concept"),
        ({"decision": "take", "lang": "tlh"}, "line 2: lang 'tlh'"),
        ({"decision": "take", "status": "best"}, "line 2: status 'best'"),
        ({"decision": "take", "label": " "}, "line 2: label ''"),
    ],
)
def test_a_decision_that_cannot_be_taken_changes_nothing(desk: Path, change: dict[str, str], told: str) -> None:
    row = {
        "decision": "",
        "concept": f"{CONCEPT}mtg/library",
        "lang": "en",
        "label": "pile",
        "status": "admitted",
        "note": "",
    } | change
    target = desk.with_name("decided.csv")
    target.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n", encoding="utf-8")
    bundle = (desk / "current").read_text()
    ended = call(desk, "terms", "apply", target)
    assert (ended.code, told in ended.err) == (2, True), ended.err
    assert (desk / "current").read_text() == bundle


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sell",), "terms 'sell': expected import FILE, apply FILE or list"),
        (("import", "nowhere.csv"), "there is no file nowhere.csv"),
        (("apply", "nowhere.csv"), "there is no file nowhere.csv"),
    ],
)
def test_what_means_nothing_is_refused(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    ended = call(tmp_path / "home", "terms", *arguments)
    assert (ended.code, told in ended.err) == (2, True), ended.err


@pytest.mark.parametrize("name", [unicodedata.normalize("NFD", "バトルゾーン"), "ﾊﾞﾄﾙｿﾞｰﾝ", "ばとるぞーん", "バトルゾーン"])
def test_names_are_known_in_every_form_of_kana(desk: Path, name: str) -> None:
    [row] = [row for row in proposals(desk, f"en,ja\nbattle zone,{name}\n", "--game", "dm") if row["lang"] == "ja"]
    assert (row["finding"], row["label"]) == ("known", name)
    for command in ("term", "concept"):
        assert "dm" in call(desk, command, name).out
