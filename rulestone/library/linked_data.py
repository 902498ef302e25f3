"""Linked Data: the thing that an address denotes, as JSON or Turtle, and Rulestone's own vocabulary."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from corpus.address import OA, RS, SKOS, iri_of, is_ruling, path_of
from corpus.errors import NotFoundError, UnknownAddressError
from corpus.messages import message
from corpus.reference import Reference
from rulestone.library.base import LibraryBase
from rulestone.library.rules import rule_body
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from ontology.knowledge import Knowledge

_ONTOLOGY_DATA = Path(__file__).parents[2] / "ontology" / "data"
CONCEPTS = "concept/"
"""Prefix of the path of every concept."""
Kind = Literal["rule", "edition", "concept", "ruling"]
PREFIXES = {
    "rs": RS,
    "skos": SKOS,
    "oa": OA,
    "dcterms": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


class LinkedDataMixin(LibraryBase):
    """Looks up addresses; `path` is the part of an address after `…/id/`."""

    def kind_at(self, path: str) -> Kind:
        """The kind of thing at an address. Raises NotFoundError."""
        bundle = self._bundle()
        if path.startswith(CONCEPTS):
            _known_concept(bundle.knowledge, path)
            return "concept"
        if is_ruling(iri_of(path)):
            _find_ruling(bundle.knowledge, path)
            return "ruling"
        if _find_record(bundle.knowledge, path):
            return "rule"
        _find_edition(bundle.knowledge, path)
        return "edition"

    @in_readers_script
    def resource(
        self, path: str, *, lang: str | None = None
    ) -> "contract.Rule | contract.EditionSummary | contract.Concept | contract.Ruling":
        """The rule, edition, concept or ruling at an address. Raises NotFoundError."""
        answer, bundle = self._answer_language(lang), self._bundle()
        if path.startswith(CONCEPTS):
            from ontology.concepts.concepts import concepts

            [concept] = concepts(bundle.knowledge, [_known_concept(bundle.knowledge, path)], answer)
            return concept
        if is_ruling(iri_of(path)):
            return _find_ruling(bundle.knowledge, path)
        record = _find_record(bundle.knowledge, path)
        return rule_body(bundle.knowledge, record, answer) if record else _find_edition(bundle.knowledge, path)

    def turtle(self, path: str) -> bytes:
        """All statements about the thing at an address, in Turtle. Raises NotFoundError."""
        bundle = self._bundle()
        if path.startswith(CONCEPTS):
            from ontology.concepts.claims import concept_triples

            return triples_to_turtle(concept_triples(bundle.knowledge.store, _known_concept(bundle.knowledge, path)))
        if is_ruling(iri_of(path)):
            return triples_to_turtle(bundle.knowledge.triples(_find_ruling(bundle.knowledge, path)["iri"]))
        entry = _find_record(bundle.knowledge, path) or _find_edition(bundle.knowledge, path)
        return triples_to_turtle(bundle.knowledge.triples(entry["iri"]))

    def moved_path(self, path: str) -> str | None:
        """The path of the concept whose former address a path is; None for any other path."""
        if not path.startswith(CONCEPTS):
            return None
        concept = _known_concept(self._bundle().knowledge, path)
        return None if concept == iri_of(path) else path_of(concept)

    def current_path(self, path: str) -> str:
        """A path with the current edition in place of `latest`. Raises NotFoundError if that edition has no such rule."""
        game, book, _, *locator = path.split("/")
        bundle = self._bundle()
        editions = _editions_with_rule(bundle.knowledge, game, book, "/".join(locator))
        current = next((edition for edition, is_current in editions if is_current), None)
        if current is not None:
            return "/".join([game, book, current, *locator])
        raise NotFoundError(
            "no current edition of {book} has it; editions that do: {editions}",
            book=f"{game}/{book}",
            editions=", ".join(edition for edition, _ in editions) or message("none"),
        )


def triples_to_turtle(triples: Iterable[str]) -> bytes:
    """N-Triples lines as one Turtle document in UTF-8, sorted: the same triples give the same bytes.

    Written by Oxigraph: rdflib, whose Turtle is slightly more readable, takes minutes for all rulebooks instead of seconds.
    """
    import pyoxigraph as ox

    lines = "\n".join(sorted(set(triples)))
    quads = ox.parse(lines.encode(), format=ox.RdfFormat.N_TRIPLES)
    return ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b""


def vocabulary() -> bytes:
    """Rulestone's own terms and the closed values of claims, in Turtle. Raises NotFoundError if the installation lacks them."""
    if not (_ONTOLOGY_DATA / "schema.ttl").is_file():
        raise NotFoundError("the vocabulary is not part of this installation; reinstall Rulestone")
    return (_ONTOLOGY_DATA / "schema.ttl").read_bytes() + b"\n" + (_ONTOLOGY_DATA / "values" / "closed.ttl").read_bytes()


@cache
def vocabulary_json() -> bytes:
    """The same in JSON-LD."""
    import pyoxigraph as ox

    quads = ox.parse(vocabulary(), format=ox.RdfFormat.TURTLE)
    return ox.serialize(quads, format=ox.RdfFormat.JSON_LD, prefixes=PREFIXES) or b""


def _editions_with_rule(knowledge: "Knowledge", game: str, book: str, locator: str) -> list[tuple[str, bool]]:
    """The editions of a book that have a rule, or all of them without a locator, each with whether it is current."""
    if locator:
        return [(record["edition"], record["current"]) for record in knowledge.rules(Reference(locator, game, book))]
    return [
        (edition["edition"], edition["current"])
        for edition in knowledge.editions()
        if (edition["game"], edition["book"]) == (game, book)
    ]


def _known_concept(knowledge: "Knowledge", path: str) -> str:
    """The IRI of the concept at a path, also at its former one. Raises NotFoundError."""
    from ontology.concepts.names import moved_concepts

    iri = iri_of(path)
    if iri not in knowledge.names.labels:
        iri = moved_concepts().get(iri, iri)
    if iri not in knowledge.names.labels:
        raise UnknownAddressError("nothing has the address {iri}", iri=iri, listing="/v1/concepts")
    return iri


def _find_ruling(knowledge: "Knowledge", path: str) -> "contract.Ruling":
    from corpus.editions.rulings import ruling_at

    return ruling_at(knowledge, iri_of(path))


def _find_record(knowledge: "Knowledge", path: str) -> "contract.RuleRecord | None":
    iri = iri_of(path)
    return knowledge.by_iri([iri]).get(iri)


def _find_edition(knowledge: "Knowledge", path: str) -> "contract.EditionSummary":
    """The edition at a path that has no rule. Raises NotFoundError."""
    iri = iri_of(path)
    edition = next((summary for summary in knowledge.editions() if summary["iri"] == iri), None)
    if edition is None:
        raise UnknownAddressError("nothing has the address {iri}", iri=iri, listing="/v1/editions")
    return edition
