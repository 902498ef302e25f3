"""A translator's job: the work package of a newer edition goes out, the finished translation comes back."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from starlette.testclient import TestClient

from api.http.app import create_app
from corpus.address import EditionKey
from corpus.model import Authority
from corpus.store.home import Home
from ingest.pipeline import parse
from ingest.read.document import read_document
from ingest.recognise import Hints
from ontology.shipped import shipped_labels
from ontology.translation.passages import passages
from rulestone import InputError, Library, NotFoundError
from rulestone.writing.add import add
from tests.support.commands import call
from tests.support.editions import DIGEST
from tests.support.homes import put, without_ontology
from tests.support.schemas import faults
from tests.support.texts import TEXTS

V2 = "{urn:oasis:names:tc:xliff:document:2.0}"
V1 = "{urn:oasis:names:tc:xliff:document:1.2}"
HEAD = ("1. Ferries", "101. Crossing"), ("1. 渡船", "101. 横渡")
RULES = {
    "101.1.": ("A ferry carries six travellers.", "渡船载六名旅客。"),
    "101.2.": ("A goat pays 2 coins. See rule 101.1.", "山羊付2枚硬币。参见规则101.1。"),
    "101.3.": ("A raft is no ferry.\nExample: Ada steers a raft.", "木筏不是渡船。\n例如：艾达驾驶木筏。"),
}
NEWER = {
    "101.1.": ("A ferry carries six travellers.", ""),
    "101.2.": ("A goat pays 3 coins at pier {2}. See rule 101.1.", "山羊在{2}号码头付3枚硬币。参见规则101.1。"),
    "101.3.": ("Every lamp is lit at dusk before the bell rings.", "黄昏钟响前点亮每盏灯。"),
    "101.4.": ("A raft is no ferry.\nExample: Ada steers a raft.", ""),
}
SAME = {f"101.{nth}.": (f"Pier {nth} is closed at night.", f"{nth}号码头夜间关闭。") for nth in range(11, 21)}
"""Rules of both editions."""
CHANGED = {"101.2", "101.3"}


def text(rules: dict[str, tuple[str, str]], lang: int) -> str:
    return "\n".join((*HEAD[lang], *(f"{number} {words[lang]}" for number, words in (rules | SAME).items()), ""))


@pytest.fixture(scope="module")
def translator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with two English editions, of which the older one is translated."""
    with pytest.MonkeyPatch.context() as patch, without_ontology():
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        folder = tmp_path_factory.mktemp("work")
        files = (
            (text(RULES, 0), "2024-04-04", "en", Authority.OFFICIAL),
            (text(RULES, 1), "2024-04-04", "zh-Hans", Authority.TRANSLATION),
            (text(NEWER, 0), "2025-05-05", "en", Authority.OFFICIAL),
        )
        for file in files:
            put(folder / "home", *file)
        yield folder / "home"


def package(home: Path, *options: str) -> bytes:
    ended = call(home, "export", "xliff", "ferry/cr", "--todo", "--target", "zh", *options)
    assert (ended.code, ended.err) == (0, "")
    return ended.out.encode()


@pytest.mark.parametrize(
    ("words", "beside", "expected"),
    [("goat", "zh", ("A goat pays 2", "山羊付2枚硬币。")), ("山羊", "en", ("山羊付2枚硬币。", "A goat pays 2 coins."))],
)
def test_a_concordance_reads_the_newest_edition_with_the_language_beside(
    translator: Path, words: str, beside: str, expected: tuple[str, str]
) -> None:
    body = call(translator, "concordance", words, "--beside", beside, "--json").json()
    assert body["superseded"] == ["ferry/cr/2024-04-04"]
    [line] = body["lines"]
    assert (f"{line['before']}{line['match']}{line['after']}"[: len(expected[0])], line["beside"]["text"]) == expected
    assert (line["edition"], line["current"]) == ("2024-04-04", False)
    assert (
        "superseded, the newest edition with that language: ferry/cr/2024-04-04"
        in call(translator, "concordance", words, "--beside", beside).out.splitlines()
    )
    english = call(translator, "concordance", "pier", "--json").json()
    assert (english["superseded"], {line["edition"] for line in english["lines"]}) == ([], {"2025-05-05"})
    concordance = call(translator, "concordance", "pier", "--beside", "zh", "--edition", "2025-05-05", "--json").json()
    assert (concordance["superseded"], {line["beside"] for line in concordance["lines"]}) == ([], {None})


def translated_file(data: bytes, translation: Callable[[str], str | None]) -> bytes:
    """The package with every unit translated as a tool does it; None leaves the unit out."""
    root = etree.fromstring(data)
    space = V2 if root.tag.startswith(V2) else V1
    for unit in list(root.iter(f"{V2}unit", f"{V1}trans-unit")):
        words = translation(unit.get("name") or unit.get("resname"))
        if words is None:
            unit.getparent().remove(unit)
            continue
        source = next(unit.iter(f"{space}source"))
        target = next(unit.iter(f"{space}target"), None)
        if target is None:
            target = etree.Element(f"{space}target")
            source.addnext(target)
        for inner in list(target):
            target.remove(inner)
        target.text = words
    result: bytes = etree.tostring(root)
    return result


def ours(name: str) -> str | None:
    return NEWER[f"{name.rpartition('/')[2]}."][1]


def locators(data: bytes) -> set[str]:
    units = etree.fromstring(data).iter(f"{V2}unit", f"{V1}trans-unit")
    return {(unit.get("name") or unit.get("resname")).partition("#")[0].split("/", 8)[8] for unit in units}


@pytest.mark.parametrize("options", [(), ("--dialect", "1.2")])
def test_the_package_has_the_changed_rules_and_no_other(translator: Path, options: tuple[str, ...]) -> None:
    assert locators(package(translator, *options)) == CHANGED


def test_the_package_is_valid(translator: Path) -> None:
    assert faults("xliff-2.1", package(translator)) == []


def test_a_reworded_rule_has_its_old_translation_and_the_change(translator: Path) -> None:
    for options, label, state in (((), "name", "subState"), (("--dialect", "1.2"), "resname", "state")):
        root = etree.fromstring(package(translator, *options))
        reworded, new = list(root.iter(f"{V2}unit", f"{V1}trans-unit"))
        space = V2 if not options else V1
        assert "".join(reworded.find(f".//{space}target").itertext()).startswith("山羊付")
        assert new.find(f".//{space}target") is None
        states = [value for unit in (reworded, new) for part in unit.iter() if (value := part.get(state))]
        assert states[0].endswith("needs-review-translation")
        assert new.get(label).endswith("101.3")
        change = next(note.text for note in reworded.iter(f"{space}note") if "change" in note.attrib.values())
        assert change == "A goat pays [-2-]{+3+} coins{+ at pier {2}+}. See rule 101.1."


def test_numbers_are_placeholders(translator: Path) -> None:
    unit = next(etree.fromstring(package(translator)).iter(f"{V2}unit"))
    codes = {side: [code.get("equiv") for code in unit.find(f".//{V2}{side}")] for side in ("source", "target")}
    assert codes == {"source": ["3", "{2}", "101.1"], "target": ["101.1"]}


@pytest.mark.parametrize("options", [(), ("--dialect", "1.2")])
def test_other_tools_read_the_package(translator: Path, options: tuple[str, ...]) -> None:
    from translate.storage.xliff import xlifffile
    from translate.storage.xliff2 import Xliff2File

    read = (xlifffile if options else Xliff2File).parsestring(package(translator, *options))
    assert [str(unit.source) for unit in read.units if unit.source][1] == NEWER["101.3."][0]


@pytest.mark.parametrize("options", [(), ("--dialect", "1.2")])
def test_the_finished_work_is_the_translation_of_the_edition(translator: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    home = copied(translator, tmp_path)
    file = tmp_path / "work.xlf"
    file.write_bytes(translated_file(package(home, *options), ours))
    with Library.open(home) as library:
        [added] = library.add(file)["added"]
        assert (added["readings"][0]["lang"], added["readings"][0]["authority"]) == ("zh-Hans", "translation")
        rules = {
            rule["locator"]: rule for rule in library._bundle().knowledge.stored_records(EditionKey("ferry", "cr", "2025-05-05"))
        }
        assert rules["101.2"]["texts"]["zh-Hans"]["text"] == NEWER["101.2."][1]
        assert rules["101.4"]["texts"]["zh-Hans"]["text"] == "木筏不是渡船。"
        assert [aside["text"] for aside in rules["101.4"]["examples"] if aside["lang"] == "zh-Hans"] == ["例如：艾达驾驶木筏。"]
        assert library.drift("ferry/cr", "en", "zh")["total"] == 0
        with pytest.raises(NotFoundError, match="nothing is left"):
            list(library.bitext("xliff", "ferry/cr", target="zh", todo=True))
        assert library.add(file)["added"][0]["status"] == "known"


def test_the_package_over_http(translator: Path) -> None:
    query = {"format": "xliff", "book": "ferry/cr", "target": "zh"}
    with TestClient(create_app(Library.open(translator, create=False)), raise_server_exceptions=False) as client:
        for options in ({}, {"dialect": "1.2"}):
            sent = client.get("/v1/bitext", params={**query, "todo": "true", **options})
            assert sent.content == package(translator, *(("--dialect", "1.2") if options else ()))
        for wrong in ({"dialect": "1.2"}, {"todo": "true", "dialect": "3"}, {"todo": "true", "format": "tmx"}):
            assert client.get("/v1/bitext", params={**query, **wrong}).status_code == 400


def test_placeholders_come_back_as_their_words(translator: Path) -> None:
    from rulestone.formats.package import read_finished

    for dialect in ("2.1", "1.2"):
        units = read_finished(package(translator, "--dialect", dialect), "work.xlf").units
        assert [words for name, words in units.items() if name.endswith("101.2")] == [(NEWER["101.2."][0], RULES["101.2."][1])]


@pytest.mark.parametrize(
    ("rule", "words", "finding"),
    [
        ("101.2", "山羊在{2}号码头付4枚硬币。参见规则101.1。", "101.2: 3 has become 4"),
        ("101.2", "山羊在{2}号码头付3枚硬币。参见规则101.4。", "101.2: 101.1 has become 101.4"),
        ("101.3", "", "101.3: the unit is missing"),
        ("101.3", None, "101.3: the unit is missing"),
        ("101.3", "黄昏点灯。\n例如：钟响。", "101.3: cannot be read back"),
    ],
)
def test_unfinished_work_is_refused(translator: Path, tmp_path: Path, rule: str, words: str | None, finding: str) -> None:
    file = tmp_path / "work.xlf"
    file.write_bytes(translated_file(package(translator), lambda name: words if name.endswith(rule) else ours(name)))
    with Library.open(translator) as library, pytest.raises(InputError) as refused:
        library.add(file, dry_run=True)
    assert any(str(detail).startswith(finding) for detail in refused.value.details)
    with Library.open(translator) as library:
        [summary] = library.add(file, dry_run=True, keep_going=True)["added"]
    assert any(note.startswith(finding) for note in summary["notes"])


def test_a_refusal_has_a_line_for_each_finding(translator: Path, tmp_path: Path) -> None:
    file = tmp_path / "work.xlf"
    wrong = {"101.2": "山羊在{2}号码头付4枚硬币。参见规则101.4。", "101.3": ""}
    file.write_bytes(translated_file(package(translator), lambda name: wrong[name.rpartition("/")[2]]))
    ended = call(translator, "add", file, "--json")
    summary, *findings = ended.err.splitlines()
    assert ended.code == 2
    assert summary == "rulestone: work.xlf: findings in its units: 3; correct them, or take it as it is with --keep-going"
    assert sorted(findings) == [
        "  101.2: 101.1 has become 101.4",
        "  101.2: 3 has become 4",
        "  101.3: the unit is missing or has no translation",
    ]
    [refused] = json.loads(ended.out)["added"]
    assert (refused["status"], refused["notes"]) == ("refused", [finding.strip() for finding in findings])
    assert summary == f"rulestone: {refused['error']}"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<xliff>", "is not valid XML"),
        (b"<html/>", "is not XLIFF"),
        (f"<xliff xmlns='{V2[1:-1]}' srcLang='en' trgLang='zh'><file original='x'/></xliff>".encode(), "is not loaded"),
    ],
)
def test_other_files_are_refused(translator: Path, tmp_path: Path, data: bytes, reason: str) -> None:
    file = tmp_path / "work.xlf"
    file.write_bytes(data)
    with Library.open(translator) as library, pytest.raises(InputError, match=reason):
        library.add(file, dry_run=True)


def copied(home: Path, folder: Path) -> Path:
    import shutil

    shutil.copytree(home, folder / "home")
    return folder / "home"


FORBIDDEN = (
    ("graveyard", "墓地"), ("library", "牌堆"), ("hand", "手札"), ("battlefield", "场地"), ("stack", "栈区"), ("exile", "除外区"),
    ("creature", "怪兽"), ("instant", "速攻"), ("sorcery", "魔法"), ("token", "标记物"),
)  # fmt: skip
"""Concept of Magic and a word that its translators must not use, none of which the Chinese rules print for it."""


@pytest.mark.real
def test_forbidden_words_are_found(books: tuple[Path, Path]) -> None:
    from ontology.translation.drift.drift import forbidden_names
    from ontology.translation.drift.pairs import PartPair, rule_parts
    from ontology.translation.drift.terms import TermNames

    with Library.open(books[1]) as library:
        knowledge = library._bundle().knowledge
        concepts = {f"https://w3id.org/rulestone/id/concept/mtg/{slug}": word for slug, word in FORBIDDEN}
        assert concepts.keys() <= {label.concept for label in shipped_labels()}
        never = [(concept, "zh-Hans", word) for concept, word in concepts.items()]
        terms = TermNames(shipped_labels(), "mtg", never)
        planted, untouched = [], []
        for record in knowledge.stored_records(EditionKey("mtg", "cr", "2025-02-07")):
            source, target = ({part.part: part for part in rule_parts(record, lang)}.get("text") for lang in ("en", "zh-Hans"))
            if source and target and record["kind"] == "rule":
                mentioned = sorted({concept for concept, _ in terms.mentions(source.text, "en")} & concepts.keys())
                untouched += [PartPair(source, target, ())] if mentioned else []
                for concept in mentioned:
                    name = terms.preferred_names(concept, "zh-Hans")[0]
                    if name in target.text:
                        swapped = replace(target, text=target.text.replace(name, concepts[concept]))
                        planted.append((concept, PartPair(source, swapped, ())))
    assert len(planted) >= 40
    sample = [pair for pairs in (some[:: max(len(some) // 4, 1)][:4] for some in by_concept(planted)) for pair in pairs]
    assert len(sample) == 40
    count = sum(any(finding.about == concept for finding in forbidden_names(pair, terms)) for concept, pair in sample)
    false = sum(bool(list(forbidden_names(pair, terms))) for pair in untouched)
    assert count >= 0.95 * len(sample)
    assert len(untouched) > 1000
    assert false <= len(untouched) / 20


def by_concept(planted: list[tuple[str, Any]]) -> list[list[tuple[str, Any]]]:
    grouped: dict[str, list[tuple[str, Any]]] = {}
    for concept, pair in planted:
        grouped.setdefault(concept, []).append((concept, pair))
    return list(grouped.values())


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """The real Magic rules, without concepts: a home that lacks the newer translation, and one that has it."""
    with pytest.MonkeyPatch.context() as patch, without_ontology():
        patch.setenv("RULESTONE_DIGEST", DIGEST)
        folder = tmp_path_factory.mktemp("books")
        texts = [TEXTS / "mtg" / name for name in ("20240607_En.txt", "20240607_Zh.txt", "20250207_En.txt", "20250207_Zh.txt")]
        add(Home(folder / "home"), texts[:3])
        whole = copied(folder / "home", folder / "whole")
        add(Home(whole), texts[3:])
        yield folder / "home", whole


@pytest.mark.real
def test_a_real_job(books: tuple[Path, Path], tmp_path: Path) -> None:
    home, whole = books
    with Library.open(home) as library:
        data = b"".join(library.bitext("xliff", "mtg/cr", target="zh", todo=True))
    old, new = EditionKey("mtg", "cr", "2024-06-07"), EditionKey("mtg", "cr", "2025-02-07")
    with Library.open(whole) as library:
        knowledge = library._bundle().knowledge
        words = [(passage, passage.words.get("en", "")) for passage in passages(knowledge, new)]
        before = Counter(passage.words.get("en", "") for passage in passages(knowledge, old))
        changed = {passage.locator for passage, text in words if text not in before and not passage.locator.startswith("glossary")}
        in_package = {locator for locator in locators(data) if not locator.startswith("glossary")}
        assert len(changed) > 100
        assert changed <= in_package
        sections = {passage.locator for passage, _ in words if passage.part == "heading"}
        assert in_package - sections <= changed
        real = {passage.id: passage.words["zh-Hans"] for passage, _ in words}
        expected = library.drift("mtg/cr", "en", "zh", limit=10000)["findings"]
    file = tmp_path / "work.xlf"
    file.write_bytes(translated_file(data, real.get))
    with Library.open(home) as library:
        earlier = library.drift("mtg/cr/2024-06-07", "en", "zh", limit=10000)["findings"]
        library.add(file, keep_going=True, later=True)
        findings = library.drift("mtg/cr", "en", "zh", limit=10000)["findings"]
    assert not {finding["kind"] for finding in findings} & {"outdated", "missing-rule", "extra-rule"}
    about_rules = [finding for finding in findings if finding["kind"] != "rendering"]  # those count the whole book
    new_findings = {key(finding) for finding in about_rules} - {key(finding) for finding in expected}
    carried = {key(finding) for finding in earlier if finding["target"] and finding["target"]["locator"] not in in_package}
    assert new_findings <= carried  # rules whose original did not change, and whose old translation was corrected since


@pytest.mark.real
def test_a_whole_real_book_comes_back_as_it_is(books: tuple[Path, Path], tmp_path: Path) -> None:
    from rulestone.library.finished import finished_text

    home, whole = books
    file = tmp_path / "book.xlf"
    with Library.open(whole) as library:
        file.write_bytes(b"".join(library.bitext("xliff", "mtg/cr", source="en", target="zh")))
        new = EditionKey("mtg", "cr", "2025-02-07")
        real = {passage.id: passage.words["zh-Hans"] for passage in passages(library._bundle().knowledge, new)}
    with Library.open(home) as library:
        text_file = finished_text(library._bundle().knowledge, file, keep_going=True)
    [reading, *_] = parse(read_document(text_file.data or b"", text_file.path), text_file.hints or Hints())
    asides = [aside.text for node in reading.nodes for aside in (*node.examples, *node.notes)]
    texts = Counter("".join(text.split()) for text in (*(node.text for node in reading.nodes), *asides))
    headwords = Counter("".join(node.headword.split()) for node in reading.nodes if node.headword)
    assert texts + headwords == Counter("".join(words.split()) for words in real.values())


def key(finding: Any) -> tuple[str, str, str]:  # noqa: ANN401
    """A finding about one rule without its places in the file."""
    place = finding["target"] or finding["source"]
    return finding["kind"], place["locator"], finding["said"]
