"""The names of a term in each game and language, with their sources, defining rules and uses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from corpus.address import RS, EditionKey, game_of, graph_iri
from corpus.errors import NotFoundError
from corpus.languages import label_language
from corpus.model import NEGATION_PREFIX, Authority
from ontology.concepts.concepts import concepts_with_definitions, rule_pointers
from ontology.concepts.names import Form, comparison_form, concepts_named, unknown_name_error, with_related
from ontology.knowledge import Knowledge
from ontology.labels import ALT_LABEL, PREF_LABEL, labels_in
from ontology.mappings import matches_by_concept
from ontology.translation.passages import HEADING, TEXT, ParallelPassage, passages
from ontology.translation.uses import GLOSS, Use, group_uses, mention_uses, word_uses

if TYPE_CHECKING:
    from corpus.contract import ConceptDescribed, ConceptLabel, FalseFriend, Terms
    from corpus.limits import Page

NameKey = tuple[str, str, Form]
"""A concept, a label language, and a name as `comparison_form` compares names."""
TERM_GRAPHS = "terms"
"""Graphs of the terms that an edition defines are named `terms/{edition}`."""
_DEFINING_RULES = f"SELECT ?concept ?rule WHERE {{ GRAPH <%s> {{ ?concept <{RS}definedBy> ?rule }} }} ORDER BY ?rule"
_MIN_SENTENCE = 5
"""Number of characters beside a name above which a text counts as a sentence with the name."""
form = lru_cache(1 << 14)(comparison_form)


def term_body(
    knowledge: Knowledge, label: str, lang: str, page: "Page", game: str | Sequence[str] | None = None, book_lang: str | None = None
) -> "Terms":
    """The terms that a label names, and their uses by game and language.

    A label of one game represents the cross-game concept and so the names in every game. If no concept has the label, its words
    are searched for. `game` limits terms and uses to one game or several, `book_lang` the uses to one language. A name is official
    if the publisher's book or its recognised translation prints it; `authority` says which. Raises InputError for text that cannot
    be a name, and NotFoundError if no concept has it, or none of these games, and no text has the words.
    """
    games = (game,) if isinstance(game, str) else tuple(game or ())
    bearers = concepts_named(knowledge.names, label)
    related_concepts = with_related(knowledge.names, bearers)
    concepts = [concept for concept in related_concepts if (owner := game_of(concept)) and (not games or owner in games)]
    concepts = concepts or (bearers if not games else [])
    uses = _term_uses(knowledge, label, related_concepts, games)
    groups = group_uses(uses, lang, page, book_lang)
    if not concepts and not groups:
        raise _label_not_found(knowledge, label, bearers, ", ".join(games))
    authorities = _highest_authorities(uses)
    return {
        "label": label,
        "lang": lang,
        "offset": page.offset,
        "limit": page.limit,
        "total": sum(group["total"] for group in groups),
        "terms": [
            {**concept, "labels": _with_authorities(concept, authorities), "named": concept["concept"] in bearers}
            for concept in concepts_with_definitions(knowledge, concepts, lang)
        ],
        "false_friends": false_friends(knowledge, bearers, lang),
        "concordance": groups,
    }


def _term_uses(knowledge: Knowledge, label: str, concepts: Sequence[str], games: Sequence[str]) -> list[Use]:
    """The places where concepts are mentioned and where a book defines the names; without any, the places of the label's words."""
    names, game = knowledge.names, games[0] if len(games) == 1 else None
    mentions = list(mention_uses(knowledge, concepts, game)) if concepts else []
    concepts_in_mentions = {use.concept for use in mentions}
    names_by_game: dict[str | None, dict[str, str | None]] = {}
    for concept in concepts:
        if concept in names.of_books and concept not in concepts_in_mentions and game in (None, game_of(concept)):
            names_by_game.setdefault(game_of(concept), {}).update({name.text: concept for name in names.labels[concept]})
    uses_of_words = (
        use for of_game, concept_by_name in names_by_game.items() for use in word_uses(knowledge, concept_by_name, of_game)
    )
    uses = [*mentions, *uses_of_words] or list(word_uses(knowledge, {label: None}, game))
    return [use for use in uses if use.rule.game in games] if len(games) > 1 else uses


def _highest_authorities(uses: Iterable[Use]) -> Mapping[NameKey, Authority]:
    """Name → the highest authority of a text that uses it."""
    highest: dict[NameKey, Authority] = {}
    for use in uses:
        if use.concept and use.authority and use.source != GLOSS:
            name = use.concept, label_language(use.lang), form(use.words[use.start : use.end])
            own_authority = Authority(use.authority)
            highest[name] = min(highest.get(name, Authority.EDITORIAL), own_authority, key=lambda authority: authority.rank)
    return highest


def _with_authorities(concept: "ConceptDescribed", authorities: Mapping[NameKey, Authority]) -> "dict[str, list[ConceptLabel]]":
    """The labels of a concept, each with the authority that prints it, if any."""

    def label_with_authority(label: "ConceptLabel", lang: str) -> "ConceptLabel":
        authority = authorities.get((concept["concept"], label_language(lang), form(label["label"])))
        if authority is None:
            return label
        official = label["official"] or authority in (Authority.OFFICIAL, Authority.TRANSLATION)
        return {**label, "official": official, "authority": authority.value}

    return {lang: [label_with_authority(label, lang) for label in labels] for lang, labels in concept["labels"].items()}


def _label_not_found(knowledge: Knowledge, label: str, bearers: Sequence[str], games: str) -> NotFoundError:
    if not bearers:
        return unknown_name_error(knowledge.names, " ".join(label.split()))
    return NotFoundError(
        "{game} has no term for {label!r}; leave out the game to see the terms of every game", game=games, label=label[:60]
    )


def false_friends(knowledge: Knowledge, concepts: Sequence[str], lang: str) -> list["FalseFriend"]:
    """False friends of some concepts: both concepts, a rule of each, and the difference."""
    matches = matches_by_concept(knowledge.concepts.mappings(concepts), lang)
    pairs = ((concept, match) for concept in concepts for match in matches.get(concept, ()))
    denied_matches = {
        frozenset((concept, match["concept"])): (concept, match["concept"], match)
        for concept, match in pairs
        if match["predicate"].startswith(NEGATION_PREFIX)
    }
    friends = [(concept, other, match) for concept, other, match in denied_matches.values() if other]
    rules = rule_pointers(knowledge, (rule for *_, match in friends for rule in (match["own_rule"], match["rule"]) if rule))
    return [
        {
            **knowledge.names.body_with_name(concept, lang),
            "other": knowledge.names.body_with_name(other, lang),
            "predicate": match["predicate"],
            "own_rule": rules.get(match["own_rule"] or ""),
            "rule": rules.get(match["rule"] or ""),
            "comment": match["comment"],
        }
        for concept, other, match in friends
    ]


@dataclass(frozen=True, slots=True)
class PrintedName:
    """Evidence that an edition prints a name: the authority, and the place, if a passage and a span of it are known."""

    authority: Authority
    current: bool
    key: EditionKey
    passage: ParallelPassage | None
    span: tuple[int, int] | None

    @property
    def rank(self) -> tuple[Any, ...]:
        """The lowest ranks first: current texts, then the highest authority, then text before headings."""
        heading = self.passage is None or self.passage.part == HEADING
        return not self.current, self.authority.rank, heading, self.span is None


def printed_names(knowledge: Knowledge) -> Mapping[NameKey, PrintedName]:
    """Every name that a loaded text prints, with its best source; read once for each bundle."""
    names: Mapping[NameKey, PrintedName] = knowledge.cached(("printed",), lambda: _best_names(_all_printed_names(knowledge)))
    return names


def _best_names(names: Iterable[tuple[NameKey, PrintedName]]) -> Mapping[NameKey, PrintedName]:
    best: dict[NameKey, PrintedName] = {}
    for key, name in names:
        if key not in best or name.rank < best[key].rank:
            best[key] = name
    return best


def _all_printed_names(knowledge: Knowledge) -> Iterator[tuple[NameKey, PrintedName]]:
    for key in sorted(knowledge.manifest.editions, key=str):
        for passage in passages(knowledge, key):
            for lang, mentions in passage.mentions.items():
                text, authority = passage.words[lang], Authority(passage.authority[lang])
                for concept, start, end in mentions:
                    name = concept, label_language(lang), form(text[start:end])
                    yield name, PrintedName(authority, passage.current, passage.key, passage, (start, end))
        yield from _names_in_edition(knowledge, key)


def _names_in_edition(knowledge: Knowledge, key: EditionKey) -> Iterator[tuple[NameKey, PrintedName]]:
    """The names that an edition defines, in the languages in which it is loaded."""
    languages = knowledge.manifest.editions[key].languages
    if not languages:
        return
    graph, texts = (
        graph_iri(TERM_GRAPHS, key),
        {passage.rule: passage for passage in passages(knowledge, key) if passage.part == TEXT},
    )
    defining: dict[str, list[ParallelPassage]] = {}
    for row in knowledge.store.select(_DEFINING_RULES % graph):
        if row["rule"] in texts:
            defining.setdefault(row["concept"], []).append(texts[row["rule"]])
    for label in labels_in(knowledge.store, (PREF_LABEL, ALT_LABEL), graph=graph):
        name = label.concept, label_language(label.lang), form(label.text)
        for lang in (lang for lang in languages if label_language(lang) == label_language(label.lang)):
            authority = Authority(languages[lang])
            yield name, _printed_definition(knowledge, key, authority, defining.get(label.concept, ()), lang, label.text)


def _printed_definition(
    knowledge: Knowledge, key: EditionKey, authority: Authority, defining: Sequence[ParallelPassage], lang: str, name: str
) -> PrintedName:
    """A defined name, in a sentence of a defining rule if there is one with more than the name."""
    for passage in defining:
        text = passage.words.get(lang, "")
        at = text.casefold().find(name.casefold())
        if at >= 0 and len(text) > len(name) + _MIN_SENTENCE:
            return PrintedName(authority, passage.current, key, passage, (at, at + len(name)))
    first = defining[0] if defining else None
    return PrintedName(authority, first.current if first else knowledge.currency.has_current(key), key, first, None)
