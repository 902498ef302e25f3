"""The index's data about each rule besides its passages: identity, position in the outline, counterparts in other games."""

import marshal
import re
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from corpus.address import EditionKey, skos_curie
from corpus.catalogue import catalogue
from corpus.chronology import newest_first
from corpus.contract import RuleRecord
from corpus.editions.sections import section_roots
from corpus.languages import language_of
from corpus.model import HEADING_KINDS
from corpus.prepared import prepared
from corpus.store.engine import Solution
from corpus.words.lexicon import Lexicon
from corpus.words.text import fold_text
from corpus.words.tokens import Token
from ontology.knowledge import Knowledge
from ontology.mappings import (
    COUNTERPARTS_GRAPH,
    JUDGED_COUNTERPARTS,
    PROPOSED_COUNTERPARTS,
    comments_by_language,
    rule_mappings_in,
)
from ontology.shipped import graph_hashes
from search.index.passages import Ids
from search.settings import DATA

Flags = NDArray[np.bool_]
"""A flag for each rule, shape (rules,)."""
NO_RULE = -1
_UNUSED_FIELDS = ("mentions", "sources", "cited_by", "previous", "next")
"""Fields of a record that are never indexed or that are too long to keep."""
_TITLE_NUMBER = re.compile(r"^[\d.\-\s]+")
_VARIANT_CONCEPT = "variant"
_MATCH_SHARE = {"closeMatch": 1.0, "broadMatch": 0.7, "narrowMatch": 0.7, "relatedMatch": 0.35}
"""The degree to which a counterpart answers the same question. Rules are never `exactMatch`."""


def compact_records(knowledge: Knowledge, editions: Collection[EditionKey] | None = None) -> Iterator[RuleRecord]:
    """The rules of some editions (None: of all), in document order, without unused fields, with targets and IRIs of children.

    Equal values are shared, which saves most of the memory, because editions repeat most rules.
    """
    shared: dict[bytes, object] = {}
    for record in knowledge.compact_records(editions):
        compact: dict[str, object] = {name: value for name, value in record.items() if name not in _UNUSED_FIELDS}
        compact["cites"] = [{"target": cite["target"]} for cite in record["cites"]]
        compact["children"] = [{"iri": child["iri"]} for child in record["children"]]
        for name, value in compact.items():
            if isinstance(value, str):
                compact[name] = sys.intern(value)
            elif isinstance(value, list | dict):
                compact[name] = shared.setdefault(marshal.dumps(value, 2), value)  # later versions mark shared references
        yield cast(RuleRecord, compact)


@dataclass(frozen=True, slots=True)
class IndexedRule:
    """A rule of an index."""

    iri: str
    game: str
    book: str
    edition: str
    locator: str
    number: str | None
    kind: str
    langs: tuple[str, ...]  # of its texts
    current: bool
    searchable: bool  # see `searchable_mask`
    group: int  # id of the group of rules that are the same rule in several editions


class IndexedRules:
    """The rules of an index by id, in columns; an IndexedRule is created on access, since a query needs few of them."""

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        """`rows` have the fields of IndexedRule in their order."""
        self._rows = rows
        columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [()] * len(fields(IndexedRule))
        _, games, books, editions, self.locators, self._numbers, kinds, self._langs, current, searchable, groups = columns
        self.games: list[str] = list(dict.fromkeys(games))
        codes = {game: code for code, game in enumerate(self.games)}
        self.game = np.array([codes[game] for game in games], dtype=np.int32)  # position in `games`
        self.group = np.array(groups, dtype=np.int32)
        self.current: Flags = np.array(current, dtype=np.bool_)
        self.searchable: Flags = np.array(searchable, dtype=np.bool_)
        self.kinds: Sequence[str] = kinds
        self.heading: Flags = np.array([kind in HEADING_KINDS for kind in kinds], dtype=np.bool_)
        self.group_count = len(set(groups))
        self.editions = list(map(EditionKey, games, books, editions))
        self._by_group, self._group_begins = self._sort_by_group()

    def with_flags(self, current: Sequence[bool], searchable: Sequence[bool]) -> "IndexedRules":
        """The same rules with other flags."""
        other = copy(self)
        other.current, other.searchable = np.array(current, dtype=np.bool_), np.array(searchable, dtype=np.bool_)
        other._by_group, other._group_begins = other._sort_by_group()
        return other

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, rule: int) -> IndexedRule:
        iri, game, book, edition, locator, number, kind, langs, current, searchable, group = self._rows[rule]
        return IndexedRule(iri, game, book, edition, locator, number, kind, tuple(langs), current, searchable, group)

    def members(self, group: int) -> Ids:
        """The searchable rules of a group, the latest edition first."""
        return self._by_group[self._group_begins[group] : self._group_begins[group + 1]]

    @cached_property
    def by_game(self) -> tuple[Ids, Ids]:
        """The rules ordered by game, as in `games`, and the start of each game in that order."""
        order = np.argsort(self.game, kind="stable")
        return order, np.searchsorted(self.game[order], np.arange(len(self.games)))

    def mask(self, games: Sequence[str], lang: str | None) -> Flags | None:
        """The searchable rules of games (none: all) with a text in a language (None: any); None if these are all rules."""
        if not games and lang is None:
            return None if self.searchable.all() else self.searchable
        searchable = self.searchable & self._with_text_in(lang) if lang else self.searchable
        codes = [self.games.index(game) for game in games if game in self.games]
        return searchable & np.isin(self.game, codes) if games else searchable

    def in_language(self, lang: str) -> Flags:
        """Flags of the rules that have a text in a language, in any script."""
        none: Flags = np.zeros(len(self), dtype=np.bool_)
        own = [flags for tag, flags in self._languages.items() if language_of(tag) == language_of(lang)]
        has_lang: Flags = np.any([none, *own], axis=0)
        return has_lang

    def _with_text_in(self, lang: str) -> Flags:
        none: Flags = np.zeros(len(self), dtype=np.bool_)
        return self._languages.get(lang, none)

    @cached_property
    def _languages(self) -> dict[str, Flags]:
        every = {lang for langs in self._langs for lang in langs}
        return {lang: np.array([lang in langs for langs in self._langs], dtype=np.bool_) for lang in every}

    @cached_property
    def by_number(self) -> dict[str, list[int]]:
        """Folded rule number → the rules that have it."""
        rules: dict[str, list[int]] = {}
        for rule, (number, locator) in enumerate(zip(self._numbers, self.locators, strict=True)):
            if number:
                rules.setdefault(locator, []).append(rule)
        return rules

    def _sort_by_group(self) -> tuple[Ids, Ids]:
        """The searchable rules ordered by group and then from the latest edition, and the start of each group in that order."""
        versions = list(zip(self.current.tolist(), self.editions, strict=True))
        ranks = {version: rank for rank, version in enumerate(sorted(set(versions), key=_newest_first))}
        age = np.array([ranks[version] for version in versions], dtype=np.int32)
        order = np.lexsort((age, self.group))
        order = order[self.searchable[order]]
        return order, np.searchsorted(self.group[order], np.arange(len(self) + 1))


def _newest_first(version: tuple[bool, EditionKey]) -> tuple[bool, tuple[int, ...], int, str]:
    """Sort key of editions: current ones first, then the latest first."""
    current, edition = version
    return not current, *newest_first(edition)


def searchable_mask(
    knowledge: Knowledge, editions: Sequence[EditionKey], locators: Sequence[str], groups: Sequence[int]
) -> list[bool]:
    """For each rule, whether it is searchable.

    A rule is not searchable if its edition is not loaded, or if it is known only from the digest and another edition has its text,
    or another book of which its own is a summary has its chapter.
    """
    summaries = {key for key in set(editions) if _is_glossed_summary(knowledge, key)}
    gloss_only = {key for key, entry in knowledge.manifest.editions.items() if not entry.languages}
    gloss_books = {(key.game, key.book) for key in gloss_only}
    beside_glosses = {key for key in set(editions) if key in knowledge.manifest.editions and (key.game, key.book) in gloss_books}
    others: dict[object, set[EditionKey]] = {}
    for edition, locator, group in zip(editions, locators, groups, strict=True):
        if edition in beside_glosses:  # no rule of other books may be hidden
            others.setdefault(group, set()).add(edition)
            others.setdefault((edition.game, edition.book, locator), set()).add(edition)

    def is_searchable(edition: EditionKey, locator: str, group: int) -> bool:
        if edition in summaries and not knowledge.currency.currency_of(edition, locator).is_current:
            return False
        if edition not in gloss_only:  # no text is hidden
            return edition in knowledge.manifest.editions
        beside = others[group] | others[edition.game, edition.book, locator]  # its own edition is among them
        return len(beside) == 1 or not knowledge.is_hidden(edition, beside)

    return list(map(is_searchable, editions, locators, groups))


def current_flags(knowledge: Knowledge, editions: Sequence[EditionKey], locators: Sequence[str]) -> list[bool]:
    """Whether each rule is current; equal keys of editions should be one object."""
    return [
        is_current
        for edition, rules in groupby(zip(editions, locators, strict=True), key=itemgetter(0))
        for is_current in knowledge.currency.are_current(edition, [locator for _, locator in rules])
    ]


def _is_glossed_summary(knowledge: Knowledge, key: EditionKey) -> bool:
    """Whether a summary of another book is known only from the digest."""
    entry = knowledge.manifest.editions.get(key)
    return entry is not None and not entry.languages and catalogue().book(key.game, key.book).summarises is not None


def rules_as_of(rules: IndexedRules, knowledge: Knowledge) -> IndexedRules:
    """The rules of an index with the flags that apply to a knowledge base of another date."""
    mask = searchable_mask(knowledge, rules.editions, rules.locators, rules.group.tolist())
    flags = current_flags(knowledge, rules.editions, rules.locators)
    current = [is_searchable and is_current for is_searchable, is_current in zip(mask, flags, strict=True)]
    return rules.with_flags(current, mask)


class IndexedOutline:
    """The outline of the books in an index, as ids of rules, NO_RULE for none; each array has shape (rules,)."""

    def __init__(self, parents: Sequence[int], variants: Sequence[int], heading: Flags, kinds: Sequence[str]) -> None:
        """`parents` has an id for each rule, `variants` the ids of the rules of variants."""
        self._heading, self._kinds = heading, kinds
        self.parent = np.array(parents, dtype=np.int32)
        self.section = _nearest_heading(self.parent, heading)
        """The nearest heading above each rule."""
        self.top_rule = _top_rule(self.parent, heading)
        """For each rule, the rule directly under a heading that it is or belongs to."""
        self.variant: Flags = np.zeros(len(parents), dtype=np.bool_)
        self.variant[list(variants)] = True

    def with_parts(self, rules: Sequence[int]) -> list[int]:
        """Some rules and headings, with everything below them."""
        ids = np.array(rules, dtype=np.int32)
        every = ids
        while len(ids):
            ids = np.flatnonzero(np.isin(self.parent, ids)).astype(np.int32)
            every = np.union1d(every, ids)
        return [int(rule) for rule in every]

    @cached_property
    def section_root(self) -> NDArray[np.int32]:
        """For each rule, the rule or heading that its section begins with; see `section_roots`."""
        depths: list[int] = []
        for rule, parent in enumerate(self.parent.tolist()):
            depths.append(depths[parent] + 1 if 0 <= parent < rule else 0)
        return np.array(section_roots(depths, self._kinds), dtype=np.int32)

    def section_members(self, root: int) -> list[int]:
        """The rules and headings of the section that begins with one, in document order, that one included."""
        members: list[int] = np.flatnonzero(self.section_root == root).tolist()
        return members

    @cached_property
    def section_starts(self) -> Flags:
        """Which rules and headings begin a section that contains a rule."""
        starts: Flags = np.zeros(len(self.parent), dtype=np.bool_)
        starts[self.section_root[~self._heading]] = True
        return starts


def _nearest_heading(parent: NDArray[np.int32], heading: Flags) -> NDArray[np.int32]:
    above = parent.copy()
    while (further := (above >= 0) & ~heading[above]).any():
        above[further] = parent[above[further]]
    return above


def _top_rule(parent: NDArray[np.int32], heading: Flags) -> NDArray[np.int32]:
    top = np.arange(len(parent), dtype=np.int32)
    while (further := (parent[top] >= 0) & ~heading[parent[top]]).any():
        top[further] = parent[top[further]]
    return top


def is_variant(record: RuleRecord) -> bool:
    """Whether a rule is under a title of `variants.toml`, such as those of a multiplayer variant."""
    return any(_is_variant_title(title) for title in _bare_titles(record))


@lru_cache(maxsize=1 << 12)
def _is_variant_title(title: str) -> bool:
    return fold_text(title) in _variant_titles()


@cache
def _variant_titles() -> frozenset[str]:
    return frozenset(map(fold_text, _variants_by_rule()["titles"]))


def _bare_titles(record: RuleRecord) -> Iterator[str]:
    return (_TITLE_NUMBER.sub("", title) for titles in record["headings"].values() for title in titles)


def names_variant(words: Sequence[Token]) -> bool:
    """Whether a question names a variant."""
    return next(iter(_variant_lexicon().find(words)), None) is not None


def variant_words() -> Sequence[str]:
    """The words that name variants in questions."""
    return _variants_by_rule()["words"]


@cache
def _variants_by_rule() -> Mapping[str, list[str]]:
    return tomllib.loads((DATA / "variants.toml").read_text(encoding="utf-8"))


@cache
def _variant_lexicon() -> Lexicon:
    return Lexicon((word, _VARIANT_CONCEPT) for word in variant_words())


class IndexedCounterpart(NamedTuple):
    """A rule of another game that answers the same question."""

    group: int  # the rule in all its editions
    predicate: str  # skos:closeMatch …
    comments: Mapping[str, str]  # language → what differs
    confidence: float  # probability that a trained judge agrees
    status: str  # accepted | proposed

    @property
    def share(self) -> float:
        """The share of a hit's score that the counterpart deserves, 0–1."""
        return self.confidence * _MATCH_SHARE[self.predicate.removeprefix("skos:")]


CounterpartRow = tuple[int, int, str, dict[str, str], float]
"""Group, group of the counterpart, predicate, comments by language, confidence."""


_RuleMatch = tuple[str, str, str, dict[str, str], float]
"""Rule, its counterpart, predicate, comments by language, confidence."""


def counterpart_rows(knowledge: Knowledge, ids: Mapping[str, int], groups: Sequence[int]) -> list[CounterpartRow]:
    """Every judged counterpart in the form stored in the header of an index, each pair once, by falling confidence.

    Those that ship precede those that curators accepted.
    """

    def read() -> list[_RuleMatch]:
        return _rule_matches(knowledge, COUNTERPARTS_GRAPH)

    graph_hash = knowledge.manifest.shipped.get(COUNTERPARTS_GRAPH)
    is_as_shipped = graph_hash is not None and graph_hash == graph_hashes().get(COUNTERPARTS_GRAPH)
    shipped = prepared("counterparts", read) if is_as_shipped else read()
    return _rows_of_groups((*shipped, *_rule_matches(knowledge, JUDGED_COUNTERPARTS)), ids, groups)


def proposed_rows(knowledge: Knowledge, ids: Mapping[str, int], groups: Sequence[int]) -> list[CounterpartRow]:
    """The same for the proposed counterparts."""
    return _rows_of_groups(_rule_matches(knowledge, PROPOSED_COUNTERPARTS), ids, groups)


def _rows_of_groups(matches: Iterable[_RuleMatch], ids: Mapping[str, int], groups: Sequence[int]) -> list[CounterpartRow]:
    pairs: dict[tuple[int, int], tuple[str, dict[str, str], float]] = {}
    for rule, other, predicate, comments_, confidence in matches:
        if rule in ids and other in ids:
            pairs.setdefault((groups[ids[rule]], groups[ids[other]]), (predicate, comments_, confidence))
    return [(*pair, *match) for pair, match in pairs.items()]


def _rule_matches(knowledge: Knowledge, graph: str) -> list[_RuleMatch]:
    """The pairs of rules in a graph, by falling confidence."""
    return [
        (row["rule"], row["other"], skos_curie(row["predicate"]), comments_by_language(row), float(row["confidence"]))
        for row in sorted(rule_mappings_in(knowledge.store, graph=graph), key=_by_confidence)
    ]


def _by_confidence(row: Solution) -> tuple[float, str, str, str]:
    return -float(row["confidence"]), row["rule"], row["other"], row["predicate"]


def counterparts_by_group(rows: Iterable[CounterpartRow], status: str) -> dict[int, list[IndexedCounterpart]]:
    """Group → its counterparts, from the rows of `counterpart_rows` or `proposed_rows`."""
    by_group: dict[int, list[IndexedCounterpart]] = {}
    for group, other, predicate, comments_, confidence in rows:
        by_group.setdefault(group, []).append(IndexedCounterpart(other, predicate, comments_, confidence, status))
    return by_group
