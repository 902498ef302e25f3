"""Finds the queries that may touch superseded editions: all except those whose every pattern has a term that editions never use."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpus.address import RDF_TYPE
from corpus.store.statements import CLASSES, PREDICATES


def reaches(query: str) -> bool | None:
    """Whether a query may match statements that are derived from records, True in doubt; None if rdflib cannot read the query."""
    algebra = _algebra(query)
    if algebra is None:
        return None
    if algebra.name == "DescribeQuery":
        return True
    return any(_may_find(pattern) for pattern in _patterns(algebra))


def _algebra(query: str) -> Any:  # noqa: ANN401
    """A query as rdflib reads it (SPARQL 1.1, section 18.2); None if it cannot."""
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        return translateQuery(parseQuery(query), base="").algebra
    except Exception:  # its parser has no common class of errors
        return None


def _may_find(pattern: tuple[Any, ...] | None) -> bool:
    from rdflib import URIRef

    if pattern is None:
        return True
    _, predicate, value = pattern
    if str(predicate) == RDF_TYPE:
        return not isinstance(value, URIRef) or str(value) in CLASSES
    named = list(_named(predicate))
    return None in named or RDF_TYPE in named or not PREDICATES.isdisjoint(named)


def _named(predicate: Any) -> Iterator[str | None]:  # noqa: ANN401
    """The properties in a predicate or path; None if it may be any, or matches a zero-length path."""
    from rdflib import URIRef
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    if isinstance(predicate, URIRef):
        yield str(predicate)
    elif isinstance(predicate, InvPath):
        yield from _named(predicate.arg)
    elif isinstance(predicate, SequencePath | AlternativePath):
        for part in predicate.args:
            yield from _named(part)
    elif isinstance(predicate, MulPath) and not predicate.zero:
        yield from _named(predicate.path)
    else:
        yield None


def _patterns(part: Any) -> Iterator[tuple[Any, ...] | None]:  # noqa: ANN401
    """The triple patterns of a query or a part of it, nested ones too; None for a group without any, which matches graphs."""
    if isinstance(part, Mapping):
        for name, inner in part.items():
            yield from _flat(inner) if name == "triples" else _patterns(inner)
    elif isinstance(part, list | tuple | set) or type(part).__name__ == "ParseResults":
        yield from (pattern for inner in part for pattern in _patterns(inner))


def _flat(triples: Any) -> Iterator[tuple[Any, ...] | None]:  # noqa: ANN401
    """Triples, single or in lists, as the parser returns them."""
    terms = list(_terms(triples))
    if not terms:
        yield None
    yield from (tuple(terms[start : start + 3]) for start in range(0, len(terms), 3))


def _terms(part: Any) -> Iterator[Any]:  # noqa: ANN401
    if isinstance(part, list | tuple) or type(part).__name__ == "ParseResults":
        yield from (term for inner in part for term in _terms(inner))
    else:
        yield part
