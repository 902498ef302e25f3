"""The parser against independent counts of the real rulebooks; numbers and counts only, no sentence of theirs."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from corpus.address import slugify
from corpus.errors import InputError
from corpus.model import Kind, Node, Reading
from corpus.reference import fold_number
from corpus.words.text import fold_text
from ingest.lines import make_layout
from ingest.pipeline import parse, parse_file
from ingest.read.document import Document, decode, read
from ingest.read.formats import pdf_text
from ingest.recognise import Hints, Recognised, recognise
from tests.support import independent
from tests.support.ferrymen import faults
from tests.support.texts import TEXTS, readings

pytestmark = pytest.mark.real
ZH = "zh-Hans"
UNDATED_2 = ("ygo/rulebook/undated-2", ZH, "translation", "restructured")
EXPECTED = {
    "dm/dm_rule.ja.md": [("dm/cr/2025-12-17", "ja", "official", "hundreds")],
    "fow/comprehensive_rules_12.7.en.txt": [("fow/cr/2025-09-18", "en", "official", "full-hundreds")],
    "mtg/20220610_En.txt": [("mtg/cr/2022-06-10", "en", "official", "hundreds")],
    "mtg/20240607_En.txt": [("mtg/cr/2024-06-07", "en", "official", "hundreds")],
    "mtg/20240607_Zh.txt": [("mtg/cr/2024-06-07", ZH, "translation", "hundreds")],
    "mtg/20250207_En.txt": [("mtg/cr/2025-02-07", "en", "official", "hundreds")],
    "mtg/20250207_Zh.txt": [("mtg/cr/2025-02-07", ZH, "translation", "hundreds")],
    "onepiece/comprehensive_rules.en.md": [("onepiece/cr/2025-02-21", "en", "official", "dashed")],
    "seeds/000-dm-zones.ja.txt": [("dm/zones-summary/undated", "ja", "community", "hundreds")],
    "seeds/001-fow-zones.ja.txt": [("fow/cr/undated", "ja", "official", "dotted-bullets")],
    "seeds/002-mtg-wiki-zone.en.txt": [
        ("mtg/wiki-zone/undated", "en", "community", "wiki"),
        ("mtg/cr/2024-06-07", "en", "official", "hundreds"),
    ],
    "seeds/003-dm-card-view.ja.txt": [("dm/cr/2025-12-17", "ja", "official", "hundreds")],
    "seeds/004-ygo-places.zh.rst.txt": [("ygo/rulebook/undated", ZH, "translation", "restructured")],
    **{
        f"ygo/{name}.rst": [UNDATED_2]
        for name in (
            *("c01/决斗的基本概念", "c01/特选规则", "c01/规则变动", "c02/OCG的概要", "c02/决斗进行的场所"),
            *("c02/卡片", "c02/卡片的效果", "c02/大会规则", "c02/效果以外的文本", "c02/游戏的进行"),
        )
    },
}
"""File → what its readings are: key, language, authority, grammar."""
PDF = "digimon/comprehensive_rules.2025-12.ja.pdf"
MTG = [name for name in EXPECTED if name.startswith("mtg/")]
YGO = [name for name in EXPECTED if name.endswith((".rst", ".rst.txt"))]
NUMBERED = [*MTG, *(name for name in EXPECTED if name.endswith(".md") or "-dm-" in name or name.startswith("fow/"))]
MUST_SHOW = {  # rules, examples, sections, as the issue has them
    "mtg/20220610_En.txt": (2668, 266, 138),
    "mtg/20240607_En.txt": (2967, 278, 144),
    "mtg/20240607_Zh.txt": (2967, 278, 144),
    "mtg/20250207_En.txt": (3022, 274, 144),
    "mtg/20250207_Zh.txt": (3022, 274, 144),
}


@cache
def text(name: str) -> str:
    return read(TEXTS / name).text


def rules(reading: Reading) -> list[Node]:
    return [node for node in reading.nodes if node.kind is Kind.RULE]


def bare(locator_: str) -> str:
    return locator_.partition(".dup")[0]


def numbers(nodes: Iterable[Node]) -> list[str]:
    return [bare(node.locator) for node in nodes if node.number]


def examples(reading: Reading) -> int:
    return sum(len(node.examples) for node in reading.nodes)


def described(reading: Reading | Recognised) -> tuple[str, str, str, str]:
    grammar = reading.grammar if isinstance(reading.grammar, str) else reading.grammar.slug
    return str(reading.key), reading.lang, reading.authority, grammar


def test_every_expected_file_is_in_the_folder() -> None:
    files = {file.relative_to(TEXTS).as_posix() for file in TEXTS.rglob("*") if file.is_file()}
    assert set(EXPECTED) - files == set()


# ── Recognition ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", EXPECTED)
def test_each_file_is_recognised(name: str) -> None:
    assert [described(reading) for reading in readings(name)] == EXPECTED[name]


def test_the_readme_is_no_rulebook() -> None:
    with pytest.raises(InputError, match="not a rulebook"):
        parse_file(TEXTS / "README.md")


def changed(data: bytes, name: str, dated: set[int]) -> Iterator[tuple[int, bytes]]:
    """The bytes with one of them replaced: by a letter, by a byte that is no UTF-8 and by NUL, in turn."""
    rng = random.Random(name)
    small = len(data) < 25_000
    ends = [*range(3), *range(len(data) - 3, len(data))]
    places = [*ends, *(ends if small else ()), *rng.sample(range(len(data)), 40 if small else 4)]
    for turn, place in enumerate(places):
        other = (rng.choice(b"aZ7 \n"), rng.choice(b"\x80\xbf\xc3\xff"), 0)[turn % 3 if turn >= 6 else turn % 2]
        if other != data[place] and place not in dated:
            yield place, data[:place] + bytes([other]) + data[place + 1 :]


def date_places(data: bytes, edition: str) -> set[int]:
    """Places in a file where its edition's date may be stated; changing one of them may rightly change the edition."""
    years = re.finditer(re.escape(edition[:4].encode()), data) if edition[0].isdigit() else ()
    return {year.start() + i for year in years for i in range(-20, 24)}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
def test_one_changed_byte_changes_nothing_that_is_recognised(name: str) -> None:
    data = (TEXTS / name).read_bytes()
    expected = EXPECTED[name][0][:3]
    dated = date_places(data, expected[0].rpartition("/")[2])
    outcomes = {(place, other[place]): recognised(other, name) for place, other in changed(data, name, dated)}
    assert {change: other for change, other in outcomes.items() if other != expected} == {}


def recognised(data: bytes, name: str) -> tuple[str, str, str] | str:
    try:
        decoded, encoding = decode(data, name)
        media = "rst" if name in YGO else "markdown" if name.endswith(".md") else "text"
        edition = recognise(Document("copy.txt", "0" * 64, media, encoding, decoded), make_layout(decoded), Hints())
    except InputError as error:
        return str(error)
    return described(edition)[:3]


# ── Numbers, headings, examples, glossaries ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", MTG)
def test_every_glossary_entry(name: str) -> None:
    (reading,) = readings(name)
    entries = [node for node in reading.nodes if node.kind is Kind.GLOSSARY]
    assert [fold_text(entry.headword) for entry in entries] == [fold_text(head) for head in independent.mtg_glossary(TEXTS / name)]


@pytest.mark.parametrize(("name", "counts"), MUST_SHOW.items())
def test_the_counts_of_magic(name: str, counts: tuple[int, int, int]) -> None:
    (reading,) = readings(name)
    sections = [node for node in reading.nodes if node.kind is Kind.SECTION]
    distinct = {rule.locator for rule in rules(reading)}
    assert (len(distinct), examples(reading), len(sections)) == counts
    assert all(rule.number for rule in rules(reading))


@pytest.mark.parametrize("date", ["20240607", "20250207"])
def test_english_and_chinese_magic_have_the_same_addresses(date: str) -> None:
    (english,), (chinese,) = readings(f"mtg/{date}_En.txt"), readings(f"mtg/{date}_Zh.txt")
    assert numbers(english.nodes) == numbers(chinese.nodes)
    parents = [{node.locator: node.parent for node in reading.nodes if node.number} for reading in (english, chinese)]
    assert parents[0] == parents[1]
    assert [len(rule.examples) for rule in rules(english)] == [len(rule.examples) for rule in rules(chinese)]
    entries = [[node for node in reading.nodes if node.kind is Kind.GLOSSARY] for reading in (english, chinese)]
    assert len(entries[0]) == len(entries[1])
    assert [node.locator for node in entries[1]] == [f"glossary~{place}" for place in range(1, len(entries[1]) + 1)]
    assert all(bare(node.locator) == f"glossary/{slugify(node.headword)}" for node in entries[0])


def test_duel_masters() -> None:
    (reading,) = readings("dm/dm_rule.ja.md")
    locators = [rule.locator for rule in rules(reading)]
    assert len({bare(locator) for locator in locators} - {"000.1"}) == 747
    assert "000.1" in locators
    assert [locator for locator in locators if bare(locator) == "311.2"] == ["311.2", "311.2.dup2"]
    assert locators.index("311.2.dup2") > locators.index("312.1")
    assert locators.index("505.2a") > locators.index("506.2")
    assert (sum(node.kind is Kind.CHAPTER for node in reading.nodes), examples(reading)) == (9, 111)


@pytest.mark.parametrize(("name", "count", "example_count"), [("000-dm-zones.ja.txt", 37, 0), ("003-dm-card-view.ja.txt", 47, 14)])
def test_duel_masters_seeds(name: str, count: int, example_count: int) -> None:
    (reading,) = readings(f"seeds/{name}")
    assert (len(rules(reading)), examples(reading)) == (count, example_count)


def test_the_compilers_paragraph_is_editorial() -> None:
    (reading,) = readings("seeds/000-dm-zones.ja.txt")
    editorial = [node for node in reading.nodes if node.authority == "editorial"]
    assert editorial == [reading.nodes[-1]]
    assert editorial[0].kind is Kind.PROSE


def test_the_seed_of_chapter_2_is_the_chapter_2_of_the_book() -> None:
    (seed,), (book,) = readings("seeds/003-dm-card-view.ja.txt"), readings("dm/dm_rule.ja.md")
    assert seed.key == book.key
    chapter = {node.locator: node for node in book.nodes if node.locator[0] == "2" and len(node.locator.split(".")[0]) != 2}
    assert {node.locator for node in seed.nodes} == set(chapter)
    other = [node.locator for node in seed.nodes if fold_text(node.text) != fold_text(chapter[node.locator].text)]
    assert other == []


def test_force_of_will_bullets() -> None:
    name = "seeds/001-fow-zones.ja.txt"
    (reading,) = readings(name)
    locators = [rule.locator for rule in rules(reading)]
    assert locators == independent.fow_ja(TEXTS / name)
    nested = [locator for locator in locators if "." in locator.partition("~")[2]]
    assert (len(locators) - len(nested), len(nested)) == (54, 6)
    assert [node.locator for node in reading.nodes if node.kind is Kind.SECTION] == [f"3.{n}" for n in range(1, 17)]


def test_no_rule_of_force_of_will_is_swallowed_by_a_page_number() -> None:
    (reading,) = readings("fow/comprehensive_rules_12.7.en.txt")
    assert (len(rules(reading)), examples(reading)) == (1457, 115)
    pages = [loose for loose in reading.loose if text(reading_name(reading))[loose.span.start : loose.span.end].strip().isdigit()]
    assert len(pages) > 50
    assert all(rule.text for rule in rules(reading))


def reading_name(reading: Reading) -> str:
    return next(name for name in EXPECTED if name.endswith(reading.file))


def test_one_piece_keeps_its_printed_dots_and_depths() -> None:
    (reading,) = readings("onepiece/comprehensive_rules.en.md")
    locators = [node.locator for node in reading.nodes]
    assert {"8.4", "8.6.3", "7-1-2-3", "7-1-2-3.dup2", "2-13"} <= set(locators)
    depths = Counter(bare(locator).replace(".", "-").count("-") + 1 for locator in locators)
    assert (set(depths), examples(reading)) == ({1, 2, 3, 4, 5, 6}, 0)


@pytest.mark.parametrize("name", YGO)
def test_yugioh(name: str) -> None:
    facts = independent.ygo(TEXTS / name)
    (reading,) = readings(name)
    heads = [node for node in reading.nodes if node.kind.is_heading]
    levels = [head.locator.count(".") for head in heads]
    assert [(level, fold_text(node.text)) for level, node in zip(levels, heads, strict=True)] == [
        (level, fold_text(title)) for level, title in facts["headings"]
    ]
    footnotes = [note for node in reading.nodes for note in node.notes if note.mark]
    assert len(footnotes) == facts["footnotes"]
    assert sum(node.kind is Kind.TABLE for node in reading.nodes) == facts["tables"]
    least = facts["bullets"] + facts["paragraphs"] + facts["enumerated"]
    assert least <= len(rules(reading)) <= least + facts["line_blocks"] + facts["directives"]


def test_the_seed_of_yugioh() -> None:
    (reading,) = readings("seeds/004-ygo-places.zh.rst.txt")
    assert len(rules(reading)) == 76 + 1
    assert examples(reading) == 7
    assert [note.mark for node in reading.nodes for note in node.notes] == ["1", "2", "3"]


def test_the_wiki_page() -> None:
    wiki, quoted = readings("seeds/002-mtg-wiki-zone.en.txt")
    (table,) = [node for node in wiki.nodes if node.kind is Kind.TABLE]
    assert (len(table.rows), {len(row) for row in table.rows}) == (9, {4})
    (book,) = readings("mtg/20240607_En.txt")
    full = {node.locator: node for node in book.nodes}
    assert len(rules(quoted)) == 29
    for node in quoted.nodes:
        same = full[node.locator]
        assert fold_text(node.text) == fold_text(same.text)
        assert [fold_text(example.text) for example in node.examples] == [fold_text(example.text) for example in same.examples]


# ── Everything ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", EXPECTED)
def test_nothing_is_lost_or_told_twice(name: str) -> None:
    assert faults(text(name), readings(name)) == []


@pytest.mark.parametrize("name", EXPECTED)
def test_addresses_are_unique_and_parents_exist(name: str) -> None:
    for reading in readings(name):
        locators = [node.locator for node in reading.nodes]
        assert len(locators) == len(set(locators))
        assert {node.parent for node in reading.nodes} - {None} <= set(locators)


@pytest.mark.parametrize("name", NUMBERED)
def test_a_node_spans_the_number_it_prints(name: str) -> None:
    for node in readings(name)[0].nodes:
        if node.number:
            assert fold_number(node.number) == bare(node.locator)
            assert node.number in text(name)[node.spans[0].start : node.spans[0].end]


@pytest.mark.parametrize("name", EXPECTED)
def test_citations_are_the_words_they_stand_for(name: str) -> None:
    for reading in readings(name):
        locators = {node.locator for node in reading.nodes}
        for node in reading.nodes:
            for cite in node.cites:
                assert node.text[cite.start : cite.end] == cite.surface
                assert cite.target in {None, cite.locator}
                assert cite.target is None or cite.target in locators


@pytest.mark.parametrize(
    ("name", "edition", "grammar"),
    [
        ("mtg-ipg.2024-09-23.en.txt", "mtg/ipg/2024-09-23", "sections"),
        ("pokemon-advanced.ja.md", "pokemon/advanced-manual/2025-08-01", "outline"),
        ("riftbound-tournament.2026-07-16.en.txt", "riftbound/tournament-rules/2026-07-16", "letters-as-levels"),
    ],
)
def test_documents_lose_no_character(name: str, edition: str, grammar: str) -> None:
    document = read(TEXTS.parent / "documents" / name)
    readings = parse(document, Hints(game=edition.split("/")[0]))
    assert [(str(reading.key), reading.grammar) for reading in readings] == [(edition, grammar)]
    assert faults(document.text, readings) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_a_real_pdf_with_damaged_bytes_is_refused(seed: int) -> None:
    """Before its streams were checked, a few changed bytes took all but 12 of 1,546 rules without a word."""
    data, chance = bytearray((TEXTS / PDF).read_bytes()), random.Random(seed)
    for place in chance.sample(range(len(data) - 5_000), 200):
        data[place] ^= 1 << chance.randrange(8)
    with pytest.raises(InputError, match="damaged"):
        pdf_text(bytes(data), "rules.pdf")
