"""The floor vocabulary: what search knows of how judges talk; three languages for every idea, and one meaning for every word."""

import csv
from collections import defaultdict
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from corpus.address import CONCEPT, concept_iri
from corpus.words.lexicon import Phrase
from corpus.words.tokens import words
from ontology.keywords import keywords
from ontology.shipped import shipped_labels, shipped_links
from search.index.concept_tokens import shared_concept
from search.index.thesaurus import COLUMNS, is_in_ontology, thesaurus_entries, verb_stems

LANGS = ["en", "ja", "zh-Hans"]
ANY = "*"
"""In the table: any word of these."""
TEXT = files("search").joinpath("data/thesaurus.tsv").read_text(encoding="utf-8")


def phrase(label: str) -> Phrase:
    """A word as a search compares it."""
    return tuple(token.norm for token in words(label))


@cache
def owners() -> dict[Phrase, set[str]]:
    """Folded words → the ideas and concepts that they name, those of games by their hub."""
    by_phrase: dict[Phrase, set[str]] = defaultdict(set)
    for label in shipped_labels():
        by_phrase[phrase(label.text)].add(shared_concept(label.concept))
    for idea in thesaurus_entries():
        for word in idea.words:
            by_phrase[phrase(word)].add(idea.concept)
    return by_phrase


def shared() -> list[tuple[str, set[str]]]:
    """Rows of the table: the spellings of a word, what it belongs to."""
    rows = (Path(__file__).parents[1] / "cases/shared_labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    cells = [row.split("\t") for row in rows]
    assert all(len(row) == 3 and row[2] for row in cells), "each row says why"
    return [(row[0], set(row[1].split())) for row in cells]


def test_the_vocabulary_is_there_in_three_languages() -> None:
    langs_of: dict[str, list[str]] = defaultdict(list)
    for idea in thesaurus_entries():
        langs_of[idea.concept].append(idea.lang)
        assert idea.words and all(map(phrase, idea.words)), idea
        assert bool(idea.means) is not is_in_ontology(idea.concept), idea
    assert len(langs_of) >= 250
    assert {concept: langs for concept, langs in langs_of.items() if langs != LANGS} == {}


def test_the_file_is_sorted_and_says_nothing_twice() -> None:
    rows = list(csv.DictReader(TEXT.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    places = [(row["concept"], LANGS.index(row["lang"])) for row in rows]
    assert (tuple(rows[0]), places) == (COLUMNS, sorted(set(places)))
    for row in rows:
        said = [*row["words"].split("; "), *row["verbs"].replace("・", "").split("; ")]
        assert len([form for form in said if form]) == len({form for form in said if form}), row


def test_further_words_for_a_concept_are_those_of_one_that_is_there() -> None:
    known = {label.concept for label in shipped_labels()}
    assert [
        idea.concept for idea in thesaurus_entries() if is_in_ontology(idea.concept) and concept_iri(idea.concept) not in known
    ] == []


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("引く", "引か 引き 引け 引こ 引い"),
        ("防ぐ", "防が 防ぎ 防げ 防ご 防い"),
        ("戻す", "戻さ 戻し 戻せ 戻そ"),
        ("選ぶ", "選ば 選び 選べ 選ぼ 選ん"),
        ("払う", "払わ 払い 払え 払お 払っ"),
        ("戻る", "戻ら 戻り 戻れ 戻ろ 戻っ"),
        ("捨て・る", "捨て"),
        ("宣言する", "宣言し 宣言さ 宣言せ"),
    ],
)
def test_stems_of_verbs(verb: str, expected: str) -> None:
    assert verb_stems(verb) == expected.split()


def test_no_stem_is_written_where_its_verb_is() -> None:
    """Words beside a verb are none that the verb gives by itself."""
    rows = csv.DictReader(TEXT.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    for row in rows:
        stems = {stem for verb in row["verbs"].split("; ") if verb for stem in verb_stems(verb)}
        assert stems.isdisjoint(row["words"].split("; ")) or row["lang"] != "ja", row


def test_a_word_has_one_meaning_unless_the_table_says_why() -> None:
    listed = {phrase(label): concepts for row, concepts in shared() for label in row.split("/")}
    anyhow = [concepts for row, concepts in shared() if row == ANY]
    cases = {shared_concept(word.concept) for word in keywords() if word.kind}  # a keyword is a case of the idea of that name
    meanings = {label: names - cases for label, names in owners().items()}
    several = {label: names for label, names in meanings.items() if len(names) > 1 and not all(map(is_in_ontology, names))}
    odd = {label: names for label, names in several.items() if not names <= listed.get(label, set()) and names not in anyhow}
    assert odd == {}


def test_the_table_is_not_out_of_date() -> None:
    for row, concepts in shared():
        known = owners().values() if row == ANY else [owners()[phrase(label)] for label in row.split("/")]
        assert any(concepts <= names for names in known), row


@pytest.mark.parametrize(
    "pair",
    [
        "convoke delve",
        "storm count;cascade",
        "energy counter;experience counter",
        "the monarch;the initiative",
        "scry surveil",
        "主要阶段2 主要阶段1",
        "メインフェイズ2 メインフェイズ1",
        "統治者になる イニシアチブ",
        "融合召喚 シンクロ召喚",
        "commander tax;color identity",
    ],
)
def test_different_meanings_share_no_idea(pair: str) -> None:
    word, other = pair.split(";") if ";" in pair else pair.split()
    assert owners()[phrase(word)] and owners()[phrase(other)]
    assert owners()[phrase(word)].isdisjoint(owners()[phrase(other)])


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
        ("discarding", "捨てる ディスカード 弃牌 丢弃 pitch discarded"),
        ("searching", "サーチ 探す 检索 搜寻 tutor fetch"),
        ("choose", "選ぶ 決める 谁定 选择 chosen decides"),
        ("unlimited", "無制限 何枚でも 没有上限 不限 unlimited"),
        ("prohibited", "できない ダメ 不能 不许 can't illegal"),
    ],
)
def test_phrasings_of_players(term: str, typed: str) -> None:
    meant = {f"floor/{term}", term}
    assert [label for label in typed.split() if meant.isdisjoint(owners().get(phrase(label), set()))] == []


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
        concepts = {shipped_links().hub.get(CONCEPT + name, "").removeprefix(CONCEPT) for name in names} | names
        assert shared in concepts, label


APART = (
    "look-at rearrange, rearrange shuffling, leave enter, limit unlimited, top bottom, left right, permitted prohibited, "
    "must optional, same difference, before after, winning lose-game, increase decrease, empty full, own both-players, "
    "choose targets, visible secret"
)


def test_distinct_ideas_share_no_label() -> None:
    known = set().union(*owners().values())
    for pair in APART.split(", "):
        both = {name for term in pair.split() for name in (term, f"floor/{term}") if name in known}
        assert len(both) == 2, pair
        assert [label for label, names in owners().items() if both <= names] == [], pair
