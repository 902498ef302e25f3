"""The situations: each is well formed, needs rules that exist, and says nothing that its book says."""

from collections import Counter

import pytest

from bench.digest.copies import cjk_text
from bench.search.topics import EDITIONS, MEASURE, TEACH, situations
from corpus.digest import digests
from tests.support.quotes import Phrases
from tests.support.texts import TEXTS

ONLY_MEASURED = "onepiece"
"""The game none of whose situations teaches."""
LANGUAGES = {"en", "ja", "zh-Hans", "zh-Hant"}
ROWS = situations()
GAMES = ("dm", "fow", "mtg", "onepiece", "ygo")


def rules(game: str) -> set[str]:
    """The rules of a game's book that the digest has."""
    book = EDITIONS[game].rsplit("/", 1)[0]
    known = [digest for digest in digests(all_games=True) if f"{digest.key.game}/{digest.key.book}" == book]
    return {f"{game}:{gloss.locator}" for digest in known for gloss in digest.glosses if not gloss.heading}


def test_every_row_is_well_formed() -> None:
    for row in ROWS:
        game, batch, number = row.ident.split("-")
        assert game == row.game and game in GAMES and batch and number.isdigit(), row
        assert row.lang in LANGUAGES and row.half in {TEACH, MEASURE} and row.query == row.query.strip() != "", row
        assert 2 <= len(row.needs) <= 5 and len(set(row.needs)) == len(row.needs), row


def test_ids_and_questions_are_unique() -> None:
    assert [ident for ident, times in Counter(row.ident for row in ROWS).items() if times > 1] == []
    assert [key for key, times in Counter((row.game, cjk_text(row.query)) for row in ROWS).items() if times > 1] == []


def test_a_batch_is_for_teaching_or_for_measuring() -> None:
    splits = {(row.ident.rsplit("-", 1)[0], row.half) for row in ROWS}
    assert len(splits) == len({batch for batch, _ in splits})
    assert {row.half for row in ROWS if row.game == ONLY_MEASURED} == {MEASURE}


def test_the_counts() -> None:
    games = Counter(row.game for row in ROWS)
    languages = Counter(row.lang.split("-")[0] for row in ROWS)
    measured = sum(row.half == MEASURE for row in ROWS)
    assert set(games) == set(GAMES) and min(games.values()) >= 250 and games[ONLY_MEASURED] >= 300, games
    assert set(languages) == {"en", "ja", "zh"} and min(languages.values()) >= 490, languages
    assert 0.4 < measured / len(ROWS) < 0.6, measured


@pytest.mark.parametrize("game", GAMES)
def test_every_needed_rule_is_in_the_digest(game: str) -> None:
    known = rules(game)
    assert {(row.ident, need) for row in ROWS if row.game == game for need in row.needs if need not in known} == set()


@pytest.mark.real
@pytest.mark.parametrize("game", GAMES)
def test_no_situation_quotes_a_book(game: str) -> None:
    book = Phrases(*(path.read_text(encoding="utf-8") for path in sorted((TEXTS / game).rglob("*")) if path.is_file()))
    assert [row for row in ROWS if row.game == game and book.quoted_in(row.query, row.lang)] == []
