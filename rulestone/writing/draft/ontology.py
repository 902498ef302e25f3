"""The ontology of a draft: the shipped graphs, the claims among the loaded editions, and the concepts in the records.

A further bundle computes again only what its changed editions affect.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from corpus.address import EditionKey, graph_iri, scheme_of, split_rule
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home.disk import fingerprint
from corpus.store.home.manifest import Manifest
from ontology import shipped
from ontology.checks.claims import VERIFIED_GRAPH, verified_quads, verify_supports
from ontology.concepts.bundle import replace_claims, replace_mappings, write_claims, write_mappings, write_names
from ontology.concepts.claim_status import Statuses, as_shipped, changed_statuses, updated_statuses, with_statuses
from ontology.concepts.claims import Claim, claims_in
from ontology.facts import FACTS_GRAPH
from ontology.knowledge import Knowledge
from ontology.proposed import matched_concepts, write_proposed
from ontology.translation.checked_alignments import saved_alignments
from ontology.translation.glossary import CURATED_GRAPH, curated_labels, curated_quads
from ontology.verdicts import saved_verdicts
from rulestone.writing.draft.counterparts import add_counterparts
from rulestone.writing.draft.editions import replace_graphs

_CLAIMS, _TERMS, _PROPOSED = (graph_iri(name, "") for name in ("claims", "terms", "proposed"))
Graphs = Mapping[str, str]
"""Named graph → a hash of its quads."""


class OntologyWriter:
    """Writes the ontology of a draft: the graphs, the claims, the proposed matches, and the concepts in the records."""

    def __init__(self, draft: Path, manifest: Manifest, *, incremental: bool) -> None:
        """The tables are already in the draft. `manifest` is that of the previous bundle, and `incremental` if it is continued."""
        self.sheets = saved_alignments(draft)
        self._curated_labels = curated_labels(draft)
        self._verdicts = [verdict for verdict in saved_verdicts(draft) if not verdict.is_of_rules]
        self._manifest = manifest
        self._named, self._proposed = _naming_graphs(manifest), _book_graphs(manifest, _PROPOSED)
        self._rewrites_claims = self._shipped_changed = not incremental
        self._claims: Sequence[Claim] = ()
        self._concepts_with_new_claims: set[str] = set()
        self._matches_changed = not incremental
        self._concepts_with_new_mappings: set[str] | None = None  # None: all, if the matches have changed

    def write_graphs(self, store: Store) -> None:
        """Writes the shipped graphs, unless those of the previous bundle are equal."""
        version = fingerprint(shipped.graphs_version(), repr(sorted(self._curated_labels)), repr(sorted(self._verdicts)))
        made_of = "" if self.sheets else version  # the counterparts of checked alignments depend on the loaded editions
        if self._shipped_changed or not made_of or made_of != self._manifest.ontology:
            self._shipped_changed = self._rewrites_claims = True
            self._manifest.ontology = made_of
            self._write_statuses(store)

    def write_claims(self, knowledge: Knowledge, affected_keys: Collection[EditionKey]) -> None:
        """Settles the status of each claim among the loaded editions, and looks up its quotations in the affected ones."""
        if self._rewrites_claims or self._proposed != _book_graphs(self._manifest, _PROPOSED):
            self._rewrites_claims = True
            before = claims_in(knowledge.store)
            claims = as_shipped(before, self._manifest.statuses)
            self._settle_statuses(knowledge.store, changed_statuses(knowledge, claims))
            verifications: Mapping[str, bool] = verify_supports(
                knowledge, [support for claim in claims for support in claim.supports]
            )
            self._write_verified(knowledge.store, verifications)
        else:
            before, games = knowledge.concepts.claims(), {key.game for key in affected_keys}
            claims = as_shipped(before, self._manifest.statuses)
            self._settle_statuses(knowledge.store, updated_statuses(knowledge, before, self._manifest.statuses, games))
            verifications = self._verify_affected(knowledge, before, affected_keys)
        self._claims = [_current_claim(claim, self._manifest.statuses, verifications) for claim in claims]
        changed_claims = (claim for claim, old in zip(self._claims, before, strict=True) if claim != old)
        self._concepts_with_new_claims = {claim.concept for claim in changed_claims}

    def write_matches(self, store: Store) -> None:
        """Writes the proposed and judged matches again if a book of a game that may have some, or the ontology, has changed."""
        judged_games = {scheme_of(verdict.subject) for verdict in self._verdicts}
        before, now = (_matched_graphs(graphs, judged_games) for graphs in (self._named, _naming_graphs(self._manifest)))
        self._matches_changed = self._rewrites_claims or before != now
        if self._matches_changed:
            concepts = matched_concepts(store)
            write_proposed(store, self._verdicts, self._claims)
            if not (self._shipped_changed or self._verdicts):  # a verdict changes the mappings of other concepts, too
                self._concepts_with_new_mappings = concepts | matched_concepts(store)

    def write_concepts(self, records: NewDocuments, store: Store) -> None:
        """Writes the names, claims and mappings of concepts that have changed."""
        if self._rewrites_claims or self._named != _naming_graphs(self._manifest):
            write_names(records, store)
        if self._rewrites_claims:
            write_claims(records, self._claims)
        elif concepts := self._concepts_with_new_claims:
            replace_claims(records, concepts, (claim for claim in self._claims if claim.concept in concepts))
        if self._concepts_with_new_mappings is not None:
            replace_mappings(records, store, self._concepts_with_new_mappings)
        elif self._matches_changed:
            write_mappings(records, store)

    @cached_property
    def _graphs(self) -> Mapping[str, bytes]:
        graphs = add_counterparts(shipped.shipped_graphs(), self.sheets, self._manifest)
        return {**graphs, CURATED_GRAPH: curated_quads(self._curated_labels)} if self._curated_labels else graphs

    def _settle_statuses(self, store: Store, statuses: Mapping[str, tuple[str, str]]) -> None:
        if statuses != self._manifest.statuses:
            self._manifest.statuses = dict(statuses)
            self._write_statuses(store)

    def _write_statuses(self, store: Store) -> None:
        graphs = with_statuses(self._graphs, self._manifest.statuses)
        self._manifest.shipped = replace_graphs(store, graphs, self._manifest.shipped)
        store.flush()

    def _verify_affected(
        self, knowledge: Knowledge, claims: Collection[Claim], affected_keys: Collection[EditionKey]
    ) -> Mapping[str, bool]:
        """Looks up the quotations from affected editions, and returns the findings of all."""
        supports = [support for claim in claims for support in claim.supports]
        before = {support.iri: support.verified for support in supports if support.verified is not None}
        about = [support for support in supports if split_rule(support.rule).key in affected_keys]
        others = {iri: is_verified for iri, is_verified in before.items() if iri not in {support.iri for support in about}}
        if (verifications := {**others, **verify_supports(knowledge, about)}) != before:
            self._write_verified(knowledge.store, verifications)
        return verifications

    def _write_verified(self, store: Store, verifications: Mapping[str, bool]) -> None:
        store.drop([VERIFIED_GRAPH])
        store.load(verified_quads(verifications))


def _current_claim(claim: Claim, statuses: Statuses, verifications: Mapping[str, bool]) -> Claim:
    """A claim as shipped, with its status among the loaded editions and the findings about its quotations."""
    supports = tuple(replace(support, verified=verifications.get(support.iri)) for support in claim.supports)
    return replace(claim, status=statuses[claim.iri][1] if claim.iri in statuses else claim.status, supports=supports)


def _naming_graphs(manifest: Manifest) -> Graphs:
    """The graphs that may name concepts."""
    by_status = {graph for graph in manifest.shipped if graph.startswith(_CLAIMS) or graph == FACTS_GRAPH}
    own = {graph: graph_hash for graph, graph_hash in manifest.shipped.items() if graph not in by_status}
    return {**own, **_book_graphs(manifest, _TERMS), **_book_graphs(manifest, _PROPOSED)}


def _matched_graphs(graphs: Graphs, judged_games: Collection[str]) -> Graphs:
    """The graphs of terms and zones of games that have no shipped annotations, or that curators judged."""
    games = {graph: graph.removeprefix(_TERMS).removeprefix(_PROPOSED).partition("/")[0] for graph in graphs}
    of_books = (graph for graph in graphs if graph.startswith((_TERMS, _PROPOSED)))
    return {graph: graphs[graph] for graph in of_books if games[graph] in judged_games or not shipped.has_annotations(games[graph])}


def _book_graphs(manifest: Manifest, prefix: str) -> Graphs:
    """The graphs of editions with a prefix."""
    entries = manifest.editions.values()
    return {graph: graph_hash for entry in entries for graph, graph_hash in entry.graphs.items() if graph.startswith(prefix)}
