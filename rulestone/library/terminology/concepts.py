"""Zones, concepts and terms."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rulestone import limits
from rulestone.library.opened import Opened
from rulestone.limits import whole

if TYPE_CHECKING:
    from corpus import contract
    from ontology.translation.terms.vocabulary import Term


class Concepts(Opened):
    """What the rules mean; with `as_of` (a date, month, year or edition), what they meant then."""

    def zones(
        self, *, games: str | Iterable[str] | None = None, lang: str | None = None, as_of: str | None = None
    ) -> "contract.Zones":
        """The zones of some games (`dm,mtg` or one by one; without it of all) side by side, each statement with its proof."""
        from rulestone.answers.concepts import zones

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return zones(bundle.at(as_of), answer, games)

    def moves(self, *, lang: str | None = None, as_of: str | None = None) -> "list[contract.Move]":
        """How cards move between the zones of all games, each way with the claim and the words that prove it."""
        from ontology.concepts.moves import moves

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return moves(bundle.at(as_of), answer)

    def topics(
        self,
        *,
        games: str | Iterable[str] | None = None,
        topic: str | None = None,
        lang: str | None = None,
        as_of: str | None = None,
    ) -> "contract.Topics":
        """What judges look up, with the rule of each game side by side and what differs; or one topic, by slug or name.

        Raises NotFoundError where no topic has that name.
        """
        from rulestone.answers.concepts import topics

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return topics(bundle.at(as_of), answer, games, topic)

    def topic_groups(self) -> "Mapping[str, Mapping[str, str]]":
        """The groups of the topics in the order in which they are shown: slug → language → title."""
        from ontology.topics.topic import groups

        return groups()

    def concept(self, ref: str, *, lang: str | None = None, as_of: str | None = None) -> "contract.Concepts":
        """The concepts that `mtg/graveyard`, `graveyard`, a name in any language or an address means. Raises NotFoundError."""
        from rulestone.answers.concepts import concept

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return concept(bundle.at(as_of), ref, answer)

    def concepts(
        self,
        *,
        game: str | None = None,
        kind: str | None = None,
        lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: str | None = None,
    ) -> "contract.ConceptList":
        """A page of the list of all concepts, or of those of one game or kind."""
        from corpus.paging import Page
        from rulestone.answers.concepts import concepts

        answer, _ = self._languages(lang)
        page = Page(whole("offset", offset, limits.OFFSET), whole("limit", limit, limits.CONCEPTS))
        bundle = self._bundle()
        return concepts(bundle.at(as_of), answer, page, game, kind)

    def term(
        self,
        label: str,
        *,
        game: str | None = None,
        lang: str | None = None,
        within: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: str | None = None,
    ) -> "contract.Terms":
        """What a name's concept is called in each game and language, and a page of its uses in each.

        `game` limits terms and uses to one game, `within` the uses to books in one language. Raises NotFoundError.
        """
        from corpus.paging import Page
        from rulestone.answers.concepts import term

        answer, book = self._languages(lang, within)
        page = Page(whole("offset", offset, limits.OFFSET), whole("limit", limit, limits.USES))
        bundle = self._bundle()
        return term(bundle.at(as_of), label, answer, page, game, book)

    def property_labels(self) -> "Mapping[str, Mapping[str, str]]":
        """What the properties of zones are called: property → language → label."""
        from ontology.translation.terms.vocabulary import property_labels

        return property_labels()

    def vocabulary_terms(self) -> "tuple[Term, ...]":
        """Every term of Rulestone's own vocabulary, in three languages, group by group."""
        from ontology.translation.terms.vocabulary import vocabulary_terms

        return vocabulary_terms()

    def propose(self, which: str) -> "contract.Proposals":
        """What the texts of `game` or `game/book`, which nobody has annotated, say of its zones. Raises NotFoundError."""
        from rulestone.answers import proposals

        bundle = self._bundle()
        return proposals.body(proposals.proposed(bundle.knowledge, which))

    def propose_turtle(self, which: str) -> bytes:
        """The same of one book as Turtle, for a judge to correct. Raises InputError for several books at once."""
        from rulestone.answers import proposals

        bundle = self._bundle()
        return proposals.turtle(proposals.proposed(bundle.knowledge, which))
