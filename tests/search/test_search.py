"""Search on a small invented trilingual rulebook: the ranking held fixed, and everything an answer carries."""

from pathlib import Path
from typing import Any

import pytest

from api.text.search import search_lines
from corpus.store.home import Home
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import terms, words
from ontology.knowledge import Knowledge
from rulestone.search_bodies import search_body
from search.index import concept_tokens
from search.index.passages import full_text
from search.query.query import query_language
from search.searcher import Request, Searcher
from tests.support.homes import put, put_editions, searching
from tests.support.pier import PIER

HARBOUR = "https://w3id.org/rulestone/id/harbour/cr/2024-01-01"


def ranked(searcher: Searcher, text: str, **more: Any) -> list[str]:  # noqa: ANN401
    body = search_body(searcher, Request(text, ("harbour",), **more))
    return [hit["locator"] for hit in body["hits"]]


@pytest.mark.parametrize("case", PIER["query"], ids=[case["text"] for case in PIER["query"]])
def test_the_right_rules_come_first(searcher: Searcher, case: dict[str, Any]) -> None:
    assert ranked(searcher, case["text"])[: len(case["first"])] == case["first"]


def test_a_hit_is_its_rule_word_for_word_with_spans_inside_it(searcher: Searcher) -> None:
    body = search_body(searcher, Request("whose sunken pile does a stolen crate go to", ("harbour",), lang="en"))
    hit = body["hits"][0]
    record = searcher.knowledge.by_iri([hit["iri"]])[hit["iri"]]
    assert (hit["iri"], hit["lang"], hit["text"]) == (f"{HARBOUR}/402.3", "en", full_text(record, "en"))
    highlights = [hit["text"][span["start"] : span["end"]] for span in hit["highlights"]]
    assert "sunken pile" in " ".join(highlights)
    assert hit["heading"] == ["4. Harbours", "402. The Sunken Pile"]
    assert hit["why"]["parent"] == f"{HARBOUR}/402"
    assert {"sunken", "pile", "crate"} <= set(hit["why"]["terms"])


@pytest.mark.parametrize(("lang", "start"), [("en", "No captain"), ("ja", "どの船長も"), ("zh-Hans", "任何船长")])
def test_the_answer_is_in_the_language_asked_for(searcher: Searcher, lang: str, start: str) -> None:
    body = search_body(searcher, Request("沈没置き場 並べ替え", ("harbour",), lang=lang))
    assert body["lang"] == lang
    assert body["hits"][0]["text"].startswith(start)


def test_pages_follow_one_another(searcher: Searcher) -> None:
    whole = ranked(searcher, "crate in the sunken pile", limit=6)
    assert (
        ranked(searcher, "crate in the sunken pile", limit=3) + ranked(searcher, "crate in the sunken pile", limit=3, offset=3)
        == whole
    )


def test_a_heading_does_not_come_before_its_rules(searcher: Searcher) -> None:
    assert ranked(searcher, "sunken pile")[0].startswith("402.")


def test_a_book_of_another_language_can_be_left_out(searcher: Searcher) -> None:
    body = search_body(searcher, Request("graveyard", book_lang="ja"))
    assert {hit["lang"] for hit in body["hits"]} <= {"ja"}


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("pokemon prize rules", "pokemon"),
        ("ワンピカード ドン", "ONE PIECE"),
        ("qqqq zzzzz", "no rule has any of these words"),
        ("how much is the parking garage near the venue on sundays", "no text in the library has"),
    ],
)
def test_questions_outside_the_library_are_not_answered(searcher: Searcher, query: str, part: str) -> None:
    body = search_body(searcher, Request(query))
    assert (body["abstained"], body["hits"], body["total"]) == (True, [], 0)
    assert part in (body["reason"] or "")


@pytest.mark.usefixtures("books_alone")
def test_editions_of_one_rule_are_one_hit_and_the_latest_is_shown(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    editions = ("2023-01-01", "2024-01-01", "2022-01-01")
    texts = (PIER["en"].replace("Seven crates", f"Seven crates of {edition[:4]}") for edition in editions)
    put_editions(home.path, [(text, edition, "en") for text, edition in zip(texts, editions, strict=True)], game="harbour")
    hits = search_body(searching(home), Request("how many crates fit into a hold", ("harbour",)))["hits"]
    assert [(hit["edition"], hit["locator"]) for hit in hits[:1]] == [("2024-01-01", "401.1")]
    assert len({hit["locator"] for hit in hits}) == len(hits)
    assert all(hit["current"] for hit in hits)


@pytest.mark.usefixtures("books_alone")
def test_a_rule_in_another_edition_is_shown_where_the_latest_is_in_another_language(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    editions = (("2023-01-01", "en"), ("2023-01-01", "ja"), ("2024-01-01", "ja"))
    texts = [(f"{PIER[lang]}\n404. {edition}\n\n404.1. {edition}\n", edition, lang) for edition, lang in editions]
    put_editions(home.path, texts, game="harbour")
    body = search_body(searching(home), Request("no captain may rearrange the sunken pile", ("harbour",)))
    hit = body["hits"][0]
    assert (hit["edition"], hit["lang"], hit["locator"]) == ("2024-01-01", "ja", "402.2")
    assert hit["same_rule"]
    assert (hit["same_rule"]["edition"], hit["same_rule"]["text"][:10]) == ("2023-01-01", "No captain")
    assert any(line.startswith("   en, 2023-01-01: No captain") for line in search_lines({**body, "hits": [hit]}, None))


@pytest.mark.slow
def test_the_same_knowledge_gives_the_same_index_anew_and_from_the_one_before(home: Home, tmp_path: Path) -> None:
    """An index of editions that were added one after the other equals one that is made at once, byte by byte."""
    from search.encode.choice import configured_encoder
    from search.index import index

    bundle = home.current_folder()
    assert bundle is not None
    for name, before in (("one", None), ("other", bundle / "search")):
        (tmp_path / name).mkdir()
        index.write_index(tmp_path / name / "search", Knowledge.open(bundle), configured_encoder(), before)
    files = sorted(file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*") if file.is_file())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes() for name in files)
    assert all((tmp_path / "one" / name).read_bytes() == (bundle / name).read_bytes() for name in files)


@pytest.mark.usefixtures("books_alone")
def test_compact_records_have_the_passages_of_whole_records_and_share_texts(tmp_path: Path) -> None:
    from search.index.passages import passages
    from search.index.rules import compact_records

    home = Home(tmp_path / "home")
    for edition in ("2023-01-01", "2024-01-01"):
        put(home.path, f"{PIER['en']}\n404. {edition}\n\n404.1. {edition}\n", edition, game="harbour")
    with home.reading_current() as bundle:
        knowledge = Knowledge.open(bundle)
        whole, read = list(knowledge.all_records()), list(compact_records(knowledge))
    assert [rule["current"] for rule in read] == [rule["current"] for rule in whole]
    assert {rule["current"] for rule in whole} == {True, False}
    for record, brief in zip(whole, read, strict=True):
        assert list(passages(0, brief, ())) == list(passages(0, record, ()))
        assert [ref["iri"] for ref in brief["children"]] == [ref["iri"] for ref in record["children"]]
        assert [cite["target"] for cite in brief["cites"]] == [cite["target"] for cite in record["cites"]]
    texts = [rule["texts"] for rule in read if rule["locator"] == "402.2" and rule["game"] == "harbour"]
    assert len(texts) == 2
    assert texts[0] is texts[1]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("墓地の順番", "ja"),
        ("graveyard order", "en"),
        ("额外怪兽区 换控制权", "zh-Hans"),
        ("墳墓場可以調整順序嗎", "zh-Hant"),
        ("領域変更時", "ja"),
        ("手札", "ja"),
        ("手札上限", "ja"),
        ("墳墓場", "zh-Hant"),
        ("牌庫", "zh-Hant"),
        ("戰場", "zh-Hant"),
        ("手牌", "zh-Hans"),
        ("400.7d", "en"),
    ],
)
def test_the_language_of_three_words(text: str, lang: str) -> None:
    assert query_language(text, concept_tokens.shipped_lexicon().find(words(text))) == lang


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("400.7d", ["400.7d", "400.7", "400"]),
        ("1-3-5", ["1-3-5", "1-3", "1"]),
        ("墓地", ["墓", "墓地", "地"]),
        ("Zones, zone's", ["zone", "zone"]),
        ("EXデッキ", ["ex", "デ", "デッ", "ッ", "ッキ", "キ"]),
        ("ＧＹ　ｶﾞ", ["gy", "ガ"]),
        ("戰場 戦場 战场", ["战", "战场", "场"] * 3),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert list(terms(words(text))) == expected


def test_the_longest_label_wins_and_none_runs_over_a_stop() -> None:
    lexicon = Lexicon([("magic stone", "stone"), ("magic stone area", "area"), ("area", "place")])
    text = "Magic stones. Area; a magic stone area"
    assert [(text[match.start : match.end], set(match.values)) for match in lexicon.find(words(text))] == [
        ("Magic stones", {"stone"}),
        ("Area", {"place"}),
        ("magic stone area", {"area"}),
    ]


@pytest.mark.parametrize(
    "query",
    [
        "graveyard order",
        "墓地",
        "手札 上限",
        "hand size",
        "mana zone",
        "额外卡组",
        "public zone",
        "シールド 見る",
        "纵列",
        "sideboard",
        "400.3b",
    ],
)
def test_a_few_words_about_a_subject_of_the_digest_are_answered(digest_searcher: Searcher, query: str) -> None:
    body = search_body(digest_searcher, Request(query))
    assert (body["abstained"], bool(body["hits"])) == (False, True)
    assert all(hit["gloss"] for hit in body["hits"][:3])


def test_a_comparison_brings_both_games(digest_searcher: Searcher) -> None:
    assert {hit["game"] for hit in search_body(digest_searcher, Request("マジックとデュエマの墓地の違い"))["hits"]} == {"mtg", "dm"}


def test_a_question_brings_the_rules_of_other_games(digest_searcher: Searcher) -> None:
    hits = search_body(digest_searcher, Request("does a card that changes zones become a new object"))["hits"]
    assert {hit["game"] for hit in hits[:6]} >= {"dm", "fow", "mtg"}
    first = hits[0]["counterparts"]
    assert {counterpart["game"] for counterpart in first} <= {"dm", "fow", "mtg", "ygo"} - {hits[0]["game"]}
    assert all(counterpart["comment"] and counterpart["predicate"].startswith("skos:") for counterpart in first)
