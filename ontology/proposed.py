"""Proposed matches of the games that nobody annotated: the cross-game concepts of their zones and terms, and rows to other games.

They are derived from the store whenever it is written, into graphs of their own: `…/graph/mappings/proposed-hub` from a concept to
its cross-game concept, `…/graph/mappings/proposed` between two games. Each row has `rs:status` and no direct triple. A curator's
verdict (`verdicts.py`) takes precedence over a proposal.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from corpus.address import RS, game_of, graph_iri, scheme_of
from corpus.store.engine import Store, values_clause
from ontology import shipped, spokes, sssom
from ontology.comparison import Claims
from ontology.concepts.claims import Claim, by_concept, claims_in
from ontology.labels import ALT_LABEL, PREF_LABEL, labels_in
from ontology.matching import COMPOSITE, Candidate, HubKnowledge, Proposal, propose
from ontology.spokes import CLOSE, PROPOSED_HUB
from ontology.sssom import MappingRow

PROPOSED = graph_iri("mappings", "proposed")
LEXICAL = "semapv:LexicalMatching"
_TYPES = {f"{RS}Zone": "zone", f"{RS}Subzone": "sub-zone", f"{RS}CompositeZone": COMPOSITE, f"{RS}BookTerm": "term"}
_ZONE_TYPES = [f"{RS}{kind}" for kind in ("Zone", "Subzone", "CompositeZone", "NotAZone")]
_CANDIDATES_QUERY = f"""
SELECT ?concept ?type ?rule WHERE {{
  GRAPH ?g {{ {values_clause("type", _TYPES)} ?concept a ?type OPTIONAL {{ ?concept <{RS}definedBy> ?rule }} }}
}}"""
_ZONES_QUERY = f"SELECT DISTINCT ?concept WHERE {{ GRAPH ?g {{ {values_clause('type', _ZONE_TYPES)} ?concept a ?type }} }}"
COMPARED = ("visibility", "sharing", "ordering")
"""The properties that a proposal takes into account."""


class ProposedMatches:
    """The proposals for the games in a store that have no annotations."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def spokes(self) -> Sequence[MappingRow]:
        """The proposed rows to cross-game concepts, game by game."""
        by_game: dict[str, list[Candidate]] = {}
        for candidate in self.candidates():
            by_game.setdefault(scheme_of(candidate.concept), []).append(candidate)
        if not by_game:
            return []
        known = self.knowledge()
        return [self._spoke(proposal) for game in sorted(by_game) for proposal in propose(by_game[game], known)]

    def candidates(self) -> list[Candidate]:
        """The zones and terms of games without annotations, by concept; sub-zones are left out."""
        kinds: dict[str, set[str]] = {}
        rules: dict[str, set[str]] = {}
        for row in self._store.select(_CANDIDATES_QUERY):
            if not shipped.has_annotations(game_of(row["concept"]) or "hub"):
                kinds.setdefault(row["concept"], set()).add(_TYPES[row["type"]])
                rules.setdefault(row["concept"], set()).update([row["rule"]] if "rule" in row else [])
        return [
            Candidate(concept, _kind(kinds[concept]), names, self._values(concept), sorted(rules[concept]))
            for concept, names in sorted(self._names(kinds).items())
            if "sub-zone" not in kinds[concept]
        ]

    def knowledge(self) -> HubKnowledge:
        """The shipped labels, cross-game concepts and properties."""
        zones = {row["concept"] for row in self._store.select(_ZONES_QUERY)}
        annotated = [zone for zone in zones if shipped.has_annotations(game_of(zone) or "hub")]
        return HubKnowledge(
            shipped.shipped_labels(),
            shipped.shipped_links().hub,
            {zone: _values_by_property(self.claims.get(zone, ()), "accepted") for zone in sorted(annotated)},
        )

    @cached_property
    def claims(self) -> Claims:
        """Concept → its claims."""
        return by_concept(claims_in(self._store))

    def pairs(self) -> list[MappingRow]:
        """The rows between a concept with a proposal and the concepts of other games, annotated or not."""
        if not self.spokes:
            return []
        rows = spokes.chained_rows(
            [*shipped.shipped_spokes(), *self.spokes], shipped.shipped_mappings(), shipped.hub_labels(), lambda _: self.claims
        )
        return [{**row, "mapping_justification": LEXICAL} for row in rows]

    def graphs(self) -> dict[str, bytes]:
        """The graphs of the proposals as sorted N-Quads; empty without proposals."""
        if not self.spokes:
            return {}
        return {
            PROPOSED_HUB: sssom.node_quads("mappings/proposed-hub", self.spokes, status="proposed"),
            PROPOSED: sssom.node_quads("mappings/proposed", sssom.with_inverses(self.pairs()), status="proposed"),
        }

    def _names(self, concepts: Collection[str]) -> dict[str, list[str]]:
        """Concept → its names in every language, the preferred ones first."""
        names: dict[str, list[str]] = {}
        labels = labels_in(self._store, [PREF_LABEL, ALT_LABEL], concepts=sorted(concepts)) if concepts else ()
        for label in sorted(labels, key=lambda label: (label.concept, label.property != PREF_LABEL, label.lang, label.text)):
            names.setdefault(label.concept, []).append(label.text)
        return names

    def _values(self, concept: str) -> dict[str, str]:
        values = _values_by_property(self.claims.get(concept, ()), "proposed")
        return {name: next(iter(some)) for name, some in values.items() if len(some) == 1}

    def _spoke(self, proposal: Proposal) -> MappingRow:
        candidate = proposal.candidate
        labels = {candidate.concept: candidate.names[0]}
        row = spokes.spoke_row(
            candidate.concept,
            CLOSE,
            proposal.hub,
            lambda iri: labels.get(iri) or shipped.hub_labels()[iri]["en"],
            confidence=f"{proposal.confidence:.2g}",
            rule=next(iter(candidate.rules), ""),
        )
        return {**row, "mapping_justification": LEXICAL}


def write_proposed(store: Store) -> None:
    """Replaces the proposals in a store; flushes it before and after."""
    store.flush()
    store.drop([PROPOSED_HUB, PROPOSED])
    for lines in ProposedMatches(store).graphs().values():
        store.load(lines)
    store.flush()


def _kind(kinds: Collection[str]) -> str:
    return next(kind for kind in (COMPOSITE, "zone", "term") if kind in kinds)


def _values_by_property(claims: Iterable[Claim], status: str) -> dict[str, frozenset[str]]:
    values: dict[str, frozenset[str]] = {}
    for claim in claims:
        if claim.property in COMPARED and claim.status == status:
            values[claim.property] = values.get(claim.property, frozenset()) | {claim.value}
    return values
