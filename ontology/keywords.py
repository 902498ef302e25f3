"""The keywords of games: abilities, actions, parts of a turn and other terms that the headings of their rulebooks name.

`ontology/data/keywords/` has a table for each game, and `hub.tsv` for concepts that games share. If a loaded book defines a term of
that name, the term is added to the concept of the keyword, which has the address that the term would have. A row without a kind
adds names to a concept that another file describes. Rule texts do not mark these names: most of them are ordinary words too.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

import pyoxigraph as ox

from corpus.address import RDF_TYPE, RS, SKOS, EditionKey, concept_iri, graph_iri, rule_iri, scheme_iri
from corpus.errors import InputError
from ontology.labels import ALT_LABEL, HIDDEN_LABEL, OFFICIAL_LABEL, PREF_LABEL, USUAL_LABEL
from ontology.sssom import sorted_nquads
from ontology.topics import TOPIC_LANGUAGES, current_editions

KEYWORDS_GRAPH = graph_iri("concepts", "keywords")
KEYWORD_KINDS = {
    "KeywordAbility": "keyword-ability",
    "KeywordAction": "keyword-action",
    "TurnPart": "turn-part",
    "RulesTerm": "rules-term",
}
"""Class of a keyword → kind of concept."""
HUB_TABLE = "hub"
_HUB_CLASS = "HubConcept"
COLUMNS = ("slug", "kind", "rule", "hub", "broader", *TOPIC_LANGUAGES, *(f"definition-{lang}" for lang in TOPIC_LANGUAGES))
_SEPARATOR, _SLANG, _OFFICIAL, _USUAL = "; ", "~", "*", "+"


class NameSource(StrEnum):
    """The origin of a name."""

    OFFICIAL = "official"  # an official text or its recognised translation prints it
    USUAL = "usual"  # players use it, or cards in that language print it
    OURS = "ours"


@dataclass(frozen=True, slots=True)
class KeywordName:
    """A name of a keyword."""

    text: str
    slang: bool
    source: NameSource


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword of a game, or a concept that keywords of several games share."""

    game: str  # `hub` for shared concepts
    slug: str
    kind: str  # name of a class; "" for names of a concept that another file describes
    rule: str  # IRI of the rule that defines it; "" without a kind and for shared concepts
    hub: str  # slug of the cross-game concept that it is a case of, or ""
    broader: str  # name of a broader concept, or ""
    names: Mapping[str, tuple[KeywordName, ...]]  # by language; the preferred one first
    definition: Mapping[str, str]  # by language; empty without a kind

    @property
    def concept(self) -> str:
        """IRI of its concept."""
        return concept_iri(self.slug if self.game == HUB_TABLE else f"{self.game}/{self.slug}")


@cache
def keywords() -> tuple[Keyword, ...]:
    """Every keyword, table by table. Raises InputError that names the table and the row where one is incomplete."""
    tables = sorted(files("ontology").joinpath("data/keywords").iterdir(), key=lambda table: table.name)
    editions = current_editions()
    return tuple(
        _parse_keyword(game, editions.get(game), row)
        for table in tables
        for game in [table.name.removesuffix(".tsv")]
        for row in _keyword_rows(table.read_text(encoding="utf-8"))
    )


def keyword_graphs() -> dict[str, bytes]:
    """The named graph of the keywords as sorted N-Quads."""
    graph = ox.NamedNode(KEYWORDS_GRAPH)
    statements = ((ox.NamedNode(word.concept), *statement) for word in keywords() for statement in _keyword_statements(word))
    return {KEYWORDS_GRAPH: sorted_nquads(ox.Quad(*statement, graph) for statement in statements)}


def _keyword_rows(table: str) -> Iterator[Mapping[str, str]]:
    lines = (line for line in table.splitlines() if not line.startswith("#"))
    return csv.DictReader(lines, COLUMNS, delimiter="\t", quoting=csv.QUOTE_NONE)


def _parse_keyword(game: str, edition: EditionKey | None, row: Mapping[str, str]) -> Keyword:
    names = {lang: tuple(map(_parse_name, row[lang].split(_SEPARATOR))) for lang in TOPIC_LANGUAGES if row[lang]}
    definition = {lang: row[f"definition-{lang}"] for lang in TOPIC_LANGUAGES if row[f"definition-{lang}"]}
    complete = len(names) == len(definition) == len(TOPIC_LANGUAGES) if row["kind"] else names and not definition
    is_known_kind, needs_rule = row["kind"] in ("", _HUB_CLASS, *KEYWORD_KINDS), game != HUB_TABLE and bool(row["kind"])
    if not is_known_kind or not complete or bool(row["rule"]) != needs_rule:
        raise InputError(
            "keywords/{game}.tsv, {slug}: expected names only, or a kind ({kinds}), a rule, "
            "and names and a definition in {languages}",
            game=game,
            slug=row["slug"],
            kinds=", ".join(KEYWORD_KINDS),
            languages=", ".join(TOPIC_LANGUAGES),
        )
    rule = rule_iri(edition, row["rule"]) if edition and row["rule"] else ""
    return Keyword(game, row["slug"], row["kind"], rule, row["hub"], row["broader"], names, definition)


def _parse_name(cell: str) -> KeywordName:
    text = cell.removeprefix(_SLANG)
    source = {_OFFICIAL: NameSource.OFFICIAL, _USUAL: NameSource.USUAL}.get(text[-1:], NameSource.OURS)
    return KeywordName(text if source is NameSource.OURS else text[:-1], cell.startswith(_SLANG), source)


def _keyword_statements(word: Keyword) -> Iterator[tuple[ox.NamedNode, ox.NamedNode | ox.Literal]]:
    if word.kind:
        yield ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{SKOS}Concept")
        yield ox.NamedNode(RDF_TYPE), ox.NamedNode(RS + word.kind)
        yield ox.NamedNode(f"{SKOS}inScheme"), ox.NamedNode(scheme_iri(word.game))
        for lang, text in word.definition.items():
            yield ox.NamedNode(f"{SKOS}definition"), ox.Literal(text, language=lang)
    if word.rule:
        yield ox.NamedNode(f"{RS}definedBy"), ox.NamedNode(word.rule)
    if word.broader:
        yield ox.NamedNode(f"{SKOS}broader"), ox.NamedNode(concept_iri(word.broader))
    for lang, names in word.names.items():
        for place, name in enumerate(names):
            label = HIDDEN_LABEL if name.slang else ALT_LABEL if place or not word.kind else PREF_LABEL
            yield ox.NamedNode(label), ox.Literal(name.text, language=lang)
            if name.source is not NameSource.OURS:
                says = OFFICIAL_LABEL if name.source is NameSource.OFFICIAL else USUAL_LABEL
                yield ox.NamedNode(says), ox.Literal(name.text, language=lang)
