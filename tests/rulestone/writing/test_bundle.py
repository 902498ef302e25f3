"""From files to a bundle: merging, conflicts, idempotence, atomicity, the same input the same bytes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.address import BASE
from corpus.contract import RuleRecord
from corpus.errors import InputError, NotFoundError
from corpus.reference import parse_reference
from corpus.store.home import Home
from ingest.recognise import Hints
from ontology.knowledge import Knowledge
from rulestone import Library
from rulestone.writing.add import AddOptions, add, build

EN = """The Game of Ferrymen

1. Ferries
100. General
100.1. A ferry carries tokens between two piers. See rule 101.2.
100.1a An empty ferry may leave at any time.
Example: A ferry without tokens leaves in the first turn.
100.2. Each player owns one ferry. It never sinks (see rule 999.9).
101. Piers
101.1. A pier holds at most three tokens.
101.2. Tokens on a pier lie face up, as rules 100.1 and 100.2 say.

Glossary

Ferry
What carries tokens. See rule 100.1.

Pier
Where tokens lie.

Token
A thing carried.
"""
ZH = """渡船人的游戏

1. 渡船
100. 总则
100.1. 渡船在两座码头之间运送标记。参见规则101.2。
100.1a 空船可以随时出发。
例如：没有标记的船在第一回合出发。
100.2. 每位牌手拥有一艘渡船。它永远不会沉没。
101. 码头
101.1. 一座码头最多放置三个标记。
101.2. 码头上的标记正面朝上，如规则100.1和100.2所述。

词汇表

渡船
运送标记之物。参见规则100.1。

码头
放置标记之处。

标记
被运送之物。
"""
CHAPTER_2 = """2. Storms
200. General
200.1. A storm stops every ferry.
200.2. A storm ends when its token is removed. See rule 100.1.
200.3. Two storms are one storm.
200.4. No storm reaches a pier.
200.5. A storm is no token.
200.6. A storm belongs to nobody.
"""
FERRY = Hints(game="ferry", edition="2024-05-01")
pytestmark = pytest.mark.usefixtures("books_alone")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def knowledge(home: Home) -> Knowledge:
    bundle = home.current_folder()
    assert bundle is not None
    return Knowledge.open(bundle)


def rule(home: Home, words: str) -> RuleRecord:
    return knowledge(home).rules(parse_reference(words))[0]


def dump(home: Home) -> list[str]:
    return list(knowledge(home).quads())


def numbers(home: Home) -> Iterator[str]:
    return (record["locator"] for record in knowledge(home).all_records() if record["game"] == "ferry")


def test_first_command_builds_the_digest(home: Home) -> None:
    said: list[str] = []
    for _ in range(2):
        Library.open(home.path, report=said.append).ensure_built()
    assert len(said) == 1
    record = rule(home, "dm:400.3b")
    assert record["texts"] == {}
    assert set(record["digest"]) == {"ja", "zh-Hans", "en"}
    assert record["parent"] == f"{BASE}id/dm/zones-summary/undated/400.3"
    assert record["headings"]["en"] == ["4. Zones", "400. General"]


def test_a_rule_has_everything_around_it(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    record = rule(home, "ferry:100.1")
    iri = f"{BASE}id/ferry/cr/2024-05-01/"
    assert record["heading"] == ["1. Ferries", "100. General"]
    assert [child["locator"] for child in record["children"]] == ["100.1a"]
    assert (record["previous"], record["next"]) == (f"{iri}100", f"{iri}100.1a")
    assert [(cite["text"], cite["target"]) for cite in record["cites"]] == [("101.2", f"{iri}101.2")]
    assert record["cited_by"] == [f"{iri}101.2", f"{iri}glossary/ferry"]
    assert rule(home, "ferry:100.1a")["examples"][0]["text"].startswith("Example: A ferry")
    source = record["sources"][0]
    assert EN[source["start"] : source["end"]] == "100.1. A ferry carries tokens between two piers. See rule 101.2."


def test_dangling_citation_is_kept(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    assert [(cite["text"], cite["target"]) for cite in rule(home, "ferry:100.2")["cites"]] == [("999.9", None)]
    assert next(edition for edition in knowledge(home).editions() if edition["game"] == "ferry")["dangling_citations"] == 1


@pytest.mark.parametrize("order", [("ferry.txt", "duchuan.txt"), ("duchuan.txt", "ferry.txt")])
def test_second_language_joins_the_same_rules(home: Home, tmp_path: Path, order: tuple[str, str]) -> None:
    file(tmp_path, "ferry.txt", EN)
    file(tmp_path, "duchuan.txt", ZH)
    for name in order:
        add(home, [tmp_path / name], FERRY)
    record = rule(home, "ferry:101.1")
    assert set(record["texts"]) == {"en", "zh-Hans"}
    assert len(record["sources"]) == 2
    assert {cite["lang"] for cite in rule(home, "ferry:101.2")["cites"]} == {"en", "zh-Hans"}


def test_chapters_of_one_edition_merge(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "two.txt", CHAPTER_2)], FERRY)
    assert rule(home, "ferry:200.2")["cites"][0]["target"] is None
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    assert rule(home, "ferry:200.2")["cites"][0]["target"] is not None
    printed = [locator for locator in numbers(home) if locator[0].isdigit()]
    first = ["1", "100", "100.1", "100.1a", "100.2", "101", "101.1", "101.2"]
    assert printed == [*first, "2", "200", *(f"200.{n}" for n in range(1, 7))]


def test_a_chapter_inside_the_whole_book_is_there_once(home: Home, tmp_path: Path) -> None:
    chapter = "100. General" + EN.split("100. General")[1].split("101. Piers")[0]
    padding = "".join(f"100.{n}. Ferry number {n} is blue.\n" for n in range(3, 9))
    whole = EN.replace("101. Piers", padding + "101. Piers")
    add(home, [file(tmp_path, "chapter.txt", chapter + padding), file(tmp_path, "whole.txt", whole)], FERRY)
    listed = list(numbers(home))
    assert len(listed) == len(set(listed))
    record = rule(home, "ferry:100.5")
    assert {source["file"] for source in record["sources"]} == {"chapter.txt", "whole.txt"}
    assert record["parent"] == f"{BASE}id/ferry/cr/2024-05-01/100"


def test_other_words_are_refused_without_replace(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    before = dump(home)
    other = file(tmp_path, "other.txt", EN.replace("at most three", "at most four"))
    with pytest.raises(InputError, match=r"101\.1.*--replace"):
        add(home, [other], FERRY)
    assert dump(home) == before
    add(home, [other], FERRY, AddOptions(replace=True))
    assert "four" in rule(home, "ferry:101.1")["texts"]["en"]["text"]
    assert [source.name for source in knowledge(home).manifest.added] == ["other.txt"]


def test_typography_is_no_other_wording(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    add(home, [file(tmp_path, "quotes.txt", EN.replace("at most three", "at  most three").replace("\n", "\r\n"))], FERRY)
    assert len(rule(home, "ferry:101.1")["sources"]) == 2


def test_add_is_idempotent(home: Home, tmp_path: Path) -> None:
    path = file(tmp_path, "ferry.txt", EN)
    assert [report.status for report in add(home, [path], FERRY)] == ["added"]
    bundle = home.current_folder()
    assert [report.status for report in add(home, [path], FERRY)] == ["known"]
    assert [report.status for report in add(home, [path])] == ["known"]
    assert home.current_folder() == bundle


def test_same_file_filed_otherwise(home: Home, tmp_path: Path) -> None:
    path = file(tmp_path, "ferry.txt", EN)
    add(home, [path], FERRY)
    later = Hints(game="ferry", edition="2025-01-01")
    with pytest.raises(InputError, match=r"ferry/cr/2024-05-01.*--replace"):
        add(home, [path], later)
    add(home, [path], later, AddOptions(replace=True))
    assert rule(home, "ferry:100.1")["edition"] == "2025-01-01"
    with pytest.raises(NotFoundError):
        rule(home, "ferry:2024-05-01:100.1")


def test_all_or_nothing(home: Home, tmp_path: Path) -> None:
    good, bad = file(tmp_path, "ferry.txt", EN), file(tmp_path, "novel.txt", "It was a dark night on the river. " * 400)
    build(home)
    before = dump(home)
    with pytest.raises(InputError, match=r"novel\.txt"):
        add(home, [good, bad], FERRY)
    assert dump(home) == before
    assert [report.status for report in add(home, [bad, good], FERRY, AddOptions(keep_going=True))] == ["refused", "added"]
    assert rule(home, "ferry:100.1")


@pytest.mark.slow
@pytest.mark.parametrize("stepwise", [False, True])
def test_same_input_gives_the_same_bytes(tmp_path: Path, stepwise: bool) -> None:
    paths = [file(tmp_path, "ferry.txt", EN), file(tmp_path, "duchuan.txt", ZH), file(tmp_path, "two.txt", CHAPTER_2)]
    whole, other = Home(tmp_path / "one"), Home(tmp_path / "other")
    add(whole, paths, FERRY)
    for path in reversed(paths) if stepwise else paths:
        add(other, [path], FERRY)
    build(other)
    assert dump(whole) == dump(other)


def test_glossary_of_a_translation_takes_the_originals_addresses(home: Home, tmp_path: Path) -> None:
    """Only for a catalogued book is the language of the headwords known; here it is Magic's, with invented words."""
    magic = Hints(game="mtg", book="cr", edition="1990-01-01")
    add(home, [file(tmp_path, "zh.txt", ZH)], magic)
    assert rule(home, "mtg:1990-01-01:glossary~2")["headwords"] == {"zh-Hans": "码头"}
    add(home, [file(tmp_path, "en.txt", EN)], magic)
    record = rule(home, "mtg:1990-01-01:glossary/pier")
    assert record["headwords"] == {"en": "Pier", "zh-Hans": "码头"}


def test_folder_is_read_through(home: Home, tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    file(tmp_path / "books", "ferry.txt", EN)
    file(tmp_path / "books", "two.txt", CHAPTER_2)
    file(tmp_path / "books", "cover.svg", "<svg/>")
    assert [report.status for report in add(home, [tmp_path / "books"], FERRY)] == ["added", "added"]


def both(home: Home) -> tuple[list[str], list[str]]:
    """The dump as it stands, and after everything was built anew."""
    before = dump(home)
    build(home)
    return before, dump(home)


def test_a_refused_replacement_takes_nothing_away(home: Home, tmp_path: Path) -> None:
    path, other = file(tmp_path, "a.txt", EN), file(tmp_path, "b.txt", EN.replace("three", "four"))
    add(home, [path], FERRY)
    later = Hints(game="ferry", edition="2025-01-01")
    assert [report.status for report in add(home, [other, path], later, AddOptions(replace=True, keep_going=True))] == [
        "added",
        "refused",
    ]
    assert {record["edition"] for record in knowledge(home).all_records() if record["game"] == "ferry"} == {
        "2024-05-01",
        "2025-01-01",
    }


@pytest.mark.slow
def test_a_file_filed_under_another_name_reads_the_same_after_a_build(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    add(home, [file(tmp_path, "again.txt", EN)], Hints(game="ferry", edition="2023-01-01"), AddOptions(replace=True))
    before, after = both(home)
    assert before == after
    assert rule(home, "ferry:100.1")["sources"][0]["file"] == "again.txt"


@pytest.mark.slow
def test_a_chapter_cut_in_two_grows_together(home: Home, tmp_path: Path) -> None:
    cut = CHAPTER_2.index("200.4.")
    more = "".join(f"200.{n}. Storm number {n} is grey.\n" for n in range(7, 12))
    add(home, [file(tmp_path, "one.txt", CHAPTER_2[:cut].replace("200.3", "200.1a A wind is weak.\n200.3"))], FERRY)
    add(home, [file(tmp_path, "two.txt", CHAPTER_2[cut:] + more)], FERRY)
    record = rule(home, "ferry:200.5")
    assert record["parent"] == f"{BASE}id/ferry/cr/2024-05-01/200"
    assert record["heading"] == ["2. Storms", "200. General"]


@pytest.mark.slow
def test_a_citation_finds_a_rule_of_another_language(home: Home, tmp_path: Path) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], FERRY)
    chinese = (
        "2. 风暴\n200. 总则\n"
        + "".join(f"200.{n}. 风暴来临时渡船停航，参见规则100.{n}。\n" for n in (1, 2))
        + "200.3. 风暴结束。\n200.4. 没有风。\n"
    )
    add(home, [file(tmp_path, "feng.txt", chinese)], FERRY)
    assert [cite["target"] for cite in rule(home, "ferry:200.1")["cites"]] == [f"{BASE}id/ferry/cr/2024-05-01/100.1"]


@pytest.mark.parametrize(
    "hints",
    [
        Hints(game="ferry", edition="foo bar"),
        Hints(game="ferry", edition="latest"),
        Hints(game="ferry", edition="a/b"),
        Hints(game="ferry", book="My Book"),
        *(Hints(game=name) for name in ("My Game", "", "concept", "latest", "rulings", "scheme", "墓地", "a" * 41, "x" * 5000)),
        *(Hints(game="ferry", book=name) for name in ("", "concept", "latest", "規則", "\u202ecr", "x" * 5000)),
        *(Hints(game="ferry", edition=name) for name in ("", "concept", "二〇二四", "x" * 5000)),
    ],
    ids=lambda hints: repr(hints)[:60],
)
def test_names_that_cannot_stand_in_an_address_are_refused(home: Home, tmp_path: Path, hints: Hints) -> None:
    with pytest.raises(InputError, match=r"--(edition|book|game)") as refused:
        add(home, [file(tmp_path, "ferry.txt", EN)], hints)
    assert len(str(refused.value)) < 600


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["v12.7", "12.7", "spring-cup"])
def test_an_edition_of_a_users_own(home: Home, tmp_path: Path, edition: str) -> None:
    add(home, [file(tmp_path, "ferry.txt", EN)], Hints(game="ferry", edition=edition))
    names = ["ferry:100.1", f"{BASE}id/ferry/cr/{edition}/100.1", *([f"ferry:{edition}:100.1"] if "7" in edition else [])]
    assert {rule(home, words)["edition"] for words in names} == {edition}
