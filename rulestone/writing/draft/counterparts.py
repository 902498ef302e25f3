"""Counterparts of rules in a draft: the links of checked alignments, and those that are proposed."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from corpus.address import graph_iri, split_rule
from corpus.catalogue import RULES
from corpus.store.engine import Store
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.manifest import Manifest
from ontology.knowledge import Knowledge
from ontology.mappings import JUDGED_COUNTERPARTS
from ontology.proposed_counterparts import RulePair, proposed_pairs, write_counterparts
from ontology.shipped import has_annotations, mapping_quads, shipped_mappings
from ontology.sssom import rows_in
from ontology.translation.checked_alignments import AlignmentSheet, sheet_mappings
from ontology.verdicts import NO, YES, Verdict, saved_verdicts
from rulestone.writing.draft.threads import pairs_of
from search.counterparts import propose_counterparts
from search.index.index import FOLDER as INDEX
from search.index.index import Index, is_complete, rewrite_counterparts

COUNTERPARTS = "counterparts"
"""The folder of shipped counterparts, and the last part of their graph."""


def are_neighbours(sheet: AlignmentSheet, manifest: Manifest) -> bool:
    """Whether a sheet aligns neighbouring editions of a book."""
    same = (sheet.old.game, sheet.old.book) == (sheet.new.game, sheet.new.book)
    return same and bool({(sheet.old, sheet.new), (sheet.new, sheet.old)} & pairs_of(manifest))


def add_counterparts(graphs: Mapping[str, bytes], sheets: Sequence[AlignmentSheet], manifest: Manifest) -> Mapping[str, bytes]:
    """The shipped graphs, with the links of checked alignments among the counterparts of rules."""
    there = [
        sheet for sheet in sheets if {sheet.old, sheet.new} <= manifest.editions.keys() and not are_neighbours(sheet, manifest)
    ]
    rows = [row for sheet in there for row in sheet_mappings(sheet)]
    return (
        {
            **graphs,
            graph_iri(COUNTERPARTS): mapping_quads(COUNTERPARTS, [*shipped_mappings(COUNTERPARTS), *rows]),
        }
        if rows
        else graphs
    )


def write_rule_counterparts(draft: Path, manifest: Manifest) -> None:
    """Writes the proposed and the judged counterparts of rules into the store of a draft that has the index, and into that index.

    Only games without annotations have proposals. They are made where all texts are encoded; else those in the store remain.
    """
    games = {key.game for key in manifest.editions if not has_annotations(key.game)}
    verdicts = [verdict for verdict in saved_verdicts(draft) if verdict.is_of_rules]
    has_proposals = bool(games) and is_complete(draft / INDEX)
    knowledge = Knowledge.open(draft)
    if not has_proposals and not verdicts and not rows_in(knowledge.store, JUDGED_COUNTERPARTS):
        return
    index = Index(draft / INDEX)
    if has_proposals:
        books = {(key.game, key.book) for key in manifest.editions if knowledge.document(key.game, key.book) == RULES}
        pairs: Sequence[RulePair] = propose_counterparts(index, games, books)
    else:
        pairs = proposed_pairs(knowledge.store)
    judged_pairs = JudgedPairs(index, verdicts)
    store = Store(draft / STORE_FOLDER)
    write_counterparts(store, [pair for pair in pairs if not judged_pairs.has_verdict(pair)], judged_pairs.verdicts)
    store.close()
    rewrite_counterparts(draft / INDEX, Knowledge.open(draft))


class JudgedPairs:
    """Curators' verdicts on pairs of rules of an index.

    They hold in later editions that have the rules with the same words, or with similar ones under the same number.
    """

    def __init__(self, index: Index, verdicts: Iterable[Verdict]) -> None:
        """Of several verdicts on a pair, the latest holds; those on rules that are not in the index are left out."""
        self._rules = index.rules
        self._places = {index.rules[rule].iri: rule for rule in range(len(index.rules))}
        by_pair: dict[frozenset[int], Verdict] = {}
        for verdict in sorted(verdicts, key=lambda verdict: verdict.when):
            if {verdict.subject, *verdict.objects} <= self._places.keys():
                by_pair[self._groups(verdict.subject, verdict.object)] = verdict
        self.verdicts = [self._in_latest_editions(verdict) for verdict in by_pair.values()]
        """With the address of each rule in its latest edition."""
        self._pairs = {*by_pair}
        self._accepted_ends = {
            (self._group(verdict.subject), split_rule(verdict.accepted).key.game) for verdict in self.verdicts if verdict.accepted
        }

    def has_verdict(self, pair: RulePair) -> bool:
        """Whether a curator judged a pair, or accepted another counterpart of its rule in that game."""
        rule, other, _ = pair
        ends = {(self._group(own), split_rule(its).key.game) for own, its in ((rule, other), (other, rule))}
        return self._groups(rule, other) in self._pairs or not ends.isdisjoint(self._accepted_ends)

    def _groups(self, rule: str, other: str) -> frozenset[int]:
        return frozenset((self._group(rule), self._group(other)))

    def _group(self, rule: str) -> int:
        """The group of a rule; -1 for an unknown one."""
        return int(self._rules.group[self._places[rule]]) if rule in self._places else -1

    def _in_latest_editions(self, verdict: Verdict) -> Verdict:
        decision = verdict.verdict if verdict.verdict in (YES, NO) else self._latest(verdict.verdict)
        return verdict._replace(subject=self._latest(verdict.subject), object=self._latest(verdict.object), verdict=decision)

    def _latest(self, rule: str) -> str:
        """The rule in the latest edition that has its words: itself there, else the one with its number, else the first."""
        key, locator = split_rule(rule)
        same = [self._rules[int(member)].iri for member in self._rules.members(self._group(rule))]
        latest = [iri for iri in same if split_rule(iri).key == split_rule(same[0]).key]
        if not latest or split_rule(latest[0]).key == key:
            return rule
        return next((iri for iri in latest if split_rule(iri).locator == locator), latest[0])
