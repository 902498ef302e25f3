"""Rulings as quads: the statements about the rulings of one source, and their links to rules. Deterministic."""

from collections.abc import Iterable, Iterator, Sequence

import pyoxigraph as ox

from corpus.address import RDF_TYPE, RS, RULINGS, graph_iri, iri_of, ruling_iri
from corpus.model import Ruling
from corpus.store.rulings import LinkedRuling, card_keys

_TYPE = ox.NamedNode(RDF_TYPE)
_BOOLEAN = ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
PROPERTIES = (
    "answer", "authority", "cardKey", "cardName", "date", "game", "question", "replacedBy", "restsOn", "ruledBy", "withdrawn",
)  # fmt: skip
"""The statements about a ruling."""
_PREDICATES = {name: ox.NamedNode(RS + name) for name in PROPERTIES}


def nquads(game: str, source: str, rulings: Sequence[Ruling]) -> dict[str, bytes]:
    """The named graphs of the rulings of a source, as sorted N-Quads: their texts and cards."""
    facts, cards = (ox.NamedNode(graph_iri(RULINGS, game, source, *part)) for part in ((), ("records",)))
    return _sorted_graphs(
        {
            facts: (quad for ruling in rulings for quad in _ruling_facts(ruling, facts)),
            cards: (
                ox.Quad(ox.NamedNode(ruling.iri), _PREDICATES["cardKey"], ox.Literal(key), cards)
                for ruling in rulings
                for key in card_keys(ruling)
            ),
        }
    )


def links_graph(source: str) -> str:
    """The name of the graph of links from the rulings of a source (`mtg/rulings/wotc`) to rules."""
    game, _, name = source.split("/")
    return graph_iri("grounds", game, name)


def links(source: str, rulings: Iterable[LinkedRuling]) -> dict[str, bytes]:
    """That graph as sorted N-Quads; empty without links."""
    graph = ox.NamedNode(links_graph(source))
    rests = ((row.ruling["iri"], link.rule) for row in rulings for link in row.rules)
    return _sorted_graphs(
        {graph: (ox.Quad(ox.NamedNode(iri), _PREDICATES["restsOn"], ox.NamedNode(rule), graph) for iri, rule in rests)}
    )


def _ruling_facts(ruling: Ruling, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    subject = ox.NamedNode(ruling.iri)

    def quad(name: str, value: ox.NamedNode | ox.Literal) -> ox.Quad:
        return ox.Quad(subject, _PREDICATES[name], value, graph)

    yield ox.Quad(subject, _TYPE, ox.NamedNode(f"{RS}Ruling"), graph)
    yield quad("game", ox.NamedNode(iri_of(ruling.game)))
    yield quad("ruledBy", ox.Literal(ruling.source))
    yield quad("authority", ox.NamedNode(RS + ruling.authority.value))
    for name, texts in (("question", ruling.question), ("answer", ruling.answer)):
        yield from (quad(name, ox.Literal(words, language=lang)) for lang, words in texts.items())
    yield from (quad("cardName", ox.Literal(card)) for card in ruling.cards)
    if ruling.date:
        yield quad("date", ox.Literal(ruling.date))
    if ruling.version:
        yield quad("replacedBy", ox.NamedNode(ruling_iri(ruling.game, ruling.source, ruling.id)))
    if ruling.withdrawn:
        yield quad("withdrawn", ox.Literal("true", datatype=_BOOLEAN))


def _sorted_graphs(graphs: dict[ox.NamedNode, Iterator[ox.Quad]]) -> dict[str, bytes]:
    texts = ((graph.value, ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"") for graph, quads in graphs.items())
    return {graph: b"\n".join(sorted(set(lines.splitlines()))) + b"\n" for graph, lines in texts if lines}
