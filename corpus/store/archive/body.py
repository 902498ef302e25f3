"""What of a rule is the same in every edition that has it word for word, apart from what only its edition knows; and both together.

The place of a rule, its neighbours and its place in the file follow from the edition; its own addresses do not name it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.address import NS, EditionKey, graph_iri, rule_iri, source_iri

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Source

HERE = "\0"
"""Stands for the address of the edition; in JSON and N-Quads this character is always written as an escape."""
_OWN = {"edition": "", "order": 0, "previous": None, "next": None, "sources": []}
_INTEGER = "<http://www.w3.org/2001/XMLSchema#integer>"
_ORDER, _SOURCE = f"<{NS}order>", f"<{NS}source>"
_RECORD, _LOCATOR, _EDITION, _MENTIONS = f"<{NS}record>", f"<{NS}locator>", f"<{NS}edition>", f"<{NS}mentions>"
RECORDS, MENTIONS = "records", "mentions"
"""Parts of an edition that follow from its records; the others are its languages."""
Parts = Mapping[str, Sequence[str]]
"""Language → what is stated of a rule in it, N-Triples without the final dot."""


class Place(NamedTuple):
    """Where a rule stands."""

    key: EditionKey
    order: int
    previous: str | None  # locators
    next: str | None
    sources: "Sequence[Source]"


def record_kept(record: "RuleRecord", key: EditionKey) -> str:
    """What is kept of a record."""
    body = {name: _OWN.get(name, value) for name, value in record.items()}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).replace(key.iri, HERE)


def record_of(kept: str, place: Place) -> Any:  # noqa: ANN401
    """The record again, with its keys in the same order."""
    body = json.loads(kept.replace(HERE, place.key.iri))
    body |= {"edition": place.key.edition, "order": place.order, "sources": list(place.sources)}
    return body | {"previous": _beside(place.key, place.previous), "next": _beside(place.key, place.next)}


def _beside(key: EditionKey, locator: str | None) -> str | None:
    return rule_iri(key, locator) if locator is not None else None


def quads_kept(parts: Parts, key: EditionKey) -> str:
    """What is kept of the statements of a rule in each language."""
    told = {lang: [line for line in lines if not _follows(line)] for lang, lines in parts.items()}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace(key.iri, "\\u0000")


def _follows(line: str) -> bool:
    """Whether a statement follows from the place of the rule."""
    subject, predicate, _ = line.split(" ", 2)
    return "#" not in subject and predicate in (_ORDER, _SOURCE)


def quads_of(kept: str, iri: str, place: Place) -> Iterator[str]:
    """The statements again, as lines of N-Quads."""
    for lang, lines in json.loads(kept).items():
        graph = f" <{graph_iri(place.key, lang)}> ."
        yield from (line.replace(HERE, place.key.iri) + graph for line in lines)
        yield f'<{iri}> {_ORDER} "{place.order}"^^{_INTEGER}{graph}'
        for source in place.sources:
            if source["lang"] == lang:
                yield f"<{iri}> {_SOURCE} <{source_iri(source['sha256'], source['start'], source['end'])}>{graph}"


def quads_of_record(record: "RuleRecord", key: EditionKey) -> Iterator[str]:
    """What follows from a record: its own graph, and the concepts that its words name."""
    from pyoxigraph import Literal

    iri, graph = record["iri"], f" <{graph_iri(key, RECORDS)}> ."
    yield f"<{iri}> {_RECORD} {Literal(json.dumps(record, ensure_ascii=False, separators=(',', ':')))}{graph}"
    yield f"<{iri}> {_LOCATOR} {Literal(record['locator'])}{graph}"
    yield f"<{iri}> {_EDITION} <{key.iri}>{graph}"
    graph = f" <{graph_iri(key, MENTIONS)}> ."
    yield from (f"<{iri}> {_MENTIONS} <{concept}>{graph}" for concept in mentioned(record))


def mentioned(record: "RuleRecord") -> list[str]:
    """The concepts that a rule names, in whatever language."""
    return sorted({mention["concept"] for mention in record["mentions"]})


def by_rule(lines: Iterable[str], key: EditionKey) -> Iterator[tuple[str | None, str]]:
    """Of each line of an edition's graph the locator of the rule that it speaks of (None: of the edition), and the statement."""
    own = f"<{key.iri}/"
    for line in lines:
        statement = line.rsplit(" ", 2)[0]
        subject = statement.partition(" ")[0]
        locator = subject[len(own) : -1].partition("#")[0] if subject.startswith(own) else None
        yield locator, statement
