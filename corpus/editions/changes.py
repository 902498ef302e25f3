"""Changes between two editions of a book: every rule whose words, number or place differ, and the differences of two texts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey
from corpus.errors import NotFoundError
from corpus.store.threads.step import Step, StepKind, kind_of
from corpus.words.text import CJK, fold_text

if TYPE_CHECKING:
    from corpus.contract import Change, ChangedRule, ChangedSpan, RuleRecord
    from corpus.store.books import Books
    from corpus.store.threads.step import PairSteps


class Wording(NamedTuple):
    """A rule's words and its position."""

    iri: str
    locator: str
    number: str | None
    order: int
    parent: str | None
    text: str
    headword: str


def wordings(knowledge: "Books", key: EditionKey, lang: str) -> Mapping[str, Wording]:
    """Address → words of every rule of an edition that has words in a language, in document order."""

    def read_wordings() -> Mapping[str, Wording]:
        return {record["iri"]: _wording(record, lang) for record in knowledge.records.records_of(key) if lang in record["texts"]}

    wordings_of_rules: Mapping[str, Wording] = knowledge.cached(("wordings", key, lang), read_wordings)
    return wordings_of_rules


def _wording(record: "RuleRecord", lang: str) -> Wording:
    headword, words = record["headwords"].get(lang, ""), record["texts"][lang]["text"]
    return Wording(record["iri"], record["locator"], record["number"], record["order"], record["parent"], words, headword)


def ancestors(rules: Mapping[str, Wording], iri: str) -> Iterator[Wording]:
    """The rules above a rule, the innermost first."""
    parent = rules[iri].parent
    while parent is not None and parent in rules:
        yield rules[parent]
        parent = rules[parent].parent


def heading(rules: Mapping[str, Wording], iri: str) -> list[str]:
    """The titles above a rule with their numbers, the outermost first."""
    titles = [f"{wording.number or ''} {wording.text}".strip() for wording in ancestors(rules, iri) if _is_title(wording)]
    return titles[::-1]


def _is_title(rule: Wording) -> bool:
    return len(rule.text) <= _MAX_TITLE_LENGTH and rule.text[-1:] not in ".。:："


_MAX_TITLE_LENGTH = 80
"""Longest title, in characters; rules end with a full stop."""
_JOINING_KINDS = (StepKind.SPLIT, StepKind.MERGED)


def changes(knowledge: "Books", pair: "PairSteps", langs: tuple[str, str], section: str | None = None) -> "list[Change]":
    """The changes in the order of the newer edition, then the removed rules; of one section if its locator is given.

    `langs` are the languages that the two editions are shown in. Raises NotFoundError for a section that is in neither.
    """
    comparison: _Comparison = knowledge.cached(("changes", pair.old, pair.new, langs), lambda: _Comparison(knowledge, pair, langs))
    return comparison.in_section(section) if section else [change for _, change in comparison.changes]


class _Comparison:
    """Two editions side by side."""

    def __init__(self, knowledge: "Books", pair: "PairSteps", langs: tuple[str, str]) -> None:
        self.pair = pair
        self.one_language = langs[0] == langs[1]
        self.old, self.new = (wordings(knowledge, key, lang) for key, lang in zip((pair.old, pair.new), langs, strict=True))
        self.changes = sorted(self._changes(), key=lambda change: self._sort_key(change[0]))

    def in_section(self, section: str) -> "list[Change]":
        """The changes of rules that are or were in a section."""
        sections = {f"{key.iri}/{section}" for key in (self.pair.old, self.pair.new)}
        if not sections & (self.old.keys() | self.new.keys()):
            raise NotFoundError(
                "no section {section} in {old} or {new}; name it by its number, e.g. 7 or 701",
                section=section,
                old=self.pair.old,
                new=self.pair.new.edition,
            )
        return [change for step, change in self.changes if sections & self._rules_and_ancestors(step)]

    def _rules_and_ancestors(self, step: Step) -> set[str]:
        """A step's rules and all their ancestors."""
        sides = ((self.old, step.old), (self.new, step.new))
        return {wording.iri for rules, iri in sides if iri and iri in rules for wording in (rules[iri], *ancestors(rules, iri))}

    def _sort_key(self, step: Step) -> tuple[int, int]:
        if step.new is not None:
            return 0, self.new[step.new].order if step.new in self.new else -1
        return 1, self.old[step.old].order if step.old and step.old in self.old else -1

    def _changes(self) -> "Iterator[tuple[Step, Change]]":
        for step in self.pair.steps():
            change = self._change(step, self.old.get(step.old or ""), self.new.get(step.new or ""))
            if change is not None:
                yield step, change

    def _change(self, step: Step, old: Wording | None, new: Wording | None) -> "Change | None":
        """A step with its words; None if the words are equal or missing in the requested language."""
        kind, only_references = step.kind, step.only_references
        if (step.old and not old) or (step.new and not new):
            return None
        if old and new and kind not in _JOINING_KINDS and self.one_language:
            edited = fold_text(old.headword + old.text) != fold_text(new.headword + new.text)
            kind = kind_of(old.locator, new.locator, edited=edited)
            only_references = only_references and edited
        if kind is StepKind.SAME:
            return None
        return {
            "kind": kind.value,
            "old": _rule_side(self.old, old),
            "new": _rule_side(self.new, new),
            "similarity": _similarity(step, old, new, one_language=self.one_language),
            "spans": spans(old.text if old else "", new.text if new else "") if self.one_language else [],
            "only_references": only_references,
            "reused": self._rule_with_reused_number(step),
            "proposed": step.proposed,
        }

    def _rule_with_reused_number(self, step: Step) -> str | None:
        """The other rule that now has a rule's old number, if any."""
        if step.old is None:
            return None
        there = f"{self.pair.new.iri}{step.old[len(self.pair.old.iri) :]}"
        return there if there in self.new and there not in [earlier.new for earlier in self.pair.steps_from(step.old)] else None


def _similarity(step: Step, old: Wording | None, new: Wording | None, *, one_language: bool) -> float | None:
    if old is None or new is None:
        return None
    if step.proposed or not one_language:
        return step.similarity
    return 1.0 if fold_text(old.text) == fold_text(new.text) else similarity(old.text, new.text)


def _rule_side(rules: Mapping[str, Wording], rule: Wording | None) -> "ChangedRule | None":
    if rule is None:
        return None
    path = heading(rules, rule.iri)
    return {"iri": rule.iri, "number": rule.number, "locator": rule.locator, "heading": path, "text": rule.text}


def counts(changes: "Iterable[Change]") -> dict[str, int]:
    """Counts of changes by kind, of changes in references only, and of reused numbers."""
    changes = list(changes)
    kinds = Counter(change["kind"] for change in changes)
    by_kind = {kind.value: kinds[kind.value] for kind in StepKind if kind not in (StepKind.FIRST, StepKind.SAME)}
    by_kind["only_references"] = sum(change["only_references"] for change in changes)
    by_kind["reused"] = len({change["reused"] for change in changes if change["reused"]})
    return by_kind


def shown_languages(knowledge: "Books", old: EditionKey, new: EditionKey, requested_lang: str) -> tuple[str, str]:
    """The languages in which two editions are shown: a common language if there is one, else one of each edition."""
    mine, theirs = (knowledge.manifest.editions[key].languages for key in (old, new))
    both = [lang for lang in theirs if lang in mine]
    if both:
        return (requested_lang, requested_lang) if requested_lang in both else (both[0], both[0])
    old_lang, new_lang = (requested_lang if requested_lang in langs else next(iter(langs)) for langs in (mine, theirs))
    return old_lang, new_lang


_TOKEN = re.compile(f"[{CJK}]|[^\\W_]+(?:['’.\\-][^\\W_]+)*|\\s+|.", re.S)
_SHORT_TOKENS = 2
"""Maximum number of CJK characters between two changes that count as an accidental match."""
_Piece = tuple[bool, int, int, int, int]
"""Equal or not, and the bounds in both texts."""


def spans(old: str, new: str) -> "list[ChangedSpan]":
    """The equal, deleted, inserted and replaced spans of two texts, in code points."""
    if old == new or not old or not new:
        whole: ChangedSpan = {"op": _operation(old == new, bool(old), bool(new)), "old": [0, len(old)], "new": [0, len(new)]}
        return [whole] if old or new else []
    return [
        {"op": _operation(equal, a < b, c < d), "old": [a, b], "new": [c, d]}
        for equal, a, b, c, d in _merge_short_pieces(list(_aligned_pieces(old, new)), old)
        if a < b or c < d
    ]


def similarity(old: str, new: str) -> float:
    """The share of words that two texts have in the same order."""
    from rapidfuzz.distance import Indel  # slow to import, and most look-ups compare nothing

    return round(min(Indel.normalized_similarity(_TOKEN.findall(old), _TOKEN.findall(new)), 0.999), 3)


def _aligned_pieces(old: str, new: str) -> Iterator[_Piece]:
    from rapidfuzz.distance import Indel

    mine, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    here, there = (list(accumulate(map(len, tokens), initial=0)) for tokens in (mine, theirs))
    for code in Indel.opcodes(mine, theirs):
        yield code.tag == "equal", here[code.src_start], here[code.src_end], there[code.dest_start], there[code.dest_end]


def _merge_short_pieces(pieces: Sequence[_Piece], old: str) -> list[_Piece]:
    """Joins neighbouring changes and the accidental matches between them."""
    merged_pieces: list[_Piece] = []
    for place, (equal, *bounds) in enumerate(pieces):
        inside = 0 < place < len(pieces) - 1
        words = old[bounds[0] : bounds[1]]
        is_accident = not words.strip() or (len(words) < _SHORT_TOKENS and not words.isascii())
        same = equal and not (inside and is_accident)
        if merged_pieces and merged_pieces[-1][0] == same:
            merged_pieces[-1] = (same, merged_pieces[-1][1], bounds[1], merged_pieces[-1][3], bounds[3])
        else:
            merged_pieces.append((same, *bounds))  # type: ignore[arg-type]
    return merged_pieces


def _operation(is_equal: bool, has_deletion: bool, has_insertion: bool) -> str:
    if is_equal:
        return "equal"
    return "replace" if has_deletion and has_insertion else "delete" if has_deletion else "insert"
