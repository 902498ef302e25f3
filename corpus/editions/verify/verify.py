"""Verifies the citations of a text. The gate decides which citing sentences are proven, and marks the others."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress, pairwise
from typing import TYPE_CHECKING

from corpus.editions.citations.context import CitationMention, Quotation, sentences, without_spans
from corpus.editions.citations.dating import date_of_text
from corpus.editions.citations.find import FoundCitations, find
from corpus.editions.citations.quotations import AttributedQuotation
from corpus.editions.citations.view import View
from corpus.editions.moment import LATEST, DateOrigin, Scope
from corpus.editions.verify.fit import CitingClause, Fit, FitJudge, FitVerdict, clause_around
from corpus.editions.verify.quoting import QuotationStatus, languages
from corpus.editions.verify.resolve import CitationStatus, RuleLookup, assumed_edition, resolve
from corpus.editions.verify.since import changes_since, number_fixes
from corpus.editions.verify.verdict import CheckedCitation, CitationJudge, LikeRules, Names, Similarity
from corpus.errors import InputError
from corpus.messages import Message, message
from corpus.model import Span
from corpus.ordinals import path_in
from corpus.store.books import Books
from corpus.words.sentences import trimmed

if TYPE_CHECKING:
    from corpus.contract import AssumedEdition, Gate, GatedSentence, VerifiedCitation, VerifiedQuotation, Verify
    from corpus.editions.verify.quoting import QuotationVerdict


def verify(
    knowledge: Books,
    text: str,
    game: str | None,
    scope: Scope,
    lang: str,
    similarity_of: Similarity | None = None,
    limit: int | None = None,
    read: Collection[str] | None = None,
    like_rules: LikeRules | None = None,
    names: Names | None = None,
) -> "Verify":
    """The citations of a text with verdicts; offsets are code points of the text.

    `game` is the default game, `scope` the default edition, `lang` the language of notes. `similarity_of` compares meanings, for
    guesses about words in a language that is not loaded. `read` are the addresses of the rules that the writer has read, if
    known. `like_rules` finds the rules of an edition that are like some words: the source of misquoted ones. `names` decides
    whether words name a concept of a game. Raises InputError for more than `limit` citations, before any is judged.
    """
    lookup = RuleLookup(knowledge)
    citations = find(text, lookup.numbering, game)
    if limit is not None:
        _refuse_too_many(citations, limit)
    scope = replace((scope.why is DateOrigin.TODAY and written_scope(text)) or scope, langs=languages(citations.view.text))
    judge = CitationJudge(lookup, citations.view.text, scope.langs, similarity_of, like_rules, names)
    beside: dict[int, list[AttributedQuotation]] = {}
    for tie in citations.attributions:
        beside.setdefault(tie.mention, []).append(tie)
    judged = [
        citation
        for place, mention in enumerate(single_game(citations.mentions, lookup))
        for citation in judge.judge_range(resolve(lookup, mention, scope), beside.get(place, ()))
    ]
    quotations = [citation.quotation for citation in judged if citation.quotation]
    fits = _Fits(knowledge, citations, _verified_quotations(judged), scope.langs)
    judged = [fits.with_fit(citation) for citation in judged]
    outside_quotations = list(compress(judged, _are_outside((citation.resolved.item.start for citation in judged), quotations)))
    statuses = Counter(citation.status for citation in outside_quotations)
    return {
        "lang": lang,
        "as_of": (scope.named or LATEST) if scope.why is DateOrigin.AS_OF else None,
        "assumed": _assumed_editions(lookup, outside_quotations, scope),
        "counts": {status.value: statuses[status] for status in CitationStatus},
        "citations": [_verify_body(citations.view, citation, lang, read) for citation in outside_quotations],
        "changes": changes_since(outside_quotations),
        "fixes": list(number_fixes(lookup, citations.view, outside_quotations)),
    }


class _Fits:
    """Compares the words around the citations of a text with the rules."""

    def __init__(
        self, knowledge: Books, citations: FoundCitations, quotations: Iterable[Quotation], langs: Collection[str]
    ) -> None:
        """`quotations` are words of other rules, which are not compared; `langs` are the possible languages of the text."""
        self._judge, self._langs = FitJudge(knowledge), langs
        self._text = citations.view.text
        self._own_words = without_spans(self._text, {quotation.span for quotation in quotations})
        self._items = sorted({mention.item for mention in citations.mentions}, key=lambda item: (item.start, item.end))
        self._places = {item.start: place for place, item in enumerate(self._items)}
        self._fits: dict[tuple[str, CitingClause], FitVerdict | None] = {}
        self._sentences = sentences(self._text, (tie.quotation.span for tie in citations.attributions))

    def with_fit(self, citation: CheckedCitation) -> CheckedCitation:
        """A citation without quotation, with the verdict on the words around it, or the candidate that they fit."""
        resolved = citation.resolved
        is_open = citation.status is CitationStatus.UNCHECKED and bool(resolved.candidates)
        if citation.quotation or resolved.item.through or not (is_open or resolved.record):
            return citation
        clause = clause_around(self._text, self._own_words, self._items, self._places[resolved.item.start], self._sentences)
        langs = languages(clause.words, self._langs)
        if resolved.record is None:
            best = self._judge.choose(resolved.candidates, clause, langs)
            return replace(citation, fit=FitVerdict(None, best)) if best else citation
        key = (resolved.record["iri"], clause)
        if key not in self._fits:
            self._fits[key] = self._judge.verdict(resolved.record, clause, langs)
        return replace(citation, fit=self._fits[key])


def _verified_quotations(citations: Iterable[CheckedCitation]) -> Iterator[Quotation]:
    """The quotations that are words of the rules cited for them."""
    for citation in citations:
        verdict = citation.quotation_verdict
        if citation.quotation and verdict and verdict.verdict is QuotationStatus.VERIFIED:
            yield citation.quotation


def _refuse_too_many(citations: FoundCitations, limit: int) -> None:
    """Refuses a text with too many citations outside the quotations of others, which are not reported."""
    quotations = (tie.quotation for tie in citations.attributions)
    count = sum(_are_outside((mention.item.start for mention in citations.mentions), quotations))
    if count > limit:
        raise too_many_error(count, limit)


def too_many_error(count: int, limit: int) -> InputError:
    """The error for a text with too many citations."""
    return InputError(
        "the text has {count} citations, at most {most} are checked at once; send it in parts", count=count, most=limit
    )


def written_scope(text: str) -> Scope | None:
    """The edition of a text according to its own words: the named edition, or that of its date."""
    day = date_of_text(text)
    if day is None:
        return None
    return Scope(DateOrigin.TEXT, day.first, day.last, named_itself=day.edition)


_MIN_NUMBERS = 2
"""Minimum number of rule numbers of a single game that identify the game of a text that names none."""


def single_game(mentions: Sequence[CitationMention], lookup: RuleLookup) -> Sequence[CitationMention]:
    """The citations of a text; if it names no game, those of the only game that has all their numbers."""
    numbers_without_game = {mention.item.number for mention in mentions if _is_unnamed(mention)}
    holding = list(lookup.existing_numbers(numbers_without_game).values())
    games = frozenset[str]().union(*holding).intersection(*holding)
    if len(games) != 1 or sum(holders == games for holders in holding) < _MIN_NUMBERS:
        return mentions
    return [replace(mention, games=tuple(games)) if _is_unnamed(mention) else mention for mention in mentions]


def _is_unnamed(mention: CitationMention) -> bool:
    """Whether a citation names no game; articles (第3条) of every text have the same numbers, which identify none."""
    return not (mention.games or mention.elsewhere or path_in(mention.item.number))


def _assumed_editions(lookup: RuleLookup, citations: Sequence[CheckedCitation], scope: Scope) -> "list[AssumedEdition]":
    """The default edition used for each game."""
    games = dict.fromkeys(citation.resolved.game for citation in citations if citation.resolved.game and not citation.resolved.own)
    editions = ((game, assumed_edition(lookup, game, scope)) for game in games if game)
    return [{"game": game, "edition": edition, "why": scope.why.value} for game, edition in editions if edition]


def _are_outside(starts: Iterable[int], quotations: Iterable[Quotation]) -> Iterator[bool]:
    """For each citation, by its start in text order, whether it is outside the quotations of others."""
    spans = sorted((quotation.start, quotation.end) for quotation in quotations)
    at = end = 0
    for start in starts:
        while at < len(spans) and spans[at][0] <= start:
            end, at = max(end, spans[at][1]), at + 1
        yield start >= end


def _verify_body(view: View, citation: CheckedCitation, lang: str, read: Collection[str] | None) -> "VerifiedCitation":
    resolved = citation.resolved
    record = resolved.record
    start, end = view.span(resolved.item.start, resolved.item.end)
    return {
        "start": start,
        "end": end,
        "surface": view.source[start:end],
        "status": citation.status.value,
        "rule": record["iri"] if record else None,
        "edition": resolved.edition,
        "now": citation.now,
        "quote": _quotation_body(view, citation.quotation, citation.quotation_verdict)
        if citation.quotation and citation.quotation_verdict
        else None,
        "candidates": [candidate["iri"] for candidate in resolved.candidates],
        "checked": citation.checked,
        "read": record["iri"] in read if record and read is not None else None,
        "fit": citation.fit.fit.value if citation.fit and citation.fit.fit else None,
        "fits_better": citation.fit.better["iri"] if citation.fit and citation.fit.better else None,
        "note": "; ".join(note.in_language(lang) for note in (citation.note, _fit_note(citation)) if note) or None,
    }


def _fit_note(citation: CheckedCitation) -> Message | None:
    """The rule that the words around a citation fit better."""
    fit = citation.fit
    if fit is None or fit.better is None:
        return None
    if fit.fit is not Fit.DOUBTFUL:
        return message("the words beside it fit {number} of {edition}", number=fit.better["locator"], edition=fit.better["edition"])
    if fit.right_in is None:
        return message("the words beside it are about {rule}", rule=fit.name)
    return message(
        "the words beside it are about {rule}, which is {number} in {edition}",
        rule=fit.name,
        number=citation.resolved.item.number,
        edition=fit.right_in,
    )


def _quotation_body(view: View, quotation: Quotation, verdict: "QuotationVerdict") -> "VerifiedQuotation":
    place = verdict.place
    start, end = view.span(quotation.start, quotation.end)
    return {
        "start": start,
        "end": end,
        "text": view.source[start:end],
        "status": verdict.verdict.value,
        "likeness": verdict.likeness.value if verdict.likeness else None,
        "hint": verdict.hint.value if verdict.hint else None,
        "nearest": verdict.nearest,
        "place": {"rule": place.rule, "lang": place.lang, "start": place.start, "end": place.end, "own": place.own}
        if place
        else None,
    }


OPEN, CLOSE = "⟦", "⟧"
"""The marks around an unproven sentence."""
_BLANK = re.compile("[ \t\u3000]*")


def gate(text: str, citations: "Sequence[VerifiedCitation]", lang: str) -> "Gate":
    """The verdict on a text: proven if the words of every citation are verified, uncited if it has no citations."""
    sentences = list(_sentences(text, citations))
    wrong = [sentence for sentence in sentences if not sentence["proven"]]
    return {
        "verdict": "unproven" if wrong else "proven" if sentences else "uncited",
        "marked": _mark_unproven(text, wrong, citations, lang),
        "kept": _without_unproven(text, wrong),
        "sentences": sentences,
    }


def _sentences(text: str, citations: "Sequence[VerifiedCitation]") -> "Iterator[GatedSentence]":
    """The sentences that cite or quote a rule."""
    quotes = [Span(quote["start"], quote["end"]) for citation in citations if (quote := citation["quote"])]
    ends = sentences(text, quotes)
    reach = [_verdict_spans(citation) for citation in citations]
    bounds = sorted({0, len(text), *(end for end in ends.places if end < len(text))})
    for start, end in pairwise(bounds):
        own = [place for place, spans in enumerate(reach) if any(first < end and last > start for first, last in spans)]
        if own and (piece := trimmed(text, start, end)):
            is_proven = all(_is_proven(citations[place]) for place in own)
            yield {"start": piece.start, "end": piece.end, "proven": is_proven, "citations": own}


def _is_proven(citation: "VerifiedCitation") -> bool:
    """Whether the words of a citation were compared and are correct."""
    return citation["status"] == CitationStatus.VERIFIED


def _verdict_spans(citation: "VerifiedCitation") -> list[tuple[int, int]]:
    """The spans of a verdict: the citation and the words beside it."""
    quote = citation["quote"]
    return [(citation["start"], citation["end"]), *([(quote["start"], quote["end"])] if quote else [])]


def _mark_unproven(text: str, unproven: "Sequence[GatedSentence]", citations: "Sequence[VerifiedCitation]", lang: str) -> str:
    """The text with each unproven sentence between marks, followed by the reasons."""
    parts, at = [], 0
    for sentence in unproven:
        bad = [citations[place] for place in sentence["citations"] if not _is_proven(citations[place])]
        why = ", ".join(f"{citation['surface']} {_reason(citation, lang)}" for citation in bad)
        parts += [text[at : sentence["start"]], OPEN, text[sentence["start"] : sentence["end"]], f" — {why}{CLOSE}"]
        at = sentence["end"]
    return "".join((*parts, text[at:]))


def _reason(citation: "VerifiedCitation", lang: str) -> str:
    exists = citation["status"] == CitationStatus.EXISTS
    return message("only the number was checked").in_language(lang) if exists else citation["status"]


def _without_unproven(text: str, unproven: "Sequence[GatedSentence]") -> str:
    """The text without the unproven sentences."""
    parts, at = [], 0
    for sentence in unproven:
        parts.append(text[at : sentence["start"]])
        behind = _BLANK.match(text, sentence["end"])
        at = behind.end() if behind else sentence["end"]
    return "".join((*parts, text[at:]))
