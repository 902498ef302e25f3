"""What the texts of a game that nobody has annotated say of its zones, with the words that prove it."""

from typing import TYPE_CHECKING

from corpus.address import EditionKey, rule_iri, split_rule
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.model import Kind
from ingest.extract import Claim, Proposals, TextNode, Zone, propose_rows
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus import contract


def proposed(knowledge: Knowledge, which: str) -> list[Proposals]:
    """What is proposed for the current editions of `game` or `game/book`.

    Raises NotFoundError where no text of it is loaded, or none speaks of zones.
    """
    game, _, book = which.partition("/")
    editions = {key: texts for key in _editions(knowledge, game, book) if (texts := _texts(knowledge, key))}
    if not editions:
        raise NotFoundError(
            "no text of {which!r} is loaded; add one with: rulestone add FILE --game {game}",
            which=which[:60],
            game=game[:40] or "GAME",
        )
    every = [propose_rows(key, catalogue().book(key.game, key.book).original, texts) for key, texts in editions.items()]
    if not any(proposals.zones for proposals in every):
        raise NotFoundError(
            "the texts of {which!r} define no zone that was understood; docs/extraction.md says how to help", which=which[:60]
        )
    return [proposals for proposals in every if proposals.zones]


def body(proposals: list[Proposals]) -> "contract.Proposals":
    """A zone has its labels, the rules that define it and, for each property, value and supports."""
    return {"editions": [_edition(edition) for edition in proposals]}


def turtle(proposals: list[Proposals]) -> bytes:
    """Canonical Turtle for a judge to correct. Raises InputError for several books at once."""
    from ingest.extract import graph

    if len(proposals) > 1:
        books = ", ".join(f"{edition.key.game}/{edition.key.book}" for edition in proposals)
        raise InputError("Turtle is written for one book at a time; name one of {books}", books=books)
    return graph.turtle(proposals[0]).encode()


def _editions(knowledge: Knowledge, game: str, book: str) -> list[EditionKey]:
    keys = [key for key in knowledge.manifest.editions if key.game == game and book in ("", key.book)]
    return sorted((key for key in keys if knowledge.currency.has_current(key)), key=str)


def _texts(knowledge: Knowledge, key: EditionKey) -> dict[str, list[TextNode]]:
    """The rules of an edition by language, in document order."""
    texts: dict[str, list[TextNode]] = {}
    for record in knowledge.records_of(key):
        parent = split_rule(record["parent"]).locator if record["parent"] else None
        for lang, text in record["texts"].items():
            texts.setdefault(lang, []).append(TextNode(Kind(record["kind"]), record["locator"], text["text"], parent))
    return texts


def _edition(proposals: Proposals) -> "contract.ProposedEdition":
    key = proposals.key
    return {
        "game": key.game,
        "book": key.book,
        "edition": key.edition,
        "zones": [_zone(proposals, zone) for zone in proposals.zones],
    }


def _zone(proposals: Proposals, zone: Zone) -> "contract.ProposedZone":
    labels: dict[str, list[str]] = {}
    for lang, label in zone.labels:
        labels.setdefault(lang, []).append(label)
    return {
        "slug": zone.slug,
        "kind": zone.kind,
        "labels": labels,
        "defined_by": [rule_iri(proposals.key, locator) for locator in zone.defined],
        "claims": [_claim(proposals, claim) for claim in proposals.claims if claim.zone == zone.slug],
    }


def _claim(proposals: Proposals, claim: Claim) -> "contract.ProposedClaim":
    return {
        "property": claim.property,
        "value": int(claim.value) if claim.value.isdecimal() else claim.value,
        "status": "proposed",
        "general": claim.general,
        "supports": [
            {"rule": rule_iri(proposals.key, support.locator), "lang": support.lang, "quote": support.phrase}
            for support in claim.supports
        ],
    }
