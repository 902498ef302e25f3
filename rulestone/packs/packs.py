"""Packs for use offline, by name: `core` and `model`, which all games share, `all.ja`, `mtg`, `mtg.ja`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from corpus.address import COMMON, concept_name, path_of
from corpus.catalogue import catalogue
from corpus.errors import NotFoundError
from corpus.languages import LANGUAGES, choose
from corpus.words.tokens import all_forms
from ontology.concepts.concepts import briefly, concepts
from ontology.keywords import KINDS, keywords
from ontology.vocabulary import property_labels
from rulestone.packs.model import quantised
from rulestone.packs.rules import PackedRules, rule_columns, text_columns
from search.index.concept_tokens import LANGUAGE, games_with_concepts
from search.index.rules import variant_words
from search.query.query import definition_patterns
from search.rank.answerability import FILE, MIN_RULES, weights_for
from search.rank.out_of_scope import POLICY, examples
from search.settings import MIN_PROBABILITY, Field, SearchSettings

if TYPE_CHECKING:
    from corpus.contract import Claim, Concept
    from search.searcher import Searcher

CORE, MODEL, ALL = "core", "model", "all"
FORMAT = 4
"""The version of the format; scripts of the pages compare it."""
_UNLINKED = frozenset({"book-term", *KINDS.values()})
"""The kinds of concepts that books define and of keywords: no offline page leads to them, so packs have only their rules."""


@dataclass(frozen=True, slots=True)
class Part:
    """A pack with its game and language; None for a pack of all of them."""

    name: str
    game: str | None
    lang: str | None


class Packs:
    """The packs of one bundle, each made on first use. Thread-safe."""

    def __init__(self, searcher: "Searcher") -> None:
        self._searcher = searcher
        self._rules = cache(lambda game: PackedRules(game, searcher))

    @cached_property
    def parts(self) -> list[Part]:
        """Every pack."""
        return list(self._parts())

    def _parts(self) -> Iterator[Part]:
        languages = {game: self._searcher.index.languages(game) for game in self._searcher.index.games}
        yield from (Part(name, None, None) for name in (CORE, MODEL))
        yield from (Part(f"{ALL}.{lang}", None, lang) for lang in LANGUAGES if any(lang in some for some in languages.values()))
        for game, langs in languages.items():
            yield Part(game, game, None)
            yield from (Part(f"{game}.{lang}", game, lang) for lang in langs)

    def pack(self, name: str, books: frozenset[str] | None = None) -> bytes:
        """A pack as JSON, with the words of `books` (None: of all). Raises NotFoundError for an unknown name."""
        part = next((known for known in self.parts if known.name == name), None)
        if part is None:
            raise NotFoundError("there is no pack {name!r}", name=name[:60])
        return json.dumps({"format": FORMAT, **self._body(part, books)}, ensure_ascii=False, separators=(",", ":")).encode()

    def _body(self, part: Part, books: frozenset[str] | None) -> dict[str, Any]:
        if part.name == CORE:
            return _core(self._searcher)
        if part.name == MODEL:
            return quantised(self._searcher.encoder)
        if part.game is None:
            return self._concepts(part.game, part.lang or "") | {"properties": property_labels()}
        rules = self._rules(part.game)
        if part.lang is None:
            return {"game": part.game, **rule_columns(rules)}
        return self._concepts(part.game, part.lang) | {"game": part.game, **text_columns(rules, part.lang, books)}

    def _concepts(self, game: str | None, lang: str) -> dict[str, Any]:
        """The concepts of a game in a language, by name; None for the cross-game concepts."""
        knowledge = self._searcher.knowledge
        shared = {word.concept for word in keywords() if word.kind}
        briefs = (brief for brief in briefly(knowledge, lang) if brief["game"] == game and brief["kind"] not in _UNLINKED)
        wanted = [brief["concept"] for brief in briefs if brief["concept"] not in shared]
        bodies = {concept_name(body["concept"]): _concept(body, lang) for body in concepts(knowledge, wanted, lang)}
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


def _core(searcher: "Searcher") -> dict[str, Any]:
    """Data for every pack: character forms, the concepts of labels, and the settings of ranking."""
    pairs = [(form, plain) for plain, forms in all_forms().items() for form in forms if form != plain]
    labels = searcher.index.lexicon.rows().items()
    return {
        "forms": ["".join(column) for column in zip(*pairs, strict=True)],
        "labels": {words: [value for value in values if not value.startswith(LANGUAGE)] for words, values in labels},
        "games": {game: dict(known.names) for game in searcher.index.games if (known := catalogue().games.get(game))},
        "common": list(COMMON),
        "schemes": sorted(games_with_concepts()),
        "definitions": [expression.replace("(?P<", "(?<") for expression in definition_patterns()],
        "variants": list(variant_words()),
        "settings": _settings(searcher.ranker.settings),
        "answerability": _answerability(searcher),
    }


def _answerability(searcher: "Searcher") -> dict[str, Any]:
    """The classifier for libraries without sentence embeddings, and the out-of-scope examples, each with its game."""
    classifier = weights_for(FILE, encoded=False)
    in_scope = {POLICY} if searcher.tournament_games else set()
    return {
        "bias": classifier.bias,
        "weights": dict(classifier.weights),
        "minimum": MIN_PROBABILITY,
        "rules": MIN_RULES,
        "examples": [[example.game, example.text] for example in examples() if example.kind not in in_scope],
    }


def _settings(settings: SearchSettings) -> dict[str, Any]:
    """Every weight and limit of ranking by name; weights of fields as lists in the order of Field."""
    return {
        name: [value.get(field, 0.0) for field in Field] if isinstance(value, Mapping) and name != "cards" else value
        for name, value in asdict(settings).items()
    }
