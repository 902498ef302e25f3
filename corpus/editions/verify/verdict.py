"""The verdict on a citation: whether its rule and quotation are right, and the rule today."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey, rule_iri, split_rule
from corpus.catalogue import catalogue
from corpus.editions.citations.context import Quotation
from corpus.editions.citations.quotations import AttributedQuotation, Attribution
from corpus.editions.moment import have_same_words
from corpus.editions.verify.brackets import IsTerm, has_negation
from corpus.editions.verify.fit import FitJudge, FitVerdict
from corpus.editions.verify.quoting import (
    Hint,
    Likeness,
    NormalisedText,
    QuotableWording,
    QuotationStatus,
    QuotationVerdict,
    check_quotation,
    find_copied_words,
    has_same_numbers,
    languages,
    leading_sentence_ends,
    shares_enough_words,
    word_count,
    wordings,
)
from corpus.editions.verify.resolve import CitationStatus, ResolvedCitation, RuleLookup
from corpus.languages import LANGUAGE_NAMES
from corpus.messages import Message, message
from corpus.store.books import Books
from corpus.store.records import edition_of
from corpus.words.tokens import parent_numbers

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


@dataclass(frozen=True, slots=True)
class RuleToday:
    """A rule in the current edition: its address there, and whether another rule has its number.

    `iri` is None for a removed rule, and if unknown (`known` false); `same_words` is None without a common language.
    `only_references`: only the numbers that it cites have changed.
    """

    iri: str | None
    same_words: bool | None = None
    reused: bool = False
    known: bool = True
    only_references: bool = False


def rule_today(knowledge: Books, record: "RuleRecord", key: EditionKey, langs: Collection[str] = ()) -> RuleToday:
    """A rule as the edition `key` has it; `langs` are the languages in which the author may have read it."""
    steps = knowledge.threads.steps_to_edition(record["iri"], key)
    bearer = rule_iri(key, record["locator"])
    ends = [step for step in steps if step.new not in (None, record["iri"])]
    records = knowledge.by_iri([bearer, *(step.new for step in ends if step.new)])
    there = sorted(ends, key=lambda step: (step.new != bearer, -step.similarity))
    if not there or any(step.proposed for step in there):
        return _unthreaded_rule_today(record, records.get(bearer), is_rule_known=bool(steps) and not there)
    names = {step.new for step in there}
    iri = there[0].new or ""
    same = have_same_words(record, records[iri], langs) if iri in records else None
    return RuleToday(iri, same, bearer in records and bearer not in names, only_references=there[0].only_references)


def _unthreaded_rule_today(record: "RuleRecord", bearer: "RuleRecord | None", *, is_rule_known: bool) -> RuleToday:
    """A rule without a thread: removed if that is known; else the rule with its number, if it has the same words."""
    if is_rule_known:
        return RuleToday(None, reused=bearer is not None)
    if bearer and have_same_words(record, bearer):
        return RuleToday(bearer["iri"], same_words=True)
    return RuleToday(None, known=False)


_A_FEW, _SOME, _MANY = 3, 5, 8
"""In words: a shorter text that is not attributed to the rule counts as a name or term; one of this length is always a quotation.
After a number at the start of a line, text between the two lengths is a heading."""
_MIN_SIMILARITY = 0.6
"""Similarity from which words near a citation count as an altered quotation."""
_MAX_DISTANCE = 24
"""Number of neighbouring rules whose meaning is compared."""
_MEANT, _UNMEANT, _CLEARLY = 0.35, 0.2, 0.15
"""Cosines of static vectors: the minimum for words that mean a rule, the maximum for words that do not, and the allowed lead of
another rule.
"""
_MIN_LINE_SIMILARITY = 0.8
"""Minimum similarity to count words as the rule's and not as a comment, if they follow a number at the start of a line."""
_DECIDING_ORDER = (QuotationStatus.MISQUOTED, QuotationStatus.VERIFIED, QuotationStatus.UNCHECKED)
"""Order in which verdicts on several quotations decide the citation."""
_VERDICT_STRENGTH = {QuotationStatus.UNCHECKED: 0, QuotationStatus.MISQUOTED: 1, QuotationStatus.VERIFIED: 2}
"""Order of verdicts on the same words by several editions of a rule; the strongest wins."""
Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Words and texts in any language → the similarity of each text to the words, at most 1."""


class Alike(NamedTuple):
    """The likeness of rules to some words, by address: the most similar rules, the best first, and the requested ones."""

    best: Mapping[str, float]
    asked: Mapping[str, float]


Names = Callable[[str, str], bool]
"""A game and some words → whether they name a concept of the game."""
LikeRules = Callable[[str, EditionKey, Collection[str]], Alike]
"""Words, an edition, and addresses of its rules → the likeness of rules of that edition to the words."""


@dataclass(frozen=True, slots=True)
class CheckedCitation:
    """A citation with its status, the rule today, and the verdict on the quotation.

    `checked` is `words` if quoted words were compared, `number` if only the number was looked up.
    """

    resolved: ResolvedCitation
    status: CitationStatus
    now: str | None = None
    quotation: Quotation | None = None
    quotation_verdict: QuotationVerdict | None = None
    note: Message | None = None
    checked: str | None = None
    today: RuleToday | None = None  # of a rule of an earlier edition
    fit: FitVerdict | None = None  # on the words around a citation without quotation


class CitationJudge:
    """Gives verdicts on the citations of one text."""

    def __init__(
        self,
        lookup: RuleLookup,
        text: str,
        langs: Collection[str] = (),
        similarity_of: Similarity | None = None,
        like_rules: LikeRules | None = None,
        names: Names | None = None,
    ) -> None:
        """`langs`: the languages in which the author may have read the rules. Without `similarity_of`, no guesses by meaning.

        Without `like_rules`, misquoted words are looked up in neighbouring rules only. Without `names`, only the titles of a book
        are terms, which an editor's brackets may not exchange.
        """
        self._lookup, self._text, self._langs, self._similarity_of = lookup, text, langs, similarity_of
        self._like_rules, self._names, self._fits = like_rules, names, FitJudge(lookup.knowledge)
        self._wordings: dict[str, list[QuotableWording]] = {}

    def judge_range(
        self, citations: Sequence[ResolvedCitation], quotations: Sequence[AttributedQuotation]
    ) -> list[CheckedCitation]:
        """The verdicts on the rules of a range and the words beside it; words that one rule has are not those of the others."""
        if len(citations) == 1 or not quotations:
            return [self.judge(citation, quotations) for citation in citations]
        holders = [self._holders(citations, attribution) for attribution in quotations]
        checked = []
        for place, citation in enumerate(citations):
            foreign = [each.quotation for each, of in zip(quotations, holders, strict=True) if of and place not in of]
            rest = [
                each
                for each in quotations
                if not any(words.start <= each.quotation.start < words.end for words in foreign)  # with the marks in them
            ]
            checked.append(self.judge(citation, rest))
        return checked

    def _holders(self, citations: Sequence[ResolvedCitation], attribution: AttributedQuotation) -> frozenset[int]:
        """Which rules of a range have some words; if none has, those that have the words outside an editor's brackets."""
        verified, outside = set[int](), set[int]()
        for place, citation in enumerate(citations):
            records = citation.around or ((citation.record,) if citation.record else ())
            for record in records:
                _, verdict = self._quotations_verdict(record, [attribution])
                if verdict and verdict.verdict is QuotationStatus.VERIFIED:
                    verified.add(place)
                elif verdict and verdict.is_outside_brackets:
                    outside.add(place)
        return frozenset(verified or outside)

    def judge(self, citation: ResolvedCitation, quotations: Sequence[AttributedQuotation]) -> CheckedCitation:
        """The verdict on a citation and the words beside it."""
        if citation.record is None:
            return self._without_rule(citation, quotations)
        # the editions of a rule may be loaded in different languages: the strongest verdict counts
        records = citation.around or (citation.record,)
        verdicts = [(record, *self._quotations_verdict(record, quotations)) for record in records]
        record, quotation, best_verdict = max(
            verdicts, key=lambda verdict: _VERDICT_STRENGTH[verdict[2].verdict] if verdict[2] else -1
        )
        if quotation and best_verdict and best_verdict.verdict is QuotationStatus.MISQUOTED:
            langs = languages(self.quotation_words(quotation), self._langs)
            if any(have_same_words(records[0], other, langs) is False for other in records[1:]):
                # an edition between these two, which is not loaded, may have had another translation
                best_verdict = replace(best_verdict, verdict=QuotationStatus.UNCHECKED)
        return self._with_rule(citation, record, quotation, best_verdict)

    def _without_rule(self, citation: ResolvedCitation, quotations: Sequence[AttributedQuotation]) -> CheckedCitation:
        """The verdict on a citation without a rule: a quotation decides between the candidates."""
        for record in citation.around:
            quotation, verdict = self._quotations_verdict(record, quotations)
            is_verified = verdict is not None and verdict.verdict is QuotationStatus.VERIFIED
            if quotation and is_verified and word_count(self.quotation_words(quotation)) >= _A_FEW:
                citation_of_words = replace(
                    citation, record=record, status=None, note=None, edition=record["edition"], candidates=()
                )
                return self._with_rule(citation_of_words, record, quotation, verdict)
        status = citation.status or CitationStatus.NOT_FOUND
        note = (self._source_of_missing(citation, quotations) if status is CitationStatus.NOT_FOUND else None) or citation.note
        return CheckedCitation(citation, status, note=note, checked="number" if status is CitationStatus.NOT_FOUND else None)

    def _source_of_missing(self, citation: ResolvedCitation, quotations: Sequence[AttributedQuotation]) -> Message | None:
        """The rule that has the words quoted beside a number that its edition lacks, such as the rule of an example."""
        number, edition = citation.item.number, citation.edition
        if not (self._like_rules and edition and citation.game):
            return None
        above = [rule for parent in parent_numbers(number) for rule in self._lookup.rules_at(parent)]
        key = next((key for rule in above if (key := edition_of(rule)).game == citation.game and key.edition == edition), None)
        for quotation in (attribution.quotation for attribution in quotations):
            words = self.quotation_words(quotation)
            if key is None or word_count(words) < _A_FEW:
                continue
            like = self._lookup.rules(self._like_rules(words, key, ()).best)
            for rule in (*(rule for rule in above if edition_of(rule) == key), *like):
                if find_copied_words(words, list(wordings([rule])), self._term_test(rule)):
                    return message(
                        "{edition} has no rule {number}; these are the words of {source}",
                        edition=edition,
                        number=number,
                        source=rule["locator"],
                    )
        return None

    def _with_rule(
        self, citation: ResolvedCitation, record: "RuleRecord", quotation: Quotation | None, verdict: QuotationVerdict | None
    ) -> CheckedCitation:
        """The verdict on a citation whose rule is known."""
        own = frozenset[str]()
        if quotation and verdict and verdict.verdict is QuotationStatus.VERIFIED:
            own = languages(self.quotation_words(quotation), self._langs)
        there = self._current_rule(record, own.union(self._langs))
        status, note = _status(record, verdict, there)
        now = there.iri if there else None
        note = note or citation.note
        if status is CitationStatus.MISQUOTED and verdict:
            note = self._rule_with_words(record, quotation, there) or note
        if note is None and verdict and verdict.place and verdict.place.rule != record["iri"]:
            part = split_rule(verdict.place.rule).locator
            note = message("these are the words of {part}, a part of {number}", part=part, number=record["locator"])
        is_compared = verdict and verdict.verdict is not QuotationStatus.UNCHECKED
        if quotation and verdict and not is_compared and record["texts"] and not verdict.is_outside_brackets:
            verdict = replace(verdict, hint=self._uncompared_hint(record, self.quotation_words(quotation), verdict))
        return CheckedCitation(citation, status, now, quotation, verdict, note, "words" if is_compared else "number", there)

    def _quotations_verdict(
        self, record: "RuleRecord", quotations: Sequence[AttributedQuotation]
    ) -> tuple[Quotation | None, QuotationVerdict | None]:
        """The verdict on the words beside a citation: the first wrong one of several, else the first right one."""
        verdicts: list[tuple[Quotation, QuotationVerdict]] = []
        for attribution in sorted(quotations, key=lambda attribution: attribution.tie):
            if any(verdict[0].start <= attribution.quotation.start < verdict[0].end for verdict in verdicts):
                continue  # marks in the words of a rule
            if attribution.tie <= Attribution.LINE and self._is_about(record, attribution, quotations):
                continue
            if verdict := self._quotation_verdict(record, attribution):
                verdicts.append(verdict)
        return min(verdicts, key=lambda verdict: _DECIDING_ORDER.index(verdict[1].verdict), default=(None, None))

    def _quotation_verdict(
        self, record: "RuleRecord", attribution: AttributedQuotation
    ) -> tuple[Quotation, QuotationVerdict] | None:
        """The verdict on some words; None for a name, a term or a comment instead of a quotation."""
        quotation, tie = attribution.quotation, attribution.tie
        words = self.quotation_words(quotation)
        if not words.strip() or _is_title(words, record):
            return None
        quotable = self._quotable_texts(record)
        if tie <= Attribution.LINE:
            return self._line_verdict(attribution, quotable, record)
        verdict, few = self._check_quotation(words, quotable, record), word_count(words) < _A_FEW
        if tie is Attribution.SAID or (verdict.verdict is QuotationStatus.VERIFIED and not few):
            return quotation, verdict
        if few or (tie is Attribution.NEAR and word_count(words) < _MANY and verdict.alike < _MIN_SIMILARITY):
            return None
        return quotation, verdict

    def _is_about(self, record: "RuleRecord", line: AttributedQuotation, quotations: Sequence[AttributedQuotation]) -> bool:
        """Whether the words after a number only introduce a quotation: `says “…”`."""
        start, end = line.quotation.start, line.quotation.end
        spans = sorted(
            other.quotation.span for other in quotations if start <= other.quotation.span.start < end and other is not line
        )
        if 2 * sum(span.end - span.start for span in spans) < end - start:
            return False
        ends = [start, *(place for span in spans for place in (span.start, span.end)), end]
        outside = "".join(self._text[first:last] for first, last in zip(ends[::2], ends[1::2], strict=True))
        return not shares_enough_words(outside, self._quotable_texts(record))

    def _check_quotation(self, words: str, quotable: Sequence[QuotableWording], record: "RuleRecord") -> QuotationVerdict:
        """Compares quoted words with wordings of a rule; the languages of the text decide what the words may be."""
        return check_quotation(words, quotable, self._langs, self._term_test(record))

    def _term_test(self, record: "RuleRecord") -> IsTerm:
        """A test whether words name a concept of the game of a rule, or are a title in its edition."""

        def is_term(words: str) -> bool:
            if self._names and self._names(record["game"], words):
                return True
            return any(self._fits.words_of(edition_of(record), lang).titles.bearers(words) for lang in record["texts"])

        return is_term

    def _line_verdict(
        self, attribution: AttributedQuotation, quotable: Sequence[QuotableWording], record: "RuleRecord"
    ) -> tuple[Quotation, QuotationVerdict] | None:
        """The verdict on unmarked words after a number: the rule's own with a comment, a paraphrase, or a comment only.

        Only quoted words can be misquoted.
        """
        quotation, words = attribution.quotation, self.quotation_words(attribution.quotation)
        is_term = self._term_test(record)
        if there := find_copied_words(words, quotable, is_term):
            whole = word_count(words) >= _A_FEW or any(_is_whole_text(words, wording) for wording in quotable)
            return (quotation, there) if whole else None
        for end in leading_sentence_ends(words):
            own = find_copied_words(words[:end], quotable, is_term)
            if own and word_count(words[:end]) >= _A_FEW:
                rest = words[end:]
                if word_count(rest) >= _SOME and self._check_quotation(rest, quotable, record).likeness is Likeness.PARAPHRASE:
                    break
                return replace(quotation, end=quotation.start + end), own
        if attribution.tie is Attribution.BEHIND or word_count(words) < _SOME:
            return None
        verdict = self._check_quotation(words, quotable, record)
        if verdict.likeness is Likeness.DIFFERENT or (verdict.likeness is None and word_count(words) < _MANY):
            return None
        if quotation.marks == " " and verdict.alike < _MIN_LINE_SIMILARITY:
            return None
        return quotation, replace(verdict, verdict=QuotationStatus.UNCHECKED)

    def _uncompared_hint(self, record: "RuleRecord", words: str, verdict: QuotationVerdict) -> Hint | None:
        """Whether words that cannot be compared seem right: by another edition with the same words, else by meaning."""
        if not has_same_numbers(words, self._quotable_texts(record)):
            return Hint.DIFFERENT
        if verdict.likeness is Likeness.PARAPHRASE:
            return Hint.RIGHT
        for other in self._lookup.rules_at(record["locator"]):
            if other["iri"] != record["iri"] and other["book"] == record["book"] and have_same_words(record, other):
                likeness = self._check_quotation(words, self._quotable_texts(other), other).likeness
                if likeness in (Likeness.EXACT, Likeness.TRIVIAL, Likeness.PARAPHRASE):
                    return Hint.RIGHT
        return self.meaning_hint(record, words)

    def meaning_hint(self, record: "RuleRecord", words: str) -> Hint | None:
        """Whether words have the figures and the meaning of a rule rather than of its neighbours; None where neither is clear."""
        if not has_same_numbers(words, self._quotable_texts(record)):
            return Hint.DIFFERENT
        if self._similarity_of is None:
            return None
        lang = next(iter(record["texts"]))
        parents = self._lookup.rules([record["parent"] or ""])
        siblings = self._lookup.rules(child["iri"] for parent in parents for child in parent["children"][:_MAX_DISTANCE])
        others = [rule["texts"][lang]["text"] for rule in siblings if rule["iri"] != record["iri"] and lang in rule["texts"]]
        text = record["texts"][lang]["text"]
        own, *beside = self._similarity_of(words, [text, *others])
        best = max(beside, default=0.0)
        if own >= _MEANT and own >= best:
            return Hint.RIGHT if has_negation(words) == has_negation(text) else None  # similarity ignores a negation
        return Hint.DIFFERENT if own < _UNMEANT or best - own > _CLEARLY else None

    def _quotable_texts(self, record: "RuleRecord") -> list[QuotableWording]:
        """The quotable texts of a rule, cached for one text."""
        if record["iri"] not in self._wordings:
            self._wordings[record["iri"]] = list(wordings(self._lookup.rule_and_parts(record)))
        return self._wordings[record["iri"]]

    def quotation_words(self, quotation: Quotation) -> str:
        """The words of a quotation without the marks of a block quote."""
        first, *others = self._text[quotation.start : quotation.end].split("\n")
        return "\n".join([first, *(line.lstrip(" \t>") for line in others)])

    def _current_rule(self, record: "RuleRecord", langs: Collection[str]) -> RuleToday | None:
        """The rule of an earlier edition today; None for a current one. `langs` are the languages of the quotation."""
        key = edition_of(record)
        later = self._lookup.knowledge.currency.currency_of(key, record["locator"]).later
        newest = next((entry.key for entry in later if (entry.game, entry.book) == (key.game, key.book)), None)
        return rule_today(self._lookup.knowledge, record, newest, langs) if newest else None

    def _rule_with_words(self, record: "RuleRecord", quotation: Quotation | None, rule_today: RuleToday | None) -> Message | None:
        """The rule that has the words: the same one today or in another edition, a neighbour, or any of its edition."""
        if quotation is None:
            return None
        words = self.quotation_words(quotation)
        langs = languages(words, self._langs)
        for rule in self._possible_sources(record, words, rule_today):
            own = [wording for wording in wordings([rule]) if wording.lang in langs]
            if rule["iri"] != record["iri"] and find_copied_words(words, own, self._term_test(rule)):
                return message(
                    "these are the words of {number} in {edition}", number=rule["locator"], edition=str(edition_of(rule))
                )
        return None

    def _possible_sources(self, record: "RuleRecord", words: str, rule_today: RuleToday | None) -> "Iterator[RuleRecord]":
        """The rules from which misquoted words may come, the likeliest first."""
        yield from self._lookup.rules([rule_today.iri] if rule_today and rule_today.iri else [])
        yield from (rule for rule in self._lookup.rules_at(record["locator"]) if rule["book"] == record["book"])
        parents = self._lookup.rules([record["parent"] or ""])
        yield from self._lookup.rules(child["iri"] for parent in parents for child in parent["children"])
        while parents:
            yield from parents
            parents = self._lookup.rules([parents[0]["parent"] or ""])
        if self._like_rules and word_count(words) >= _A_FEW:
            yield from self._lookup.rules(self._like_rules(words, edition_of(record), ()).best)


def _status(
    record: "RuleRecord", verdict: QuotationVerdict | None, rule_today: RuleToday | None
) -> tuple[CitationStatus, Message | None]:
    """The first applicable status, and the reason; `exists` if no words were compared."""
    is_compared = verdict is not None and verdict.verdict is QuotationStatus.VERIFIED
    fitting = [_current_verdict(record) if rule_today is None else _earlier_verdict(record, rule_today)]
    if not is_compared:
        fitting.append((CitationStatus.EXISTS, None))
    if verdict and verdict.verdict is QuotationStatus.UNCHECKED:
        fitting.append((CitationStatus.UNCHECKED, _language_not_loaded(record, verdict)))
    if verdict and verdict.verdict is QuotationStatus.MISQUOTED:
        fitting.append((CitationStatus.MISQUOTED, message("{number} does not have these words", number=record["locator"])))
    order = list(CitationStatus)
    return min(fitting, key=lambda status: order.index(status[0]))


def _is_whole_text(words: str, wording: QuotableWording) -> bool:
    """Whether some words are the complete text of a rule, as for a title."""
    return NormalisedText(words.strip(" .。:：")).text == NormalisedText(wording.passages[0].text.strip(" .。:：")).text


def _is_title(words: str, record: "RuleRecord") -> bool:
    """Whether some words are the title of a chapter or section that contains a rule."""
    titles = [*record["heading"], *(title for titles in record.get("headings", {}).values() for title in titles)]
    plain = NormalisedText(words.strip(" .。:：")).text
    return any(plain in (NormalisedText(title).text, NormalisedText(title.partition(" ")[2]).text) for title in titles)


def _language_not_loaded(record: "RuleRecord", verdict: QuotationVerdict) -> Message:
    if not record["texts"]:
        return message("only our gloss of {number} is loaded: it cannot prove a quotation; add the book", number=record["locator"])
    if verdict.is_outside_brackets:
        return message(
            "only the words outside the brackets are those of {number}; those in brackets were not checked",
            number=record["locator"],
        )
    if verdict.likeness:
        return message("these are not the loaded words of {number}; only the number was checked", number=record["locator"])
    names = ", ".join(LANGUAGE_NAMES[lang] for lang in record["texts"])
    return message("{number} is loaded in {langs}, not in the language quoted", number=record["locator"], langs=names)


def _current_verdict(record: "RuleRecord") -> tuple[CitationStatus, Message | None]:
    """The verdict on a current rule; a summary of an official book proves nothing."""
    official = catalogue().book(record["game"], record["book"]).summarises
    if not record["current"] and official:
        return CitationStatus.UNCHECKED, message(
            "{book} is only a summary of {official}, which has no rule {number}",
            book=f"{record['game']}/{record['book']}",
            official=official,
            number=record["locator"],
        )
    return CitationStatus.VERIFIED, None


def _earlier_verdict(record: "RuleRecord", rule_today: RuleToday) -> tuple[CitationStatus, Message | None]:
    """The verdict on a rule of an earlier edition."""
    number, edition = record["locator"], record["edition"]
    if not rule_today.known:
        return CitationStatus.UNCHECKED, message(
            "it is unknown which rule {number} of {edition} is today", number=number, edition=edition
        )
    if rule_today.reused:
        if rule_today.iri is None:
            return CitationStatus.REUSED, message(
                "{number} is another rule today; that of {edition} is gone", number=number, edition=edition
            )
        now = split_rule(rule_today.iri)
        return CitationStatus.REUSED, message(
            "{number} is another rule today; that of {edition} is {now} now", number=number, edition=edition, now=now.locator
        )
    if rule_today.iri is None:
        return CitationStatus.NOT_FOUND, message("{number} of {edition} has been removed since", number=number, edition=edition)
    now = split_rule(rule_today.iri)
    if now.locator != number:
        return CitationStatus.MOVED, message("{number} of {edition} is {now} now", number=number, edition=edition, now=now.locator)
    if rule_today.only_references and not rule_today.same_words:
        return CitationStatus.EDITED, message(
            "only numbers cited in {number} have changed since {edition}", number=number, edition=edition
        )
    if not rule_today.same_words:
        return CitationStatus.EDITED, message("{number} has been reworded since {edition}", number=number, edition=edition)
    return CitationStatus.VERIFIED, None
