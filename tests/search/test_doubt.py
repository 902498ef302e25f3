"""When search abstains, and what it says then: on a book of three languages, by static vectors and by made-up evidence."""

from dataclasses import replace

import pytest

from corpus.messages import Message
from search.query.query import Query
from search.rank import decoys
from search.rank.decoys import KINDS, Decoys, Nearness
from search.rank.doubt import Shown, about, doubt, lacking
from search.rank.evidence import Evidence
from search.rank.logistic import ENCODED, STATIC, tables
from search.rank.sureness import FILE, facts, sureness
from search.searcher import Request, Searcher

RULE = Shown("mtg", "mtg:103.5", "103. Starting the Game")
FAR = Evidence(encoded=True, nearest=0.8, decoys=Nearness(common=0.6, kinds=(0.0, 0.0, 0.0, 0.0)))


def asked(searcher: Searcher, text: str, *games: str) -> Query:
    return searcher.understood(Request(text, games))


def evidence(searcher: Searcher, text: str, *games: str) -> Evidence:
    request = Request(text, games)
    return searcher.ranked(searcher.understood(request), request).evidence


def told(query: Query, of: Evidence, other: Shown | None = None) -> Message:
    return doubt(query, of, 0.2, RULE, lambda: other)


def test_the_tables_weigh_nothing_but_facts() -> None:
    known = set(facts(Evidence(), 1))
    assert set(tables(FILE)) == {ENCODED, STATIC}
    assert all(set(table.facts) <= known for table in tables(FILE).values())
    assert set(tables(FILE)[ENCODED].facts) == known


def test_sureness_is_a_probability_whatever_the_evidence() -> None:
    far = Evidence(length=1e6, cosine=-1e6)
    assert all(0 <= sureness(replace(proof, encoded=encoded), 10) <= 1 for proof in (far, FAR) for encoded in (True, False))


@pytest.mark.parametrize("query", ["who may rearrange the sunken pile", "沈没置き場 並べ替え"])
def test_what_the_book_answers_is_surer_than_what_it_does_not(searcher: Searcher, query: str) -> None:
    rules = searcher.index.rules.distinct
    nonsense = sureness(evidence(searcher, "asdf qwertz lorem ipsum"), rules)
    assert sureness(evidence(searcher, query), rules) > 2 * nonsense


def test_words_that_no_rule_has_are_named_as_they_were_typed(searcher: Searcher) -> None:
    query = asked(searcher, "Kraken tentacles in the sunken pile", "harbour")
    proof = evidence(searcher, query.text, "harbour")
    assert lacking(query, proof) == ["Kraken", "tentacles"]
    assert 0 < proof.absent < 1


def test_a_rule_of_another_game_is_named_where_the_one_asked_has_none(searcher: Searcher) -> None:
    query = asked(searcher, "デュエマ マリガン", "dm")
    proof = Evidence(lacking=("マリ", "リガ", "ガン"))
    assert told(query, proof, RULE).said("en") == (
        "no rule of Duel Masters here has マリガン; Magic: The Gathering has: mtg:103.5 (103. Starting the Game)"
    )
    assert "デュエル・マスターズ" in told(query, proof, RULE).said("ja")
    assert "ask in the words of its rules" in told(query, proof).said("en")


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (decoys.OTHER_GAME, "no rulebook of"),
        (decoys.POLICY, "how events are run"),
        (decoys.PRICES, "buy, collect"),
        (decoys.NONSENSE, "not seem to be about the rules"),
    ],
)
def test_what_no_rulebook_answers_is_told_by_its_kind(searcher: Searcher, kind: str, part: str) -> None:
    kinds = [0.2 if name == kind else 0.0 for name in KINDS]
    near = replace(FAR, decoys=FAR.decoys._replace(kinds=(kinds[0], kinds[1], kinds[2], kinds[3])))
    assert about(near) == kind
    assert part in told(asked(searcher, "a question"), near).said("en")


def test_a_game_that_is_named_is_not_asked_for_again(searcher: Searcher) -> None:
    assert "name the game" not in told(asked(searcher, "a pile", "harbour"), FAR).said("en")
    assert "name the game" in told(asked(searcher, "a pile"), FAR).said("en")
    assert "mtg:103.5 (103. Starting the Game)" in told(asked(searcher, "a pile"), FAR).said("en")


@pytest.mark.parametrize(
    ("query", "lang", "part"),
    [
        ("qqqq zzzzz", None, "no rule has any of these words"),
        ("ポケモン サイド", None, "ルールブックがないゲームです"),
        ("宝可梦 奖赏卡", None, "没有这个游戏的规则书"),
        ("寶可夢 獎賞卡 pokemon 這張", None, "沒有這個遊戲的規則書"),
        ("ポケモン サイド", "en", "has no rulebook of"),
    ],
)
def test_a_reason_is_in_the_language_of_the_question_unless_another_is_asked_for(
    searcher: Searcher, query: str, lang: str | None, part: str
) -> None:
    assert part in (searcher.search(Request(query, lang=lang))["reason"] or "")


def test_decoys_of_a_loaded_game_do_not_count(searcher: Searcher) -> None:
    [chess] = [decoy for decoy in decoys.read() if decoy.words.startswith("chess")]
    [vector] = searcher.encoder.encode([chess.words])
    assert Decoys((), None).nearness(searcher.encoder, vector, None, None).static == pytest.approx(1, abs=1e-3)
    assert Decoys(("chess",), None).nearness(searcher.encoder, vector, None, None).static < 0.999


def test_every_decoy_is_of_a_known_kind_and_stands_once() -> None:
    listed = decoys.read()
    assert {decoy.kind for decoy in listed} == set(KINDS)
    assert all(bool(decoy.game) == (decoy.kind == decoys.OTHER_GAME) for decoy in listed)
    assert len({decoy.words for decoy in listed}) == len(listed)
