"""What stands at an address: a rule, an edition, a concept, the vocabulary; as a body, or as Turtle."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

from corpus.address import iri_of, is_ruling
from corpus.editions.rulings.rulings import ruling_at
from corpus.errors import NotFoundError
from corpus.messages import message
from corpus.reference import Reference
from ontology.knowledge import Knowledge
from rulestone.answers.linked.turtle import PREFIXES, turtle
from rulestone.answers.rules import rule

if TYPE_CHECKING:
    from corpus.contract import Concept, EditionSummary, Rule, RuleRecord, Ruling

CONCEPTS = "concept/"
Thing = Literal["rule", "edition", "concept", "ruling"]


def kind_at(knowledge: Knowledge, path: str) -> Thing:
    """What stands at `…/id/{path}`. Raises NotFoundError."""
    if path.startswith(CONCEPTS):
        _known_concept(knowledge, path)
        return "concept"
    if is_ruling(iri_of(path)):
        ruling_at(knowledge, iri_of(path))
        return "ruling"
    if _record(knowledge, path):
        return "rule"
    _edition(knowledge, path)
    return "edition"


def resource(knowledge: Knowledge, path: str, lang: str) -> "Rule | EditionSummary | Concept | Ruling":
    """The rule, edition, concept or ruling at `…/id/{path}`. Raises NotFoundError."""
    if path.startswith(CONCEPTS):
        from ontology.concepts.concepts import concepts

        [concept] = concepts(knowledge, [_known_concept(knowledge, path)], lang)
        return concept
    if is_ruling(iri_of(path)):
        return ruling_at(knowledge, iri_of(path))
    record = _record(knowledge, path)
    return rule(knowledge, record, lang) if record else _edition(knowledge, path)


def turtle_at(knowledge: Knowledge, path: str) -> bytes:
    """All that is stated of what stands at `…/id/{path}`, in Turtle. Raises NotFoundError."""
    if path.startswith(CONCEPTS):
        from ontology.concepts.claims import statements

        return turtle(statements(knowledge.store, _known_concept(knowledge, path)))
    if is_ruling(iri_of(path)):
        return turtle(knowledge.triples(ruling_at(knowledge, iri_of(path))["iri"]))
    entry = _record(knowledge, path) or _edition(knowledge, path)
    return turtle(knowledge.triples(entry["iri"]))


def current_path(knowledge: Knowledge, path: str) -> str:
    """A path with the current edition in the place of `latest`. Raises NotFoundError where that has no such rule."""
    game, book, _, *locator = path.split("/")
    editions = _found(knowledge, game, book, "/".join(locator))
    current = next((edition for edition, is_current in editions if is_current), None)
    if current is not None:
        return "/".join([game, book, current, *locator])
    raise NotFoundError(
        "no current edition of {book} has it; editions that do: {editions}",
        book=f"{game}/{book}",
        editions=", ".join(edition for edition, _ in editions) or message("none"),
    )


def vocabulary() -> bytes:
    """Rulestone's own terms and the closed values of claims, in Turtle. Raises NotFoundError for an installation without them."""
    schema = files("ontology").joinpath("data/schema.ttl")
    if not schema.is_file():
        raise NotFoundError("the vocabulary is not part of this installation; install Rulestone anew")
    return schema.read_bytes() + b"\n" + files("ontology").joinpath("data/values/closed.ttl").read_bytes()


@cache
def vocabulary_json() -> bytes:
    """The same in JSON-LD."""
    import pyoxigraph as ox

    quads = ox.parse(vocabulary(), format=ox.RdfFormat.TURTLE)
    return ox.serialize(quads, format=ox.RdfFormat.JSON_LD, prefixes=PREFIXES) or b""


def _found(knowledge: Knowledge, game: str, book: str, locator: str) -> list[tuple[str, bool]]:
    """The editions of a book, or those that have a rule, and whether each is current."""
    if locator:
        return [(record["edition"], record["current"]) for record in knowledge.rules(Reference(locator, game, book))]
    return [
        (edition["edition"], edition["current"])
        for edition in knowledge.editions()
        if (edition["game"], edition["book"]) == (game, book)
    ]


def _known_concept(knowledge: Knowledge, path: str) -> str:
    iri = iri_of(path)
    if iri not in knowledge.names.labels:
        raise NotFoundError("nothing has the address {iri}; /v1/concepts lists all concepts", iri=iri[:200])
    return iri


def _record(knowledge: Knowledge, path: str) -> "RuleRecord | None":
    iri = iri_of(path)
    return knowledge.by_iri([iri]).get(iri)


def _edition(knowledge: Knowledge, path: str) -> "EditionSummary":
    """The edition at a path, where no rule stands. Raises NotFoundError."""
    iri = iri_of(path)
    edition = next((summary for summary in knowledge.editions() if summary["iri"] == iri), None)
    if edition is None:
        raise NotFoundError("nothing has the address {iri}; /v1/editions lists what is loaded", iri=iri[:200])
    return edition
