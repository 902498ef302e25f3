"""Every rule and every ruling, one after the other: what an export has line by line."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from corpus.address import iri_of, is_ruling, split_rule
from ontology.answers.rulings.rulings import with_changes
from ontology.store.knowledge import Knowledge
from ontology.store.rulings import StoredRulings

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Ruling


def everything(knowledge: Knowledge) -> "Iterator[RuleRecord | Ruling]":
    """Rules edition by edition in document order; then rulings, older answers too, by address."""
    yield from knowledge.records()
    yield from with_changes(knowledge, StoredRulings(knowledge.store).every())


def of_game(knowledge: Knowledge, game: str) -> "Iterator[RuleRecord | Ruling]":
    """The same of one game."""
    for key in sorted(knowledge.manifest.editions, key=str):
        if key.game == game:
            yield from knowledge.records_of(key)
    yield from with_changes(knowledge, StoredRulings(knowledge.store).every(game))


def at(knowledge: Knowledge, paths: Collection[str]) -> "Iterator[RuleRecord | Ruling]":
    """The same of some addresses, by their paths, in the same order; those that are not there are missing."""
    iris = {iri_of(path) for path in paths}
    rulings = sorted(iri for iri in iris if is_ruling(iri))
    editions = {split_rule(iri).key for iri in iris.difference(rulings)}
    for key in sorted(editions & knowledge.manifest.editions.keys(), key=str):
        yield from (record for record in knowledge.records_of(key) if record["iri"] in iris)
    some = StoredRulings(knowledge.store).by_iri(rulings)
    yield from with_changes(knowledge, some.values())


def line(body: Mapping[str, object]) -> bytes:
    """A body as a line of JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
