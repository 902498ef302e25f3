"""The floor vocabulary: three languages for every concept, and one meaning for every label."""

from collections import defaultdict
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from rdflib import RDF, SKOS, Graph, Literal, URIRef

from corpus.address import CONCEPT, NS
from corpus.lexicon import Phrase
from corpus.tokens import words
from ontology.labels import labels, links

FLOOR = f"{CONCEPT}floor/"
LANGS = {"en", "ja", "zh-Hans"}
ANY = "*"
"""In the table: any label of these concepts."""


def phrase(label: str) -> Phrase:
    """A label as a search compares it."""
    return tuple(token.norm for token in words(label))


@cache
def graph() -> Graph:
    return Graph().parse(data=files("ontology").joinpath("data/concepts/floor.ttl").read_text(encoding="utf-8"), format="turtle")


@cache
def terms() -> list[str]:
    return sorted(str(one).removeprefix(FLOOR) for one in graph().subjects(RDF.type, URIRef(f"{NS}FloorTerm")))


@cache
def owners() -> dict[Phrase, set[str]]:
    """What a search sees of a label → the concepts that have it, of all schemes."""
    found: dict[Phrase, set[str]] = defaultdict(set)
    for label in labels():
        found[phrase(label.text)].add(label.concept.removeprefix(CONCEPT))
    return found


def shared() -> list[tuple[str, set[str]]]:
    """Rows of the table: the spellings of a label, the concepts it belongs to."""
    rows = (Path(__file__).parents[1] / "cases/shared_labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    cells = [row.split("\t") for row in rows]
    assert all(len(row) == 3 and row[2] for row in cells), "each row says why"
    return [(row[0], set(row[1].split())) for row in cells]


def test_the_vocabulary_is_there() -> None:
    assert len(terms()) >= 250


@pytest.mark.parametrize("term", terms())
def test_three_languages(term: str) -> None:
    for predicate in (SKOS.prefLabel, SKOS.definition):
        words = [one for one in graph().objects(URIRef(FLOOR + term), predicate) if isinstance(one, Literal)]
        assert {one.language for one in words} == LANGS
    assert all(phrase(one.text) for one in labels() if one.concept == FLOOR + term)


def test_a_label_has_one_meaning_unless_the_table_says_why() -> None:
    listed = {phrase(label): concepts for row, concepts in shared() for label in row.split("/")}
    anyhow = [concepts for row, concepts in shared() if row == ANY]
    found = {label: names for label, names in owners().items() if len(names) > 1 and any(one.startswith("floor/") for one in names)}
    odd = {label: names for label, names in found.items() if not names <= listed.get(label, set()) and names not in anyhow}
    assert odd == {}


@pytest.mark.parametrize(("row", "concepts"), shared(), ids=[f"{row} {len(concepts)}" for row, concepts in shared()])
def test_the_table_is_not_out_of_date(row: str, concepts: set[str]) -> None:
    known = list(owners().values()) if row == ANY else [owners()[phrase(label)] for label in row.split("/")]
    assert any(concepts <= names for names in known)


@pytest.mark.parametrize(
    ("term", "typed"),
    [
        ("rearrange", "並べ替え 入れ替え 调换顺序 打乱 重新排列 reorder rearranging"),
        ("look-at", "覗き 確認 偷看 翻看 查看 peeking look"),
        ("how-many", "何枚 枚数 几张 多少张 数量"),
        ("full", "満杯 空きがない 放满 没位置 occupied"),
        ("count-as", "とみなす 扱い 算不算 当作 considered"),
        ("simultaneous", "同時に いっぺんに 一起 同时 simultaneously"),
        ("one-by-one", "一枚ずつ 逐张 挨个"),
        ("discard", "捨てる ディスカード 弃牌 丢弃 pitch discarded"),
        ("search", "サーチ 探す 检索 搜寻 tutor fetch"),
        ("choose", "選ぶ 決める 谁定 选择 chosen decides"),
        ("unlimited", "無制限 何枚でも 没有上限 不限 unlimited"),
        ("prohibited", "できない ダメ 不能 不许 can't illegal"),
    ],
)
def test_what_players_type(term: str, typed: str) -> None:
    assert [label for label in typed.split() if f"floor/{term}" not in owners().get(phrase(label), set())] == []


@pytest.mark.parametrize(
    ("shared", "typed"),
    [
        ("graveyard", "GY yard bin 坟 墓里 弃牌堆 トラッシュ 捨て札 ボチ"),
        ("deck", "library 山札 山 牌组 牌堆 卡组"),
        ("hand", "grip ハンド 手卡 手里"),
        ("battlefield", "board バトゾン 盤面 场上"),
        ("exile", "banish rfg 追放 异次元 放逐"),
        ("extra-deck", "EXデッキ エクストラ 额外 hyperspatial"),
        ("extra-monster-zone", "EMZ EXゾーン EX怪兽区"),
        ("spell-trap-zone", "backrow 魔罠 魔陷区 后场"),
        ("resource-zone", "マナゾ 费用区 魔石区"),
        ("tapped", "レスト 横置 rested tapping"),
        ("control-change", "パクる steal 抢 奪わ"),
        ("revealed", "見せる めくる 亮出 翻开 reveals"),
    ],
)
def test_slang_leads_to_the_concept_that_games_share(shared: str, typed: str) -> None:
    for label in typed.split():
        names = owners().get(phrase(label), set())
        concepts = {links().hub.get(CONCEPT + name, "").removeprefix(CONCEPT) for name in names} | names
        assert shared in concepts, label


APART = (
    "look-at rearrange, rearrange shuffle, leave enter, limit unlimited, top bottom, left right, permitted prohibited, "
    "must optional, same difference, before after, win-game lose-game, increase decrease, empty full, own both-players, "
    "choose target, visible secret"
)


@pytest.mark.parametrize("pair", APART.split(", "))
def test_distinct_ideas_share_no_label(pair: str) -> None:
    both = {f"floor/{term}" for term in pair.split()}
    assert both <= set().union(*owners().values())
    assert [label for label, names in owners().items() if both <= names] == []
