"""Asks a node only those alternatives of `sh:or` that it may fit.

pySHACL tries every alternative for every node and writes a report of each that does not fit: of 18 alternatives for a thousand
claims that is nine tenths of the time. Where each alternative names the values that a path must have, all but those that name the
value of a node are known not to fit.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node


def narrow(wanted: "Graph", data: "Graph") -> None:
    """Puts in the place of each `sh:or` of a class one for each value that tells its alternatives apart, of the nodes with it."""
    from rdflib.namespace import SH

    for shape, alternatives in list(wanted.subject_objects(SH["or"])):
        target = wanted.value(shape, SH.targetClass)
        named = _named(wanted, list(wanted.items(alternatives)))
        if target is not None and named is not None:
            wanted.remove((shape, SH["or"], alternatives))
            for fitting, nodes in _groups(data, target, *named):
                _add(wanted, shape, fitting, nodes)


def _named(wanted: "Graph", shapes: Sequence["Node"]) -> "tuple[Node, Mapping[Node, frozenset[Node]]] | None":
    """A path of which every alternative names the values, and the values by alternative; None where there is no such path."""
    lists = [dict(_listed(wanted, shape)) for shape in shapes]
    common = [path for path in lists[0] if all(path in paths for paths in lists)] if lists else []
    return (common[0], {shape: paths[common[0]] for shape, paths in zip(shapes, lists, strict=True)}) if common else None


def _listed(wanted: "Graph", shape: "Node") -> "Iterator[tuple[Node, frozenset[Node]]]":
    """The paths of a shape of which it names the values, and the values."""
    from rdflib.namespace import SH

    for part in wanted.objects(shape, SH.property):
        path, values = wanted.value(part, SH.path), wanted.value(part, SH["in"])
        if path is not None and values is not None:
            yield path, frozenset(wanted.items(values))


def _groups(
    data: "Graph", target: "Node", path: "Node", named: "Mapping[Node, frozenset[Node]]"
) -> "Iterator[tuple[Sequence[Node], Sequence[Node]]]":
    """Alternatives and the nodes of a class that may fit these alone, and fit one of them or none."""
    from rdflib import RDF

    nodes: dict[frozenset[Node], list[Node]] = defaultdict(list)
    for node in data.subjects(RDF.type, target):
        nodes[frozenset(data.objects(node, path))].append(node)
    for values, same in nodes.items():
        yield [shape for shape, named_by in named.items() if values <= named_by] or list(named), same


def _add(wanted: "Graph", shape: "Node", alternatives: Sequence["Node"], nodes: Sequence["Node"]) -> None:
    """A shape of some nodes that asks these alternatives, and says what another shape says."""
    from rdflib import BNode
    from rdflib.collection import Collection
    from rdflib.namespace import RDF, SH

    alternative, items = BNode(), BNode()
    Collection(wanted, items, list(alternatives))
    wanted.add((alternative, RDF.type, SH.NodeShape))
    wanted.add((alternative, SH["or"], items))
    for words in wanted.objects(shape, SH.message):
        wanted.add((alternative, SH.message, words))
    for node in nodes:
        wanted.add((alternative, SH.targetNode, node))
