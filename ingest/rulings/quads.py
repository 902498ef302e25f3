"""Rulings as quads: what is stated of those of one source in one graph, the JSON to look them up in another. Deterministic."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyoxigraph as ox

from corpus.address import NS, RDF_TYPE, graph_iri, iri_of, ruling_iri
from corpus.contract import RulingCitation
from corpus.ruling import Ground, Ruling
from corpus.store.rulings import GROUNDS, RULINGS, card_key

_TYPE = ox.NamedNode(RDF_TYPE)
_BOOLEAN = ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
PROPERTIES = (
    "answer", "authority", "cardKey", "cardName", "date", "game", "groundsRecord", "question", "replacedBy", "restsOn", "ruledBy",
    "rulingRecord", "withdrawn",
)  # fmt: skip
"""What is stated of a ruling."""
_P = {name: ox.NamedNode(NS + name) for name in PROPERTIES}
Grounding = tuple[Sequence[RulingCitation], Sequence[Ground]]
"""The words of a ruling that cite rules, and the rules that it rests on."""


def nquads(game: str, source: str, rulings: Sequence[Ruling]) -> dict[str, bytes]:
    """The named graphs of the rulings of a source, as sorted N-Quads."""
    facts, records = (ox.NamedNode(graph_iri(RULINGS, game, source, *part)) for part in ((), ("records",)))
    return _written(
        {
            facts: (quad for ruling in rulings for quad in _facts(ruling, facts)),
            records: (quad for ruling in rulings for quad in _record(ruling, records)),
        }
    )


def grounds(game: str, source: str, grounded: Iterable[tuple[str, Grounding]]) -> dict[str, bytes]:
    """The named graphs of what the rulings of a source rest on, each by its address."""
    facts, records = (ox.NamedNode(graph_iri(GROUNDS, game, source, *part)) for part in ((), ("records",)))
    listed = [(ox.NamedNode(iri), grounding) for iri, grounding in grounded]
    return _written(
        {
            facts: (
                ox.Quad(iri, _P["restsOn"], ox.NamedNode(ground.rule), facts) for iri, (_, rests) in listed for ground in rests
            ),
            records: (ox.Quad(iri, _P["groundsRecord"], _json(_grounds(*grounding)), records) for iri, grounding in listed),
        }
    )


def _facts(ruling: Ruling, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    subject = ox.NamedNode(ruling.iri)

    def quad(name: str, value: ox.NamedNode | ox.Literal) -> ox.Quad:
        return ox.Quad(subject, _P[name], value, graph)

    yield ox.Quad(subject, _TYPE, ox.NamedNode(f"{NS}Ruling"), graph)
    yield quad("game", ox.NamedNode(iri_of(ruling.game)))
    yield quad("ruledBy", ox.Literal(ruling.source))
    yield quad("authority", ox.NamedNode(NS + ruling.authority.value))
    for name, texts in (("question", ruling.question), ("answer", ruling.answer)):
        yield from (quad(name, ox.Literal(words, language=lang)) for lang, words in texts.items())
    yield from (quad("cardName", ox.Literal(card)) for card in ruling.cards)
    if ruling.date:
        yield quad("date", ox.Literal(ruling.date))
    if ruling.version:
        yield quad("replacedBy", ox.NamedNode(ruling_iri(ruling.game, ruling.source, ruling.id)))
    if ruling.withdrawn:
        yield quad("withdrawn", ox.Literal("true", datatype=_BOOLEAN))


def _record(ruling: Ruling, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    subject = ox.NamedNode(ruling.iri)
    yield ox.Quad(subject, _P["rulingRecord"], _json(_body(ruling)), graph)
    if not ruling.version:
        keys = sorted({card_key(card) for card in (*ruling.cards, *ruling.card_ids)})
        yield from (ox.Quad(subject, _P["cardKey"], ox.Literal(key), graph) for key in keys)


def _body(ruling: Ruling) -> dict[str, Any]:
    return {
        "kind": "ruling",
        "iri": ruling.iri,
        "game": ruling.game,
        "source": ruling.source,
        "id": ruling.id,
        "version": ruling.version or None,
        "withdrawn": ruling.withdrawn,
        "date": ruling.date,
        "authority": ruling.authority.value,
        "question": dict(ruling.question),
        "answer": dict(ruling.answer),
        "marked_up": {part: dict(words) for part, words in ruling.marked_up.items()},
        "cards": list(ruling.cards or ruling.card_ids),
        "card_ids": list(ruling.card_ids),
        "older": [{"iri": version.iri, "date": version.date} for version in ruling.older],
        "files": list(ruling.files),
    }


def _grounds(cites: Sequence[RulingCitation], rests: Sequence[Ground]) -> dict[str, Any]:
    rows = [{name: value for name, value in ground._asdict().items() if name != "who" or value} for ground in rests]
    return {"cites": list(cites), "rests_on": rows}


def _json(body: dict[str, Any]) -> ox.Literal:
    return ox.Literal(json.dumps(body, ensure_ascii=False, separators=(",", ":")))


def _written(graphs: dict[ox.NamedNode, Iterator[ox.Quad]]) -> dict[str, bytes]:
    texts = ((graph.value, ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"") for graph, quads in graphs.items())
    return {graph: b"\n".join(sorted(set(lines.splitlines()))) + b"\n" for graph, lines in texts if lines}
