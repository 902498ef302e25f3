"""The history of a rule: its thread, and its state in other editions."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey, split_rule
from corpus.chronology import is_later, oldest_first
from corpus.editions.changes import spans
from corpus.store.books import Books
from corpus.store.threads.step import StepKind
from corpus.words.text import fold_text

if TYPE_CHECKING:
    from corpus.contract import ChangedSpan, Elsewhere, History, RuleRecord, Thread, ThreadStep
    from corpus.store.threads.recorded import Version

_REWORDING_KINDS = (StepKind.EDITED, StepKind.MOVED_EDITED, StepKind.SPLIT, StepKind.MERGED)


def thread_of(knowledge: Books, iri: str) -> "Thread":
    """The versions of a rule, the oldest first."""
    versions = knowledge.threads.thread_of(iri)
    numbers = _numbers_by_address(knowledge, [version.iri for version in versions if version.iri])
    locators = {split_rule(version.iri).locator for version in versions if version.iri}
    bearers = set(_rules_with_locators(knowledge, locators, split_rule(iri).key))
    own = {version.iri for version in versions}
    return {"rule": iri, "steps": [_step(version, numbers, bearers - own) for version in versions]}


def is_threaded(knowledge: Books, record: "RuleRecord") -> bool:
    """Whether a rule's edition was compared with another edition."""
    key = split_rule(record["iri"]).key
    return any(key in entry.pair for entry in knowledge.manifest.pairs)


def history(knowledge: Books, record: "RuleRecord") -> "History":
    """Former and current places of a rule, the edition of each change of its words, and other rules with its number."""
    here = split_rule(record["iri"])
    versions = [version for version in knowledge.threads.thread_of(record["iri"]) if version.edition != here.key]
    past = [version for version in versions if is_later(here.key, version.edition)]
    future = [version for version in versions if is_later(version.edition, here.key)]
    rewordings = (version for version in future if version.step.kind in _REWORDING_KINDS and not version.step.only_references)
    before, now = _newest_rules(past), _newest_rules(future)
    moved_from, moved_to = ([iri for iri in iris if split_rule(iri).locator != here.locator] for iris in (before, now))
    bearers = set(_rules_with_locators(knowledge, {here.locator}, here.key)) - {version.iri for version in versions}
    others = sorted(bearers, key=lambda iri: oldest_first(split_rule(iri).key))
    return {
        "moved_from": _other_places(knowledge, moved_from),
        "moved_to": _other_places(knowledge, moved_to),
        "edited_since": list(dict.fromkeys(version.edition.edition for version in rewordings)),
        "removed_in": next((version.edition.edition for version in future if version.iri is None), None) if not now else None,
        "number_was": _only_place(knowledge, [iri for iri in others if is_later(here.key, split_rule(iri).key)][-1:]),
        "number_is": _only_place(knowledge, [iri for iri in others if is_later(split_rule(iri).key, here.key)][:1]),
        "changes": _wording_changes(knowledge, record, now),
        "now": now[0] if now else None,
    }


def _step(version: "Version", numbers: dict[str, str], others: set[str]) -> "ThreadStep":
    step = version.step
    before = f"{version.edition.iri}/{split_rule(step.old).locator}" if step.old else None
    return {
        "edition": version.edition.edition,
        "iri": version.iri,
        "number": numbers.get(version.iri) if version.iri else None,
        "kind": step.kind.value,
        "similarity": step.similarity,
        "only_references": step.only_references,
        "proposed": step.proposed,
        "reused": before if before in others else None,
    }


def _newest_rules(versions: Sequence["Version"]) -> list[str]:
    """The rules of the newest edition among the versions."""
    last = max((version.edition for version in versions), key=oldest_first, default=None)
    return [version.iri for version in versions if version.edition == last and version.iri]


def _rules_with_locators(knowledge: Books, locators: Iterable[str], key: EditionKey) -> list[str]:
    """The rules with the given locators in the loaded editions of a book that are part of threads."""
    keys_with_pairs = {edition for entry in knowledge.manifest.pairs for edition in entry.pair}
    editions = [edition for edition in keys_with_pairs if (edition.game, edition.book) == (key.game, key.book)]
    return list(knowledge.records.addresses_of(locators, editions))


def _numbers_by_address(knowledge: Books, iris: Sequence[str]) -> dict[str, str]:
    """Address → printed number of some rules."""
    records = knowledge.records.by_iri(iris)
    return {record["iri"]: record["number"] for record in records if record["texts"] and record["number"]}


def _other_places(knowledge: Books, iris: Sequence[str]) -> "list[Elsewhere]":
    numbers = _numbers_by_address(knowledge, iris)
    return [
        {"edition": split_rule(iri).key.edition, "iri": iri, "number": numbers.get(iri), "locator": split_rule(iri).locator}
        for iri in iris
    ]


def _only_place(knowledge: Books, iris: Sequence[str]) -> "Elsewhere | None":
    return next(iter(_other_places(knowledge, iris)), None)


def _wording_changes(knowledge: Books, record: "RuleRecord", newest_iris: Sequence[str]) -> "list[ChangedSpan]":
    """The differences of a rule's newest words, in a common language; empty if they are equal."""
    newest = knowledge.by_iri(newest_iris[:1]).get(newest_iris[0]) if newest_iris else None
    both = [lang for lang in record["texts"] if newest and lang in newest["texts"]]
    if newest is None or not both:
        return []
    old, new = (rule["texts"][both[0]]["text"] for rule in (record, newest))
    return [] if fold_text(old) == fold_text(new) else spans(old, new)
