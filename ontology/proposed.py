"""Proposed matches of the games without annotations: the cross-game concepts of their zones and terms, and rows to other games.

They are derived from the store whenever it is written, into graphs of their own: `…/graph/mappings/proposed-hub` from a concept to
its cross-game concept, `…/graph/mappings/proposed` between two games. Each row has `rs:status` and no direct triple. A curator's
verdict (`verdicts.py`) takes precedence over a proposal: accepted matches are in `…/mappings/judged-hub`, with `rs:hub`, and in
`…/mappings/judged`, with direct triples.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from corpus.address import RS, game_of, graph_iri, scheme_of
from corpus.store.engine import Store, values_clause
from ontology import shipped, spokes, sssom
from ontology.comparison import Claims
from ontology.concepts.claims import Claim, by_concept, claims_in
from ontology.labels import ALT_LABEL, PREF_LABEL, labels_in
from ontology.matching import COMPOSITE, Candidate, HubKnowledge, HubProposal, propose
from ontology.spokes import CLOSE, JUDGED_HUB, PROPOSED_HUB
from ontology.sssom import MappingRow
from ontology.verdicts import JUDGED_CONFIDENCE, Verdict

PROPOSED, JUDGED = graph_iri("mappings", "proposed"), graph_iri("mappings", "judged")
_GRAPHS = (PROPOSED_HUB, PROPOSED, JUDGED_HUB, JUDGED)
LEXICAL = "semapv:LexicalMatching"
_TYPES = {
    f"{RS}Zone": "zone",
    f"{RS}Subzone": "sub-zone",
    f"{RS}CompositeZone": COMPOSITE,
    f"{RS}BookTerm": "term",
    f"{RS}ProposedTerm": "term",
}
_ZONE_TYPES = [f"{RS}{kind}" for kind in ("Zone", "Subzone", "CompositeZone", "NotAZone")]
_CANDIDATES_QUERY = f"""
SELECT ?concept ?type ?rule WHERE {{
  GRAPH ?g {{ {values_clause("type", _TYPES)} ?concept a ?type OPTIONAL {{ ?concept <{RS}definedBy> ?rule }} }}
}}"""
_RULES_QUERY = f"SELECT DISTINCT ?concept ?rule WHERE {{ %s GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} }}"
_PURPOSES_QUERY = f"""
SELECT ?concept ?section ?graph ?text WHERE {{
  GRAPH ?g {{ ?concept a <{RS}Zone> ; <{RS}definedBy> ?section }}
  GRAPH ?graph {{ ?rule <{RS}parent> ?section ; <{RS}order> ?order ; <{RS}text> ?text }}
}} ORDER BY ?concept ?section ?graph ?order"""
_MATCHED_QUERY = f"""
SELECT DISTINCT ?concept WHERE {{
  {values_clause("g", _GRAPHS)} GRAPH ?g {{ ?mapping <{sssom.SSSOM}subject_id> ?concept }}
}}"""
PURPOSE_RULES = 2
"""The number of rules at the start of a zone's section that say what it is for, in each language."""
_ZONES_QUERY = f"SELECT DISTINCT ?concept WHERE {{ GRAPH ?g {{ {values_clause('type', _ZONE_TYPES)} ?concept a ?type }} }}"
COMPARED = ("visibility", "sharing", "ordering")
"""The properties that a proposal takes into account."""


class ProposedMatches:
    """The proposals for the games in a store that have no annotations, and the curators' verdicts on them."""

    def __init__(self, store: Store, verdicts: Iterable[Verdict] = (), claims: Iterable[Claim] | None = None) -> None:
        """`claims` are those in the store (None: they are read from it)."""
        self._store, self._given_claims = store, claims
        self._verdicts = {verdict.subject: verdict for verdict in verdicts if not verdict.is_of_rules}

    @cached_property
    def spokes(self) -> Sequence[MappingRow]:
        """The proposed rows to cross-game concepts, game by game, for the concepts that no curator judged."""
        by_game: dict[str, list[Candidate]] = {}
        for candidate in self.candidates():
            if candidate.concept in self._applied:
                continue
            by_game.setdefault(scheme_of(candidate.concept), []).append(candidate)
        if not by_game:
            return []
        hub_knowledge = self.knowledge()
        proposals = (
            proposal for game in sorted(by_game) for proposal in propose(by_game[game], hub_knowledge, self._given_hubs(game))
        )
        return [_spoke(proposal) for proposal in proposals]

    @cached_property
    def judged_spokes(self) -> Sequence[MappingRow]:
        """The rows to cross-game concepts that curators judged; refused ones have the modifier `Not`."""
        names, rules = self._names(self._applied), dict[str, list[str]]()
        for row in self._store.select(_RULES_QUERY % values_clause("concept", self._applied)):
            rules.setdefault(row["concept"], []).append(row["rule"])
        candidates = (Candidate(concept, "", names[concept], {}, sorted(rules.get(concept, ()))) for concept in self._applied)
        return [row for candidate in candidates for row in _judged_rows(candidate, self._applied[candidate.concept])]

    @cached_property
    def _applied(self) -> Mapping[str, Verdict]:
        """Concept → the verdict on it, for the concepts that are in the store and cross-game concepts that still exist.

        A concept whose cross-game concept ships needs no verdict.
        """
        there, hubs, shipped_hubs = self._names(self._verdicts), shipped.hub_labels(), shipped.shipped_links().hub
        return {
            concept: verdict
            for concept, verdict in sorted(self._verdicts.items())
            if concept in there and concept not in shipped_hubs and all(hub in hubs for hub in verdict.objects)
        }

    def _given_hubs(self, game: str) -> frozenset[str]:
        """The cross-game concepts that curators gave to concepts of a game."""
        own = (verdict for concept, verdict in self._applied.items() if scheme_of(concept) == game)
        return frozenset(hub for verdict in own if (hub := verdict.accepted))

    def candidates(self) -> list[Candidate]:
        """The zones and terms of games without annotations, by concept; sub-zones are left out."""
        kinds: dict[str, set[str]] = {}
        rules: dict[str, set[str]] = {}
        for row in self._store.select(_CANDIDATES_QUERY):
            if not shipped.has_annotations(game_of(row["concept"]) or "hub"):
                kinds.setdefault(row["concept"], set()).add(_TYPES[row["type"]])
                rules.setdefault(row["concept"], set()).update([row["rule"]] if "rule" in row else [])
        purposes = self._purposes(kinds)
        return [
            Candidate(
                concept,
                _kind(kinds[concept]),
                names,
                self._values(concept),
                sorted(rules[concept]),
                "\n".join(purposes.get(concept, ())),
            )
            for concept, names in sorted(self._names(kinds).items())
            if "sub-zone" not in kinds[concept]
        ]

    def knowledge(self) -> HubKnowledge:
        """The shipped labels, cross-game concepts and properties."""
        zones = {row["concept"] for row in self._store.select(_ZONES_QUERY)}
        shipped_zones = [zone for zone in zones if shipped.has_annotations(game_of(zone) or "hub")]
        return HubKnowledge(
            shipped.shipped_labels(),
            shipped.shipped_links().hub,
            {zone: _values_by_property(self.claims.get(zone, ()), "accepted") for zone in sorted(shipped_zones)},
        )

    @cached_property
    def claims(self) -> Claims:
        """Concept → its claims."""
        return by_concept(claims_in(self._store) if self._given_claims is None else self._given_claims)

    @cached_property
    def judged_pairs(self) -> Sequence[MappingRow]:
        """The rows between a concept that a curator judged and the concepts of other games, annotated or judged."""
        return self._chained([*shipped.shipped_spokes(), *self.judged_spokes], shipped.shipped_mappings())

    @cached_property
    def pairs(self) -> Sequence[MappingRow]:
        """The rows between a concept with a proposal and the concepts of other games, annotated or not."""
        every = [*shipped.shipped_spokes(), *self.judged_spokes, *self.spokes]
        rows = self._chained(every, [*shipped.shipped_mappings(), *self.judged_pairs])
        return [{**row, "mapping_justification": LEXICAL} for row in rows]

    def _chained(self, every: Sequence[MappingRow], verdict_rows: Sequence[MappingRow]) -> list[MappingRow]:
        if not self.spokes and not self.judged_spokes:
            return []
        judged_hubs = spokes.hub_links(self.judged_spokes)
        cases = {(f"scheme:{scheme_of(concept)}", hub) for concept, hub in judged_hubs.items()}
        hubs = {**shipped.shipped_links().hub, **judged_hubs}
        every, verdict_rows = (spokes.without_lifted(rows, cases, hubs) for rows in (every, verdict_rows))
        return [*spokes.chained_rows(every, verdict_rows, shipped.hub_labels(), lambda _: self.claims)]

    def graphs(self) -> dict[str, bytes]:
        """The graphs of proposals and verdicts as sorted N-Quads, without empty ones."""
        graphs: dict[str, bytes] = {}
        if self.spokes:
            graphs[PROPOSED_HUB] = sssom.node_quads(PROPOSED_HUB, self.spokes, status="proposed")
            graphs[PROPOSED] = sssom.node_quads(PROPOSED, sssom.with_inverses(self.pairs), status="proposed")
        if self.judged_spokes:
            nodes = sssom.node_quads(JUDGED_HUB, self.judged_spokes, status="accepted")
            graphs[JUDGED_HUB] = spokes.with_lines(nodes, spokes.hub_quads(JUDGED_HUB, spokes.hub_links(self.judged_spokes)))
            graphs[JUDGED] = sssom.nquads("mappings/judged", self.judged_pairs, {})
        return graphs

    def _names(self, concepts: Collection[str]) -> dict[str, list[str]]:
        """Concept → its names in every language, the preferred ones first."""
        names: dict[str, list[str]] = {}
        labels = labels_in(self._store, [PREF_LABEL, ALT_LABEL], concepts=sorted(concepts)) if concepts else ()
        for label in sorted(labels, key=lambda label: (label.concept, label.property != PREF_LABEL, label.lang, label.text)):
            names.setdefault(label.concept, []).append(label.text)
        return names

    def _purposes(self, concepts: Collection[str]) -> dict[str, list[str]]:
        """Concept → the first rules of its sections."""
        purposes: dict[str, list[str]] = {}
        counts = Counter[tuple[str, str, str]]()
        for row in self._store.select(_PURPOSES_QUERY) if concepts else ():
            at = row["concept"], row["section"], row["graph"]
            if row["concept"] in concepts and counts[at] < PURPOSE_RULES:
                purposes.setdefault(row["concept"], []).append(row["text"])
                counts[at] += 1
        return purposes

    def _values(self, concept: str) -> dict[str, str]:
        values = _values_by_property(self.claims.get(concept, ()), "proposed")
        return {name: next(iter(some)) for name, some in values.items() if len(some) == 1}


def _spoke(proposal: HubProposal) -> MappingRow:
    """A proposal as a row."""
    return {**_row(proposal.candidate, proposal.hub, proposal.confidence), "mapping_justification": LEXICAL}


def _judged_rows(candidate: Candidate, verdict: Verdict) -> Iterator[MappingRow]:
    """The cross-game concept that a curator accepts, and the proposed one if the curator refuses it."""
    hub = verdict.accepted
    if hub:
        yield _row(candidate, hub, JUDGED_CONFIDENCE) | verdict.signature
    if verdict.object not in ("", hub):
        yield _row(candidate, verdict.object, JUDGED_CONFIDENCE) | verdict.signature | {"predicate_modifier": "Not"}


def _row(candidate: Candidate, hub: str, confidence: float) -> dict[str, str]:
    names = {candidate.concept: candidate.names[0]}
    return spokes.spoke_row(
        candidate.concept,
        CLOSE,
        hub,
        lambda iri: names.get(iri) or shipped.hub_labels()[iri]["en"],
        confidence=f"{confidence:.2g}",
        rule=next(iter(candidate.rules), ""),
    )


def write_proposed(store: Store, verdicts: Iterable[Verdict] = (), claims: Iterable[Claim] | None = None) -> None:
    """Replaces the proposals and the judged rows in a store, flushes it before and after; see ProposedMatches."""
    store.flush()
    store.drop(_GRAPHS)
    for lines in ProposedMatches(store, verdicts, claims).graphs().values():
        store.load(lines)
    store.flush()


def matched_concepts(store: Store) -> set[str]:
    """The concepts with proposals or judged rows in a store."""
    return {row["concept"] for row in store.select(_MATCHED_QUERY)}


def _kind(kinds: Collection[str]) -> str:
    return next(kind for kind in (COMPOSITE, "zone", "term") if kind in kinds)


def _values_by_property(claims: Iterable[Claim], status: str) -> dict[str, frozenset[str]]:
    values: dict[str, frozenset[str]] = {}
    for claim in claims:
        if claim.property in COMPARED and claim.status == status:
            values[claim.property] = values.get(claim.property, frozenset()) | {claim.value}
    return values
