"""Topics: every cell has a rule or the nearest thing, words in three languages, and stands in the table from every side."""

from collections import Counter

import pytest

from corpus.address import RS, concept_name, split_rule
from corpus.digest import digests
from corpus.errors import InputError
from corpus.store.engine import Store
from ontology import shipped, sssom
from ontology import topics as reading
from ontology.proposed_counterparts import write_counterparts
from ontology.shipped import shipped_labels
from ontology.topic_table import differences, games_with_topics, similar_rules, topic_iris
from ontology.topics import TOPIC_LANGUAGES, TopicCell, compared_games, topic_cells, topic_groups, topics
from ontology.verdicts import YES, Verdict
from tests.support.shipped import known

GAMES = {"dm", "fow", "mtg", "ygo"}
"""The games that have a cell in every topic."""
LONGEST = 110
"""Characters of a saying in English: a judge reads it at one glance."""


def name(cell: TopicCell) -> str:
    return f"{cell.topic}-{cell.game}"


def test_there_are_topics_beyond_zones() -> None:
    assert len(topics()) >= 60
    assert {topic.group for topic in topics()} == set(topic_groups())
    assert len({topic.slug for topic in topics()}) == len(topics())


def test_every_topic_has_a_question_and_a_difference_for_every_game() -> None:
    digested = {digest.key.game for digest in digests(all_games=True)}
    for topic in topics():
        games = [cell.game for cell in topic.cells]
        assert GAMES <= {*games} <= digested and len(games) == len({*games}), topic.slug
        assert any(cell.found for cell in topic.cells), topic.slug
        for words in (topic.asks, topic.differs, *(cell.says for cell in topic.cells)):
            assert tuple(words) == TOPIC_LANGUAGES, topic.slug
            assert words["ja"] != words["zh-Hans"], topic.slug
        assert topic.asks["en"].endswith("?"), topic.slug
        assert all(cell.says["en"].endswith(".") and len(cell.says["en"]) <= LONGEST for cell in topic.cells), topic.slug


def test_a_missing_position_names_the_nearest_rule() -> None:
    for cell in topic_cells():
        if not cell.found:
            assert cell.concept == f"{RS.removesuffix('ns#')}id/concept/{cell.topic}"
            assert all(cell.locator in words or cell.topic == "owner" for words in cell.says.values()), cell


def test_a_game_without_an_answer_has_the_most_confident_of_its_similar_rules() -> None:
    subject, other = (f"{RS.removesuffix('ns#')}id/mtg/cr/2025-02-07/{number}" for number in ("402.2", "402.3"))
    near, far = (f"{RS.removesuffix('ns#')}id/ferry/cr/2021-05-03/{number}" for number in ("7.1", "7.2"))
    store = Store()
    write_counterparts(store, [(subject, far, 0.81), (near, subject, 0.92), (other, far, 0.97)])
    assert similar_rules(store, [subject], {"mtg"}) == {near: ("proposed", 0.92)}
    assert similar_rules(store, [subject], {"mtg", "ferry"}) == similar_rules(store, [], {"mtg"}) == {}


def test_what_a_curator_accepted_precedes_what_is_proposed() -> None:
    subject, near, judged = (
        f"{RS.removesuffix('ns#')}id/{rule}" for rule in ("mtg/cr/2025-02-07/402.2", "ferry/cr/1/7.1", "ferry/cr/1/7.2")
    )
    store = Store()
    write_counterparts(store, [(subject, near, 0.99)], [Verdict(judged, subject, YES, "Aki", "2026-11-28", "judged.tsv")])
    assert similar_rules(store, [subject], {"mtg"}) == {judged: ("accepted", 0.95)}


def test_every_rule_is_one_of_a_glossed_edition() -> None:
    known = {f"{digest.key}/{gloss.locator}" for digest in digests(all_games=True) for gloss in digest.glosses}
    known |= {entry.replace("ygo/rulebook/undated/", "ygo/rulebook/undated-2/") for entry in known}
    assert [name(cell) for cell in topic_cells() if f"{cell.edition}/{cell.locator}" not in known] == []


def test_a_concept_of_its_own_has_an_address_that_no_other_has() -> None:
    own = Counter(cell.concept for cell in topic_cells() if cell.label)
    assert [concept for concept, count in own.items() if count > 1] == []
    stood = {concept_name(label.concept) for label in shipped_labels()}
    assert [name(cell) for cell in topic_cells() if cell.found and concept_name(cell.concept) not in stood] == []


def test_existing_concepts_are_cases_of_their_topic() -> None:
    store = known()
    hubs = {row["c"]: row["hub"] for row in store.select(f"SELECT ?c ?hub {{ GRAPH ?g {{ ?c <{RS}hub> ?hub }} }}")}
    assert [name(cell) for cell in topic_cells() if cell.found and not hubs[cell.concept].endswith(f"/{cell.topic}")] == []
    assert topic_iris(store) == [topic.concept for topic in topics()]
    assert set(games_with_topics(store)) >= GAMES


def test_every_pair_of_games_is_mapped_or_missed_on_every_topic() -> None:
    pairs = {(row["subject_id"], row["object_id"]) for row in sssom.with_inverses(shipped.shipped_mappings())}
    mapped = {(subject, other.removeprefix("concept:").partition("/")[0]) for subject, other in pairs}
    missed = {
        (row["subject_id"], row["object_source"]) for row in shipped.shipped_mappings() if row["object_id"] == sssom.NO_TERM_FOUND
    }
    for topic in topics():
        for asking in topic.cells:
            for other in topic.cells:
                if asking.found and asking is not other:
                    ids = tuple(f"concept:{concept_name(cell.concept)}" for cell in (asking, other))
                    is_covered = (
                        ids in pairs
                        if other.found
                        else (ids[0], other.game) in mapped or (ids[0], f"scheme:{other.game}") in missed
                    )
                    assert is_covered, (name(asking), name(other))


def test_a_counterpart_has_the_positions_of_both_games() -> None:
    rows = [row for row in shipped.shipped_mappings("counterparts") if row not in sssom.tables("counterparts")]
    assert len(rows) > 500
    row = next(row for row in rows if row["subject_id"].endswith("fow/cr/2025-09-18/405.5a") and ":mtg/" in row["object_id"])
    assert row["comment"].startswith("Force of Will: Any cards are shuffled into the deck")
    assert "Magic: " in row["comment"] and "マジック：" in row["comment_ja"] and "万智牌：" in row["comment_zh"]
    assert {split_rule(sssom.expand_curie(row[f"{side}_id"])).key.game for row in rows for side in ("subject", "object")} >= GAMES


@pytest.mark.parametrize(
    "said",
    [
        {"quote": "x", "says": {}},
        {"rule": "1", "nearest": "2", "quote": "x", "says": dict.fromkeys(TOPIC_LANGUAGES, "x")},
        {"rule": "1", "quote": "x", "says": dict.fromkeys(TOPIC_LANGUAGES, "x"), "colour": "red"},
        {"rule": "1", "quote": "x", "says": {"en": "x"}},
    ],
)
def test_a_cell_that_says_too_little_or_too_much_is_refused(said: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"topics/game\.toml, mulligan"):
        reading._parse_cell("game.toml, mulligan", "mulligan", "dm", said, {})


@pytest.mark.parametrize(
    ("games", "lang", "said"),
    [
        (("dm", "mtg"), "en", "In all four."),
        (("dm", "mtg", "lorcana"), "en", "Duel Masters, Yu-Gi-Oh! OCG, Magic: The Gathering, Force of Will: In all four."),
        (("lorcana",), "ja", "デュエル・マスターズ、遊戯王OCG、マジック：ザ・ギャザリング、フォース オブ ウィル：四つとも。"),
    ],
)
def test_a_sentence_says_which_games_it_compares(games: tuple[str, ...], lang: str, said: str) -> None:
    assert differences({"en": "In all four.", "ja": "四つとも。"}, lang, games) == said


def test_compared_games_have_cells_in_every_topic() -> None:
    assert all({*compared_games()} <= {cell.game for cell in topic.cells} for topic in topics())
