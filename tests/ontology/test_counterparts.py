"""Counterparts of rules: every row names two glossed rules of two games, once, in order, and reads from both sides."""

from functools import cache
from importlib.resources import files
from itertools import pairwise

import pytest

from corpus.address import BASE, split_rule
from corpus.digest import digests
from corpus.errors import InputError
from corpus.store.engine import Store
from ontology import shipped, sssom
from ontology.concepts.concepts import natural_order
from ontology.mappings import COUNTERPARTS_GRAPH, MAPPING_PREDICATES, counterparts
from ontology.sssom import MappingRow
from ontology.topics import topics

FOLDERS = ("counterparts", "counterparts/older")
FILES = [
    f"{folder}/{path.name}"
    for folder in FOLDERS
    for path in sorted(files("ontology").joinpath("data", folder).iterdir(), key=lambda path: path.name)
    if path.name.endswith(".tsv")
]
ROWS = sssom.tables("counterparts")
EVERY = shipped.shipped_mappings("counterparts")
"""Those of the files, and those that follow from the topics."""
GLOSSED = [f"rule:{digest.key}/{gloss.locator}" for digest in digests() for gloss in digest.glosses if not gloss.heading]
FACING = {"skos:broadMatch": "skos:narrowMatch", "skos:narrowMatch": "skos:broadMatch"}
SIDES = ("subject", "object")
CURRENT = {"dm/cr/2025-12-17", "fow/cr/2025-09-18", "mtg/cr/2025-02-07", "ygo/rulebook/undated-2"}
DM, FOW, MTG, YGO = "dm/zones-summary/undated", "fow/cr/undated", "mtg/cr/2024-06-07", "ygo/rulebook/undated"


@cache
def store() -> Store:
    store = Store()
    store.load(shipped.shipped_graphs()[COUNTERPARTS_GRAPH])
    store.flush()
    return store


def game(curie: str) -> str:
    return curie.removeprefix("rule:").split("/")[0]


def rows_of(name: str) -> list[MappingRow]:
    return list(sssom.read_mappings(files("ontology").joinpath("data", name).read_text(encoding="utf-8"), name))


def test_every_pair_of_games_has_a_file() -> None:
    pairs = ("dm-fow", "dm-mtg", "dm-ygo", "fow-mtg", "fow-ygo", "mtg-ygo")
    assert [f"{folder}/{pair}.sssom.tsv" for folder in FOLDERS for pair in pairs] == FILES
    assert sum(len(rows_of(name)) for name in FILES) == len(ROWS)


def test_a_question_names_only_a_rule_that_answers_it() -> None:
    """A rule that merely comes nearest to a topic is named by what it says."""
    answers = {(topic.asks["en"], cell.game): cell.locator for topic in topics() for cell in topic.cells if cell.found}
    sides = ((row[f"{side}_label"], split_rule(sssom.expand_curie(row[f"{side}_id"]))) for row in ROWS for side in SIDES)
    questions = {(label, rule.key.game, rule.locator) for label, rule in sides if label.endswith("?")}
    assert [row for row in sorted(questions) if answers.get(row[:2]) != row[2]] == []
    assert len(questions) > 50


@pytest.mark.parametrize("name", FILES)
def test_rows_are_of_their_pair_and_in_order(name: str) -> None:
    """Those of today by number, those of older texts in the order of the digest."""
    rows = rows_of(name)
    assert {f"{game(row['subject_id'])}-{game(row['object_id'])}.sssom.tsv" for row in rows} == {name.rsplit("/", 1)[1]}
    glossed = [f"rule:{digest.key}/{gloss.locator}" for digest in digests(all_games=True) for gloss in digest.glosses]
    place = glossed.index if "/older/" in name else natural_order
    places = [(place(row["subject_id"]), place(row["object_id"])) for row in rows]
    assert [pair for pair in pairwise(places) if pair[0] >= pair[1]] == []


def test_a_file_is_a_mapping_set_with_version_and_date() -> None:
    for name in FILES:
        words = files("ontology").joinpath("data", name).read_text(encoding="utf-8")
        assert sssom.write_mappings(rows_of(name), name.removesuffix(".sssom.tsv")) == words
        assert "#mapping_set_version" in words and "#mapping_date" in words


def test_most_counterparts_rest_on_the_editions_of_today() -> None:
    """Those of older texts that no row of today says are counted: the rule is gone, or says something else."""
    for name in FILES[:6]:
        for row in rows_of(name):
            assert {str(split_rule(sssom.expand_curie(row[f"{side}_id"])).key) for side in SIDES} <= CURRENT, row
    assert sum(len(rows_of(name)) for name in FILES[:6]) > 1000


def test_many_rules_of_every_game_have_a_counterpart() -> None:
    """Rules of today with a close, broad or narrow counterpart; related rules do not count."""
    covered: dict[str, set[str]] = {}
    for row in EVERY:
        keys = [str(split_rule(sssom.expand_curie(row[f"{side}_id"])).key) for side in SIDES]
        if row["predicate_id"] != "skos:relatedMatch" and set(keys) <= CURRENT:
            for key, side in zip(keys, SIDES, strict=True):
                covered.setdefault(key.split("/")[0], set()).add(row[f"{side}_id"])
    least = {"dm": 280, "fow": 400, "mtg": 490, "ygo": 250}
    assert {game: len(rules) for game, rules in covered.items() if len(rules) < least[game]} == {}
    assert set(covered) == set(least)


def test_every_row_is_complete() -> None:
    for row in ROWS:
        assert row["predicate_id"] in MAPPING_PREDICATES, row
        assert 0 < float(row["confidence"]) <= 1, row
        assert row["subject_label"] and row["object_label"], row
        assert row["mapping_justification"] == "semapv:ManualMappingCuration", row
        assert row["comment"].endswith(".") and row["comment"].count(". ") == 0 and len(row["comment"]) <= 170, row


def test_a_rule_asks_one_question_whatever_it_is_compared_with() -> None:
    labels: dict[str, set[str]] = {}
    for row in EVERY:
        for side in ("subject", "object"):
            labels.setdefault(row[f"{side}_id"], set()).add(row[f"{side}_label"])
    assert {rule: called for rule, called in labels.items() if len(called) > 1} == {}


def test_counterparts_are_the_same_from_both_sides() -> None:
    """Read from the store, rule by rule, against the rows as they are written."""
    stored = {
        (
            rule,
            f"rule:{counterpart['iri'].removeprefix(f'{BASE}id/')}",
            counterpart["predicate"],
            counterpart["comment"],
            counterpart["confidence"],
        )
        for rule in sorted({row[f"{side}_id"] for row in EVERY for side in ("subject", "object")})
        for counterpart in counterparts(store(), sssom.expand_curie(rule))
    }
    symmetric_rows = set()
    for row in EVERY:
        subject, other, predicate = row["subject_id"], row["object_id"], row["predicate_id"]
        rest = row["comment"], float(row["confidence"])
        symmetric_rows |= {(subject, other, predicate, *rest), (other, subject, FACING.get(predicate, predicate), *rest)}
    assert stored == symmetric_rows
    assert len(stored) == 2 * len(EVERY)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # a new object on a zone change
        (f"{MTG}/400.7", ["dm 400.3b close", "fow 3.1~3 close"]),
        (f"{DM}/400.3b", ["fow 3.1~3 close", "mtg 400.7 close", "mtg 400.7a narrow"]),
        (f"{MTG}/400.7j", ["fow 3.1~3 broad"]),
        # the order of the graveyard
        (f"{DM}/404.3", ["ygo places/1.1.3~3 close", "fow 3.9~2 close", "mtg 400.5 broad"]),
        (f"{MTG}/400.5", ["dm 404.3 narrow", "ygo places/1.1.3~3 narrow", "fow 3.9~2 narrow"]),
        # whose zone, who orders arrivals, hand size, looking at the hand
        (f"{YGO}/places/1.1.3~5", ["mtg 400.3 broad", "fow 3.1~5 broad"]),
        (f"{YGO}/places/1.1.3~4", ["dm 410.4 close", "fow 3.1~4 broad"]),
        (f"{DM}/402.3", ["fow 3.5~3 close", "ygo places/1.2~4 close"]),
        (f"{FOW}/3.5~2", ["dm 402.2 close", "ygo places/1.2~2 close", "mtg 400.2 broad"]),
        # what may not enter, and outside the game
        (f"{FOW}/3.15~4", ["mtg 400.4a close", "mtg 400.4 broad"]),
        (f"{FOW}/3.16~1.2", ["mtg 400.11a close"]),
        # of today
        ("mtg/cr/2025-02-07/400.7", ["dm 400.5 close", "fow 302.3 close"]),
        ("fow/cr/2025-09-18/321.4", ["mtg 400.4a close"]),
        ("dm/cr/2025-12-17/404.3", ["fow 309.2 close", "ygo places/1.1.3~3 close"]),
        # no counterpart
        (f"{YGO}/places/1.1.11.2~1", []),
        ("ferry/cr/2021-05-03/101.1", []),
    ],
)
def test_positions_of_the_other_games(rule: str, expected: list[str]) -> None:
    others = counterparts(store(), f"{BASE}id/{rule}")
    lines = [
        f"{counterpart['game']} {counterpart['number']} {counterpart['predicate'].removeprefix('skos:').removesuffix('Match')}"
        for counterpart in others
    ]
    assert [question for question in expected if question not in lines] == []
    assert bool(lines) == bool(expected)
    assert game(rule) not in {counterpart["game"] for counterpart in others}


def test_a_file_may_leave_out_the_columns_it_does_not_need() -> None:
    text = files("ontology").joinpath("data", FILES[0]).read_text(encoding="utf-8")
    row = sssom.read_mappings(text, FILES[0])[0]
    assert tuple(row) == sssom.COLUMNS
    assert (row["predicate_modifier"], row["subject_rule"]) == ("", "")
    with pytest.raises(InputError, match="expected"):
        sssom.read_mappings(text.replace("\tconfidence\t", "\tcertainty\t"), FILES[0])


def test_the_nearest_come_first() -> None:
    for rule in GLOSSED:
        nearest = counterparts(store(), sssom.expand_curie(rule))
        ranks = [(MAPPING_PREDICATES.index(counterpart["predicate"]), -counterpart["confidence"]) for counterpart in nearest]
        assert ranks == sorted(ranks)


def test_every_comment_is_written_in_three_languages() -> None:
    assert len(EVERY) > 800
    assert [row for row in EVERY if not (row["comment"] and row["comment_ja"] and row["comment_zh"])] == []


def test_comments_come_in_the_language_asked_for_where_they_are_written() -> None:
    rule = "https://w3id.org/rulestone/id/dm/zones-summary/undated/400.1"
    said = {lang: counterparts(store(), rule, lang)[0]["comment"] for lang in ("en", "ja", "zh-Hans")}
    assert len(set(said.values())) == 3


def test_every_counterpart_is_called_by_its_question_in_three_languages() -> None:
    for row in EVERY:
        for side in SIDES:
            called = shipped.question_labels()[row[f"{side}_label"]]
            assert len({called["en"], called["ja"], called["zh-Hans"]}) == 3, row[f"{side}_label"]
    bodies = counterparts(store(), f"{BASE}id/mtg/cr/2025-02-07/400.2", "ja")
    assert "公開領域と非公開領域" in {counterpart["label"] for counterpart in bodies}
