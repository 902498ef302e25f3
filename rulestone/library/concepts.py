"""Concepts: zones and topics of the games side by side, single concepts, and uses of terms."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.address import EditionKey, rule_iri, split_rule
from corpus.address import game_of as game_of_concept
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.languages import choose
from corpus.limits import Page
from corpus.messages import message
from corpus.model import Kind
from rulestone import games as game_names
from rulestone import limits
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase, PathName
from rulestone.limits import parse_int
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from ingest.extract import ExtractedZone, Proposals, TextNode
    from ontology.concepts.tables import TableLayout
    from ontology.knowledge import Knowledge
    from ontology.verdicts import Verdict
    from ontology.vocabulary import VocabularyTerm

_NO_ZONE_RECOGNISED = message(
    "no zone was recognised in the texts of {which!r}; docs/extraction.md describes how to improve the recognition"
)
_EXCERPT_LENGTH = 160
"""Number of characters of a rule that the table for curators shows."""


class ConceptsMixin(LibraryBase):
    """Answers about concepts; with `as_of` (a date, month, year or edition), as of then."""

    @in_readers_script
    def zones(
        self, *, games: str | Iterable[str] | None = None, lang: str | None = None, as_of: str | None = None
    ) -> "contract.Zones":
        """The zones of some games (`dm,mtg` or a list; default: all) side by side, each claim with its proof.

        Raises InputError for a game without zones.
        """
        from ontology.concepts.claim_status import claims_at
        from ontology.concepts.zones import games_with_zones, zones

        answer, bundle = self._answer_language(lang), self._bundle()
        knowledge = bundle.as_of_date(as_of)
        games_of_zones = games_with_zones(knowledge.store) if games else ()
        games_with_books = {key.game for key in knowledge.manifest.editions} if games else ()
        chosen_games = game_names.parse_games(
            games, game_names.with_titles({*games_of_zones, *games_with_books}, knowledge.manifest), game_names.NO_ZONES
        )
        if zoneless := [game for game in chosen_games if game not in games_of_zones]:
            raise NotFoundError(_NO_ZONE_RECOGNISED.text, which=zoneless[0])
        return zones(knowledge.store, answer, chosen_games, claims_at(knowledge), knowledge.concepts.mappings())

    @in_readers_script
    def mappings(self, *, games: str | Iterable[str] | None = None, lang: str | None = None) -> "contract.ProposedMappings":
        """The cross-game concepts and counterparts that are proposed for concepts and rules, for a curator to judge.

        A counterpart is listed for the games of both rules. Raises InputError for an unknown game.
        """
        from ontology.proposed_counterparts import games_of, proposed_pairs
        from ontology.spokes import PROPOSED_HUB
        from ontology.sssom import expand_curie, rows_in
        from ontology.verdicts import saved_verdicts, unused_verdicts

        answer, bundle = self._answer_language(lang), self._bundle()
        knowledge = bundle.knowledge
        rows, pairs = rows_in(knowledge.store, PROPOSED_HUB), proposed_pairs(knowledge.store)
        known_games = {game for row in rows if (game := game_of_concept(expand_curie(row["subject_id"])))}
        known_games |= {key.game for key in knowledge.manifest.editions}
        chosen_games = game_names.parse_games(
            games, game_names.with_titles(known_games, knowledge.manifest), game_names.NO_CONCEPTS
        )
        bodies: list[contract.ProposedMapping] = [
            {
                "concept": knowledge.names.body_with_name(expand_curie(row["subject_id"]), answer),
                "hub": knowledge.names.body_with_name(expand_curie(row["object_id"]), answer),
                "confidence": float(row["confidence"]),
                "rule": expand_curie(row["subject_rule"]) if row["subject_rule"] else None,
            }
            for row in rows
        ]
        shown_bodies = [body for body in bodies if not chosen_games or body["concept"]["game"] in chosen_games]
        pairs = [pair for pair in pairs if not chosen_games or not games_of(pair[:2]).isdisjoint(chosen_games)]
        words = _rule_words(knowledge, {rule for pair in pairs for rule in pair[:2]}, answer)
        counterparts: list[contract.ProposedRulePair] = [
            {"rule": words[rule], "other": words[other], "confidence": confidence}
            for rule, other, confidence in pairs
            if {rule, other} <= words.keys()
        ]
        unused = unused_verdicts(saved_verdicts(bundle.path), knowledge)
        return {
            "lang": answer,
            "total": len(shown_bodies),
            "mappings": shown_bodies,
            "counterparts": counterparts,
            "unused": list(map(_unused_body, unused)),
        }

    def prune_mappings(self) -> "contract.VerdictsPruned":
        """Takes back the verdicts on concepts and rules that are not loaded any more."""
        from rulestone.writing.verdicts import prune_verdicts

        self.ensure_built()
        pruned = prune_verdicts(self._home)
        self._current.expire()
        return {"pruned": list(map(_unused_body, pruned))}

    def judge_mappings(self, path: PathName) -> "contract.VerdictsAdded":
        """Adds a curator's verdicts on proposed mappings: a table of `rulestone mappings` with filled-in cells.

        Later builds keep them until `remove`. Raises InputError with the line of a row that cannot be used; then nothing changes.
        """
        from rulestone.writing.verdicts import add_verdicts

        self.ensure_built()
        file = Path(path)
        verdicts = add_verdicts(self._home, file)
        self._current.expire()
        return {"added": {"file": file.name, "verdicts": len(verdicts)}}

    @in_readers_script
    def moves(self, *, lang: str | None = None, as_of: str | None = None) -> "list[contract.Move]":
        """The moves of cards between the zones of all games, each with the claim and the words that prove it."""
        from ontology.concepts.zones import moves

        bundle = self._bundle()
        return moves(bundle.as_of_date(as_of), self._answer_language(lang))

    def table(self, game: str) -> "TableLayout | None":
        """The table layout of a game's zones, and its ordinary moves with known rules; None if there is none."""
        from ontology.concepts.tables import table_layouts

        if (table := table_layouts().get(game)) is None:
            return None
        rule_iris = {record["iri"] for record in self._bundle().knowledge.records.by_iri(move.rule for move in table.moves)}
        moves = [move for move in table.moves if move.rule in rule_iris]
        return table._replace(moves=moves) if moves else None

    @in_readers_script
    def topics(
        self,
        *,
        games: str | Iterable[str] | None = None,
        topic: str | None = None,
        lang: str | None = None,
        as_of: str | None = None,
    ) -> "contract.Topics":
        """The topics that judges look up, with the rule of each game side by side and the differences; or one topic, by any name.

        Raises InputError for a game without topics, NotFoundError for an unknown topic.
        """
        from ontology.topic_table import games_with_topics, topic_table

        answer, bundle = self._answer_language(lang), self._bundle()
        knowledge = bundle.as_of_date(as_of)
        known_games = games_with_topics(knowledge.store) if games else ()
        chosen_games = game_names.parse_games(games, game_names.with_titles(known_games, knowledge.manifest), game_names.NO_TOPICS)
        return topic_table(knowledge, answer, chosen_games, None if topic is None else _topics_by_name(knowledge, topic))

    def topic_groups(self) -> "Mapping[str, Mapping[str, str]]":
        """The groups of topics in display order: slug → language → title."""
        from ontology.topics import topic_groups

        return topic_groups()

    @in_readers_script
    def concept(self, ref: str, *, lang: str | None = None, as_of: str | None = None) -> "contract.Concepts":
        """The concepts to which `mtg/graveyard`, `graveyard`, a name in any language or an address refers. Raises NotFoundError."""
        from ontology.concepts.concepts import concepts
        from ontology.concepts.names import resolve_reference

        answer, bundle = self._answer_language(lang), self._bundle()
        knowledge = bundle.as_of_date(as_of)
        return {"ref": ref, "lang": answer, "concepts": concepts(knowledge, resolve_reference(knowledge.names, ref), answer)}

    @in_readers_script
    def concepts(
        self,
        *,
        games: str | Iterable[str] | None = None,
        kind: str | None = None,
        lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: str | None = None,
    ) -> "contract.ConceptList":
        """A page of the list of all concepts, or of those of some games or one kind. Raises InputError for an unknown one."""
        from ontology.concepts.concepts import concept_list

        answer = self._answer_language(lang)
        page = Page(parse_int("offset", offset, limits.OFFSETS), parse_int("limit", limit, limits.CONCEPT_LIMITS))
        bundle = self._bundle()
        knowledge = bundle.as_of_date(as_of)
        every = concept_list(knowledge, answer)
        known_games = {brief["game"] for brief in every if brief["game"]}
        chosen_games = game_names.parse_games(
            games, game_names.with_titles(known_games, knowledge.manifest), game_names.NO_CONCEPTS
        )
        if kind is not None and kind not in (kinds := {brief["kind"] for brief in every}):
            raise InputError(
                "kind {given!r}: no concepts of that kind are known; expected one of {known}",
                given=kind[:40],
                known=", ".join(sorted(kinds)),
            )
        briefs = [brief for brief in every if (not chosen_games or brief["game"] in chosen_games) and kind in (None, brief["kind"])]
        page_briefs = briefs[page.offset : page.offset + page.limit]
        return {"lang": answer, "total": len(briefs), "offset": page.offset, "limit": page.limit, "concepts": page_briefs}

    @in_readers_script
    def term(
        self,
        label: str,
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        book_lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: str | None = None,
    ) -> "contract.Terms":
        """The names of a concept in each game and language, and a page of its uses in each.

        `games` limits terms and uses to some games, `book_lang` the uses to books in one language. Raises NotFoundError.
        """
        from ontology.translation.terms import term_body

        answer, book = self._answer_language(lang, book_lang), language_option(book_lang, "in")
        page = Page(parse_int("offset", offset, limits.OFFSETS), parse_int("limit", limit, limits.USE_LIMITS))
        bundle = self._bundle()
        knowledge = bundle.as_of_date(as_of)
        chosen_games: tuple[str, ...] = ()
        if games is not None:
            known_games = {key.game for key in knowledge.manifest.editions} | games_with_terms(knowledge)
            chosen_games = game_names.parse_games(
                games, game_names.with_titles(known_games, knowledge.manifest), game_names.NO_TERMS
            )
        return term_body(knowledge, label, answer, page, chosen_games, book)

    def property_labels(self) -> "Mapping[str, Mapping[str, str]]":
        """The names of the properties of zones: property → language → label."""
        from ontology.vocabulary import property_labels

        return property_labels()

    def vocabulary_terms(self) -> "tuple[VocabularyTerm, ...]":
        """Every term of Rulestone's vocabulary, in three languages, by group."""
        from ontology.vocabulary import vocabulary_terms

        return vocabulary_terms()

    def propose(self, which: str) -> "contract.Proposals":
        """The zones that the current texts of `game` or `game/book` define, with the words that prove each claim.

        For games without annotations. Raises NotFoundError if no text is loaded, or none defines a zone.
        """
        bundle = self._bundle()
        return {"editions": [_proposed_edition(edition) for edition in _extract_proposals(bundle.knowledge, which)]}

    def propose_turtle(self, which: str) -> bytes:
        """The same for one book as canonical Turtle, for a judge to correct. Raises InputError for several books."""
        from ingest.extract.propose import turtle

        bundle = self._bundle()
        proposals = _extract_proposals(bundle.knowledge, which)
        if len(proposals) > 1:
            books = ", ".join(f"{edition.key.game}/{edition.key.book}" for edition in proposals)
            raise InputError("Turtle is written for one book at a time; name one of {books}", books=books)
        return turtle(proposals[0]).encode()


def games_with_terms(knowledge: "Knowledge") -> set[str]:
    """The games that have concepts."""
    return {game for concept in knowledge.names.labels if (game := game_of_concept(concept))}


def _rule_words(knowledge: "Knowledge", rules: Iterable[str], lang: str) -> "dict[str, contract.RuleWords]":
    """Rule → the beginning of its text, or of its gloss if its book is not loaded; unknown rules are left out."""
    words: dict[str, contract.RuleWords] = {}
    for rule, record in knowledge.by_iri(rules).items():
        by_language = {text_lang: text["text"] for text_lang, text in record["texts"].items()} or record["digest"]
        words_lang = choose(lang, by_language)
        words[rule] = {"rule": rule, "words": by_language[words_lang][:_EXCERPT_LENGTH] if words_lang else "", "lang": words_lang}
    return words


def _topics_by_name(knowledge: "Knowledge", name: str) -> list[str]:
    """The topics with a slug or name, or the topics of a concept of that name. Raises NotFoundError."""
    from ontology.concepts.names import resolve_reference
    from ontology.topic_table import topic_iris

    concepts = resolve_reference(knowledge.names, name)
    hubs = {knowledge.names.hubs.get(concept, concept) for concept in concepts}
    if topic_list := [topic for topic in topic_iris(knowledge.store) if topic in hubs]:
        return topic_list
    raise NotFoundError("{name!r} is a concept, not a topic; leave it out to list all topics", name=name[:60])


def _extract_proposals(knowledge: "Knowledge", which: str) -> "list[Proposals]":
    """The zones that the current editions of `game` or `game/book` define, edition by edition. Raises NotFoundError."""
    from ingest.extract import propose_rows

    game, _, book = which.partition("/")
    keys = [key for key in knowledge.manifest.editions if key.game == game and book in ("", key.book)]
    current = sorted((key for key in keys if knowledge.currency.has_current(key)), key=str)
    editions = {key: texts for key in current if (texts := _rules_by_language(knowledge, key))}
    if not editions:
        raise NotFoundError(
            "no text of {which!r} is loaded", which=which[:60], command=f"rulestone add FILE --game {game[:40] or 'GAME'}"
        )
    every = [propose_rows(key, catalogue().book(key.game, key.book).original, texts) for key, texts in editions.items()]
    if proposals := [edition for edition in every if edition.zones]:
        return proposals
    raise NotFoundError(_NO_ZONE_RECOGNISED.text, which=which[:60])


def _rules_by_language(knowledge: "Knowledge", key: EditionKey) -> "dict[str, list[TextNode]]":
    """The rules of an edition by language, in document order."""
    from ingest.extract import TextNode

    texts: dict[str, list[TextNode]] = {}
    for record in knowledge.records_of(key):
        parent = split_rule(record["parent"]).locator if record["parent"] else None
        for lang, text in record["texts"].items():
            texts.setdefault(lang, []).append(TextNode(Kind(record["kind"]), record["locator"], text["text"], parent))
    return texts


def _proposed_edition(proposals: "Proposals") -> "contract.ProposedEdition":
    key = proposals.key
    zones = [_proposed_zone(proposals, zone) for zone in proposals.zones]
    return {"game": key.game, "book": key.book, "edition": key.edition, "zones": zones}


def _proposed_zone(proposals: "Proposals", zone: "ExtractedZone") -> "contract.ProposedZone":
    labels: dict[str, list[str]] = {}
    for lang, label in zone.labels:
        labels.setdefault(lang, []).append(label)
    return {
        "slug": zone.slug,
        "kind": zone.kind,
        "labels": labels,
        "defined_by": [rule_iri(proposals.key, locator) for locator in zone.defining_locators],
        "claims": [
            {
                "property": claim.property,
                "value": int(claim.value) if claim.value.isdecimal() else claim.value,
                "status": "proposed",
                "general": claim.general,
                "supports": [
                    {"rule": rule_iri(proposals.key, support.locator), "lang": support.lang, "quote": support.phrase}
                    for support in claim.supports
                ],
            }
            for claim in proposals.claims
            if claim.zone == zone.slug
        ],
    }


def _unused_body(verdict: "Verdict") -> "contract.UnusedVerdict":
    return {
        "subject": verdict.subject,
        "object": verdict.object or None,
        "verdict": verdict.verdict,
        "who": verdict.who,
        "when": verdict.when,
        "file": verdict.file,
    }
