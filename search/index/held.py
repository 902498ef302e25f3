"""Which rules are searched: one that is known from the digest alone only where no other edition has it."""

from collections.abc import Sequence

from corpus.address import EditionKey
from corpus.store.by_reference import is_held
from ontology.knowledge import Knowledge
from search.index.rules import Rules


def searched(knowledge: Knowledge, keys: Sequence[EditionKey], locators: Sequence[str], groups: Sequence[int]) -> list[bool]:
    """Of each rule, whether it is searched: not without its edition. `groups` says which rules of several editions are one."""
    beside: dict[object, set[EditionKey]] = {}
    there = [key in knowledge.manifest.editions for key in keys]
    for key, locator, group, known in zip(keys, locators, groups, there, strict=True):
        if known:
            beside.setdefault(group, set()).add(key)
            beside.setdefault((key.game, key.book, locator), set()).add(key)
    return [
        known and not is_held(knowledge, key, beside[group] | beside[key.game, key.book, locator])
        for key, locator, group, known in zip(keys, locators, groups, there, strict=True)
    ]


def at(rules: Rules, knowledge: Knowledge) -> Rules:
    """The rules of an index as they stand in a knowledge base of another moment."""
    locators = rules.locators()
    there = searched(knowledge, rules.keys, locators, rules.group.tolist())
    places = zip(rules.keys, locators, there, strict=True)
    return rules.seen([known and knowledge.currency.of(key, locator).current for key, locator, known in places], there)
