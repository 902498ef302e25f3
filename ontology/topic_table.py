"""Topics that judges look up, with the rule of each game side by side and the differences."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from corpus.address import RS, SKOS, scheme_of, slug_of, split_rule
from corpus.catalogue import catalogue
from corpus.languages import canonical_tag, choose
from corpus.store.engine import Solution, Store, values_clause
from corpus.words.traditional import traditional
from ontology.concepts.claim_status import claims_at
from ontology.concepts.claims import Claim
from ontology.concepts.concepts import rule_pointers
from ontology.mappings import JUDGED_COUNTERPARTS, PROPOSED_COUNTERPARTS, judged_cases, rule_mappings_in
from ontology.topics import compared_games

if TYPE_CHECKING:
    from corpus import contract
    from ontology.knowledge import Knowledge

_TOPICS_QUERY = f"""
SELECT ?topic ?place ?group WHERE {{
  GRAPH ?g {{ ?topic a <{RS}Topic> ; <{RS}place> ?place . ?group <{SKOS}member> ?topic }}
}}"""
_WORDS_QUERY = f"""
SELECT ?subject ?property ?words (LANG(?words) AS ?lang) WHERE {{
  %s VALUES ?property {{ <{RS}asks> <{RS}differs> <{SKOS}prefLabel> }} GRAPH ?g {{ ?subject ?property ?words }}
}}"""
_RELATED_QUERY = f"SELECT ?topic ?concept WHERE {{ GRAPH ?g {{ ?topic a <{RS}Topic> ; <{SKOS}related> ?concept }} }}"
_CASES_QUERY = f"SELECT ?concept ?topic WHERE {{ %s GRAPH ?g {{ ?concept <{RS}hub> ?topic }} }}"
_ANSWER_PROPERTIES = ("says", "nearest")
"""Properties that answer a topic: the content of a game's rule, or of its nearest rule."""
Words = Mapping[tuple[str, str], Mapping[str, str]]
"""Topic or group and property → language → words."""


def topic_table(
    knowledge: "Knowledge", lang: str, games: Collection[str] = (), concepts: Collection[str] | None = None
) -> "contract.Topics":
    """The topics with, or related to, some concepts (None: all), group by group, with a cell for each of some games (none: all)."""
    rows = _topic_rows(knowledge.store, concepts)
    words = _words_by_subject(knowledge.store, {row[name] for row in rows for name in ("topic", "group")})
    claims = _claims_by_topic(knowledge, [row["topic"] for row in rows])
    column_games = _game_order({_game(claim) for some in claims.values() for claim in some})
    similar = {
        topic: similar_rules(
            knowledge.store,
            [claim.supports[0].rule for claim in some if claim.property == _ANSWER_PROPERTIES[0]],
            {_game(claim) for claim in some},
        )
        for topic, some in claims.items()
    }
    rules = rule_pointers(
        knowledge, [*(claim.supports[0].rule for some in claims.values() for claim in some), *chain(*similar.values())]
    )

    def cell_body(claim: Claim) -> "contract.TopicCell":
        return _make_cell(knowledge, claim, rules[claim.supports[0].rule], lang)

    return {
        "lang": lang,
        "games": [game for game in column_games if not games or game in games],
        "topics": [
            {
                "concept": row["topic"],
                "label": _in_language(words[row["topic"], f"{SKOS}prefLabel"], lang),
                "group": _in_language(words[row["group"], f"{SKOS}prefLabel"], lang),
                "asks": _in_language(words[row["topic"], f"{RS}asks"], lang),
                "differs": differences(words[row["topic"], f"{RS}differs"], lang, map(_game, claims[row["topic"]])),
                "cells": [
                    cell_body(claim)
                    for claim in sorted(claims[row["topic"]], key=lambda claim: column_games.index(_game(claim)))
                    if not games or _game(claim) in games
                ],
                "similar": [
                    {**rules[rule], "confidence": confidence, "status": status}
                    for rule, (status, confidence) in similar[row["topic"]].items()
                    if rule in rules and (not games or rules[rule]["game"] in games)
                ],
            }
            for row in rows
        ],
    }


def differences(sentence: Mapping[str, str], lang: str, games: Iterable[str]) -> str:
    """The sentence about the difference, after the names of the games that it compares if the topic has others too."""
    text, games_in_table = _in_language(sentence, lang), compared_games()
    if {*games} <= {*games_in_table}:
        return text
    names = [_in_language(catalogue().games[game].names, lang) for game in games_in_table]
    text = traditional(text) if lang == "zh-Hant" else text  # as the names are
    return f"{', '.join(names)}: {text}" if lang == "en" else f"{'、'.join(names)}：{text}"


def topic_iris(store: Store) -> list[str]:
    """The IRI of every topic, in display order."""
    return [row["topic"] for row in _topic_rows(store, None)]


def games_with_topics(store: Store) -> list[str]:
    """The games that have topics."""
    cases = store.select(_CASES_QUERY % values_clause("topic", topic_iris(store)))
    return _game_order({scheme_of(row["concept"]) for row in cases})


def _topic_rows(store: Store, concepts: Collection[str] | None) -> list[Solution]:
    rows = list(store.select(_TOPICS_QUERY))
    if concepts is not None:
        related_topics = {row["topic"] for row in store.select(_RELATED_QUERY) if row["concept"] in concepts}
        rows = [row for row in rows if row["topic"] in concepts or row["topic"] in related_topics]
    return sorted(rows, key=lambda row: int(row["place"]))


def _words_by_subject(store: Store, subjects: Iterable[str]) -> Words:
    words: dict[tuple[str, str], dict[str, str]] = {}
    for row in store.select(_WORDS_QUERY % values_clause("subject", sorted(subjects))):
        words.setdefault((row["subject"], row["property"]), {})[canonical_tag(row["lang"])] = row["words"]
    return words


def _claims_by_topic(knowledge: "Knowledge", topics: Sequence[str]) -> dict[str, list[Claim]]:
    """Topic → the claims that answer it: about concepts of games, and about the topic itself if a game has no rule.

    A game in which a curator found a case of the topic is not one without a rule.
    """
    topic_of = {topic: topic for topic in topics}
    topic_of |= {row["concept"]: row["topic"] for row in knowledge.store.select(_CASES_QUERY % values_clause("topic", topics))}
    claims_of: dict[str, list[Claim]] = {topic: [] for topic in topics}
    cases = judged_cases(knowledge.store)
    for concept, claims in claims_at(knowledge, topic_of).items():
        answers = (claim for claim in claims if claim.property in _ANSWER_PROPERTIES and claim.supports)
        claims_of[topic_of[concept]] += [claim for claim in answers if (_game(claim), concept) not in cases]
    return claims_of


def similar_rules(store: Store, rules: Sequence[str], games: Collection[str]) -> dict[str, tuple[str, float]]:
    """Counterparts of some rules that do not ship, one of each game that is not in `games`: its IRI, status and confidence.

    Accepted counterparts precede proposed ones.
    """
    best: dict[str, tuple[str, float, str]] = {}
    for graph, status in ((JUDGED_COUNTERPARTS, "accepted"), (PROPOSED_COUNTERPARTS, "proposed")) if rules else ():
        rows = rule_mappings_in(store, rules, graph)
        for row in sorted(rows, key=lambda row: (-float(row["confidence"]), row["other"])):
            if (game := split_rule(row["other"]).key.game) not in games:
                best.setdefault(game, (status, float(row["confidence"]), row["other"]))
    rules_by_rank = sorted(best.values(), key=lambda similar: (similar[0], -similar[1], similar[2]))
    return {rule: (status, confidence) for status, confidence, rule in rules_by_rank}


def _make_cell(knowledge: "Knowledge", claim: Claim, rule: "contract.RulePointer", lang: str) -> "contract.TopicCell":
    support = claim.supports[0]
    has_rule = claim.property == _ANSWER_PROPERTIES[0]
    name = knowledge.names.body_with_name(claim.concept, lang)
    return {
        "game": rule["game"],
        "found": has_rule,
        "concept": claim.concept if has_rule else None,
        "label": name["label"] if has_rule else None,
        "says": claim.labels.get(choose(lang, claim.labels) or "", slug_of(claim.concept)),
        "rule": rule,
        "quote": support.quote,
        "verified": support.verified,
        "claim": claim.iri,
    }


def _game(claim: Claim) -> str:
    return split_rule(claim.supports[0].rule).key.game


def _in_language(words: Mapping[str, str], lang: str) -> str:
    return words[choose(lang, words) or next(iter(words))]


def _game_order(games: Collection[str]) -> list[str]:
    return [game for game in catalogue().games if game in games]
