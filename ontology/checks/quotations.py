"""Do the words that support a claim stand in its rule? Asked anew for every bundle, of the texts that are loaded in it."""

from collections.abc import Iterator, Mapping

from corpus.address import NS, graph_iri
from corpus.store.engine import values
from corpus.words.text import fold
from ontology.concepts.claims import Support, supports_in
from ontology.knowledge import Knowledge

GRAPH = graph_iri("verified")
_TEXTS = f"SELECT ?rule ?text (LANG(?text) AS ?lang) WHERE {{ %s GRAPH ?texts {{ ?rule <{NS}text> ?text }} }}"
Texts = Mapping[str, list[tuple[str, str]]]
"""Rule → (language tag in lower case, text) of what is loaded."""


def verified(knowledge: Knowledge) -> dict[str, bool]:
    """Support → whether its words stand in its rule; supports whose rule is not loaded in that language are missing."""
    supports = supports_in(knowledge.store)
    texts = _texts(knowledge, sorted({support.rule for support in supports}))
    return {support.iri: fold(support.quote) in fold(text) for support in supports for text in _loaded(support, texts)}


def _texts(knowledge: Knowledge, rules: list[str]) -> Texts:
    texts: dict[str, list[tuple[str, str]]] = {}
    for row in knowledge.store.select(_TEXTS % values("rule", rules)):
        texts.setdefault(row["rule"], []).append((row["lang"].lower(), row["text"]))
    for record in knowledge.archive.records(rules):
        texts.setdefault(record["iri"], []).extend((lang.lower(), words["text"]) for lang, words in record["texts"].items())
    return texts


def _loaded(support: Support, texts: Texts) -> Iterator[str]:
    """The texts of a support's rule in the language of its quotation, in whatever script."""
    wanted = support.lang.lower()
    return (text for lang, text in texts.get(support.rule, ()) if lang == wanted or lang.startswith(f"{wanted}-"))


def nquads(knowledge: Knowledge) -> bytes:
    """The verdicts as sorted N-Quads."""
    return "".join(sorted(_lines(verified(knowledge)))).encode()


def _lines(verdicts: Mapping[str, bool]) -> Iterator[str]:
    for support, holds in verdicts.items():
        value = f'"{str(holds).lower()}"^^<http://www.w3.org/2001/XMLSchema#boolean>'
        yield f"<{support}> <{NS}verified> {value} <{GRAPH}> .\n"
