"""The statements of the graph about editions and the steps between them, derived from the records.

graph/{game}/{book}/{edition}/{lang}       an edition in one language
graph/{game}/{book}/{edition}/records      the positions of its rules
graph/{game}/{book}/{edition}/mentions     the concepts that its rules mention
graph/threads/{game}/{book}/{old}/{new}    the steps from an edition to the next
graph/threads/…/records                    the same steps in short
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from corpus.address import DCTERMS, PROV, RDF_TYPE, RS, EditionKey, graph_iri, iri_of, rule_iri, source_iri, thread_iri
from corpus.model import Authority
from corpus.store.threads.step import Pair, PairSteps, Step, StepKind

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleCitation, RuleRecord

RECORDS, MENTIONS, THREADS = "records", "mentions", "threads"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLASSES = {
    "chapter": "Chapter",
    "section": "Section",
    "rule": "Rule",
    "glossary": "GlossaryEntry",
    "table": "Table",
    "prose": "Prose",
}
_CITATION, _EXAMPLE, _NOTE, _STEP, _EDITION = "Citation", "Example", "Note", "Step", "Edition"
_ISSUED, _VERSION_OF, _REVISION_OF = f"{DCTERMS}issued", f"{DCTERMS}isVersionOf", f"{PROV}wasRevisionOf"


class EditionText(NamedTuple):
    """An edition in one language: its authority, and the SHA-256 of its files."""

    authority: str
    files: Sequence[str]


class Statement(NamedTuple):
    """A statement and the graph of its edition that contains it: a language, RECORDS or MENTIONS."""

    part: str
    subject: str
    predicate: str
    object: str  # in N-Triples syntax

    def triple(self) -> str:
        """The statement as a line of N-Triples."""
        return f"<{self.subject}> <{self.predicate}> {self.object} ."

    def quad(self, graph: str) -> str:
        """The statement as a line of N-Quads."""
        return f"<{self.subject}> <{self.predicate}> {self.object} <{graph}> ."


def edition_statements(key: EditionKey, texts: Mapping[str, EditionText]) -> Iterator[Statement]:
    """The statements about an edition as a whole."""
    for lang, text in texts.items():
        yield Statement(lang, key.iri, RDF_TYPE, _rulestone_term(_EDITION))
        yield Statement(lang, key.iri, f"{RS}game", _iri_term(iri_of(key.game)))
        yield Statement(lang, key.iri, f"{RS}book", _iri_term(iri_of(f"{key.game}/{key.book}")))
        if _DAY.fullmatch(key.edition):
            yield Statement(lang, key.iri, _ISSUED, _typed_literal(key.edition, "date"))
        yield Statement(lang, key.iri, f"{RS}language", _literal(lang))
        yield Statement(lang, key.iri, f"{RS}authority", _rulestone_term(text.authority))
        yield from (Statement(lang, key.iri, f"{RS}source", _iri_term(source_iri(sha256))) for sha256 in text.files)


def rule_statements(record: "RuleRecord", texts: Mapping[str, EditionText]) -> Iterator[Statement]:
    """The statements about a rule of an edition."""
    iri, edition = record["iri"], _iri_term(EditionKey(record["game"], record["book"], record["edition"]).iri)
    for lang in record["texts"]:
        yield from _text_statements(record, lang, texts[lang], edition)
        for count, cite in enumerate((cite for cite in record["cites"] if cite["lang"] == lang), 1):
            yield from _citation_statements(iri, f"{iri}#citation-{lang}-{count}", lang, cite)
        for kind, asides in ((_EXAMPLE, record["examples"]), (_NOTE, record["notes"])):
            for count, aside in enumerate((aside for aside in asides if aside["lang"] == lang), 1):
                yield from _aside_statements(iri, f"{iri}#{kind.lower()}-{lang}-{count}", lang, kind, aside)
    yield Statement(RECORDS, iri, f"{RS}locator", _literal(record["locator"]))
    yield Statement(RECORDS, iri, f"{RS}edition", edition)
    yield from (Statement(MENTIONS, iri, f"{RS}mentions", _iri_term(concept)) for concept in mentioned_concepts(record))


def mentioned_concepts(record: "RuleRecord") -> list[str]:
    """The concepts that a rule mentions in any language."""
    return sorted({mention["concept"] for mention in record["mentions"]})


def _text_statements(record: "RuleRecord", lang: str, text: EditionText, edition: str) -> Iterator[Statement]:
    iri, own = record["iri"], record["texts"][lang]
    yield Statement(lang, iri, RDF_TYPE, _rulestone_term(_CLASSES[record["kind"]]))
    yield Statement(lang, iri, f"{RS}edition", edition)
    yield Statement(lang, iri, f"{RS}locator", _literal(record["locator"]))
    yield Statement(lang, iri, f"{RS}order", _typed_literal(str(record["order"]), "integer"))
    yield Statement(lang, iri, f"{RS}text", _literal(own["text"], lang))
    if record["number"]:
        yield Statement(lang, iri, f"{RS}number", _literal(record["number"]))
    if record["kind"] == "glossary" and lang in record["headwords"]:
        yield Statement(lang, iri, f"{RS}headword", _literal(record["headwords"][lang], lang))
    if record["parent"]:
        yield Statement(lang, iri, f"{RS}parent", _iri_term(record["parent"]))
    if own["authority"] == Authority.EDITORIAL != text.authority:
        yield Statement(lang, iri, f"{RS}authority", _rulestone_term(Authority.EDITORIAL))
    for source in record["sources"]:
        if source["lang"] == lang:
            yield Statement(lang, iri, f"{RS}source", _iri_term(source_iri(source["sha256"], source["start"], source["end"])))


def _citation_statements(iri: str, subject: str, lang: str, cite: "RuleCitation") -> Iterator[Statement]:
    yield Statement(lang, iri, f"{RS}hasCitation", _iri_term(subject))
    yield Statement(lang, subject, RDF_TYPE, _rulestone_term(_CITATION))
    yield Statement(lang, subject, f"{RS}exact", _literal(cite["text"], lang))
    yield Statement(lang, subject, f"{RS}chars", _literal(f"{cite['start']},{cite['end']}"))
    yield Statement(lang, subject, f"{RS}wanted", _literal(cite["locator"]))
    if cite["target"]:
        yield Statement(lang, subject, f"{RS}target", _iri_term(cite["target"]))
        yield Statement(lang, iri, f"{RS}cites", _iri_term(cite["target"]))


def _aside_statements(iri: str, subject: str, lang: str, kind: str, printed_aside: "Aside") -> Iterator[Statement]:
    yield Statement(lang, iri, f"{RS}has{kind}", _iri_term(subject))
    yield Statement(lang, subject, RDF_TYPE, _rulestone_term(kind))
    yield Statement(lang, subject, f"{RS}text", _literal(printed_aside["text"], lang))
    if "mark" in printed_aside:  # footnotes are by the editor
        yield Statement(lang, subject, f"{RS}authority", _rulestone_term(Authority.EDITORIAL))
    for cite in printed_aside.get("cites", ()):
        if cite["target"]:
            yield Statement(lang, subject, f"{RS}cites", _iri_term(cite["target"]))


def graph_names(key: EditionKey, langs: Iterable[str]) -> list[str]:
    """The names of the graphs of an edition in some languages."""
    return [graph_iri(key, part) for part in (*langs, RECORDS, MENTIONS)]


def graphs_of(key: EditionKey, records: Iterable["RuleRecord"], texts: Mapping[str, EditionText]) -> dict[str, bytes]:
    """The named graphs of an edition as sorted N-Quads, without those of its glosses and defined terms."""
    names = dict(zip((*texts, RECORDS, MENTIONS), graph_names(key, texts), strict=True))
    lines: dict[str, set[str]] = {}
    for statement in edition_statements(key, texts):
        lines.setdefault(names[statement.part], set()).add(statement.quad(names[statement.part]))
    for record in records:
        for statement in rule_statements(record, texts):
            lines.setdefault(names[statement.part], set()).add(statement.quad(names[statement.part]))
    return {graph: join_lines(quads) for graph, quads in lines.items()}


class ThreadsOfRules(dict[str, frozenset[str]]):
    """Rule → its threads: one, or several for a merged rule."""

    def add_edition(self, steps: Sequence[Step]) -> None:
        """Adds the rules of the next edition: each inherits the threads of its predecessor; a new rule starts a thread."""
        for step in steps:
            if step.old is not None and step.old not in self:
                self[step.old] = frozenset([thread_iri(step.old)])
            if step.new is not None:
                threads = self[step.old] if step.old is not None else frozenset([thread_iri(step.new)])
                self[step.new] = self.get(step.new, frozenset()) | threads


def pair_graph(pair: Pair, *parts: str) -> str:
    """The graph name of two neighbouring editions; with RECORDS that of the short steps."""
    old, new = pair
    return graph_iri(THREADS, old, new.edition, *parts)


def all_steps(pair: PairSteps, old: Iterable[str], new: Iterable[str]) -> list[Step]:
    """Every step of a pair, including unchanged rules, by locators."""
    steps = [step for iri in sorted(rule_iri(pair.new, locator) for locator in new) for step in pair.steps_to(iri)]
    removals = (step for iri in sorted(rule_iri(pair.old, locator) for locator in old) for step in pair.steps_from(iri))
    return [*steps, *(step for step in removals if step.new is None)]


def pair_statements(pair: Pair, steps: Sequence[Step], threads: ThreadsOfRules, *, replaced: bool) -> bytes:
    """The graph of a pair as sorted N-Quads. `steps` are all its steps by addresses, `threads` those of every rule in them.

    `replaced`: the newer edition took the place of the older one, which was valid until its date.
    """
    graph, (old, new) = pair_graph(pair), pair
    statements = [statement for step in steps for statement in _step_statements(step, pair, threads)]
    if replaced and _DAY.fullmatch(new.edition):
        statements.append(Statement(THREADS, old.iri, f"{RS}validUntil", _typed_literal(new.edition, "date")))
    return join_lines({statement.quad(graph) for statement in statements})


def pair_summary(pair: Pair, body: str) -> bytes:
    """The graph with the short steps of a pair, as N-Quads."""
    return join_lines([Statement(RECORDS, pair_graph(pair), f"{RS}steps", _literal(body)).quad(pair_graph(pair, RECORDS))])


def _step_statements(step: Step, pair: Pair, threads: ThreadsOfRules) -> Iterator[Statement]:
    for iri in (step.old, step.new):
        if iri is not None:
            yield from (Statement(THREADS, iri, _VERSION_OF, _iri_term(version)) for version in threads[iri])
    if step.old is not None and step.new is not None:
        yield Statement(THREADS, step.new, _REVISION_OF, _iri_term(step.old))
    if step.kind is StepKind.SAME:
        return
    ends = [iri for iri in (step.old, step.new) if iri is not None]
    locators = "+".join(iri[len(pair[iri != step.old].iri) + 1 :] for iri in ends)
    subject = f"{pair_graph(pair)}#{locators}"
    yield Statement(THREADS, subject, RDF_TYPE, _rulestone_term(_STEP))
    values = {
        "stepKind": _literal(step.kind.value),
        "similarity": _typed_literal(f"{step.similarity:g}", "decimal"),
        "before": _iri_term(step.old) if step.old else None,
        "after": _iri_term(step.new) if step.new else None,
        "onlyReferences": _typed_literal("true", "boolean") if step.only_references else None,
        "proposedStep": _typed_literal("true", "boolean") if step.proposed else None,
    }
    yield from (Statement(THREADS, subject, f"{RS}{name}", value) for name, value in values.items() if value)


def join_lines(lines: Iterable[str]) -> bytes:
    """Lines of N-Quads, sorted, as one text."""
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


def _iri_term(iri: str) -> str:
    return f"<{iri}>"


def _rulestone_term(name: str) -> str:
    return f"<{RS}{name}>"


def _typed_literal(words: str, kind: str) -> str:
    return f'"{words}"^^<{_XSD}{kind}>'


def _literal(words: str, lang: str | None = None) -> str:
    return str(ox.Literal(words, language=lang))
