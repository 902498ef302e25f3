"""What stands in the current edition in place of a rule that is not current."""

from typing import Any

from corpus.address import NS, SKOS
from corpus.catalogue import catalogue
from corpus.languages import canonical
from corpus.text import fold
from ontology.store.knowledge import Knowledge
from ontology.store.manifest import EditionEntry

Record = dict[str, Any]


def successor(knowledge: Knowledge, record: Record) -> Record | None:
    """The current edition that a rule gives way to, and what that has in its place; None for a current rule.

    `same_number` is the rule printed under the same number there (which may be another rule: `same_words` tells, null
    where they have no language in common), `mapped` the rules there that define the same concepts.
    """
    if record["iri"] not in knowledge.successors:
        knowledge.successors[record["iri"]] = _found(knowledge, record)
    return knowledge.successors[record["iri"]]


def _found(knowledge: Knowledge, record: Record) -> Record | None:
    entry = _current_entry(knowledge, record)
    if entry is None:
        return None
    there = f"{entry.key.iri}/{record['locator']}"
    same = knowledge.by_iri([there]).get(there)
    return {
        "game": entry.game,
        "book": entry.book,
        "edition": entry.edition,
        "same_number": there if same else None,
        "same_words": _same_words(record, same) if same else None,
        "mapped": _mapped(knowledge, record["iri"], entry),
    }


def _current_entry(knowledge: Knowledge, record: Record) -> EditionEntry | None:
    """The loaded current edition of the rule's book, or of the book that it retells; in the rule's language first."""
    if record["current"]:
        return None
    book = catalogue().book(record["game"], record["book"])
    books = (book.id, book.summarises)
    found = [
        entry
        for entry in knowledge.manifest.editions.values()
        if f"{entry.game}/{entry.book}" in books and knowledge.current[entry.key] and entry.languages
    ]
    return max(found, key=lambda entry: (len(set(entry.languages) & set(record["texts"])), str(entry.key)), default=None)


def _same_words(record: Record, other: Record) -> bool | None:
    shared = record["texts"].keys() & other["texts"].keys()
    if not shared:
        return None
    return all(fold(record["texts"][lang]["text"]) == fold(other["texts"][lang]["text"]) for lang in shared)


def _mapped(knowledge: Knowledge, iri: str, entry: EditionEntry) -> list[Record]:
    """Rules of that edition which define a concept that this rule defines too, with the concept's labels."""
    rows = knowledge.store.select(
        f"""SELECT DISTINCT ?concept ?rule ?label (LANG(?label) AS ?lang) WHERE {{
          GRAPH ?g {{ ?concept <{NS}definedBy> <{iri}>, ?rule ; <{SKOS}prefLabel> ?label }}
          FILTER(STRSTARTS(STR(?rule), "{entry.key.iri}/"))
        }}"""
    )
    found: dict[str, Record] = {}
    for row in sorted(rows, key=lambda row: (row["rule"], row["concept"], row["lang"])):
        one = found.setdefault(row["rule"], {"iri": row["rule"], "concept": row["concept"], "labels": {}})
        one["labels"].setdefault(canonical(row["lang"]), row["label"])
    present = knowledge.by_iri(found)
    return [
        {**one, "number": present[iri]["number"], "locator": present[iri]["locator"]}
        for iri, one in found.items()
        if iri in present
    ]
