"""When search abstains, and what it says then: on a book of three languages, by static vectors and by made-up evidence."""

from dataclasses import replace

import pytest

from corpus.messages import Message
from rulestone.search_bodies import search_body
from search.query import out_of_scope_examples
from search.query.out_of_scope_examples import KINDS
from search.query.query import Query
from search.rank.abstention import NearestRule, low_probability, missing_words, out_of_scope_kind, unknown_card_names
from search.rank.answerability import (
    SENTENCES,
    STATIC,
    WEIGHTS_FILE,
    AnswerabilityFeatures,
    answerable_probability,
    classifier_inputs,
    weight_tables,
)
from search.rank.out_of_scope import OutOfScopeDetector, OutOfScopeSimilarity
from search.searcher import Request, Searcher

RULE = NearestRule("mtg", "mtg:103.5", "103. Starting the Game")
FAR = AnswerabilityFeatures(
    encoded=True, nearest_dense=0.8, out_of_scope=OutOfScopeSimilarity(to_mean=0.6, kinds=(0.0, 0.0, 0.0, 0.0))
)


def query_of(searcher: Searcher, text: str, *games: str) -> Query:
    return searcher.understand(Request(text, games))


def evidence(searcher: Searcher, text: str, *games: str) -> AnswerabilityFeatures:
    request = Request(text, games)
    return searcher.rank(searcher.understand(request), request).features


def reason_of(query: Query, of: AnswerabilityFeatures, other: NearestRule | None = None) -> Message:
    return low_probability(query, of, 0.2, RULE, lambda: other)


def test_the_tables_weigh_nothing_but_facts() -> None:
    known = set(classifier_inputs(AnswerabilityFeatures(), 1))
    assert set(weight_tables(WEIGHTS_FILE)) == {SENTENCES, STATIC}
    assert all(set(table.weights) <= known for table in weight_tables(WEIGHTS_FILE).values())
    assert set(weight_tables(WEIGHTS_FILE)[SENTENCES].weights) == known


def test_sureness_is_a_probability_whatever_the_evidence() -> None:
    far = AnswerabilityFeatures(length=1e6, static_cosine=-1e6)
    assert all(
        0 <= answerable_probability(replace(proof, encoded=encoded), 10) <= 1 for proof in (far, FAR) for encoded in (True, False)
    )


@pytest.mark.parametrize("query", ["who may rearrange the sunken pile", "沈没置き場 並べ替え"])
def test_answerable_questions_score_higher_than_unanswerable_ones(searcher: Searcher, query: str) -> None:
    rules = searcher.index.rules.group_count
    nonsense = answerable_probability(evidence(searcher, "asdf qwertz lorem ipsum"), rules)
    assert answerable_probability(evidence(searcher, query), rules) > 2 * nonsense


def test_words_that_no_rule_has_are_named_as_they_were_typed(searcher: Searcher) -> None:
    query = query_of(searcher, "Kraken tentacles in the sunken pile", "harbour")
    proof = evidence(searcher, query.text, "harbour")
    assert missing_words(query, proof) == ["Kraken", "tentacles"]
    assert 0 < proof.absent < 1


def test_a_rule_of_another_game_is_named_where_the_one_asked_has_none(searcher: Searcher) -> None:
    query = query_of(searcher, "デュエマ マリガン", "dm")
    proof = AnswerabilityFeatures(absent_terms=("マリ", "リガ", "ガン"))
    assert reason_of(query, proof, RULE).in_language("en") == (
        "no rule of Duel Masters here has マリガン; Magic: The Gathering has: mtg:103.5 (103. Starting the Game)"
    )
    assert "デュエル・マスターズ" in reason_of(query, proof, RULE).in_language("ja")
    assert "ask in the words of its rules" in reason_of(query, proof).in_language("en")


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (out_of_scope_examples.OTHER_GAME, "without a rulebook"),
        (out_of_scope_examples.POLICY, "how events are run"),
        (out_of_scope_examples.PRICES, "buying, collecting"),
        (out_of_scope_examples.NONSENSE, "not seem to be about the rules"),
    ],
)
def test_out_of_scope_questions_are_recognised_by_their_kind(searcher: Searcher, kind: str, part: str) -> None:
    kinds = [0.2 if name == kind else 0.0 for name in KINDS]
    near = replace(FAR, out_of_scope=FAR.out_of_scope._replace(kinds=(kinds[0], kinds[1], kinds[2], kinds[3])))
    assert out_of_scope_kind(near) == kind
    assert part in reason_of(query_of(searcher, "a question"), near).in_language("en")


@pytest.mark.parametrize(
    ("query", "absent", "part"),
    [
        ("zeppelin", ("zeppelin",), "no text in the library has zeppelin"),
        ("鉛筆", ("铅笔",), "no text in the library has 鉛筆"),
        ("the zeppelin flies", ("zeppelin",), "buying, collecting"),
        ("price", ("price",), "buying, collecting"),
        ("価格", ("价格",), "buying, collecting"),
    ],
)
def test_a_bare_word_that_no_text_has_is_no_question_out_of_scope(
    searcher: Searcher, query: str, absent: tuple[str, ...], part: str
) -> None:
    kinds = [0.2 if name == out_of_scope_examples.PRICES else 0.0 for name in KINDS]
    near = replace(FAR, out_of_scope=FAR.out_of_scope._replace(kinds=(kinds[0], kinds[1], kinds[2], kinds[3])), absent_terms=absent)
    assert part in reason_of(query_of(searcher, query), near).in_language("en")


def test_a_game_that_is_named_is_not_asked_for_again(searcher: Searcher) -> None:
    assert "name the game" not in reason_of(query_of(searcher, "a pile", "harbour"), FAR).in_language("en")
    assert "name the game" in reason_of(query_of(searcher, "a pile"), FAR).in_language("en")
    assert "mtg:103.5 (103. Starting the Game)" in reason_of(query_of(searcher, "a pile"), FAR).in_language("en")


@pytest.mark.parametrize(
    ("text", "kind", "is_told"),
    [
        ("a pile in ferry", out_of_scope_examples.OTHER_GAME, False),
        ("a pile in ferry", out_of_scope_examples.PRICES, True),
        ("the difference between a pile in ferry and in harbour", out_of_scope_examples.PRICES, False),
        ("the difference between a pile and a ship", out_of_scope_examples.PRICES, True),
    ],
)
def test_a_question_about_named_games_is_not_said_to_be_about_others(
    searcher: Searcher, text: str, kind: str, is_told: bool
) -> None:
    kinds = [0.2 if name == kind else 0.0 for name in KINDS]
    near = replace(FAR, out_of_scope=FAR.out_of_scope._replace(kinds=(kinds[0], kinds[1], kinds[2], kinds[3])))
    query = replace(query_of(searcher, text), games=tuple(game for game in ("ferry", "harbour") if game in text))
    assert ("this seems to be about" in reason_of(query, near).in_language("en")) is is_told


@pytest.mark.parametrize(
    ("book_langs", "told_first"),
    [(("ja",), "日本語: ask in that language"), (("zh-Hans", "ja"), "简体中文 / 日本語"), (("ja", "en"), "Kraken")],
)
def test_books_in_other_languages_are_named_instead_of_the_words_that_they_lack(
    searcher: Searcher, book_langs: tuple[str, ...], told_first: str
) -> None:
    query = query_of(searcher, "Kraken tentacles in a pile", "harbour")
    lacking = replace(FAR, absent_terms=("kraken", "tentacl"))
    assert told_first in low_probability(query, lacking, 0.2, RULE, lambda: None, book_langs).in_language("en")


@pytest.mark.parametrize(
    ("query", "lang", "part"),
    [
        ("qqqq zzzzz", None, "no rule has any of these words"),
        ("ポケモン サイド", None, "ルールブックがないゲームです"),
        ("宝可梦 奖赏卡", None, "没有这个游戏的规则书"),
        ("寶可夢 獎賞卡 pokemon 這張", None, "沒有這個遊戲的規則書"),
        ("ポケモン サイド", "en", "without a rulebook"),
    ],
)
def test_a_reason_is_in_the_language_of_the_question_unless_another_is_asked_for(
    searcher: Searcher, query: str, lang: str | None, part: str
) -> None:
    assert part in (search_body(searcher, Request(query, lang=lang))["reason"] or "")


def test_examples_of_a_loaded_game_do_not_count(searcher: Searcher) -> None:
    [chess] = [example for example in out_of_scope_examples.out_of_scope_examples() if example.text.startswith("chess")]
    [vector] = searcher.encoder.encode([chess.text])
    assert OutOfScopeDetector((), None).similarity(searcher.encoder, vector, None, None).static == pytest.approx(1, abs=1e-3)
    assert OutOfScopeDetector(("chess",), None).similarity(searcher.encoder, vector, None, None).static < 0.999


def test_examples_of_policy_do_not_count_beside_a_tournament_document(searcher: Searcher) -> None:
    policy = next(example for example in out_of_scope_examples.out_of_scope_examples() if example.kind == "policy")
    [vector] = searcher.encoder.encode([policy.text])
    detector = OutOfScopeDetector((), None)
    assert detector.similarity(searcher.encoder, vector, None, None).static == pytest.approx(1, abs=1e-3)
    assert detector.similarity(searcher.encoder, vector, None, None, policy=False).static < 0.999


def test_every_example_is_of_a_known_kind_and_stands_once() -> None:
    listed = out_of_scope_examples.out_of_scope_examples()
    assert {example.kind for example in listed} == set(KINDS)
    assert all(bool(example.game) == (example.kind == out_of_scope_examples.OTHER_GAME) for example in listed)
    assert len({example.text for example in listed}) == len(listed)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Can Zorblax the Unending attack while Moonbase Quux is out", ["Zorblax the Unending", "Moonbase Quux"]),
        ("「超弩級ゴルバムト」は沈没置き場に置かれる？", ["超弩級ゴルバムト"]),
        ("what does [[Quuxling]] do in the sunken pile", ["Quuxling"]),
        ("zorblax in the sunken pile", []),  # no capital, no quotation marks
        ("may I look at the Sunken Pile", []),  # words that rules have
        ("Quuxling in the sunken pile", []),  # the first word of a sentence
        ("Zorblax the Unending attacks. Does Moonbase Quux stop it", ["Zorblax the Unending", "Moonbase Quux"]),
    ],
)
def test_names_that_no_card_bears_are_named(searcher: Searcher, question: str, names: list[str]) -> None:
    query, of = query_of(searcher, question), evidence(searcher, question)
    assert unknown_card_names(query, of.absent_terms) == names
    assert all(name in reason_of(query, of).in_language("en") for name in names)


def test_a_name_that_shares_no_word_with_any_rule_is_named(searcher: Searcher) -> None:
    reason = search_body(searcher, Request("Zorblax the Unending"))["reason"] or ""
    assert "Zorblax the Unending" in reason and "add a file of cards" in reason
