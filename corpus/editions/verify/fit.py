"""Whether the words around a citation are about the rule that it names: a guess, which never changes a status.

Two kinds of evidence count against a citation: the title or keyword named beside the number is another rule's and the cited section
has none of its words; or the rare words of the clause are nearly all in another rule and hardly any in the cited one.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, cast

from corpus.address import EditionKey
from corpus.editions.citations.context import CitedNumber, Segments
from corpus.editions.citations.phrases import alternation, citation_words, compile_pattern, phrase_list
from corpus.editions.cross_references.titles import Titles, named_title
from corpus.editions.moment import have_same_words
from corpus.model import HEADING_KINDS, Kind
from corpus.store.books import Books
from corpus.store.records import edition_of
from corpus.words.kana import is_hiragana
from corpus.words.sentences import CLAUSE_END
from corpus.words.tokens import terms, words

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


class Fit(StrEnum):
    """Whether the words around a citation are about its rule."""

    FITS = "fits"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True)
class FitVerdict:
    """A verdict; if doubtful, the rule that fits better, and another edition in which that rule has the cited number.

    Without a verdict, `better` is the candidate that the words fit.
    """

    fit: Fit | None
    better: "RuleRecord | None" = None
    name: str = ""  # its number and title
    right_in: str | None = None


_CLAUSE_REACH = 300
"""Number of characters on either side of a citation that are examined."""
_OPENING, _CLOSING = "([（［【〔", ")]）］】〕"
_CUES = compile_pattern(
    rf"(?<![A-Za-z]){alternation(*phrase_list('lead', 'sure'), *phrase_list('lead', 'likely'), *citation_words('cue'))}(?![A-Za-z])"
)
_NUMBER = re.compile(r"\d[\d.\-]*[a-z]?")
_TITLE_SHARE = 0.6
"""Share of the weight of a clause's words from which a title in it is the subject of the clause."""
_MIN_RARE, _RARE = 3, 2.5
"""Number of rare words that the better rule shares with a clause, and the weight from which a word is rare."""
_PAIR = 0.6
"""Weight of a pair of Japanese or Chinese characters, in words."""
_MIN_WEIGHT, _MIN_LEAD, _MAX_SHARE, _MIN_SHARE = 8.0, 8.0, 0.25, 0.4
"""Weight of the words that the better rule shares with a clause, its lead over the cited one, the cited rule's share of it, and its
share of the weight of the clause. `python -m bench.verify.fit` measures them.
"""
_UNKNOWN = 0.5
"""Weight of a word that the edition lacks, as a share of that of the rarest word."""
_FITTING = 0.5
"""Share of the weight of a clause's words that a rule has which fits."""
_MIN_CHOICE = 0.25
"""By how much larger the share of a clause is in the rule of one edition than in that of another, if it is meant."""
_CANDIDATES = 30
_MAX_KEPT = 6
"""Number of editions whose words are kept."""
_MAX_TITLE = 60
_TITLE_END = re.compile(r"[:：\n]")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t>*_#`•・\-]{0,7}$")
_STOP = re.compile(r"[.．]\s?(?=\S)")
_LETTER = re.compile(r"[^\W\d_]")
_MAX_JOINT = 6
"""Number of letters between two citations of one list."""


@dataclass(frozen=True, slots=True)
class CitingClause:
    """The words around a citation: a part of a text with the place of the number in it.

    `words` are those of the clause alone; `is_listed`: other citations stand directly beside the number, so that the words may be
    about them.
    """

    text: str
    start: int
    end: int
    words: str
    is_listed: bool = False


def clause_around(text: str, own_words: str, items: Sequence[CitedNumber], nth: int, sentences: Segments) -> CitingClause:
    """The clause of the nth citation of a text: in its sentence, up to the neighbouring citations.

    `own_words` is the text with spaces in place of what it quotes from other rules. A citation in brackets belongs to the words
    before it.
    """
    item = items[nth]
    at = sentences.segment_at(item.start)
    begin = sentences.places[at - 1] if at else 0
    end = sentences.places[at] if at < len(sentences.places) else len(text)
    if (dot := _STOP.match(text, item.end)) and _LIST_NUMBER.search(text[max(0, item.start - 8) : item.start]):
        end = next((place for place in sentences.places[at : at + 3] if place > dot.end()), len(text))  # 702.25. Phasing
    before = max((other.end for other in items[max(0, nth - 8) : nth] if other.end <= item.start), default=0)
    last = items[nth - 1] if nth and items[nth - 1].end == before else None
    window = max(0, last.start - _CLAUSE_REACH) if last else 0
    if last and (title := named_title(text[window : item.start], last.start - window, last.end - window)) and title.is_behind:
        before = text.index(title.words, last.end) + len(title.words)  # the title of the citation before
    behind = min((other.start for other in items[nth + 1 : nth + 9] if other.start >= item.end), default=len(text))
    start, stop = max(begin, before, item.start - _CLAUSE_REACH), min(end, behind, item.end + _CLAUSE_REACH)
    is_listed = (before > begin and _is_joint(text[before : item.start])) or (behind < end and _is_joint(text[item.end : behind]))
    head = CLAUSE_END.split(own_words[start : item.start])[-1]
    tail = CLAUSE_END.split(own_words[item.end : stop].lstrip(".． "), maxsplit=1)[0]
    if max(map(head.rfind, _OPENING)) > max(map(head.rfind, _CLOSING)):
        closing = min((at for mark in _CLOSING if (at := tail.find(mark)) >= 0), default=len(tail))
        tail = tail[:closing]
    words = " ".join(_NUMBER.sub(" ", _CUES.sub(" ", f"{head} {tail}")).split())
    return CitingClause(
        f"{head}{text[item.start : item.end]}{own_words[item.end : stop]}",
        len(head),
        len(head) + item.end - item.start,
        words,
        is_listed,
    )


def _is_joint(between: str) -> bool:
    """Whether the words between two citations only join them."""
    return len(_LETTER.findall(_CUES.sub("", between))) <= _MAX_JOINT


def _significant(text: str) -> frozenset[str]:
    """The words of a text that are compared: no numbers, no single characters, no Japanese endings."""
    return frozenset(filter(_is_significant, frozenset(terms(words(text)))))


@lru_cache(maxsize=1 << 16)
def _is_significant(term: str) -> bool:
    return len(term) > 1 and not term[0].isdigit() and not is_hiragana(term)


class EditionWords:
    """The words and titles of an edition's rules in one language: those of the texts, else those of our glosses."""

    def __init__(self, records: "Sequence[RuleRecord]", lang: str) -> None:
        own = [_in_language(record, lang) for record in records]
        self.records = {record["iri"]: record for record in own}
        self.titles = Titles(own, lang)
        self._words = {record["iri"]: _significant(_whole_text(record, lang)) for record in records}
        frequencies = Counter(word for some in self._words.values() for word in some)
        self._idf = {word: math.log(len(records) / count) for word, count in frequencies.items()}
        self._unknown = _UNKNOWN * math.log(max(2, len(records)))
        self._holders: dict[str, list[str]] = {}
        for record in records:
            if record["number"] and record["kind"] not in HEADING_KINDS:
                for word in self._words[record["iri"]]:
                    self._holders.setdefault(word, []).append(record["iri"])

    def weights(self, clause: str) -> Mapping[str, float]:
        """The words of a clause with their weights: the rarer in the edition, the heavier."""
        return {word: self._idf.get(word, self._unknown) for word in _significant(clause)}

    def shared(self, weights: Mapping[str, float], iris: Collection[str]) -> Mapping[str, float]:
        """Those of some words that any of the rules has."""
        there = frozenset[str]().union(*(self._words.get(iri, frozenset()) for iri in iris))
        return {word: weight for word, weight in weights.items() if word in there}

    def relatives(self, iri: str) -> list[str]:
        """A rule, its parts with theirs, and the rules above it."""
        iris = [iri]
        for each in iris:
            iris += [child["iri"] for child in self.records[each]["children"] if child["iri"] in self.records]
        return [*iris, *self.lineage(iri)[1:]]

    def lineage(self, iri: str) -> list[str]:
        """A rule and the rules above it."""
        iris, above = [], self.records.get(iri)
        while above:
            iris.append(above["iri"])
            above = self.records.get(above["parent"] or "")
        return iris

    def carries(self, iri: str, title: str) -> bool:
        """Whether the titled section of a rule has a title or its words."""
        section = self.titled_section(iri)
        root = section["iri"] if section else iri
        return self.titles.has_title(root, title) or self.titles.mentions(root, title)

    def titled_section(self, iri: str) -> "RuleRecord | None":
        """The nearest rule with a title, of a rule and those above it, that is no chapter."""
        return next(
            (self.records[each] for each in self.lineage(iri) if self.titles.own(each) and self.records[each]["parent"]), None
        )

    def name(self, iri: str) -> str:
        """The number of a rule with the title of its section."""
        section = self.titled_section(iri)
        number, title = self.records[iri]["locator"], next(iter(section["texts"].values()))["text"] if section else ""
        short = _TITLE_END.split(title, maxsplit=1)[0].strip()
        return f"{number} {short}" if 0 < len(short) <= _MAX_TITLE else number

    def best(self, weights: Mapping[str, float], without: Collection[str]) -> "tuple[str, Mapping[str, float]] | None":
        """The rule that shares the heaviest words with a clause, of those with enough rare ones, and these words."""
        sums: dict[str, float] = {}
        for word, weight in weights.items():
            for iri in self._holders.get(word, ()) if weight >= _RARE else ():
                sums[iri] = sums.get(iri, 0.0) + weight
        scores = []
        for iri in [iri for iri in nlargest(_CANDIDATES, sums, key=sums.__getitem__) if iri not in without]:
            shared = self.shared(weights, self.lineage(iri))
            rare = sum(1 if word.isascii() else _PAIR for word, weight in shared.items() if weight >= _RARE)
            if rare >= _MIN_RARE:
                scores.append((sum(shared.values()), iri, shared))
        _, iri, shared = max(scores, key=lambda row: row[0], default=(0.0, "", {}))
        return (iri, shared) if iri else None


def _in_language(record: "RuleRecord", lang: str) -> "RuleRecord":
    """The parts of a rule that titles are found in: its text in a language, else our gloss."""
    text = record["texts"].get(lang) or {"text": record["digest"].get(lang, ""), "authority": "editorial"}
    own = {name: record[name] for name in ("iri", "kind", "number", "locator", "order", "parent", "children")}
    asides = {name: [aside for aside in record[name] if aside["lang"] == lang] for name in ("examples", "notes")}
    return cast("RuleRecord", {**own, **asides, "texts": {lang: text} if text["text"] else {}})


def _whole_text(record: "RuleRecord", lang: str) -> str:
    asides = (aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang)
    text = record["texts"][lang]["text"] if lang in record["texts"] else ""
    return " ".join((text, record["digest"].get(lang, ""), *asides))


class FitJudge:
    """Compares the clauses of one text with the rules that they cite."""

    def __init__(self, knowledge: Books) -> None:
        self._knowledge = knowledge
        self._editions: dict[tuple[EditionKey, str], EditionWords] = knowledge.cached("words of editions", dict)

    def words_of(self, key: EditionKey, lang: str) -> EditionWords:
        """The words of an edition; those of a few editions are kept for later texts."""
        words = self._editions.get((key, lang))
        if words is None:
            words = self._editions[key, lang] = EditionWords(list(self._knowledge.stored_records(key)), lang)
            for oldest in list(self._editions)[:-_MAX_KEPT]:
                self._editions.pop(oldest, None)
        return words

    def _words_for(self, record: "RuleRecord", langs: Collection[str]) -> EditionWords | None:
        """The words of the edition of a rule in the first of some languages that it is loaded or glossed in."""
        own = [lang for lang in (*record["texts"], *record["digest"]) if lang in langs]
        return self.words_of(edition_of(record), own[0]) if own else None

    def choose(self, records: "Sequence[RuleRecord]", clause: CitingClause, langs: Collection[str]) -> "RuleRecord | None":
        """The rule, of the candidates in several editions, that a clause fits clearly better than the others; None if unclear."""
        scores = sorted(((self._share(record, clause, langs), place) for place, record in enumerate(records)), reverse=True)
        if not scores or scores[0][0] < _FITTING or (len(scores) > 1 and scores[0][0] - scores[1][0] < _MIN_CHOICE):
            return None
        return records[scores[0][1]]

    def _share(self, record: "RuleRecord", clause: CitingClause, langs: Collection[str]) -> float:
        """The share of a clause's words that a rule has; 1 if it has the title that is named, 0 if another rule has that."""
        edition = self._words_for(record, langs)
        if edition is None:
            return 0.0
        for title in _titles_beside(clause, edition):
            if edition.titles.bearers(title):
                return float(edition.titles.has_title(record["iri"], title))
        weights = edition.weights(clause.words)
        total = sum(weights.values())
        own = sum(edition.shared(weights, edition.relatives(record["iri"])).values())
        return own / total if _has_rare_word(weights) else 0.0

    def verdict(self, record: "RuleRecord", clause: CitingClause, langs: Collection[str]) -> FitVerdict | None:
        """Whether the clause around a citation, in one of some languages, fits its rule; None if too few words can be compared."""
        edition = self._words_for(record, langs) if _significant(clause.words) else None
        if edition is None:
            return None
        weights = edition.weights(clause.words)
        relatives = edition.relatives(record["iri"])
        own, total = sum(edition.shared(weights, relatives).values()), sum(weights.values())
        better = self._bearer_of_title(edition, record, clause)
        if better is None and not clause.is_listed:
            better = self._keyword(edition, record, clause) or self._worded(edition, weights, relatives, own, total)
        if better is None:
            return FitVerdict(Fit.FITS) if _has_rare_word(weights) and own >= _FITTING * total else None
        there = self._knowledge.by_iri([better["iri"]])[better["iri"]]
        return FitVerdict(Fit.DOUBTFUL, there, edition.name(better["iri"]), self._edition_with_number(record, there))

    def _bearer_of_title(self, edition: EditionWords, record: "RuleRecord", clause: CitingClause) -> "RuleRecord | None":
        """The rule of the title that is named beside a number, if the cited section has none of its words."""
        titles = [title for title in _titles_beside(clause, edition) if edition.titles.bearers(title)]
        if not titles or any(edition.carries(record["iri"], title) for title in titles):
            return None
        return edition.titles.bearers(titles[0])[0]

    @staticmethod
    def _keyword(edition: EditionWords, record: "RuleRecord", clause: CitingClause) -> "RuleRecord | None":
        """The rule of a keyword in the clause, if the cited rule is another keyword's, which the clause does not name.

        Both are titled sections side by side.
        """
        own = edition.titled_section(record["iri"])
        above = edition.records.get(own["parent"] or "") if own else None
        if own is None or above is None or above["kind"] == Kind.CHAPTER:
            return None
        titles = edition.titles.within(clause.words)
        beside = [
            (title, bearer) for title in titles for bearer in edition.titles.bearers(title) if bearer["parent"] == own["parent"]
        ]
        return beside[0][1] if beside and not any(edition.carries(record["iri"], title) for title, _ in beside) else None

    @staticmethod
    def _worded(
        edition: EditionWords, weights: Mapping[str, float], relatives: Collection[str], own: float, total: float
    ) -> "RuleRecord | None":
        """The rule that has nearly all rare words of a clause, if the cited one has hardly any."""
        best = edition.best(weights, relatives)
        if best is None:
            return None
        weight = sum(best[1].values())
        leads = weight - own >= _MIN_LEAD and own <= _MAX_SHARE * weight
        return edition.records[best[0]] if leads and weight >= max(_MIN_WEIGHT, _MIN_SHARE * total) else None

    def _edition_with_number(self, record: "RuleRecord", better: "RuleRecord") -> str | None:
        """Another edition of the book in which the better rule has the cited number."""
        for key in self._knowledge.manifest.editions:
            if (key.game, key.book) == (record["game"], record["book"]) and key.edition != record["edition"]:
                there = self._knowledge.by_locator(record["locator"], [key])
                if there and have_same_words(there[0], better):
                    return key.edition
        return None


def _has_rare_word(weights: Mapping[str, float]) -> bool:
    return any(weight >= _RARE for weight in weights.values())


def _titles_beside(clause: CitingClause, edition: EditionWords) -> Iterator[str]:
    """The titles that may be named beside a number, the surest first."""
    title_beside = named_title(clause.text, clause.start, clause.end)
    if title_beside and (title_beside.is_behind or not clause.is_listed):
        yield title_beside.words
    if clause.is_listed:
        return
    weights = edition.weights(clause.words)
    total = sum(weights.values())
    for title in edition.titles.within(clause.words):
        if sum(weights.get(word, 0.0) for word in _significant(title)) >= _TITLE_SHARE * total:
            yield title
