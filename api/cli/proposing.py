"""`rulestone propose`: what the texts of a game that nobody has annotated say of its zones, with the words that prove it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.cli.console import tell
from api.cli.opening import opened
from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.model import Kind
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from ingest.extract import Claim, Proposals, TextNode, Zone

Body = dict[str, Any]


def proposed(home: Home, which: str) -> list["Proposals"]:
    """What is proposed for the current editions of `game` or `game/book`.

    Raises NotFoundError where no text of it is loaded, or none speaks of zones.
    """
    from ingest.extract import propose_rows

    game, _, book = which.partition("/")
    with opened(home, tell) as knowledge:
        found = {key: texts for key in _editions(knowledge, game, book) if (texts := _rows(knowledge, key))}
    if not found:
        raise NotFoundError(f"no text of {which[:60]!r} is loaded; add one with: rulestone add FILE --game {game[:40] or 'GAME'}")
    every = [propose_rows(key, catalogue().book(key.game, key.book).original, texts) for key, texts in found.items()]
    if not any(one.zones for one in every):
        raise NotFoundError(f"the texts of {which[:60]!r} define no zone that was understood; docs/extraction.md says how to help")
    return [one for one in every if one.zones]


def _editions(knowledge: Knowledge, game: str, book: str) -> list[EditionKey]:
    keys = [key for key, langs in knowledge.current.items() if langs and key.game == game and book in ("", key.book)]
    return sorted(keys, key=str)


def _rows(knowledge: Knowledge, key: EditionKey) -> dict[str, list["TextNode"]]:
    """The rules of an edition by language, in document order."""
    from ingest.extract import TextNode

    found: dict[str, list[TextNode]] = {}
    for record in knowledge.records_of(key):
        parent = (record["parent"] or "").removeprefix(f"{key.iri}/") or None
        for lang, text in record["texts"].items():
            found.setdefault(lang, []).append(TextNode(Kind(record["kind"]), record["locator"], text["text"], parent))
    return found


def body(found: list["Proposals"]) -> Body:
    """The `--json` body: a zone has its labels, the rules that define it and, for each property, value and supports."""
    return {
        "editions": [
            {
                "game": one.key.game,
                "book": one.key.book,
                "edition": one.key.edition,
                "zones": [_zone(one, zone) for zone in one.zones],
            }
            for one in found
        ]
    }


def _zone(found: "Proposals", zone: "Zone") -> Body:
    labels: dict[str, list[str]] = {}
    for lang, label in zone.labels:
        labels.setdefault(lang, []).append(label)
    return {
        "slug": zone.slug,
        "kind": zone.kind,
        "labels": labels,
        "defined_by": [f"{found.key.iri}/{locator}" for locator in zone.defined],
        "claims": [_claim(found, claim) for claim in found.claims if claim.zone == zone.slug],
    }


def _claim(found: "Proposals", claim: "Claim") -> Body:
    supports = [{"rule": f"{found.key.iri}/{one.locator}", "lang": one.lang, "quote": one.phrase} for one in claim.supports]
    return {
        "property": claim.property,
        "value": int(claim.value) if claim.value.isdecimal() else claim.value,
        "status": "proposed",
        "general": claim.general,
        "supports": supports,
    }


def table(found: list["Proposals"]) -> Iterator[str]:
    """The proposals for people: a zone, below it each statement with its rule and the words."""
    for one in found:
        yield f"{one.key}: {len(one.zones)} zones, {len(one.claims)} statements, all proposed"
        for zone in one.zones:
            names = " · ".join(dict.fromkeys(label for _, label in zone.labels))
            kind = "" if zone.kind == "zone" else f" ({zone.kind})"
            yield ""
            yield f"{names}{kind}  [{', '.join(zone.defined[:3])}]"
            for claim in one.claims:
                if claim.zone == zone.slug:
                    general = " (general rule)" if claim.general else ""
                    first = claim.supports[0]
                    yield f"  {claim.property:<11}{claim.value:<14}{first.locator}  “{first.phrase}”{general}"


def write_turtle(found: list["Proposals"], path: Path) -> None:
    """Canonical Turtle for a judge to correct. Raises InputError where a folder stands at that place."""
    from api.cli.exports import write
    from ingest.extract.graph import turtle

    if len(found) > 1:
        books = ", ".join(f"{one.key.game}/{one.key.book}" for one in found)
        raise InputError(f"-o takes one book at a time; name one of {books}")
    write([turtle(found[0]).encode()], path)
