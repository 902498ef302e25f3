"""Packs for use offline in a browser, by name: `core` and `model`, which all games share, `all.ja`, `mtg`, `mtg.ja`.

The static model is quantised to few levels. The step is the typical size of a row's numbers, so that most levels are -1, 0 or 1
and Brotli codes them in few bits; a larger step changes the first hits. Rotated to principal directions and stored direction by
direction, with two levels per letter, they compress better.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corpus.address import SHARED_SCHEMES, EditionKey, concept_name, path_of
from corpus.catalogue import catalogue
from corpus.chronology import newest_first
from corpus.errors import NotFoundError
from corpus.languages import LANGUAGES, choose
from corpus.words.tokens import all_forms
from ontology.concepts.concepts import concept_list, concepts
from ontology.keywords import KEYWORD_KINDS, keywords
from ontology.vocabulary import property_labels
from search.index.concept_tokens import LANGUAGE, games_with_concepts, other_senses
from search.index.passages import questions_by_rule
from search.index.rules import variant_words
from search.query.out_of_scope_examples import POLICY, out_of_scope_examples
from search.query.query import definition_patterns
from search.rank.answerability import MIN_RULES, WEIGHTS_FILE, weights_for
from search.settings import MIN_PROBABILITY, Field, SearchSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpus.contract import Claim, Concept, RuleRecord
    from search.encode.encoder import Encoder, Vectors
    from search.searcher import Searcher

CORE, MODEL, ALL = "core", "model", "all"
FORMAT_VERSION = 4
"""The version of the format; scripts of the pages compare it."""
_UNLINKED_KINDS = frozenset({"book-term", "proposed-term", *KEYWORD_KINDS.values()})
"""The kinds of concepts that books define and of keywords: no offline page leads to them, so packs have only their rules."""
_MAX, _SCALES = 4, 255
_LEVEL_LETTERS = "".join(chr(code) for code in range(ord("#"), ord("#") + (2 * _MAX + 1) ** 2 + 1) if chr(code) != "\\")
"""A letter for each pair of levels, without characters that JSON escapes."""


@dataclass(frozen=True, slots=True)
class PackPart:
    """A pack with its game and language; None for a pack of all of them."""

    name: str
    game: str | None
    lang: str | None


class Packs:
    """The packs of one bundle, each made on first use. Thread-safe."""

    def __init__(self, searcher: "Searcher") -> None:
        self._searcher = searcher
        self._rules = lru_cache(1)(lambda game: PackedRules(game, searcher))  # the records of all games take 180 MB
        self._briefs = cache(lambda lang: concept_list(searcher.knowledge, lang))
        self._questions = cache(lambda: questions_by_rule(searcher.knowledge))

    @cached_property
    def pack_parts(self) -> list[PackPart]:
        """Every pack."""
        return list(self._list_parts())

    def _list_parts(self) -> Iterator[PackPart]:
        languages = {game: self._searcher.index.languages(game) for game in self._searcher.index.games}
        yield from (PackPart(name, None, None) for name in (CORE, MODEL))
        yield from (PackPart(f"{ALL}.{lang}", None, lang) for lang in LANGUAGES if any(lang in some for some in languages.values()))
        for game, langs in languages.items():
            yield PackPart(game, game, None)
            yield from (PackPart(f"{game}.{lang}", game, lang) for lang in langs)

    def pack(self, name: str, books: frozenset[str] | None = None) -> bytes:
        """A pack as JSON, with the words of `books` (None: of all). Raises NotFoundError for an unknown name."""
        part = next((pack_part for pack_part in self.pack_parts if pack_part.name == name), None)
        if part is None:
            raise NotFoundError("there is no pack {name!r}", name=name[:60])
        return json.dumps({"format": FORMAT_VERSION, **self._body(part, books)}, ensure_ascii=False, separators=(",", ":")).encode()

    def _body(self, part: PackPart, books: frozenset[str] | None) -> dict[str, Any]:
        if part.name == CORE:
            return _core_data(self._searcher)
        if part.name == MODEL:
            return quantised_encoder(self._searcher.encoder)
        if part.game is None:
            return self._concepts(part.game, part.lang or "") | {"properties": property_labels()}
        rules = self._rules(part.game)
        if part.lang is None:
            return {"game": part.game, **rule_columns(rules)}
        return self._concepts(part.game, part.lang) | {
            "game": part.game,
            **text_columns(rules, part.lang, self._questions(), books),
        }

    def _concepts(self, game: str | None, lang: str) -> dict[str, Any]:
        """The concepts of a game in a language, by name; None for the cross-game concepts."""
        knowledge = self._searcher.knowledge
        shared = {word.concept for word in keywords() if word.kind}
        briefs = (brief for brief in self._briefs(lang) if brief["game"] == game and brief["kind"] not in _UNLINKED_KINDS)
        addresses = [brief["concept"] for brief in briefs if brief["concept"] not in shared]
        bodies = {concept_name(body["concept"]): _concept(body, lang) for body in concepts(knowledge, addresses, lang)}
        return {"lang": lang, "concepts": bodies}


def _concept(concept: "Concept", lang: str) -> dict[str, Any]:
    """Names, definition, proven claims, and counterparts in other games."""
    definition = choose(lang, concept["definition"])
    return {
        "label": concept["label"],
        "lang": concept["lang"],
        "kind": concept["kind"],
        "hub": concept_name(concept["hub"]) if concept["hub"] else None,
        "labels": {tag: [label["label"] for label in labels] for tag, labels in concept["labels"].items()},
        "definition": concept["definition"][definition] if definition else "",
        "defined_by": [path_of(pointer["rule"]) for pointer in concept["defined_by"] if pointer["current"]],
        "properties": {name: [_claim(claim, lang) for claim in claims] for name, claims in concept["properties"].items() if claims},
        "matches": [
            [concept_name(match["concept"]), match["label"], match["lang"], match["predicate"], match["comment"]]
            for match in concept["matches"]
            if match["concept"]
        ],
    }


def _claim(claim: "Claim", lang: str) -> dict[str, Any]:
    return {
        "value": claim["value_labels"].get(choose(lang, claim["value_labels"]) or "", str(claim["value"])),
        "status": claim["status"],
        "note": claim["note"],
        "supports": [[path_of(support["rule"]), support["quote"]] for support in claim["supports"]],
    }


def _core_data(searcher: "Searcher") -> dict[str, Any]:
    """Data for every pack: character forms, the concepts of labels, and the settings of ranking."""
    pairs = [(form, plain) for plain, forms in all_forms().items() for form in forms if form != plain]
    labels = searcher.index.lexicon.rows().items()
    return {
        "forms": ["".join(column) for column in zip(*pairs, strict=True)],
        "labels": {words: [value for value in values if not value.startswith(LANGUAGE)] for words, values in labels},
        "games": {game: dict(game_entry.names) for game in searcher.index.games if (game_entry := catalogue().games.get(game))},
        "common": list(SHARED_SCHEMES),
        "schemes": sorted(games_with_concepts()),
        "senses": dict(other_senses()),
        "definitions": _for_javascript(definition_patterns()),
        "numberQuestions": _for_javascript(definition_patterns("numbers")),
        "variants": list(variant_words()),
        "settings": _settings(searcher.ranker.settings),
        "answerability": _answerability_data(searcher),
    }


def _for_javascript(expressions: Iterable[str]) -> list[str]:
    return [expression.replace("(?P<", "(?<") for expression in expressions]


def _answerability_data(searcher: "Searcher") -> dict[str, Any]:
    """The classifier for libraries without sentence embeddings, and the out-of-scope examples, each with its game."""
    classifier = weights_for(WEIGHTS_FILE, encoded=False)
    in_scope = {POLICY} if searcher.tournament_games else set()
    return {
        "bias": classifier.bias,
        "weights": dict(classifier.weights),
        "minimum": MIN_PROBABILITY,
        "rules": MIN_RULES,
        "examples": [[example.game, example.text] for example in out_of_scope_examples() if example.kind not in in_scope],
    }


def _settings(settings: SearchSettings) -> dict[str, Any]:
    """Every weight and limit of ranking by name; weights of fields as lists in the order of Field."""
    return {
        name: [value.get(field, 0.0) for field in Field] if isinstance(value, Mapping) and name != "cards" else value
        for name, value in asdict(settings).items()
    }


class PackCounterpart(NamedTuple):
    """A rule of the pack with the path of a counterpart, the predicate and weight of the mapping, and comments by language."""

    place: int
    path: str
    predicate: str
    share: float
    comments: Mapping[str, str]


@dataclass(frozen=True)
class PackedRules:
    """The searchable rules of a game that are current or the latest in their language."""

    game: str
    searcher: "Searcher"

    @cached_property
    def index_positions(self) -> list[int]:
        """Their index positions, in order."""
        rules = self.searcher.index.rules
        own = [place for place, key in enumerate(rules.editions) if key.game == self.game and rules.searchable[place]]
        past = self.searcher.knowledge.by_iri([rules[place].iri for place in own if not rules.current[place]])
        latest = {iri for iri, record in past.items() if record["latest_in"] is not None}
        return [place for place in own if rules.current[place] or rules[place].iri in latest]

    @cached_property
    def records(self) -> "list[RuleRecord]":
        """Their records, in the same order."""
        addresses = [self.searcher.index.rules[place].iri for place in self.index_positions]
        records = self.searcher.knowledge.by_iri(addresses)
        return [records[iri] for iri in addresses]

    @cached_property
    def pack_positions(self) -> Mapping[int, int]:
        """Index position → pack position."""
        return {place: local for local, place in enumerate(self.index_positions)}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of the editions of all books, by their keys."""
        return {
            f"{edition['game']}/{edition['book']}/{edition['edition']}": edition["title"]
            for edition in self.searcher.knowledge.editions()
        }

    @cached_property
    def counterparts(self) -> list[PackCounterpart]:
        """The counterparts of the first rule of each group, in the newest edition of each."""
        index = self.searcher.index
        pack_counterparts: list[PackCounterpart] = []
        groups: set[int] = set()
        for at, place in enumerate(self.index_positions):
            group = int(index.rules.group[place])
            for counterpart in () if group in groups else index.counterparts.get(group, ()):
                members = index.rules.members(counterpart.group)
                if len(members):
                    path, share = path_of(index.rules[int(members[0])].iri), round(counterpart.share, 3)
                    pack_counterparts.append(PackCounterpart(at, path, counterpart.predicate, share, counterpart.comments))
            groups.add(group)
        return pack_counterparts

    def to_pack_positions(self, places: Sequence[int]) -> list[int]:
        """The index positions that are in the pack, as pack positions."""
        return [self.pack_positions[place] for place in places if place in self.pack_positions]


def rule_columns(packed: PackedRules) -> dict[str, Any]:
    """The columns of the rules. A parent is a position or -1, an edition an index into the list of editions, newest first."""
    index, records = packed.searcher.index, packed.records
    keys = [EditionKey(record["game"], record["book"], record["edition"]) for record in records]
    editions = sorted(set(keys), key=newest_first)
    parents = index.outline.parent.tolist()
    groups = index.rules.group[packed.index_positions].tolist()
    first_of: dict[int, int] = {}
    definitions = ((name, [packed.to_pack_positions(rules) for rules in editions]) for name, editions in index.definitions.items())
    return {
        "editions": [{"book": key.book, "edition": key.edition, "title": packed.titles[str(key)]} for key in editions],
        "edition": [editions.index(key) for key in keys],
        "locator": [record["locator"] for record in records],
        "number": [record["number"] for record in records],
        "kind": [record["kind"] for record in records],
        "parent": [packed.pack_positions.get(parents[place], -1) for place in packed.index_positions],
        "group": [first_of.setdefault(group, at) for at, group in enumerate(groups)],
        "stale": [at for at, record in enumerate(records) if not record["current"]],
        "variant": packed.to_pack_positions([place for place in packed.index_positions if index.outline.variant[place]]),
        "cites": {
            at: positions
            for at, place in enumerate(packed.index_positions)
            if (positions := packed.to_pack_positions(index.cites[place]))
        },
        "counterparts": [counterpart[:-1] for counterpart in packed.counterparts],
        "definitions": {name: rows for name, rules in definitions if (rows := [places for places in rules if places])},
    }


def text_columns(
    packed: PackedRules, lang: str, questions: Mapping[str, Sequence[tuple[str, str]]], books: frozenset[str] | None = None
) -> dict[str, Any]:
    """Columns in addition to those of `rule_columns`; sparse values are keyed by position. A title is a row of `titles`.

    `questions` are those of rules, with their languages. The rules of books that are not in `books` have no text.
    """
    titles: dict[tuple[str, ...], int] = {}
    rows = [titles.setdefault(tuple(record["headings"].get(lang, ())), len(titles)) for record in packed.records]
    return {
        "titles": list(titles),
        "title": rows,
        "gloss": [record["digest"].get(lang, "") for record in packed.records],
        "example": _sparse_values(packed, lambda record: record["digest_example"].get(lang)),
        "other": _sparse_values(packed, lambda record: _other_gloss(record, lang)),
        "headword": _sparse_values(packed, lambda record: record["headwords"].get(lang)),
        "text": _sparse_values(
            packed, lambda record: _text(record, lang) if books is None or f"{record['game']}/{record['book']}" in books else None
        ),
        "asked": _sparse_values(packed, lambda record: [words for tag, words in questions.get(record["iri"], ()) if tag == lang]),
        "differs": [row.comments.get(choose(lang, row.comments) or "", "") for row in packed.counterparts],
    }


def _sparse_values(packed: PackedRules, value: "Callable[[RuleRecord], Any]") -> dict[int, Any]:
    """The values that are not empty, by position."""
    values = ((place, value(record)) for place, record in enumerate(packed.records))
    return {place: filled_value for place, filled_value in values if filled_value}


def _other_gloss(record: "RuleRecord", lang: str) -> list[str] | None:
    """The gloss of another wording, with its edition."""
    other = None if record["digest"] else record["digest_other"]
    return [other["texts"][lang], f"{other['book']} {other['edition']}"] if other and lang in other["texts"] else None


def _text(record: "RuleRecord", lang: str) -> Mapping[str, Any] | None:
    """The text in a language with its authority, citations, examples and notes."""
    if lang not in record["texts"]:
        return None
    text = record["texts"][lang]
    cites = [cite for cite in record["cites"] if cite["lang"] == lang and cite["target"] and "within" not in cite]
    asides = [("example", example) for example in record["examples"]] + [("note", note) for note in record["notes"]]
    return {
        "text": text["text"],
        "authority": text["authority"],
        "cites": [[cite["start"], cite["end"], path_of(cite["target"] or "")] for cite in cites],
        "asides": [[kind, aside["text"], aside["authority"]] for kind, aside in asides if aside["lang"] == lang],
    }


def quantised_encoder(encoder: "Encoder") -> dict[str, Any]:
    """Tokens, a scale for each, and their levels; empty for an encoder without a vocabulary.

    The levels are ordered by dimension, then token: two levels per letter, `#` for -4 and -4.
    """
    from search.encode.encoder import StaticEncoder

    if not isinstance(encoder, StaticEncoder):
        return {}
    tokens, rows = encoder.token_vectors()
    rotated = _rotate_to_principal_axes(rows)
    widths = np.maximum(rotated.std(axis=1, keepdims=True), 1e-9)
    levels = np.clip(np.round(rotated / widths), -_MAX, _MAX).astype(np.int8)
    scales = np.maximum(np.round(widths[:, 0] / widths.max() * _SCALES), 1).astype(np.int32)
    return {
        "tokens": "\n".join(tokens),
        "size": levels.shape[1],
        "levels": _encode_levels(levels.T.ravel()),
        "scales": scales.tolist(),
    }


def _encode_levels(levels: "NDArray[np.int8]") -> str:
    """Two levels per letter; the size of a row is even."""
    first, second = (levels.reshape(-1, 2) + _MAX).T.astype(int)
    return "".join(_LEVEL_LETTERS[pair] for pair in (first * (2 * _MAX + 1) + second).tolist())


def _rotate_to_principal_axes(rows: "Vectors") -> "Vectors":
    """Rows rotated to their principal directions, by descending variance; cosines do not change."""
    _, directions = np.linalg.eigh(rows.T @ rows)
    rotated: Vectors = rows @ directions[:, ::-1]
    return rotated
