"""Rules by their numbers, what they cite, and the editions they stand in."""

from typing import TYPE_CHECKING, cast

from corpus.editions.history import history, is_threaded
from corpus.languages import choose
from corpus.reference import Reference
from ontology.concepts.preferred import concepts_of
from ontology.counterparts import counterparts
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus.contract import Cites, Editions, Rule, RuleCitation, RuleRecord, Rules


def rules(knowledge: Knowledge, ref: str, reference: Reference, lang: str, within: str | None = None) -> "Rules":
    """The rules that a reference names, with the words of their children.

    `ref` is echoed; `lang` is the answer's language, `within` the book's. Raises NotFoundError.
    """
    return {"ref": ref, "rules": [rule(knowledge, record, lang) for record in knowledge.rules(reference, within)]}


def rule(knowledge: Knowledge, record: "RuleRecord", lang: str) -> "Rule":
    """One record as it is shown: its heading in the language asked for, and `lang`, the language it is answered in.

    `counterparts` are the rules of the other games that answer the same question, `concepts` what it defines and names.
    """
    shown = cast("Rule", knowledge.with_children(record))
    shown["heading"] = _heading(record, lang)
    shown["lang"] = choose(lang, {*record["texts"], *record["digest"]}) or lang
    shown["counterparts"] = counterparts(knowledge.store, record["iri"], lang)
    shown["concepts"] = concepts_of(knowledge.store, record, lang)
    if not record["current"]:
        from ontology.successor import successor

        shown["successor"] = successor(knowledge, record)
    if is_threaded(knowledge, record):
        shown["history"] = history(knowledge, record)
    if knowledge.manifest.rulings:
        from corpus.editions.rulings.rulings import briefs

        if beside := briefs(knowledge, record["iri"], lang):
            shown["rulings"] = beside
    return shown


def _heading(record: "RuleRecord", lang: str) -> list[str]:
    headings = record.get("headings", {})
    chosen = choose(lang, headings)
    return headings[chosen] if chosen else record["heading"]


def cites(knowledge: Knowledge, ref: str, reference: Reference, within: str | None = None) -> "Cites":
    """What the first rule that a reference names cites, and what cites it. Raises NotFoundError."""
    first = knowledge.rules(reference, within)[0]
    return {
        "rule": {
            "ref": ref,
            "iri": first["iri"],
            "game": first["game"],
            "book": first["book"],
            "edition": first["edition"],
            "current": first["current"],
            "number": first["number"],
            "locator": first["locator"],
        },
        "cites": [*first["cites"], *_beside(first)],
        "cited_by": first["cited_by"],
    }


def _beside(record: "RuleRecord") -> "Iterator[RuleCitation]":
    """What the examples and notes of a rule cite."""
    for within, asides in (("example", record["examples"]), ("note", record["notes"])):
        for aside in asides:
            yield from (cast("RuleCitation", {**cite, "within": within}) for cite in aside.get("cites", ()))


def editions(knowledge: Knowledge) -> "Editions":
    """Every edition that is loaded or known from the digest."""
    return {"editions": knowledge.editions(), "rulings": knowledge.ruling_sources()}
