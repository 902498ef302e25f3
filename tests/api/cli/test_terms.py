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


def test_every_term_is_compared_and_none_is_taken(home: Path) -> None:
    findings = {(row["lang"], row["label"], row["finding"], row["concept"]) for row in proposals(home, GLOSSARY, "--game", "mtg")}
    assert findings >= {
        ("en", "graveyard", "known", f"{CONCEPT}mtg/graveyard"),
        ("ja", "墓地", "known", f"{CONCEPT}mtg/graveyard"),
        ("en", "book pile", "new", f"{CONCEPT}mtg/library"),
        ("en", "sandpit", "new concept", f"{CONCEPT}mtg/sandpit"),
    }
    other = proposals(home, "en,ja\nhand,墓地\n", "--game", "mtg")
    assert {row["finding"] for row in other if row["label"] == "墓地"} & {
        "contradicts", "ambiguous",
    }  # fmt: skip
    assert call(home, "terms", "list").out == ""


def test_a_name_that_a_glossary_forbids_now_is_a_change(home: Path) -> None:
    rows = proposals(home, "concept,en,ja,ja never\nmtg/graveyard,graveyard,,墓地\n", "--game", "mtg")
    assert {row["label"]: row["finding"] for row in rows} == {"graveyard": "known", "墓地": "changed"}


@pytest.mark.slow
def test_what_is_taken_is_a_label_of_the_curator_and_outlives_build(desk: Path) -> None:
    findings = proposals(desk, GLOSSARY, "--game", "mtg")
    rows = [row | {"decision": "take", "status": "preferred"} for row in findings if row["label"] == "book pile"]
    assert "1 labels added, 0 dropped" in decide(desk, rows)
    for rebuild in (False, True):
        if rebuild:
            assert call(desk, "build", "--later").code == 0
        [concept] = call(desk, "concept", "mtg/library", "--json").json()["concepts"]
        [label] = [name for name in concept["labels"]["en"] if name["label"] == "book pile"]
        assert (label["curator"], label["official"]) == ("Anna", False)
        concepts = [term["concept"] for term in call(desk, "term", "book pile", "--json").json()["terms"] if term["named"]]
        assert concepts == [f"{CONCEPT}mtg/library"]
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
    decision = row | {"decision": "take", "status": "preferred", "concept": f"{CONCEPT}mtg/library"}
    decide(desk, [decision])
    assert label in call(desk, "terms", "list").out.replace(f"'{label}", "")
    [output_row] = [
        row
        for row in csv.DictReader(StringIO(call(desk, "export", "csv", "--game", "mtg", "--lang", "en").out.removeprefix("\ufeff")))
        if row["concept"] == f"{CONCEPT}mtg/library"
    ]
    assert output_row["en"] == f"'{label}"
    decide(desk, [decision | {"decision": "drop"}])


@pytest.mark.slow
def test_a_game_without_concepts_takes_a_termbase_and_a_book_joins_it(desk: Path) -> None:
    glossary = "en,ja,ja never\nSand Pit|pit of sand,砂場,砂坑\n=Mud,泥,\n"
    findings = proposals(desk, glossary, "--game", "ferry")
    address, mud = f"{CONCEPT}ferry/sand-pit", f"{CONCEPT}ferry/mud"
    assert {(row["finding"], row["concept"]) for row in findings} == {("new concept", address), ("new concept", mud)}
    rows = [row | {"decision": "take"} for row in findings]
    decide(desk, rows)
    assert concept(desk, "ferry/sand-pit") == ("proposed-term", ["砂場", "砂坑"], [])
    assert "proposed term, defined in no loaded book" in call(desk, "concept", "砂場", "--lang", "en").out
    assert call(desk, "term", "砂場", "--json").json()["terms"][0]["kind"] == "proposed-term"
    assert {row["finding"] for row in proposals(desk, "en,ja\nSand Pit,砂場\n", "--game", "ferry")} == {"known"}
    decisions = desk.with_name("decisions.csv")
    assert call(desk, "terms", "list", "-o", decisions).code == 0
    for options in (["csv"], ["tbx"], ["tbx", "--dialect", "2008"]):
        output = call(desk, "export", *options, "--game", "ferry", "--lang", "en,ja").out
        assert (address in output, "proposed-term" in output) == (True, True)
        table, target = desk.with_name(f"ferry.{options[0]}"), desk.with_name("again.csv")
        table.write_text(output, encoding="utf-8")
        assert call(desk, "terms", "import", table, "-o", target).code == 0
        labels = {row["label"]: row for row in csv.DictReader(StringIO(target.read_text("utf-8-sig"))) if row["concept"] == address}
        assert {row["finding"] for row in labels.values()} == {"known"}
        assert labels["砂坑"]["status"] == "forbidden"

    book = desk.with_name("guide.txt")
    book.write_text(GUIDE, encoding="utf-8")
    hints = ("--game", "ferry", "--book", "guide", "--edition", "2022-01-01", "--lang", "ja", "--authority", "official")
    added = call(desk, "add", book, *hints)
    assert added.code == 0, added.err
    assert concept(desk, "ferry/sand-pit") == ("book-term", ["砂場", "砂坑"], ["100.1"])
    decide(desk, [row | {"decision": "drop"} for row in rows])
    assert concept(desk, "ferry/sand-pit") == ("book-term", ["砂場"], ["100.1"])
    assert call(desk, "remove", "ferry/guide/2022-01-01").code == 0
    assert [call(desk, "concept", ref).code for ref in ("ferry/sand-pit", "ferry/mud")] == [1, 1]

    applied = call(desk, "terms", "apply", decisions)  # another knowledge base has the same decisions
    assert applied.code == 0, applied.err
    assert concept(desk, "ferry/sand-pit") == ("proposed-term", ["砂場", "砂坑"], [])
    decide(desk, [row | {"decision": "drop"} for row in rows])


GUIDE = """1. 砂

100. 総則

100.1. 「砂場」とは、砂を置く場所のことである。
100.2. 渡し船は砂に乗り上げない。
100.3. 船頭は砂を運ぶ。
100.4. 客は砂を運ばない。
100.5. 砂は一山ずつ数える。
"""


def concept(home: Path, ref: str) -> tuple[str, list[str], list[str]]:
    """The kind of a concept, its Japanese names, and the locators of the rules that define it."""
    [record] = call(home, "concept", ref, "--json").json()["concepts"]
    return record["kind"], [label["label"] for label in record["labels"]["ja"]], [rule["locator"] for rule in record["defined_by"]]


@pytest.mark.parametrize("game", ["ferry", "pokemon"])
def test_new_concepts_have_the_address_that_a_file_states(home: Path, game: str) -> None:
    """A file from another knowledge base, here of a game that is loaded and of one that is not."""
    table = f"concept,en,ja\n{CONCEPT}{game}/sand-box,Sand Pit,砂場\n{game}/Bad Slug,Mud,泥\nmtg/grave-yard,graveyard,墓地\n"
    findings = {row["label"]: (row["finding"], row["concept"]) for row in proposals(home, table, "--game", game)}
    assert findings["Sand Pit"] == findings["砂場"] == ("new concept", f"{CONCEPT}{game}/sand-box")
    assert {findings[label] for label in ("Mud", "泥")} == {("unknown", "")}
    assert {findings[label] for label in ("graveyard", "墓地")} == {("known", f"{CONCEPT}mtg/graveyard")}


def test_an_unknown_game_is_refused_in_one_line(home: Path) -> None:
    table = home.with_name("other.csv")
    table.write_text("en,ja\nsand,砂\n", encoding="utf-8")
    ended = call(home, "terms", "import", table, "--game", "fery")
    assert (ended.code, ended.err.count("\n"), "'fery'" in ended.err) == (2, 1, True)


@pytest.mark.parametrize(
    "row",
    [
        "new concept,,sand",
        "new concept,https://example.org/pit,sand",
        f"new concept,{CONCEPT}pit,sand",
        f"new concept,{CONCEPT}ferry/Sand Pit,sand",
        "new concept,ferry,sand",
        "new concept,a/b/c,sand",
        "unknown,mtg/graveyrd,yard",
        ",mtg/graveyrd,graveyard",
        ",mtg/graveyrd,graveyrd",
        "unknown,mtg/graveyrd,graveyrd",
        "new concept,mtg/graveyrd,yard",
        ",mgt/sandpit,sandpit",
        "new concept,mgt/sandpit,sandpit",
        "new concept,hub/lamp,lamp",
    ],
)
def test_a_concept_that_nothing_proposes_is_refused(home: Path, row: str) -> None:
    table = home.with_name("wrong.csv")
    table.write_text(f"decision,lang,finding,concept,label\ntake,en,{row}\n", encoding="utf-8")
    ended = call(home, "terms", "apply", table)
    assert (ended.code, ended.err.count("\n"), "line 2: concept" in ended.err) == (2, 1, True)
    assert ("mtg/graveyard, or `new concept`" in ended.err) == ("graveyrd" in row)


@pytest.mark.slow
def test_an_address_near_to_another_is_made_if_a_person_says_so(desk: Path) -> None:
    findings = proposals(desk, "en,ja\ngraveyrd,砂場\n", "--game", "mtg")
    assert {(row["finding"], row["concept"], "is it mtg/graveyard?" in row["why"]) for row in findings} == {
        ("unknown", f"{CONCEPT}mtg/graveyrd", True)
    }
    rows = [row | {"decision": "take", "finding": "new concept"} for row in findings]
    decide(desk, rows)
    record = desk.with_name("listed.csv")
    assert call(desk, "terms", "list", "-o", record).code == 0
    decide(desk, [row | {"decision": "drop"} for row in rows])
    assert call(desk, "terms", "apply", record).code == 0  # another knowledge base
    assert concept(desk, "mtg/graveyrd")[1] == ["砂場"]
    decide(desk, [row | {"decision": "drop"} for row in rows])


def test_two_rows_of_a_glossary_do_not_become_one_concept_unsaid(home: Path) -> None:
    rows = proposals(home, "en,ja\nLamp,灯\nlamp,灯台\n", "--game", "ferry")
    target = home.with_name("decided.csv")
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"decision": "take"} for row in rows)
    ended = call(home, "terms", "apply", target)
    assert (ended.code, "lines 2 and 4: two rows" in ended.err, "ferry/lamp" in ended.err) == (2, True, True), ended.err
    assert call(home, "concept", "ferry/lamp").code == 1


@pytest.mark.parametrize(
    ("cells", "finding"),
    [
        ("graveyard|yard,,,", "known"),  # slang today
        ("graveyard,,yard,", "known"),
        ("graveyard,,,yard", "changed"),
    ],
)
def test_slang_that_a_glossary_forbids_is_a_change(home: Path, cells: str, finding: str) -> None:
    rows = proposals(home, f"en,ja,en avoid,en never\n{cells}\n", "--game", "mtg")
    assert {row["finding"] for row in rows if row["label"] == "yard"} == {finding}


@pytest.mark.slow
def test_what_a_person_forbade_is_known_as_forbidden(desk: Path) -> None:
    rows = [row | {"decision": "take"} for row in proposals(desk, "en,ja,en never\ngraveyard,,yard\n", "--game", "mtg")]
    rows = [row for row in rows if row["label"] == "yard"]
    decide(desk, rows)
    for table, finding in (("en,ja,en never\ngraveyard,,yard\n", "known"), ("en,ja,en avoid\ngraveyard,,yard\n", "changed")):
        findings = proposals(desk, table, "--game", "mtg")
        assert {row["finding"] for row in findings if row["label"] == "yard"} == {finding}
    decide(desk, [row | {"decision": "drop"} for row in rows])


DECISIONS = (
    ("zh-Hans", "坟场", "preferred"),
    ("zh-Hans", "弃牌堆", "forbidden"),
    ("zh-Hans", "坟堆", "admitted"),
    ("en", "boneyard", "forbidden"),
)


@pytest.mark.slow
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
    record = call(desk, "terms", "list").out
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
    assert call(desk, "terms", "list").out == record
    assert "Bob" not in record
    decide(desk, [row | {"decision": "drop"} for row in rows])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decision": "perhaps"}, "line 2: decision 'perhaps'"),
        ({"decision": "take", "concept": f"{CONCEPT}mtg/nothing"}, "line 2: concept"),
        ({"decision": "take", "lang": "tlh"}, "line 2: lang 'tlh'"),
        ({"decision": "take", "status": "best"}, "line 2: status 'best'"),
        ({"decision": "take", "label": " "}, "line 2: label ''"),
    ],
)
def test_a_decision_that_cannot_be_taken_changes_nothing(home: Path, change: dict[str, str], message: str) -> None:
    row = {
        "decision": "",
        "concept": f"{CONCEPT}mtg/library",
        "lang": "en",
        "label": "pile",
        "status": "admitted",
        "note": "",
    } | change
    target = home.with_name("decided.csv")
    target.write_text(",".join(row) + "\n" + ",".join(row.values()) + "\n", encoding="utf-8")
    bundle = (home / "current").read_text()
    ended = call(home, "terms", "apply", target)
    assert (ended.code, message in ended.err) == (2, True), ended.err
    assert (home / "current").read_text() == bundle


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sell",), "terms 'sell': expected import FILE, apply FILE or list"),
        (("import", "nowhere.csv"), "there is no file nowhere.csv"),
        (("apply", "nowhere.csv"), "there is no file nowhere.csv"),
    ],
)
def test_what_means_nothing_is_refused(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    ended = call(tmp_path / "home", "terms", *arguments)
    assert (ended.code, message in ended.err) == (2, True), ended.err


@pytest.mark.parametrize("name", [unicodedata.normalize("NFD", "バトルゾーン"), "ﾊﾞﾄﾙｿﾞｰﾝ", "ばとるぞーん", "バトルゾーン"])
def test_names_are_known_in_every_form_of_kana(home: Path, name: str) -> None:
    [row] = [row for row in proposals(home, f"en,ja\nbattle zone,{name}\n", "--game", "dm") if row["lang"] == "ja"]
    assert (row["finding"], row["label"]) == ("known", name)
    for command in ("term", "concept"):
        assert "dm" in call(home, command, name).out
