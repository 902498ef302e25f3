"""The rulings of a bundle: by address, by the rule they rest on, by card, or all of them.

graph/rulings/{game}/{source}           what is stated of them
graph/rulings/{game}/{source}/records   the same as JSON, for looking up
graph/grounds/{game}/{source}           the rules they rest on
graph/grounds/{game}/{source}/records   the same with the words that cite them, as JSON
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from corpus.address import NS, graph_iri, is_iri
from corpus.store.engine import Store, values
from corpus.words.text import fold

if TYPE_CHECKING:
    from corpus.contract import Ruling

RULINGS, GROUNDS = "rulings", "grounds"
_NONE: Mapping[str, Any] = {"cites": [], "rests_on": []}


class StoredRulings:
    """The rulings in a store. What they say of the rules' later fate is worked out elsewhere: `changed_since` is empty here."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def by_iri(self, iris: Iterable[str]) -> "dict[str, Ruling]":
        """The rulings at some addresses, those of older answers too; those that are not there are missing."""
        known = [iri for iri in dict.fromkeys(iris) if is_iri(iri)]
        if not known:
            return {}
        rulings = self._read(values("ruling", known))
        return {iri: rulings[iri] for iri in known if iri in rulings}

    def every(self, game: str | None = None) -> "Iterator[Ruling]":
        """All rulings, those of one game alone, by address; older answers are among them."""
        where = "" if game is None else f'FILTER(STRSTARTS(STR(?g), "{graph_iri(RULINGS, game)}/"))'
        rulings = self._read(where)
        yield from (rulings[iri] for iri in sorted(rulings))

    def of_rules(self, rules: Collection[str]) -> list[str]:
        """The rulings that rest on any of some rules, by address."""
        known = [iri for iri in rules if is_iri(iri)]
        if not known:
            return []
        query = f"SELECT DISTINCT ?ruling WHERE {{ {values('rule', known)} GRAPH ?g {{ ?ruling <{NS}restsOn> ?rule }} }}"
        return sorted(row["ruling"] for row in self._store.select(query))

    def of_card(self, name: str) -> list[str]:
        """The rulings about a card of that name, whatever its case, width and spaces, by address."""
        folded = json.dumps(card_key(name), ensure_ascii=False)
        rows = self._store.select(f"SELECT DISTINCT ?ruling WHERE {{ GRAPH ?g {{ ?ruling <{NS}cardKey> {folded} }} }}")
        return sorted(row["ruling"] for row in rows)

    def resting(self) -> list[tuple[str, str, str | None]]:
        """Every ruling with each rule that it rests on, and its date."""
        rows = self._store.select(
            f"SELECT ?ruling ?rule ?date WHERE {{ GRAPH ?g {{ ?ruling <{NS}restsOn> ?rule }}"
            f" OPTIONAL {{ GRAPH ?h {{ ?ruling <{NS}date> ?date }} }} }}"
        )
        return sorted((row["ruling"], row["rule"], row.get("date")) for row in rows)

    def _read(self, which: str) -> "dict[str, Ruling]":
        rows = self._store.select(
            f"SELECT ?ruling ?record WHERE {{ {which} GRAPH ?g {{ ?ruling <{NS}rulingRecord> ?record }} }}"
            if which.startswith("VALUES")
            else f"SELECT ?ruling ?record WHERE {{ GRAPH ?g {{ ?ruling <{NS}rulingRecord> ?record }} {which} }}"
        )
        grounds = self._grounds([row["ruling"] for row in rows] if which.startswith("VALUES") else None)
        return {row["ruling"]: _whole(row["record"], grounds.get(row["ruling"])) for row in rows}

    def _grounds(self, iris: Collection[str] | None) -> dict[str, str]:
        rows = self._store.select(
            f"SELECT ?ruling ?grounds WHERE {{ {values('ruling', iris)} GRAPH ?g {{ ?ruling <{NS}groundsRecord> ?grounds }} }}"
        )
        return {row["ruling"]: row["grounds"] for row in rows}


def card_key(name: str) -> str:
    """A card's name as names are compared."""
    return fold(name)


def _whole(record: str, grounds: str | None) -> "Ruling":
    ruling: Any = {**json.loads(record), **(json.loads(grounds) if grounds else _NONE), "changed_since": []}
    return cast("Ruling", ruling)
