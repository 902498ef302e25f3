"""The editions of an index, joined: their rules, passages and terms with the ids that they have in the whole index."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.address import EditionKey
from search.index.bm25 import NO_BAGS, Bags, Rows
from search.index.definitions import BookOutline
from search.index.editions import IndexedEdition, Locators
from search.index.embeddings import SENTENCE_FIELDS, Keys
from search.index.rules import NO_RULE
from search.settings import Field

_SAME_RULE_JACCARD = 0.5
"""Share of common terms above which two texts with the same number are wordings of the same rule."""
_LARGE_ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads small numbers over 64 bits."""


class JoinedEditions:
    """The editions one after the other. Passages are ordered by field, then by rule."""

    def __init__(self, parts: Sequence[IndexedEdition]) -> None:
        self.parts = parts
        self.offsets = [0, *accumulate(len(part.rules) for part in parts)]
        """The id of the first rule of each edition, and the number of all rules."""
        self.editions: list[EditionKey] = [part.key for part in parts for _ in part.rules]
        self.locators: list[str] = [locator for part in parts for locator, *_ in part.rules]
        self._iris = [iri for part in parts for iri in part.iris]
        self.ids = {iri: rule for rule, iri in enumerate(self._iris)}
        self.vocabulary = list(dict.fromkeys(chain.from_iterable(part.vocabulary for part in parts)))
        columns = {term: column for column, term in enumerate(self.vocabulary)}
        self._columns = [np.array([columns[term] for term in part.vocabulary], dtype=np.int32) for part in parts]

    def rows(self) -> Rows:
        """The row of each passage in the postings; rules of a game whose passages of a field are equal share theirs."""
        begins, sizes, distinct, place = self._distinct_groups
        ends = np.cumsum(sizes[distinct])
        first_rows = (ends - sizes[distinct])[place]
        return (np.repeat(first_rows - begins, sizes) + np.arange(sizes.sum())).astype(np.int32)

    def bags(self) -> list[Bags]:
        """The terms of the rows of each field."""
        _, sizes, distinct, _ = self._distinct_groups
        is_distinct = np.zeros(len(sizes), dtype=np.bool_)
        is_distinct[distinct] = True
        has_row, offset = np.repeat(is_distinct, sizes), 0
        by_field: list[Bags] = []
        for field in Field:
            of_parts = [NO_BAGS]
            for part, columns in zip(self.parts, self._columns, strict=True):
                own = part.rows(field)
                passages = np.flatnonzero(has_row[offset : offset + own.stop - own.start]) + own.start
                offset += own.stop - own.start
                if len(passages):
                    of_parts.append(part.bags(passages, columns))
            by_field.append(Bags.joined(of_parts))
        return by_field

    @cached_property
    def _distinct_groups(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The first passage and the size of each group, the distinct groups, ascending, and the place of each group among them.

        A group has the passages of one rule in one field.
        """
        owners, fields, keys = self.owners(), self.column("field"), self.column("vector")
        begins = np.flatnonzero((np.diff(owners, prepend=-1) != 0) | (np.diff(fields, prepend=-1) != 0))
        sizes = np.diff(begins, append=len(owners))
        nth = np.arange(len(owners)) - np.repeat(begins, sizes)
        group_keys = np.add.reduceat(keys * (2 * nth + 1).astype(np.uint64), begins) if len(begins) else keys
        games = list(dict.fromkeys(part.key.game for part in self.parts))
        game = np.repeat([games.index(part.key.game) for part in self.parts], [len(part.rules) for part in self.parts])
        place_in_home = (game[owners[begins]] * len(Field) + fields[begins]).astype(np.uint64)
        _, first, place = np.unique(group_keys + place_in_home * _LARGE_ODD, return_index=True, return_inverse=True)
        order = np.argsort(first)
        return begins, sizes, first[order], np.argsort(order)[place.reshape(-1)]

    def column(self, name: str) -> NDArray[Any]:
        """An array of the passages; see IndexedEdition."""
        return np.concatenate([part.arrays[name][part.rows(field)] for field in Field for part in self.parts])

    def owners(self) -> NDArray[np.int32]:
        """The rule of each passage."""
        owners_of_parts = (
            part.arrays["owner"][part.rows(field)] + first
            for field in Field
            for part, first in zip(self.parts, self.offsets, strict=False)
        )
        return np.concatenate(list(owners_of_parts)).astype(np.int32)

    def vector_keys(self) -> Keys:
        """The keys of the passages that have a static vector."""
        keys: Keys = self.column("vector")[self.column("field") != Field.CONTEXT]
        return keys

    def sentence_keys(self) -> list[bytes]:
        """The keys of the passages of the fields with sentence embeddings."""
        keys = self.column("sentence")[np.isin(self.column("field"), SENTENCE_FIELDS)]
        return [key.tobytes() for key in keys]

    def rule_column(self, name: str) -> NDArray[Any]:
        """An array of the rules; see IndexedEdition."""
        return np.concatenate([part.arrays[name] for part in self.parts])

    def rules(self, current: Sequence[bool], searchable: Sequence[bool], groups: Sequence[int]) -> list[list[Any]]:
        """The rules with the fields of IndexedRule."""
        own = (
            (part.key.game, part.key.book, part.key.edition, locator, number, kind, langs)
            for part in self.parts
            for locator, number, kind, langs in part.rules
        )
        return [
            [iri, *fields, is_current, is_searchable, group]
            for iri, fields, is_current, is_searchable, group in zip(self._iris, own, current, searchable, groups, strict=True)
        ]

    @cached_property
    def cites(self) -> list[list[int]]:
        """The rules that each rule cites, in the order of its text."""
        return list(self._resolve(part.cites for part in self.parts))

    def parents(self) -> list[int]:
        """The parent of each rule, or NO_RULE."""
        own = [
            np.where(part.arrays["parent"] == NO_RULE, NO_RULE, part.arrays["parent"] + first)
            for part, first in zip(self.parts, self.offsets, strict=False)
        ]
        return [parent for parents in own for parent in parents.tolist()]

    def outline(self) -> BookOutline:
        """The order of the rules."""
        kinds = [kind for part in self.parts for _, _, kind, _ in part.rules]
        children = list(self._resolve(part.children for part in self.parts))
        editions = [nth for nth, part in enumerate(self.parts) for _ in part.rules]
        return BookOutline(editions, kinds, children, self.cites, self.rule_column("title").tolist())

    def defining(self, shipped: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int]]:
        """The concepts and the names in glosses, each with a rule that defines it; `shipped` are shipped definitions."""
        of_books = (definition for part in self.parts for definition in part.defined)
        yield from ((concept, self.ids[rule]) for concept, rule in chain(shipped, of_books) if rule in self.ids)
        for part, first in zip(self.parts, self.offsets, strict=False):
            yield from ((name, first + rule) for name, rules in part.names.items() for rule in rules)

    def _resolve(self, by_part: Iterable[Sequence[Locators]]) -> Iterator[list[int]]:
        """Lists of rules with their ids in the whole index, without unknown ones."""
        ids = self.ids
        for first, lists in zip(self.offsets, by_part, strict=False):
            for some in lists:
                rule_ids = (first + rule if isinstance(rule, int) else ids.get(rule, NO_RULE) for rule in some)
                yield [rule for rule in rule_ids if rule != NO_RULE]


def rule_groups(joined_editions: JoinedEditions) -> list[int]:
    """The group of each rule: the rules of several editions that are the same rule. A group's id is that of its first member.

    Rules are the same if they have the same words, similar words under the same number, or the same gloss.
    """
    groups = _Groups(joined_editions.offsets[-1])
    books: dict[tuple[str, str], list[tuple[IndexedEdition, int]]] = {}
    for part, first in zip(joined_editions.parts, joined_editions.offsets, strict=False):
        books.setdefault((part.key.game, part.key.book), []).append((part, first))
    for editions in books.values():
        _join_same_words(groups, editions)
        if len(editions) > 1:
            _join_similar_words(groups, editions)
        _join_same_gloss(groups, editions)
    return groups.roots()


class _Groups:
    """A union-find forest of rules."""

    def __init__(self, rules: int) -> None:
        self._parent = list(range(rules))

    def join(self, rule: int, other: int) -> None:
        """Joins the groups of two rules."""
        first, second = sorted((self.root(rule), self.root(other)))
        self._parent[second] = first

    def root(self, rule: int) -> int:
        """The first rule of a group."""
        parent = self._parent
        while parent[rule] != rule:
            rule = parent[rule]
        return rule

    def roots(self) -> list[int]:
        """The first rule of the group of each rule."""
        return [self.root(rule) for rule in range(len(self._parent))]


_Editions = Sequence[tuple[IndexedEdition, int]]
"""The editions of a book, each with the id of its first rule."""


def _texts(part: IndexedEdition) -> Iterator[tuple[int, int, int, int]]:
    """The texts of an edition: passage, rule, language and hash of the words."""
    rows = part.rows(Field.TEXT)
    columns = (part.arrays[name][rows].tolist() for name in ("owner", "lang", "words"))
    return zip(range(rows.start, rows.stop), *columns, strict=True)


def _join_same_words(groups: _Groups, editions: _Editions) -> None:
    by_words: dict[tuple[int, int], int] = {}
    for part, first in editions:
        for _, rule, lang, words in _texts(part):
            first_rule = by_words.setdefault((lang, words), first + rule)
            if first_rule != first + rule:
                groups.join(first_rule, first + rule)


def _join_similar_words(groups: _Groups, editions: _Editions) -> None:
    by_number: dict[tuple[int, str], list[tuple[int, IndexedEdition, int]]] = {}
    for part, first in editions:
        for passage, rule, lang, _ in _texts(part):
            others = by_number.setdefault((lang, part.rules[rule][0]), [])
            for other, other_part, other_passage in others:
                is_joined = groups.root(other) == groups.root(first + rule)
                if not is_joined and _are_similar(_terms(other_part, other_passage), _terms(part, passage)):
                    groups.join(other, first + rule)
            others.append((first + rule, part, passage))


def _terms(part: IndexedEdition, passage: int) -> set[str]:
    begins = part.arrays["begins"]
    return {part.vocabulary[term] for term in part.arrays["terms"][begins[passage] : begins[passage + 1]].tolist()}


def _are_similar(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= _SAME_RULE_JACCARD * len(one | other)


def _join_same_gloss(groups: _Groups, editions: _Editions) -> None:
    """Joins rules that share a gloss: it is for the words of one and is shown with the other wording."""
    by_gloss: dict[int, int] = {}
    places = {part.key.edition: {locator: rule for rule, (locator, *_) in enumerate(part.rules, first)} for part, first in editions}
    for part, first in editions:
        for rule, gloss in enumerate(part.arrays["gloss"].tolist()):
            if gloss:
                groups.join(by_gloss.setdefault(gloss, first + rule), first + rule)
        for place, edition in part.other_glosses.items():
            locator = part.rules[int(place)][0]
            if (gloss_place := places.get(edition, {}).get(locator)) is not None:
                groups.join(gloss_place, first + int(place))
