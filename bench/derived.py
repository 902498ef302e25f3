"""Later editions derived from a real one with a seed.

Rules are moved, changed, split, removed and added, and references are updated. The new place of each rule is known, so threads can
be measured on any number of editions.
"""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

_RULE = re.compile(r"(?P<number>\d{3}\.\d+[a-z]{0,2})\.? (?P<words>.+)")
_HEADING = re.compile(r"\d{1,3}\. ")
_REFERENCE = re.compile(r"(?<![\d.])\d{3}\.\d+[a-z]{0,2}(?![\w])")
_DATE = re.compile(r"(?<=effective as of )[A-Z][a-z]+ \d+, \d{4}")
_LETTERS = [letter for letter in string.ascii_lowercase if letter not in "lo"]
"""Magic skips two letters that look like numbers."""
_NEW_RULE_TEXTS = (
    "A ferry that leaks carries nobody.",
    "Each goat counts as two travellers.",
    "The pier is never part of the river.",
)
MOVED, EDITED, SPLIT, DROPPED, ADDED = 6, 40, 6, 15, 5
"""The number of rules of sections that are moved, and of rules that are changed, split, removed and added, in each edition."""


@dataclass(slots=True)
class _Rule:
    """A rule: its number before, its words, and the lines below it (examples)."""

    was: str | None
    words: str
    below: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Group:
    """A numbered rule with its lettered parts."""

    head: _Rule
    parts: list[_Rule] = field(default_factory=list)

    def rules(self) -> list[_Rule]:
        return [self.head, *self.parts]


@dataclass(frozen=True, slots=True)
class Derived:
    """An edition, and the new numbers of every numbered rule; none for a removed one."""

    text: str
    became: dict[str, tuple[str, ...]]
    touched: frozenset[str]  # old numbers of rules whose words were changed or split


def derive_edition(text: str, date: str, seed: int) -> Derived:
    """The next edition, as of a date such as `March 7, 2025`."""
    random = Random(seed)
    lines = [line for line in _DATE.sub(date, text, count=1).splitlines() if line.strip()]
    start = max(place for place, line in enumerate(lines) if line == "1. Game Concepts")
    end = next(place for place, line in enumerate(lines) if place > start and line == "Glossary")
    sections = _sections(lines[start:end])
    numbers = [rule.was for groups in sections.values() for group in groups for rule in group.rules()]
    changed_rules = _change_rules(sections, random)
    became: dict[str, list[str]] = {number: [] for number in numbers if number}
    body = list(_number_rules(sections, became))
    new_numbers = {old: new[0] for old, new in became.items() if new}
    whole = "\n\n".join([*lines[:start], *body, *lines[end:]])
    with_new_references = _REFERENCE.sub(lambda match: new_numbers.get(match[0], match[0]), whole)
    with_marks = re.sub("\ue000(.*?)\ue001", lambda match: match[1], _restore_numbers(with_new_references, whole))
    return Derived(with_marks + "\n", {old: tuple(new) for old, new in became.items()}, frozenset(changed_rules))


def _restore_numbers(new_text: str, original: str) -> str:
    """The text with updated references; the rules' own numbers, which are between two marks, are unchanged."""
    own = iter(re.findall("\ue000(.*?)\ue001", original))
    return re.sub("\ue000.*?\ue001", lambda _: f"\ue000{next(own)}\ue001", new_text)


def _sections(lines: list[str]) -> dict[str, list[_Group]]:
    """The lines of the rules, by heading."""
    sections: dict[str, list[_Group]] = {}
    groups: list[_Group] = []
    rule: _Rule | None = None
    for line in lines:
        if match := _RULE.fullmatch(line):
            rule = _Rule(match["number"], match["words"])
            if match["number"][-1].isalpha():
                groups[-1].parts.append(rule)
            else:
                groups.append(_Group(rule))
        elif _HEADING.match(line):
            groups, rule = sections.setdefault(line, []), None
        elif rule is not None:
            rule.below.append(line)
    return sections


def _change_rules(sections: dict[str, list[_Group]], random: Random) -> set[str]:
    """Changes the rules; returns the numbers of those with other words."""
    large = [groups for groups in sections.values() if len(groups) > 2]
    for groups in random.sample(large, MOVED):
        groups.insert(random.randrange(len(groups)), groups.pop(random.randrange(len(groups))))
    groups_with_parts = [group for groups in large for group in groups if group.parts]
    for group in random.sample(groups_with_parts, DROPPED):
        group.parts.pop(random.randrange(len(group.parts)))
    for group, words in zip(random.sample(groups_with_parts, ADDED), _NEW_RULE_TEXTS * 2, strict=False):
        group.parts.insert(random.randrange(len(group.parts) + 1), _Rule(None, words))
    changed_rules = {rule.was for rule in random.sample(list(_long_rules(groups_with_parts)), EDITED) if _edit_rule(rule, random)}
    split_groups = [group for group in groups_with_parts if any(_split_rule(rule) for rule in group.parts)]
    for group in random.sample(split_groups, min(SPLIT, len(split_groups))):
        changed_rules.add(_split(group, random))
    return {number for number in changed_rules if number}


def _long_rules(groups: list[_Group]) -> Iterator[_Rule]:
    yield from (rule for group in groups for rule in group.parts if rule.was and len(rule.words.split()) >= 14)


def _edit_rule(rule: _Rule, random: Random) -> bool:
    """Changes some words in the middle of a rule."""
    words = rule.words.split()
    at = random.randrange(2, len(words) - 4)
    words[at : at + random.randrange(1, 4)] = random.choice((["any", "ferry"], ["normally"], ["on", "the", "river"]))
    rule.words = " ".join(words)
    return True


def _split_rule(rule: _Rule) -> tuple[str, str] | None:
    """The two halves of a rule whose sentences are long enough to be rules."""
    sentences = re.split(r"(?<=[a-z]\.) (?=[A-Z])", rule.words)
    if not rule.was or len(sentences) < 2 or any(len(sentence.split()) < 8 for sentence in sentences):
        return None
    return " ".join(sentences[:-1]), sentences[-1]


def _split(group: _Group, random: Random) -> str | None:
    rule = random.choice([rule for rule in group.parts if _split_rule(rule)])
    first, second = _split_rule(rule) or (rule.words, "")
    rule.words = first
    group.parts.insert(group.parts.index(rule) + 1, _Rule(rule.was, second))
    return rule.was


def _number_rules(sections: dict[str, list[_Group]], new_numbers: dict[str, list[str]]) -> Iterator[str]:
    """The lines of the new edition; adds every rule's new number to `new_numbers`."""
    for head, groups in sections.items():
        yield head
        section = head.split(".")[0]
        for count, group in enumerate(groups, 1):
            yield from _print_rule(group.head, f"{section}.{count}", ".", new_numbers)
            for place, rule in enumerate(group.parts):
                yield from _print_rule(rule, f"{section}.{count}{_letter_suffix(place)}", "", new_numbers)


def _letter_suffix(place: int) -> str:
    more, letter = divmod(place, len(_LETTERS))
    return (_LETTERS[more - 1] if more else "") + _LETTERS[letter]


def _print_rule(rule: _Rule, number: str, stop: str, new_numbers: dict[str, list[str]]) -> Iterator[str]:
    if rule.was:
        new_numbers[rule.was].append(number)
    yield f"\ue000{number}{stop}\ue001 {rule.words}"
    yield from rule.below
