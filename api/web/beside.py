"""The counterparts of a rule in other games, grouped by the sentence that describes the difference."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from rulestone import Library

if TYPE_CHECKING:
    from corpus.contract import HitCounterpart, RuleCounterpart, Topic, Topics

    Counterpart = HitCounterpart | RuleCounterpart


@dataclass(frozen=True, slots=True)
class CounterpartGroup:
    """Counterparts with one sentence on the difference: that of a topic, or their own comment."""

    topic: "Topic | None"
    differs: str
    rules: "list[tuple[Counterpart, str | None]]" = field(default_factory=list)
    """Each with the topic's statement about its game."""


@lru_cache(maxsize=8)
def topics_by_rule(library: Library, _: str | None, lang: str) -> "Topics":
    """The topics of all games in a language, computed once for each bundle."""
    return library.topics(lang=lang)


@lru_cache(maxsize=8)
def _topics_by_rule(library: Library, bundle: str | None, lang: str) -> "Mapping[str, Sequence[Topic]]":
    """Rule → the topics that it answers."""
    topics_of_rule: dict[str, list[Topic]] = {}
    for topic in topics_by_rule(library, bundle, lang)["topics"]:
        for iri in {cell["rule"]["rule"] for cell in topic["cells"]}:
            topics_of_rule.setdefault(iri, []).append(topic)
    return topics_of_rule


def judged(counterparts: "Iterable[Counterpart]") -> "list[Counterpart]":
    """The counterparts that are not only proposed."""
    return [counterpart for counterpart in counterparts if counterpart["status"] == "accepted"]


def counterpart_groups(library: Library, rule: str, counterparts: "Iterable[Counterpart]", lang: str) -> list[CounterpartGroup]:
    """The counterparts of a rule grouped by the difference, in their order."""
    topics = _topics_by_rule(library, library.bundle_name(), lang)
    own = [topic["concept"] for topic in topics.get(rule, ())]
    blocks: dict[str, CounterpartGroup] = {}
    for counterpart in counterparts:
        label = counterpart.get("label")  # it relates rules of older editions, which are not in the cells of a topic
        shared = (topic for topic in topics.get(counterpart["iri"], ()) if topic["concept"] in own or topic["label"] == label)
        topic = next(shared, None)
        differs = topic["differs"] if topic else counterpart["comment"]
        block = blocks.setdefault(topic["concept"] if topic else differs, CounterpartGroup(topic, differs))
        cells = topic["cells"] if topic else ()
        says = next((cell["says"] for cell in cells if cell["rule"]["rule"] == counterpart["iri"]), None)
        block.rules.append((counterpart, says))
    return list(blocks.values())
