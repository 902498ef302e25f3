"""Topics that judges look up in several games: the question, the rule of each game that answers it, and what differs.

`ontology/data/topics/` holds them, a file for each group. A game without such a rule names the nearest thing.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from corpus.address import EditionKey, concept_iri, iri_of, rule_iri
from corpus.errors import InputError

Words = Mapping[str, str]
"""Language → words."""
LANGUAGES = ("en", "ja", "zh-Hans")
_INDEX = "index"
_TOPIC = {"asks", "differs", "label"}
_CELL = {"rule", "nearest", "quote", "says", "concept", "called"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one game says of a topic."""

    game: str
    topic: str  # its slug
    edition: EditionKey
    locator: str
    found: bool  # False: the game has no such rule, and this one is the nearest thing
    quote: str
    lang: str  # of the quote
    says: Words
    slug: str  # of the game's own concept
    called: Words  # what the game calls it; none where that concept stands among the others of the game

    @property
    def concept(self) -> str:
        """The concept that its claim is about: the game's own, else the topic."""
        return concept_iri(f"{self.game}/{self.slug}" if self.found else self.topic)

    @property
    def rule(self) -> str:
        """The address of the rule."""
        return rule_iri(self.edition, self.locator)

    @property
    def claim(self) -> str:
        """The address of its claim."""
        return iri_of(f"claim/{self.game}-{self.topic}")

    @property
    def value(self) -> str:
        """The address of what it says."""
        return iri_of(f"value/topics/{self.game}-{self.topic}")


@dataclass(frozen=True, slots=True)
class Topic:
    """A question, and its answers."""

    slug: str
    group: str
    place: int  # among all topics
    label: Words  # none where the concept stands in `hub.ttl`
    asks: Words
    differs: Words
    cells: tuple[Cell, ...]

    @property
    def concept(self) -> str:
        """The address of the cross-game concept."""
        return concept_iri(self.slug)


@cache
def topics() -> tuple[Topic, ...]:
    """Every topic, group by group. Raises InputError that names the file and topic where something is amiss."""
    named = ((group, slug, said) for group in groups() for slug, said in _file(group).items())
    return tuple(_topic(group, slug, place, said) for place, (group, slug, said) in enumerate(named, 1))


@cache
def groups() -> Mapping[str, Words]:
    """Group → its title in each language, in the order in which they are shown."""
    return {group: _words(f"{_INDEX}.toml, groups", title) for group, title in _file(_INDEX)["groups"].items()}


def _topic(group: str, slug: str, place: int, said: Mapping[str, Any]) -> Topic:
    where = f"{group}.toml, {slug}"
    parts = {game: said[game] for game in said if game not in _TOPIC}
    label, asks, differs = (_words(where, said.get(name, {}), needed=name != "label") for name in ("label", "asks", "differs"))
    cells = tuple(_cell(where, slug, game, part, label) for game, part in parts.items())
    return Topic(slug, group, place, label, asks, differs, cells)


def _cell(where: str, topic: str, game: str, said: Mapping[str, Any], label: Words) -> Cell:
    place = _file(_INDEX)["editions"].get(game)
    if place is None or set(said) - _CELL or not {"quote", "says"} <= set(said) or ("rule" in said) == ("nearest" in said):
        raise InputError(
            "topics/{where}, {game}: expected a game of index.toml with rule or nearest, quote, says and perhaps called or concept",
            where=where,
            game=game,
        )
    own = "concept" in said or "nearest" in said
    return Cell(
        game=game,
        topic=topic,
        edition=EditionKey(*place["edition"].split("/")),
        locator=said.get("rule") or said["nearest"],
        found="rule" in said,
        quote=said["quote"],
        lang=place["lang"],
        says=_words(where, said["says"]),
        slug=said.get("concept", topic),
        called={} if own else _words(where, said.get("called", label)),
    )


def _words(where: str, said: Mapping[str, str], *, needed: bool = True) -> Words:
    if (needed or said) and tuple(said) != LANGUAGES:
        raise InputError("topics/{where}: expected words in {languages}", where=where, languages=", ".join(LANGUAGES))
    return said


@cache
def _file(name: str) -> Mapping[str, Any]:
    return tomllib.loads(files("ontology").joinpath("data/topics", f"{name}.toml").read_text(encoding="utf-8"))


def cells() -> Iterator[Cell]:
    """Every cell, topic by topic."""
    return (cell for topic in topics() for cell in topic.cells)
