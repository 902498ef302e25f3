"""The search index of a bundle: its passages with terms and vectors, and the data about rules that ranking needs."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from corpus.address import EditionKey
from corpus.errors import EnvironmentFault
from corpus.languages import LANGUAGES
from corpus.words.lexicon import Lexicon
from ontology.knowledge import Knowledge
from search.encode.cache import VectorCache
from search.encode.encoder import Encoder, Vectors
from search.index import arrays, bm25, embeddings
from search.index.bm25 import Vocabulary
from search.index.concept_tokens import build_lexicon
from search.index.definitions import defined_concepts, definition_rows
from search.index.editions import FOLDER as EDITIONS
from search.index.editions import write_editions
from search.index.embeddings import EncoderInfo, SentenceInfo
from search.index.engine import EngineQuery, MappedEngine, OpenEngine, PassageTable, matched_terms
from search.index.joining import JoinedEditions, rule_groups
from search.index.passages import Ids, Passage, Scores, Segment, passages, questions_by_rule
from search.index.rules import (
    Flags,
    IndexedCounterpart,
    IndexedOutline,
    IndexedRules,
    compact_records,
    counterpart_rows,
    counterparts_by_group,
    current_flags,
    proposed_rows,
    rules_as_of,
    searchable_mask,
)
from search.settings import SEARCH, Field, SearchSettings

FOLDER, LABELS, HEADER, RULES = "search", "labels.json", "index.json", "rules.json"
"""The folder of an index, its lexicon, the encoders of its vectors, and its rules."""
SENTENCE_FILES = (HEADER, embeddings.SENTENCE_FILE, embeddings.SENTENCE_ROWS)
"""The files of an index that `rewrite_sentences` writes."""
FORMAT_VERSION = 14
_WITHOUT_ROWS = 13
"""The version whose passages all have postings of their own."""


def write_index(
    folder: Path, knowledge: Knowledge, encoder: Encoder, before: Path | None = None, cache: VectorCache | None = None
) -> None:
    """Writes the index of a bundle's knowledge into a folder, and the part of each edition (`editions`) into one beside it.

    The same knowledge gives the same bytes. `before` is the folder of the previous index, whose vectors and editions are reused;
    `cache` holds the existing sentence embeddings.
    """
    folder.mkdir(exist_ok=True)
    lexicon = build_lexicon(knowledge)
    lexicon.save(folder / LABELS)
    before = before if before and embeddings.has_static_vectors(before, encoder) else None
    parts, builder = write_editions(folder, folder.parent / EDITIONS, knowledge, lexicon, encoder, before)
    editions = JoinedEditions(parts)
    bm25.write_weights(folder, editions.vocabulary, editions.bags(), editions.rows())
    arrays.save(folder / "rules.npy", editions.owners())
    arrays.save(folder / "langs.npy", editions.column("lang"))
    arrays.save(folder / "fields.npy", editions.column("field"))
    groups = rule_groups(editions)
    searchable = searchable_mask(knowledge, editions.editions, editions.locators, groups)
    current = current_flags(knowledge, editions.editions, editions.locators)
    rules = {
        "rules": editions.rules(current, searchable, groups),
        "cites": [[rule for rule in targets if rule != own] for own, targets in enumerate(editions.cites)],
        "parents": editions.parents(),
        "variants": np.flatnonzero(editions.rule_column("variant")).tolist(),
        "definitions": definition_rows(editions.defining(defined_concepts(knowledge)), editions.outline()),
        "counterparts": counterpart_rows(knowledge, editions.ids, groups),
        "proposed": proposed_rows(knowledge, editions.ids, groups),
    }
    _write_json(folder / RULES, rules)
    header = {
        "format": FORMAT_VERSION,
        "model": builder.write(folder, editions.vector_keys()),
        "sentences": embeddings.write_sentence_keys(folder, editions.sentence_keys(), cache) if cache else None,
    }
    write_header(folder, header)


def _passages(knowledge: Knowledge) -> list[Passage]:
    """The passages of every rule, field by field."""
    records, questions = list(compact_records(knowledge)), questions_by_rule(knowledge)
    by_iri = {record["iri"]: record for record in records}
    every_passage = [
        passage
        for rule, record in enumerate(records)
        for passage in passages(rule, record, questions.get(record["iri"], ()), by_iri.get(record["parent"] or ""))
    ]
    return sorted(every_passage, key=lambda passage: (passage.field, passage.owner))


def sentence_passages(knowledge: Knowledge) -> list[Passage]:
    """The passages of an index whose fields have sentence embeddings, in their order."""
    return [passage for passage in _passages(knowledge) if passage.field in embeddings.SENTENCE_FIELDS]


def sentence_info(folder: Path) -> SentenceInfo | None:
    """The encoder of the sentence embeddings of an index, and their number; None if it has none."""
    return SentenceInfo.from_header(_header(folder)["sentences"])


def is_complete(folder: Path) -> bool:
    """Whether every text of an index that should have a sentence embedding has one."""
    state = sentence_info(folder)
    return state is not None and state.encoded == state.total


def rewrite_sentences(folder: Path, passages: Sequence[Passage], cache: VectorCache) -> None:
    """Replaces the sentence embeddings of an existing index; its other files remain."""
    write_header(folder, {**_header(folder), "sentences": embeddings.write_sentences(folder, passages, cache)})


def rewrite_counterparts(folder: Path, knowledge: Knowledge) -> None:
    """Replaces the counterparts of an existing index by those in the store."""
    _header(folder)
    body = orjson.loads((folder / RULES).read_bytes())
    rules = IndexedRules(body["rules"])
    ids, groups = {rules[rule].iri: rule for rule in range(len(rules))}, rules.group.tolist()
    counterparts = {"counterparts": counterpart_rows(knowledge, ids, groups), "proposed": proposed_rows(knowledge, ids, groups)}
    _write_json(folder / RULES, {**body, **counterparts})


def write_header(folder: Path, body: Mapping[str, Any]) -> None:
    """Writes the header of an index."""
    _write_json(folder / HEADER, body)


def _write_json(file: Path, body: Mapping[str, Any]) -> None:
    file.unlink(missing_ok=True)  # it may be a link to the file of the previous bundle
    file.write_bytes(orjson.dumps(body))


def _header(folder: Path) -> Mapping[str, Any]:
    try:
        body = orjson.loads((folder / HEADER).read_bytes())
    except (OSError, ValueError):
        body = None
    if not isinstance(body, dict) or body.get("format") not in (FORMAT_VERSION, _WITHOUT_ROWS):
        raise EnvironmentFault("{folder} contains no search index of this version", folder=folder, command="rulestone build")
    return body


class RetrievalSignals(NamedTuple):
    """The retrieval signals of each rule before fusion: field → score of its best passage, shape (rules,)."""

    bm25_scores: Mapping[Field, Scores]
    static_scores: Mapping[Field, Scores]  # cosines of static vectors; empty without a query vector
    dense_scores: Mapping[Field, Scores]  # cosines of sentence embeddings; empty without them


class Index:
    """An index opened for reading. Rules and passages are identified by their positions. Thread-safe."""

    def __init__(self, folder: Path, open_engine: OpenEngine = MappedEngine) -> None:
        """Raises EnvironmentFault if the index is missing, damaged or of another version."""
        header = _header(folder)
        try:
            self._open(folder, header, open_engine)
        except (OSError, ValueError, LookupError, TypeError) as fault:
            raise EnvironmentFault(
                "the search index in {folder} cannot be read: {fault}", folder=folder, fault=fault, command="rulestone build"
            ) from fault

    def _open(self, folder: Path, header: Mapping[str, Any], open_engine: OpenEngine) -> None:
        self.folder = folder
        body = orjson.loads((folder / RULES).read_bytes())
        self.rules = IndexedRules(body["rules"])
        self.games = self.rules.games
        self.counterparts = counterparts_by_group(body["counterparts"], "accepted")
        self.proposed = counterparts_by_group(body["proposed"], "proposed")
        self.outline = IndexedOutline(body["parents"], body["variants"], self.rules.heading, self.rules.kinds)
        self.cites: list[list[int]] = body["cites"]  # for each rule, the rules that it cites
        self.definitions: Mapping[str, list[list[int]]] = body["definitions"]  # see `definition_rows`
        self.encoder_info = EncoderInfo.from_header(header["model"])
        self.sentence_info = SentenceInfo.from_header(header["sentences"])
        self.is_encoded = self.sentence_info is not None
        self.lexicon = Lexicon.load(folder / LABELS)
        self._owner: NDArray[np.int32] = arrays.load(folder / "rules.npy")
        self._field: NDArray[np.int8] = arrays.load(folder / "fields.npy")
        self._lang: NDArray[np.int8] = arrays.load(folder / "langs.npy")
        self._segments = {field: self._segment_of_field(field) for field in Field}
        bounds = np.array([segment.owner_bounds() for segment in self._segments.values()])
        encoded_count = max(self._segments[field].span.stop for field in embeddings.SENTENCE_FIELDS) if self.is_encoded else 0
        of_book = np.isin(self._field, (Field.TEXT, Field.CONTEXT))
        lang = np.where(of_book, self._lang, np.int8(-1))
        related_owners = partial(
            _related_rules, self.rules, self.outline, self.cites, (self.counterparts, self.proposed)
        )  # no reference cycle through self
        self.passages = PassageTable(self._owner, self._field, lang, self.rules.game, self.games, bounds, related_owners)
        self.engine = open_engine(folder, self.passages, encoded_count)
        self.questions = self._segments[Field.QUESTION].span
        self.has_text = self.with_field(Field.TEXT)
        """Which rules have a loaded text and not only a gloss."""

    def _segment_of_field(self, field: Field) -> Segment:
        first, last = map(int, np.searchsorted(self._field, [field, field + 1]))
        return Segment(self._owner[first:last], first, len(self.rules))

    def as_of(self, knowledge: Knowledge) -> "Index":
        """The same index with the searchable and current rules of a knowledge base of another date."""
        other = copy(self)
        other.rules = rules_as_of(self.rules, knowledge)
        return other

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of the index."""
        return self.engine.vocabulary

    def signals(
        self,
        terms: Mapping[str, float],
        static: Scores | None = None,
        dense: Scores | None = None,
        *,
        games: Sequence[str] = (),
        book_lang: str | None = None,
        rules: Ids | None = None,
        settings: SearchSettings = SEARCH,
    ) -> RetrievalSignals:
        """The signals of each rule for weighted terms and for vectors of unit length.

        Only rules of `games` (none: of all) are needed; words of books count only if they are in `book_lang`. `rules` have other
        reasons to rank, ascending. `dense` counts only if all these games are encoded.
        """
        lang = LANGUAGES.index(book_lang) if book_lang else None
        query = EngineQuery(terms, static, dense if self.has_embeddings(games) else None, games, lang)
        scores = self.engine.scores(query if rules is None else query._replace(owners=rules), settings, self.questions)
        return RetrievalSignals(*({} if signal is None else self.best_per_rule(signal, book_lang) for signal in scores))

    def best_per_rule(self, scores: Scores, book_lang: str | None = None) -> Mapping[Field, Scores]:
        """Field → score of each rule's best passage, shape (rules,), 0 without any; of books, only words in `book_lang` count."""
        if book_lang is not None:
            counts = np.isin(self.passages.lang, (-1, LANGUAGES.index(book_lang))).astype(np.float32)
            scores = scores * counts[: len(scores)]
        return {
            field: segment.best_of_owners(scores) for field, segment in self._segments.items() if segment.span.stop <= len(scores)
        }

    def has_passage_in_field(self, field: Field, rule: int) -> bool:
        """Whether a rule has a passage of a field."""
        owners = self._segments[field].owners
        nth = int(np.searchsorted(owners, rule))
        return nth < len(owners) and int(owners[nth]) == rule

    def likeness(self, rules: Sequence[int], others: Sequence[int]) -> Scores:
        """The likeness of rules to others: the best cosine of the vectors of their texts and glosses, shape (rules, others)."""
        vectors, theirs = self._vectors_of(rules), self._vectors_of(others)
        cosines = [[(own @ other.T).max(initial=0) for other in theirs] for own in vectors]
        return np.array(cosines, dtype=np.float32).reshape(len(rules), len(others))

    def _vectors_of(self, rules: Sequence[int]) -> list[Vectors]:
        """For each rule, the static vectors of its texts and glosses."""
        bounds = self.passages.bounds[[Field.TEXT, Field.GLOSS]][:, :, list(rules)]
        own = (np.concatenate([np.arange(*bounds[field, :, nth]) for field in range(len(bounds))]) for nth in range(len(rules)))
        return [self._static_vectors(passages) for passages in own]

    def _static_vectors(self, passages: Ids) -> Vectors:
        """The static vectors of some passages, of unit length."""
        vectors, rows = self._static
        return vectors.rows(rows[passages].tolist())

    @cached_property
    def _static(self) -> tuple[embeddings.Int8Vectors, NDArray[np.int32]]:
        return embeddings.read_static(self.folder)

    def with_field(self, field: Field) -> Flags:
        """Which rules have a passage of a field, shape (rules,)."""
        flags: Flags = np.zeros(len(self.rules), dtype=np.bool_)
        flags[self._segments[field].owners] = True
        return flags

    def languages(self, game: str) -> list[str]:
        """The languages in which rules of a game have a text or a gloss."""
        with_words = np.isin(self._field, (Field.TEXT, Field.GLOSS)) & (self.rules.game[self._owner] == self.games.index(game))
        return [LANGUAGES[code] for code in np.unique(self._lang[with_words])]

    def has_embeddings(self, games: Sequence[str] = ()) -> bool:
        """Whether nearly every rule of each of these games (none: of every game) has a sentence embedding, of its text or gloss."""
        if not self.is_encoded:
            return False
        game_codes = [self.games.index(game) for game in games or self.games if game in self.games]
        return bool((self._encoded_shares[game_codes] >= embeddings.MIN_ENCODED_SHARE).all())

    @cached_property
    def _encoded_shares(self) -> NDArray[np.float64]:
        """The share of the rules of each game that have a sentence embedding, of those with either; shape (games,)."""
        expected = np.flatnonzero(np.isin(self._field, embeddings.SENTENCE_FIELDS))
        totals, encoded_totals = (
            np.bincount(self.rules.game[np.unique(self._owner[passages])], minlength=len(self.games))
            for passages in (expected, arrays.load(self.folder / embeddings.SENTENCE_ROWS))
        )
        return encoded_totals / np.maximum(totals, 1)

    def mean(self) -> Scores | None:
        """Mean of the sentence embeddings; None if the index has none."""
        return self.engine.mean() if self.is_encoded else None

    @cached_property
    def _sentences(self) -> embeddings.SentenceEmbeddings:
        return embeddings.read_sentences(self.folder)

    def sentence_vectors(self, edition: EditionKey, lang: str) -> dict[str, Vectors]:
        """Locator → sentence embedding, of unit length, of the texts of an edition in a language."""
        if not self.is_encoded:
            return {}
        encoded_passages = self._sentences.passages
        rows = np.flatnonzero(
            (self._field[encoded_passages] == Field.TEXT) & (self._lang[encoded_passages] == LANGUAGES.index(lang))
        )
        owners = [(int(row), int(self._owner[encoded_passages[row]])) for row in rows]
        own = [(row, rule) for row, rule in owners if self.rules.editions[rule] == edition]
        vectors = self._sentences.vectors.rows([row for row, _ in own])
        return {self.rules.locators[rule]: vector for (_, rule), vector in zip(own, vectors, strict=True)}

    def embeddings_of(self, game: str, fields: Sequence[Field]) -> tuple[Ids, Vectors]:
        """The sentence embeddings of a game's passages of some fields by rule, of unit length, and the rule of each."""
        encoded_passages = self._sentences.passages
        is_own = np.isin(self._field[encoded_passages], fields) & (self._game_codes[encoded_passages] == self.games.index(game))
        rows = np.flatnonzero(is_own)
        rules = self._owner[encoded_passages[rows]].astype(np.intp)
        order = np.argsort(rules, kind="stable")
        return rules[order], self._sentences.vectors.rows(rows[order].tolist())

    def has_term(self, term: str, mask: Flags | None) -> bool:
        """Whether any allowed rule (None: any rule) contains a term in any passage."""
        return self.engine.has_term(term, mask)

    def passages_by_game(self, term: str, langs: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The passages in some languages with a term, and all passages in them: the number in each game, each of shape (games,)."""
        there = self.engine.passages_with(term)
        passages = there[np.isin(self._lang[there], [LANGUAGES.index(lang) for lang in langs])]
        having = np.bincount(self._game_codes[passages], minlength=len(self.games))
        return having, sum((self._passages_of_games[LANGUAGES.index(lang)] for lang in langs), np.zeros_like(having))

    @cached_property
    def _game_codes(self) -> NDArray[np.int32]:
        """The game of each passage, a position in `games`."""
        return self.rules.game[self._owner].astype(np.int32)

    @cached_property
    def _passages_of_games(self) -> NDArray[np.intp]:
        """The number of passages in each language of each game, shape (languages, games)."""
        return np.array(
            [np.bincount(self._game_codes[self._lang == code], minlength=len(self.games)) for code in range(len(LANGUAGES))]
        )

    def defining_rules(self, concept: str, games: Collection[str]) -> Iterator[list[int]]:
        """For each edition of these games (none: of all) that defines a concept or a name, the defining rules in reading order."""
        editions = self.definitions.get(concept, ())
        return (defining for defining in editions if not games or self.games[self.rules.game[defining[0]]] in games)

    def matched_terms(self, rules: Sequence[int], terms: Iterable[str]) -> list[list[str]]:
        """For each rule, the terms that any of its passages contains."""
        return matched_terms(self.engine, rules, terms)


def _related_rules(
    rules: IndexedRules,
    outline: IndexedOutline,
    cites: Sequence[Sequence[int]],
    counterparts: Sequence[Mapping[int, Sequence[IndexedCounterpart]]],
    chosen_rules: Ids,
) -> Ids:
    """Some rules with the rules above them and those to which they may propagate their score."""
    above = [part[chosen_rules] for part in (outline.parent, outline.section)]
    targets = [target for rule in chosen_rules for target in cites[rule]]
    own = np.unique(rules.group[chosen_rules]).tolist()
    groups = {other.group for some in counterparts for group in own for other in some.get(group, ())}
    members = [rules.members(group) for group in groups]
    every = np.unique(np.concatenate((chosen_rules, *above, np.array(targets, dtype=np.intp), *members)))
    return every[every >= 0].astype(np.intp)
