"""Which concepts belong together for a translator: zones, keywords, actions … as `ontology/data/termbase.toml` has them."""

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from corpus.errors import InputError
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import ConceptDescribed


def within(knowledge: Knowledge, concepts: "Sequence[ConceptDescribed]", wanted: Collection[str]) -> "list[ConceptDescribed]":
    """The concepts that belong to one of some groups, or are of a kind that is named; without groups all of them.

    Raises InputError for a name that is neither.
    """
    known = {concept["kind"] for concept in concepts} | {kind for row in _groups().values() for kind in row["kinds"]}
    if unknown := [name for name in wanted if name not in known and name not in _groups()]:
        every = ", ".join(dict.fromkeys((*_groups(), *sorted(known))))
        raise InputError("concepts {unknown}: expected some of {known}", unknown=", ".join(unknown)[:80], known=every)
    if not wanted:
        return list(concepts)
    titles = _titles(knowledge, concepts) if any("titles" in _groups().get(name, {}) for name in wanted) else {}
    tests = [_test(name, titles) for name in wanted]
    return [concept for concept in concepts if any(test(concept) for test in tests)]


def _test(name: str, titles: Mapping[str, str]) -> "Callable[[ConceptDescribed], bool]":
    group = _groups().get(name, {"kinds": [name]})
    words = group.get("titles", ("",))

    def belongs(concept: "ConceptDescribed") -> bool:
        above = titles.get(concept["concept"], "")
        own = concept["kind"] != "book-term" or any(word in above for word in words)
        return concept["kind"] in group["kinds"] and own

    return belongs


def _titles(knowledge: Knowledge, concepts: "Iterable[ConceptDescribed]") -> Mapping[str, str]:
    """Concept → the titles above the rules that define it, in lower case."""
    rules = {concept["concept"]: [pointer["rule"] for pointer in concept["defined_by"]] for concept in concepts}
    records = knowledge.by_iri({rule for named in rules.values() for rule in named})
    above = {iri: [title for path in record["headings"].values() for title in path] for iri, record in records.items()}
    titles = {concept: [title for rule in named for title in above.get(rule, ())] for concept, named in rules.items()}
    return {concept: "\n".join(named).lower() for concept, named in titles.items()}


@cache
def _groups() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("ontology").joinpath("data/termbase.toml").read_text(encoding="utf-8"))
