"""The work of a translator on a new edition: the passages to translate anew, and the translations that stay as they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from corpus.address import EditionKey, split_rule
from corpus.editions.changes import spans
from corpus.errors import NotFoundError
from ontology.knowledge import Knowledge
from ontology.translation.passages import ParallelPassage, passages

PartKey = tuple[str, str, int]
"""Locator, part, and place among the parts of its kind."""
_JOINED = "\n"


class TranslationState(StrEnum):
    """The state of a translation, named as in XLIFF 1.2."""

    NEW = "needs-translation"
    REVIEW = "needs-review-translation"


@dataclass(frozen=True, slots=True)
class TranslationTask:
    """A passage to translate; `before` and `prior` are the words and the translation that the older edition has."""

    passage: ParallelPassage
    words: str
    before: str = ""
    prior: str = ""

    @property
    def task_state(self) -> TranslationState:
        """Whether there is an old translation to start from."""
        return TranslationState.REVIEW if self.prior else TranslationState.NEW

    @property
    def marked_change(self) -> str:
        """The new words, deleted ones in `[-…-]` and inserted ones in `{+…+}`; empty for a new passage."""
        return mark_changes(self.before, self.words) if self.before and self.before != self.words else ""


class Todo(NamedTuple):
    """The tasks in document order, and the translation of every other passage."""

    tasks: Sequence[TranslationTask]
    unchanged_texts: Mapping[PartKey, str]


def translation_todo(knowledge: Knowledge, key: EditionKey, source: str, target: str, earlier: EditionKey | None) -> Todo:
    """The work on an edition; `earlier` is the edition whose translation is continued, if there is one.

    A passage is to be translated if the earlier edition does not have its words, or has no translation of them.
    Raises NotFoundError if the changes since the earlier edition are unknown.
    """
    before = _continued_passages(knowledge, key, source, earlier) if earlier else lambda _: ()
    tasks, unchanged_texts = [], {}
    for passage in passages(knowledge, key):
        words = passage.words.get(source, "")
        if not words.strip():
            continue
        old = before(passage)
        texts = [side.words[target] for side in old if side.words.get(target, "").strip()]
        if len(old) == len(texts) == 1 and old[0].words.get(source) == words:
            unchanged_texts[part_key(passage)] = texts[0]
        else:
            old_words = _JOINED.join(side.words.get(source, "") for side in old)
            tasks.append(TranslationTask(passage, words, old_words, _JOINED.join(texts)))
    return Todo(tasks, unchanged_texts)


def part_key(passage: ParallelPassage) -> PartKey:
    """The key of a passage within its edition."""
    return passage.locator, passage.part, passage.nth


def _continued_passages(
    knowledge: Knowledge, key: EditionKey, source: str, earlier: EditionKey
) -> Callable[[ParallelPassage], Sequence[ParallelPassage]]:
    """Returns a function that maps a passage to those of the earlier edition that it continues."""
    if earlier == key:
        return lambda passage: (passage,)
    steps = knowledge.threads.steps_between(earlier, key)
    if steps is None or source not in knowledge.manifest.editions[earlier].languages:
        raise NotFoundError(
            "what changed between {old} and {new} is unknown; add the text of {old} in {lang} too",
            old=earlier,
            new=key,
            lang=source,
        )
    by_rule: dict[str, list[ParallelPassage]] = {}
    by_words: dict[tuple[str, str], ParallelPassage] = {}  # another rule may have reused the number
    for passage in passages(knowledge, earlier):
        by_rule.setdefault(passage.locator, []).append(passage)
        by_words.setdefault((passage.part, passage.words.get(source, "")), passage)

    def earlier_passages(passage: ParallelPassage) -> Sequence[ParallelPassage]:
        rules = [split_rule(step.old).locator for step in steps.steps_to(passage.rule) if step.old]
        old = [side for rule in rules for side in by_rule.get(rule, ()) if side.part == passage.part]
        equal = [side for side in old if side.words.get(source) == passage.words[source]]
        if not equal and (same := by_words.get((passage.part, passage.words[source]))):
            equal = [same]
        return equal[:1] or [side for side in old if side.nth == passage.nth]

    return earlier_passages


def mark_changes(old: str, new: str) -> str:
    """Two texts as one, words that were deleted in `[-…-]` and those that were inserted in `{+…+}`."""
    pieces = []
    for span in spans(old, new):
        deletion, insertion = old[slice(*span["old"])], new[slice(*span["new"])]
        if span["op"] == "equal":
            pieces.append(insertion)
        else:
            pieces += [f"[-{deletion}-]"] if deletion else []
            pieces += [f"{{+{insertion}+}}"] if insertion else []
    return "".join(pieces)


def inserted_spans(old: str, new: str) -> list[tuple[int, int]]:
    """The spans of words in a text that an older one does not have."""
    return [
        (span["new"][0], span["new"][1]) for span in spans(old, new) if span["op"] != "equal" and span["new"][0] < span["new"][1]
    ]
