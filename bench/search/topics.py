"""Topics of the benches of search: queries, each with the rules that answer it.

Every rule is a locator in the edition that EDITIONS names. Half of the topics of a set are taught: settings and weights may be
chosen by them. Figures are of the others.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.measure import table_rows

FOLDER = Path(__file__).parent
JUDGES_FOLDER = FOLDER / "judges"
BOOKS = {
    "dm": "ja",
    "mtg": "en",
    "ygo": "zh-Hans",
    "fow": "en",
    "onepiece": "en",
    "riftbound": "en",
    "digimon": "en",
    "gundam": "en",
    "lorcana": "en",
}
"""Game → the language of its book; Magic's is also loaded in Chinese, and each of its languages is searched as if the other were
not loaded."""
EDITIONS = {
    "digimon": "digimon/cr/2026-08-18",
    "dm": "dm/cr/2025-12-17",
    "fow": "fow/cr/2025-09-18",
    "gundam": "gundam/cr/2024-11-29",
    "lorcana": "lorcana/cr/2026-04-30",
    "mtg": "mtg/cr/2025-02-07",
    "onepiece": "onepiece/cr/2025-02-21",
    "riftbound": "riftbound/cr/2026-07-16",
    "ygo": "ygo/rulebook/undated-2",
}
"""Game → the edition whose locators the topics need."""
LANGUAGES = ("ja", "zh-Hans", "en")
TEACH, MEASURE = "teach", "measure"
SITUATIONS, JUDGES, UNANSWERABLE = "situations", "judges", "unanswerable"
MAGIC_FILES = ("judge_questions.toml", "forum_questions.toml")
ANSWERABLE = "answerable"
"""The kind of a topic that a book answers, no matter which."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A query, and the rules that answer it, as `game:locator`."""

    ident: str  # unique in its set
    source: str  # the set
    lang: str  # BCP 47; "" if the set does not tell languages apart
    query: str
    half: str = MEASURE  # or TEACH
    game: str = ""  # slug of the game whose book answers it; "" if none does, or any
    games: tuple[str, ...] = ()  # those that are given with the query
    needs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # rules that help
    kind: str = ""


def judge_questions(half: str = MEASURE, names: Iterable[str] = (*BOOKS, UNANSWERABLE)) -> list[Topic]:
    """Half of the judges' questions about complete books, or of those that no book answers, each in three languages.

    They were written with only the books at hand, and need the rules that a judge must read.
    """
    return [topic for name in names for topic in _judges_of(name, half)]


def _judges_of(name: str, half: str) -> Iterator[Topic]:
    game, table = ("", UNANSWERABLE) if name == UNANSWERABLE else (name, "question")
    for row in _tables(JUDGES_FOLDER / f"{name}.toml", table)[int(half == MEASURE) :: 2]:
        needs, also = (_in_game(game, row.get(field, ())) for field in ("needs", "also"))
        for lang in LANGUAGES:
            yield Topic(f"{row['id']}-{lang}", JUDGES, lang, row[lang], half, game, needs=needs, also=also, kind=row["kind"])


@cache
def situations() -> tuple[Topic, ...]:
    """Game states as players and judges type them; the game is given, as with a page's game chip.

    An identifier is game, batch and number. Each batch is in one half; all batches of a game without a digest are measured.
    """
    topics = []
    for row in table_rows(FOLDER / "situations.tsv"):
        game = row["game"]
        needs = _in_game(game, row["needs"].split())
        topics.append(Topic(row["id"], SITUATIONS, row["lang"], row["question"], row["split"], game, (game,), needs))
    return tuple(topics)


def typed_questions() -> list[Topic]:
    """Questions as a judge types them, without a game; any of the rules answers them."""
    return [
        Topic(f"typed-{nth}", "typed", row["lang"], row["query"], needs=tuple(row["needs"].split()))
        for nth, row in enumerate(table_rows(FOLDER / "typed.tsv"))
    ]


def magic_questions(file: str, lang: str) -> list[Topic]:
    """The questions of one of MAGIC_FILES in one language, about the complete Magic book."""
    return [
        Topic(f"magic-{nth}", file, lang, row["query"], game="mtg", games=("mtg",), needs=_in_game("mtg", row["needs"]))
        for nth, row in enumerate(_tables(FOLDER / file, "question"))
        if row["lang"] == lang
    ]


def calibration_questions() -> Iterator[Topic]:
    """Questions about complete books, answerable or of another kind."""
    for nth, row in enumerate(table_rows(FOLDER / "calibration.tsv")):
        yield Topic(f"calibration-{nth}", "calibration", row["lang"], row["query"], TEACH, kind=row["kind"])


def seed_questions() -> Iterator[Topic]:
    """Questions about the five seed books, which do not answer questions about other chapters of Magic."""
    for kind in (ANSWERABLE, "unanswerable"):
        for nth, row in enumerate(_tables(FOLDER / "abstention.toml", kind)):
            reason, game = row.get("why", kind), row.get("game", "")
            yield Topic(f"{kind}-{nth}", "seeds", row["lang"], row["query"], TEACH, game, kind=reason)


def _in_game(game: str, locators: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{game}:{locator}" for locator in locators)


def _tables(file: Path, name: str) -> list[Mapping[str, Any]]:
    tables: list[Mapping[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))[name]
    return tables
