"""Checks the citations inside a book: to no rule, to a rule of another title, and to rules that have moved or gone since."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, cast

from corpus.address import EditionKey
from corpus.chronology import is_later, newest_first
from corpus.editions.citations.phrases import alternation, compile_pattern, phrase_list
from corpus.editions.cross_references.titles import NamedTitle, Titles, fold_title, named_title, words_before_bracket, words_behind
from corpus.messages import Message, message
from corpus.store.books import Books
from corpus.store.threads.step import PairSteps, StepKind
from corpus.words.sentences import GAP_BEFORE_CITATION
from corpus.words.tokens import terms, words

if TYPE_CHECKING:
    from corpus.contract import RuleCitation, RuleRecord


class FindingKind(StrEnum):
    """Kinds of findings, the most certain first."""

    DANGLING = "dangling"
    TITLE = "title"
    MOVED = "moved"
    MERGED = "merged"
    REMOVED = "removed"
    EXAMPLE = "example"


class CitingPart(NamedTuple):
    """A part of a rule with its citations in one language; `nth` counts the parts of its kind, from 1."""

    record: "RuleRecord"
    lang: str
    part: str  # text, example or note
    nth: int
    text: str
    cites: "Sequence[RuleCitation]"


@dataclass(frozen=True, slots=True)
class ReferenceFinding:
    """A wrong citation. `meant` is the rule that it probably means."""

    kind: FindingKind
    message: Message
    place: CitingPart
    cite: "RuleCitation"
    title: str | None = None  # the named title
    meant: "RuleRecord | None" = None


def citing_parts(record: "RuleRecord", lang: str) -> Iterator[CitingPart]:
    """The parts of a rule that cite others."""
    cites = [cite for cite in record["cites"] if cite["lang"] == lang and "within" not in cite]
    if cites and lang in record["texts"]:
        yield CitingPart(record, lang, "text", 1, record["texts"][lang]["text"], cites)
    for part, asides in (("example", record["examples"]), ("note", record["notes"])):
        own = [aside for aside in asides if aside["lang"] == lang]
        for nth, aside in enumerate(own, 1):
            if citations := aside.get("cites"):
                yield CitingPart(record, lang, part, nth, aside["text"], citations)


_NUMBER_PARTS = re.compile(r"\d+|[a-z]+")
_LABEL_BEFORE = compile_pattern(rf"(?:^|\n)\W{{0,3}}{alternation(*phrase_list('example', 'label'))}\s?[:：]?\s?[(（\[【]?\s?$")
_LABEL_BEHIND = re.compile(r"[.．]?[)）\]】]?\s?[:：]")
"""The words before and behind the number in the label of an example."""
_LABEL_WINDOW = 30
_MIN_SHARE, _MIN_LEAD, _BESIDE = 0.3, 0.05, 0.2
"""Share of the weight of a clause's words that a rule of a similar number has, if it is meant, its lead over the next one, and the
bonus of a rule beside the citing one.
"""
_MAX_SHIFT = 5
"""By how much a figure of a number may be wrong."""
_DOCUMENT = alternation(*phrase_list("document", "tournament"), *phrase_list("document", "penalties"))
_DOCUMENT_WINDOW = 40
_DOCUMENT_BEHIND = compile_pattern(rf"\s(?:of|in|from) (?:the )?(?:\w+ ){{0,3}}?{_DOCUMENT}")
_DOCUMENT_BEFORE = compile_pattern(rf"{_DOCUMENT}\W{{0,3}}$")
_CLAUSE = 160
"""Number of characters before a citation that are compared with rules."""


class CrossReferences:
    """The citations inside an edition, in one language."""

    def __init__(self, knowledge: Books, key: EditionKey, lang: str) -> None:
        self._knowledge, self._key, self._lang = knowledge, key, lang
        self._records = {record["iri"]: record for record in knowledge.stored_records(key)}
        self._by_locator = {record["locator"]: record for record in self._records.values() if record["number"]}
        self._titles = Titles(list(self._records.values()), lang)

    def citations(self) -> "Iterator[tuple[CitingPart, RuleCitation]]":
        """Every citation; of a range, the two rules at its ends."""
        for record in self._records.values():
            for part in citing_parts(record, self._lang):
                for _, members in groupby(part.cites, lambda cite: (cite["start"], cite["end"])):
                    first, *others = members
                    yield part, first
                    yield from ((part, last) for last in others[-1:])

    def findings(self) -> Iterator[ReferenceFinding]:
        """The wrong citations in document order."""
        for part, cite in self.citations():
            if finding := self._finding(part, cite):
                yield finding

    def _finding(self, part: CitingPart, cite: "RuleCitation") -> ReferenceFinding | None:
        if is_of_other_document(part.text, cite["start"], cite["end"]):
            return None
        is_range = self._is_range(part, cite)
        title = None if is_range else named_title(part.text, cite["start"], cite["end"])
        if cite["target"] is None:
            return None if self._has_parts(cite["locator"]) else self._dangling(part, cite, title)
        if title and title.is_behind:
            if self._titles.has_title(cite["target"], title.words):
                return None
            if bearers := self._bearers(part, title.words):
                return self._title_finding(part, cite, title.words, _nearest(cite["locator"], bearers))
        finding = None if is_range else self._named_around(part, cite, title)
        return finding or self._since(part, cite) or self._example(part, cite)

    def _bearers(self, part: CitingPart, title: str) -> "Sequence[RuleRecord]":
        """The rules that have a title, without the citing rule and those above and below it."""
        own = part.record["iri"]
        return [rule for rule in self._titles.bearers(title) if not self._titles.are_related(own, rule["iri"])]

    @staticmethod
    def _is_range(part: CitingPart, cite: "RuleCitation") -> bool:
        return sum((cite["start"], cite["end"]) == (other["start"], other["end"]) for other in part.cites) > 1

    def _title_finding(
        self, part: CitingPart, cite: "RuleCitation", title: str, probable_rule: "RuleRecord | None"
    ) -> ReferenceFinding:
        sentence = message("{number} is not about “{words}”", number=cite["locator"], words=title)
        return ReferenceFinding(FindingKind.TITLE, sentence, part, cite, title, probable_rule)

    def _named_around(self, part: CitingPart, cite: "RuleCitation", nearby_title: NamedTitle | None) -> ReferenceFinding | None:
        """A citation beside the title of a rule whose number is nearly the cited one, while the cited rule lacks its words."""
        assert cite["target"]
        for title in _words_around(part, cite, nearby_title):
            if bearers := self._bearers(part, title):
                probable_rule = self._rule_of_mistyped_number(cite["locator"], bearers)
                if probable_rule is None or self._titles.mentions(cite["target"], title):
                    return None
                return self._title_finding(part, cite, title, probable_rule)
        return None

    def _rule_of_mistyped_number(self, locator: str, bearers: "Sequence[RuleRecord]") -> "RuleRecord | None":
        """The rule that a number with one figure slightly wrong means, given the rules of a title: 1.9.1 with 1.8 is 1.8.1."""
        own = _NUMBER_PARTS.findall(locator)
        distances = []
        for record in bearers:
            other = _NUMBER_PARTS.findall(record["locator"])
            whole = [*other, *own[len(other) :]]
            wrong = [(a, b) for a, b in zip(own, whole, strict=False) if a != b]
            is_near = len(whole) == len(own) and len(wrong) == 1 and _distance(*wrong[0]) <= _MAX_SHIFT
            if is_near and (there := self._by_figures.get(tuple(whole))):
                distances.append((_distance(*wrong[0]), there["order"], there))
        return min(distances, key=lambda row: row[:2])[2] if distances else None

    @cached_property
    def _by_figures(self) -> "Mapping[tuple[str, ...], RuleRecord]":
        return {tuple(_NUMBER_PARTS.findall(locator)): record for locator, record in self._by_locator.items()}

    def _has_parts(self, locator: str) -> bool:
        """Whether rules below a number exist, whose own title the book or its copy lacks."""
        own = tuple(_NUMBER_PARTS.findall(locator))
        return any(figures[: len(own)] == own for figures in self._by_figures)

    def _dangling(self, part: CitingPart, cite: "RuleCitation", title: NamedTitle | None) -> ReferenceFinding:
        probable_rule = self._probable_rule(part, cite, title)
        finding = None if probable_rule else self._since(part, cite)
        if finding and finding.meant:
            return replace(finding, kind=FindingKind.DANGLING)
        if probable_rule is None and not self._is_range(part, cite):
            probable_rule = self._similar(part, cite)
        sentence = message("this edition has no rule {number}", number=cite["locator"])
        return ReferenceFinding(FindingKind.DANGLING, sentence, part, cite, title.words if title else None, probable_rule)

    def _probable_rule(self, part: CitingPart, cite: "RuleCitation", title_beside: NamedTitle | None) -> "RuleRecord | None":
        """The rule of the title beside a number that does not exist."""
        titles = [title_beside.words] if title_beside else words_behind(part.text, cite["end"])
        if bearers := next(filter(None, (self._bearers(part, title) for title in titles)), ()):
            return _nearest(cite["locator"], bearers)
        before = () if title_beside else words_before_bracket(part.text, cite["start"])
        bearers = next(filter(None, (self._bearers(part, title) for title in before)), ())
        return self._rule_of_mistyped_number(cite["locator"], bearers) or _only_of_depth(cite["locator"], bearers)

    def _since(self, part: CitingPart, cite: "RuleCitation") -> ReferenceFinding | None:
        """A citation that has stayed while its rule moved: the citing rule has it in an earlier edition too."""
        for pair, records in self._earlier:
            before = [step.old for step in pair.steps_to(part.record["iri"]) if step.old and not step.proposed]
            numbers = [other["text"] for other in part.cites]
            past_targets = {
                old["target"]
                for iri in before
                if iri in records
                for then in citing_parts(records[iri], self._lang)
                if [old["text"] for old in then.cites] == numbers
                for old in then.cites
                if old["locator"] == cite["locator"]
            }
            if not past_targets:
                return None  # the citation, or one beside it, is newer
            for target in (target for target in past_targets if target and target in records):
                if finding := self._moved_finding(part, cite, pair, records[target]):
                    return finding
        return None

    def _moved_finding(
        self, part: CitingPart, cite: "RuleCitation", pair: PairSteps, then: "RuleRecord"
    ) -> ReferenceFinding | None:
        """A finding if the rule that was cited in an earlier edition no longer has the cited number."""
        steps = pair.steps_from(then["iri"])
        ends = [step.new for step in steps if step.new]
        if not steps or any(step.proposed for step in steps) or cite["target"] in ends:
            return None
        now = self._records.get(cite["target"] or "")
        if now and fold_title(_words(now, self._lang)) == fold_title(_words(then, self._lang)):
            return None
        successor = self._records.get(ends[0]) if ends else None
        number, edition = cite["locator"], pair.old.edition
        if successor is None:
            sentence = message("{number} of {edition} has been removed since", number=number, edition=edition)
            return ReferenceFinding(FindingKind.REMOVED, sentence, part, cite)
        if all(step.kind is StepKind.MERGED for step in steps):
            sentence = message(
                "{number} of {edition} is part of {now} now", number=number, edition=edition, now=successor["locator"]
            )
            return ReferenceFinding(FindingKind.MERGED, sentence, part, cite, None, successor)
        sentence = message("{number} of {edition} is {now} now", number=number, edition=edition, now=successor["locator"])
        return ReferenceFinding(FindingKind.MOVED, sentence, part, cite, None, successor)

    @cached_property
    def _earlier(self) -> "list[tuple[PairSteps, Mapping[str, RuleRecord]]]":
        """The steps from each earlier edition in this language, the newest first, and its rules."""
        key, entries = self._key, self._knowledge.manifest.editions
        earlier = [
            other
            for other, entry in entries.items()
            if (other.game, other.book) == (key.game, key.book) and is_later(key, other) and self._lang in entry.languages
        ]
        pairs = ((other, self._knowledge.threads.steps_between(other, key)) for other in sorted(earlier, key=newest_first))
        return [
            (pair, {rule["iri"]: _citing_words(rule, self._lang) for rule in self._knowledge.stored_records(other)})
            for other, pair in pairs
            if pair
        ]

    def _example(self, part: CitingPart, cite: "RuleCitation") -> ReferenceFinding | None:
        """An example whose label has the number of another rule: `Example (3.2): …` below 3.1."""
        before = part.text[max(0, cite["start"] - _LABEL_WINDOW) : cite["start"]]
        label = _LABEL_BEFORE.search(before) and _LABEL_BEHIND.match(part.text, cite["end"])
        if not label or self._titles.are_related(part.record["iri"], cite["target"] or ""):
            return None
        sentence = message("an example of {number} has the number {cited}", number=part.record["locator"], cited=cite["locator"])
        return ReferenceFinding(FindingKind.EXAMPLE, sentence, part, cite, None, part.record)

    def _similar(self, part: CitingPart, cite: "RuleCitation") -> "RuleRecord | None":
        """Of the rules whose number differs in one figure, the one that shares the most words with the clause."""
        sentence = GAP_BEFORE_CITATION.split(part.text[max(0, cite["start"] - _CLAUSE) : cite["start"]])[-1]
        clause = set(terms(words(sentence)))
        weights = {word: self._idf(word) for word in clause}
        total = sum(weights.values()) or 1.0

        def score(record: "RuleRecord") -> float:
            shared = sum(weights[word] for word in clause & self._words(record)) / total
            return shared + _BESIDE * (record["parent"] == part.record["parent"])

        scores = sorted(
            ((score(record), record) for record in self._one_figure_off(cite["locator"], part.record)), key=itemgetter(0)
        )
        if not scores or scores[-1][0] < _MIN_SHARE or (len(scores) > 1 and scores[-1][0] - scores[-2][0] < _MIN_LEAD):
            return None
        return scores[-1][1]

    def _one_figure_off(self, cited_locator: str, citing: "RuleRecord") -> "Iterator[RuleRecord]":
        """The rules whose number differs from a cited one in one figure, without the citing rule."""
        own = _NUMBER_PARTS.findall(cited_locator)
        for locator, record in self._by_locator.items():
            other = _NUMBER_PARTS.findall(locator)
            if record is not citing and _is_one_off(own, other):
                yield record

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for record in self._records.values() for word in self._words(record))

    def _idf(self, word: str) -> float:
        return math.log(1 + len(self._records) / (1 + self._frequencies[word]))

    def _words(self, record: "RuleRecord") -> frozenset[str]:
        text = record["texts"].get(self._lang)
        return frozenset(terms(words(text["text"]))) if text else frozenset()


def _citing_words(record: "RuleRecord", lang: str) -> "RuleRecord":
    """The words and citations of a rule in one language alone: many editions of a book are held at once."""
    words: dict[str, object] = {"iri": record["iri"], "locator": record["locator"]}
    words["texts"] = {lang: record["texts"][lang]} if lang in record["texts"] else {}
    for name in ("cites", "examples", "notes"):
        words[name] = [part for part in record[name] if part["lang"] == lang]
    return cast("RuleRecord", words)


def _words(record: "RuleRecord", lang: str) -> str:
    return record["texts"][lang]["text"] if lang in record["texts"] else ""


def _words_around(part: CitingPart, cite: "RuleCitation", nearby_title: NamedTitle | None) -> Iterator[str]:
    """The words beside a citation that may be the title of its rule."""
    if nearby_title:
        yield nearby_title.words
    yield from words_behind(part.text, cite["end"])
    yield from words_before_bracket(part.text, cite["start"])


def is_of_other_document(text: str, start: int, end: int) -> bool:
    """Whether the text says that a citation is of tournament rules or a penalty guide: `section 5.2 of the Tournament Rules`."""
    return bool(_DOCUMENT_BEHIND.match(text, end) or _DOCUMENT_BEFORE.search(text[max(0, start - _DOCUMENT_WINDOW) : start]))


def _distance(figure: str, other: str) -> float:
    """The distance between two figures or letters of a number."""
    if figure.isdigit() and other.isdigit():
        return abs(int(figure) - int(other))
    return abs(ord(figure) - ord(other)) if len(figure) == len(other) == 1 else math.inf


def _is_one_off(own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two numbers differ in one figure, which is another one, missing or too many."""
    if len(own) == len(other):
        return sum(a != b for a, b in zip(own, other, strict=True)) == 1
    short, long = sorted((own, other), key=len)
    return len(long) == len(short) + 1 and any([*long[:at], *long[at + 1 :]] == list(short) for at in range(len(long)))


def _only_of_depth(locator: str, bearers: "Sequence[RuleRecord]") -> "RuleRecord | None":
    """The only one of some rules whose number has as many figures as the cited one."""
    depth = len(_NUMBER_PARTS.findall(locator))
    same_depth = [record for record in bearers if len(_NUMBER_PARTS.findall(record["locator"])) == depth]
    return same_depth[0] if len(same_depth) == 1 else None


def _nearest(locator: str, bearers: "Sequence[RuleRecord]") -> "RuleRecord | None":
    """Of the rules of a title, the one whose number is most like the cited one; None if two are."""
    own = _NUMBER_PARTS.findall(locator)

    def likeness(record: "RuleRecord") -> tuple[bool, int]:
        other = _NUMBER_PARTS.findall(record["locator"])
        return len(own) == len(other), sum(a == b for a, b in zip(own, other, strict=False))

    best = max(map(likeness, bearers))
    nearest = [record for record in bearers if likeness(record) == best]
    return nearest[0] if len(nearest) == 1 else None
