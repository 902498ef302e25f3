"""Changes between two editions of a book: every rule whose words, number or place differ, and the differences of two texts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey
from corpus.errors import NotFoundError
from corpus.store.threads.step import Kind, Step, kind_of
from corpus.words.text import CJK, fold

if TYPE_CHECKING:
    from corpus.address import EditionKey
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

    def read() -> Mapping[str, Wording]:
        return {record["iri"]: _wording(record, lang) for record in knowledge.records.of(key) if lang in record["texts"]}

    kept: Mapping[str, Wording] = knowledge.once(("wordings", key, lang), read)
    return kept


def _wording(record: "RuleRecord", lang: str) -> Wording:
    headword, words = record["headwords"].get(lang, ""), record["texts"][lang]["text"]
    return Wording(record["iri"], record["locator"], record["number"], record["order"], record["parent"], words, headword)


def above(rules: Mapping[str, Wording], iri: str) -> Iterator[Wording]:
    """The rules above a rule, the innermost first."""
    parent = rules[iri].parent
    while parent is not None and parent in rules:
        yield rules[parent]
        parent = rules[parent].parent


def heading(rules: Mapping[str, Wording], iri: str) -> list[str]:
    """The titles above a rule with their numbers, the outermost first."""
    titles = [f"{wording.number or ''} {wording.text}".strip() for wording in above(rules, iri) if _is_title(wording)]
    return titles[::-1]


def _is_title(rule: Wording) -> bool:
    return len(rule.text) <= _TITLE and rule.text[-1:] not in ".。:："


_TITLE = 80
"""Longest title, in characters; rules end with a full stop."""


_JOINED = (Kind.SPLIT, Kind.MERGED)


def changes(knowledge: "Books", pair: "PairSteps", langs: tuple[str, str], section: str | None = None) -> "list[Change]":
    """The changes in the order of the newer edition, then the removed rules; of one section if its locator is given.

    `langs` are the languages that the two editions are shown in. Raises NotFoundError for a section that is in neither.
    """
    compared: _Compared = knowledge.once(("changes", pair.old, pair.new, langs), lambda: _Compared(knowledge, pair, langs))
    return compared.within(section) if section else [change for _, change in compared.changes]


class _Compared:
    """Two editions side by side."""

    def __init__(self, knowledge: "Books", pair: "PairSteps", langs: tuple[str, str]) -> None:
        self.pair = pair
        self.one_language = langs[0] == langs[1]
        self.old, self.new = (wordings(knowledge, key, lang) for key, lang in zip((pair.old, pair.new), langs, strict=True))
        self.changes = sorted(self._changes(), key=lambda change: self._order(change[0]))

    def within(self, section: str) -> "list[Change]":
        """The changes of rules that are or were in a section."""
        wanted = {f"{key.iri}/{section}" for key in (self.pair.old, self.pair.new)}
        if not wanted & (self.old.keys() | self.new.keys()):
            raise NotFoundError(
                "no section {section} in {old} or {new}; name it by its number, e.g. 7 or 701",
                section=section,
                old=self.pair.old,
                new=self.pair.new.edition,
            )
        return [change for step, change in self.changes if wanted & self._with_ancestors(step)]

    def _with_ancestors(self, step: Step) -> set[str]:
        """A step's rules and all their ancestors."""
        sides = ((self.old, step.old), (self.new, step.new))
        return {wording.iri for rules, iri in sides if iri and iri in rules for wording in (rules[iri], *above(rules, iri))}

    def _order(self, step: Step) -> tuple[int, int]:
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
        if old and new and kind not in _JOINED and self.one_language:
            edited = fold(old.headword + old.text) != fold(new.headword + new.text)
            kind = kind_of(old.locator, new.locator, edited=edited)
            only_references = only_references and edited
        if kind is Kind.SAME:
            return None
        return {
            "kind": kind.value,
            "old": _side(self.old, old),
            "new": _side(self.new, new),
            "similarity": _similarity(step, old, new, one_language=self.one_language),
            "spans": spans(old.text if old else "", new.text if new else "") if self.one_language else [],
            "only_references": only_references,
            "reused": self._reused(step),
            "proposed": step.proposed,
        }

    def _reused(self, step: Step) -> str | None:
        """The other rule that now has a rule's old number, if any."""
        if step.old is None:
            return None
        there = f"{self.pair.new.iri}{step.old[len(self.pair.old.iri) :]}"
        return there if there in self.new and there not in [earlier.new for earlier in self.pair.after(step.old)] else None


def _similarity(step: Step, old: Wording | None, new: Wording | None, *, one_language: bool) -> float | None:
    if old is None or new is None:
        return None
    if step.proposed or not one_language:
        return step.similarity
    return 1.0 if fold(old.text) == fold(new.text) else similarity(old.text, new.text)


def _side(rules: Mapping[str, Wording], rule: Wording | None) -> "ChangedRule | None":
    if rule is None:
        return None
    path = heading(rules, rule.iri)
    return {"iri": rule.iri, "number": rule.number, "locator": rule.locator, "heading": path, "text": rule.text}


def counts(listed: "Iterable[Change]") -> dict[str, int]:
    """Counts of changes by kind, of changes in references only, and of reused numbers."""
    listed = list(listed)
    kinds = Counter(change["kind"] for change in listed)
    told = {kind.value: kinds[kind.value] for kind in Kind if kind not in (Kind.FIRST, Kind.SAME)}
    told["only_references"] = sum(change["only_references"] for change in listed)
    told["reused"] = len({change["reused"] for change in listed if change["reused"]})
    return told


def shown_in(knowledge: "Books", old: "EditionKey", new: "EditionKey", asked: str) -> tuple[str, str]:
    """The languages in which two editions are shown: a common language if there is one, else one of each edition."""
    mine, theirs = (knowledge.manifest.editions[key].languages for key in (old, new))
    both = [lang for lang in theirs if lang in mine]
    if both:
        return (asked, asked) if asked in both else (both[0], both[0])
    return (asked if asked in mine else next(iter(mine))), (asked if asked in theirs else next(iter(theirs)))


_TOKEN = re.compile(f"[{CJK}]|[^\\W_]+(?:['’.\\-][^\\W_]+)*|\\s+|.", re.S)
_SHORT = 2
"""Maximum number of CJK characters between two changes that count as an accidental match."""
_Piece = tuple[bool, int, int, int, int]
"""Equal or not, and the bounds in both texts."""


def spans(old: str, new: str) -> "list[ChangedSpan]":
    """The equal, deleted, inserted and replaced spans of two texts, in code points."""
    if old == new or not old or not new:
        whole: ChangedSpan = {"op": _op(old == new, bool(old), bool(new)), "old": [0, len(old)], "new": [0, len(new)]}
        return [whole] if old or new else []
    return [
        {"op": _op(equal, a < b, c < d), "old": [a, b], "new": [c, d]}
        for equal, a, b, c, d in _joined_pieces(list(_pieces(old, new)), old)
        if a < b or c < d
    ]


def similarity(old: str, new: str) -> float:
    """The share of words that two texts have in the same order."""
    from rapidfuzz.distance import Indel  # slow to import, and most look-ups compare nothing

    return round(min(Indel.normalized_similarity(_TOKEN.findall(old), _TOKEN.findall(new)), 0.999), 3)


def _pieces(old: str, new: str) -> Iterator[_Piece]:
    from rapidfuzz.distance import Indel

    mine, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    here, there = _offsets(mine), _offsets(theirs)
    for code in Indel.opcodes(mine, theirs):
        yield code.tag == "equal", here[code.src_start], here[code.src_end], there[code.dest_start], there[code.dest_end]


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets


def _joined_pieces(pieces: Sequence[_Piece], old: str) -> list[_Piece]:
    """Joins neighbouring changes and the accidental matches between them."""
    joined: list[_Piece] = []
    for place, (equal, *bounds) in enumerate(pieces):
        inside = 0 < place < len(pieces) - 1
        words = old[bounds[0] : bounds[1]]
        is_accident = not words.strip() or (len(words) < _SHORT and not words.isascii())
        same = equal and not (inside and is_accident)
        if joined and joined[-1][0] == same:
            joined[-1] = (same, joined[-1][1], bounds[1], joined[-1][3], bounds[3])
        else:
            joined.append((same, *bounds))  # type: ignore[arg-type]
    return joined


def _op(equal: bool, gone: bool, come: bool) -> str:
    if equal:
        return "equal"
    return "replace" if gone and come else "delete" if gone else "insert"
