"""Finds slips hidden by another occurrence of the operator or term in the sentence, with a language model of the book itself.

A sentence with fewer operators than its original, or without any name of a term, may still be correct: translations restructure
sentences. It is a slip if the sentence with the missing word is far more likely in the book (a noisy channel: how rarely the book
omits such a word, times the gain in likelihood).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from corpus.messages import message
from corpus.words.sentences import split_sentences
from corpus.words.text import CJK
from ontology.translation.drift.finding import DriftFinding, Span
from ontology.translation.drift.names import names
from ontology.translation.drift.pairs import PartPair, SentenceSpans
from ontology.translation.drift.patterns import language_patterns
from ontology.translation.drift.rendering import Key, Observation, RenderingCandidate, RenderingStatistics
from ontology.translation.drift.terms import TermNames

_NGRAM_ORDER = 5
"""Maximum length of n-grams, in characters."""
_NEW_NGRAM = 3
"""Length in characters of the n-grams that show that words are new to the book."""
_PADDING = "\n" * (_NGRAM_ORDER - 1)
_MIN_CONFIDENCE = 0.5
"""Minimum confidence of corresponding sentences for operators to be counted."""
_MAX_OPERATORS = 2
"""Number of operators of one kind in a sentence up to which each is expected; translations combine larger numbers."""
_MIN_ODDS = {"operator": 7.1, "term": 34.0}
"""Minimum log-odds for a slip to be reported."""
_SHARED_CHARACTER = 22.0
"""Added to the odds if a wrong name shares a character with the right one: translators often vary half of a term."""
_MIN_SHARE = 0.88
"""Minimum share in which the book renders a term for a missing name to be investigated."""
_MAX_WRONG_WORD, _MAX_TEXT = 3, 400
"""Maximum length in characters of a wrong word, and of a text that is searched for one."""
_HAN = re.compile(f"[{CJK}]+")


class CharacterModel:
    """A model of the next character given the previous ones (Witten and Bell, 1991), trained on one book."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._ngrams: Counter[str] = Counter()
        self._contexts: Counter[str] = Counter()
        self._successors: Counter[str] = Counter()
        self._vocabulary = 2
        for text in texts:
            self._count(text, 1)
        self._vocabulary += sum(len(ngram) == 1 for ngram in self._ngrams)

    def _count(self, text: str, times: int) -> None:
        text = f"{_PADDING}{text}\n"
        for at in range(len(_PADDING), len(text)):
            for before in range(_NGRAM_ORDER):
                ngram = text[at - before : at + 1]
                count = self._ngrams[ngram]
                self._ngrams[ngram] = count + times
                self._contexts[ngram[:-1]] += times
                if 0 in (count, count + times):
                    self._successors[ngram[:-1]] += times

    @contextmanager
    def excluding(self, text: str) -> Iterator[None]:
        """Excludes one text from the model, so that it is not evidence for itself."""
        self._count(text, -1)
        try:
            yield
        finally:
            self._count(text, 1)

    def likelihood_gain(self, text: str, start: int, end: int, replacement: str) -> float:
        """The logarithm of the likelihood ratio of other words in a place."""
        new_text = text[:start] + replacement + text[end:]
        return self._log_likelihood(new_text, start, start + len(replacement)) - self._log_likelihood(text, start, end)

    def _log_likelihood(self, text: str, start: int, end: int) -> float:
        """The log-likelihood of a range, and of the characters after it that depend on it."""
        padded_text = f"{_PADDING}{text}\n"
        last = min(end + _NGRAM_ORDER, len(text) + 1)
        return sum(
            math.log(self._next_likelihood(padded_text[at : at + _NGRAM_ORDER - 1], padded_text[at + _NGRAM_ORDER - 1]))
            for at in range(start, last)
        )

    def _next_likelihood(self, before: str, character: str) -> float:
        likelihood = 1 / self._vocabulary
        for length in range(_NGRAM_ORDER):
            context = before[len(before) - length :]
            count = self._contexts.get(context, 0)
            if not count:
                break
            successors = max(self._successors.get(context, 0), 1)
            likelihood = (self._ngrams.get(context + character, 0) + successors * likelihood) / (count + successors)
        return likelihood

    def has_in_context(self, text: str, start: int, end: int, replacement: str) -> bool:
        """Whether the book has other words elsewhere between the same two neighbouring characters."""
        before, after = f"{_PADDING}{text}"[len(_PADDING) + start - 1 : len(_PADDING) + start], f"{text}\n"[end]
        return self._ngrams.get(before + replacement + after, 0) > 0

    def is_new(self, text: str, start: int, end: int) -> bool:
        """Whether a range with its neighbours has an n-gram that occurs nowhere else in the book."""
        first, last = max(start - 1, 0), min(end + 1, len(text))
        places = range(first, max(last - _NEW_NGRAM + 1, first + 1))
        return any(not self._ngrams.get(text[at : at + _NEW_NGRAM], 0) for at in places)


class _CountedOperator(NamedTuple):
    """An operator in a sentence, and whether the translation has as many."""

    pair: PartPair
    bead: SentenceSpans
    operator: str
    spans: Sequence[Span]  # in the source's sentences
    observation: Observation


class _RestoredText(NamedTuple):
    """Words that are more likely in a span, according to the book; `gain` is the logarithm of the likelihood ratio."""

    gain: float
    words: str
    span: Span


def slip_findings(
    pairs: Sequence[PartPair], candidates: Sequence[RenderingCandidate], reported_keys: Collection[Key], terms: TermNames
) -> Iterator[DriftFinding]:
    """The slips that have not been reported; `candidates` are the operators and terms of the pairs."""
    model = CharacterModel(pair.target.text for pair in pairs)
    yield from _missing_operators(pairs, model, reported_keys, terms)
    yield from _wrong_names(candidates, model, reported_keys, terms)


def key(finding: DriftFinding) -> Key:
    """The subject of a finding."""
    place = finding.source or finding.target
    return (place.iri, place.part, place.nth, finding.about) if place else ("", "", 0, finding.about)


def _missing_operators(
    pairs: Sequence[PartPair], model: CharacterModel, reported_keys: Collection[Key], terms: TermNames
) -> Iterator[DriftFinding]:
    operators = [operator for pair in pairs if not pair.source.title for operator in _count_operators(pair)]
    habits = RenderingStatistics(operator.observation for operator in operators)
    for pair, bead, operator, spans, observation in operators:
        source = pair.source
        if observation.rendered or len(spans) > _MAX_OPERATORS or (source.iri, source.part, source.nth, operator) in reported_keys:
            continue
        odds = _restored_operator(pair, bead, operator, model, terms).gain + habits.surprisal(observation.keys)
        if odds >= _MIN_ODDS["operator"]:
            spans_in_part = [(start + bead.source[0], end + bead.source[0]) for start, end in spans]
            words = source.text[slice(*spans_in_part[0])]
            reason = message("{words}: not rendered ({operator})", words=words, operator=operator)
            places = source.place_of_spans(spans_in_part), pair.target.place_of_spans([bead.target])
            yield DriftFinding("operator", reason, *places, _confidence(odds), operator)


def _confidence(odds: float) -> float:
    return round(odds / (odds + 2), 3)


def _count_operators(pair: PartPair) -> Iterator[_CountedOperator]:
    """Each operator of each sentence, counted as rendered if the translation has as many."""
    source_operators, target_operators = (language_patterns(side.lang).operators for side in (pair.source, pair.target))
    for bead in (bead for bead in pair.beads if bead.confidence >= _MIN_CONFIDENCE):
        source, target = pair.source.text[slice(*bead.source)], pair.target.text[slice(*bead.target)]
        if len(split_sentences(source)) > len(split_sentences(target)):
            continue  # joined sentences state common facts once
        for name in source_operators.keys() & target_operators.keys() if source and target else ():
            spans = source_operators[name].counted_spans(source)
            if spans and target_operators[name].restores:
                is_rendered = len(target_operators[name].counted_spans(target)) >= len(spans)
                words = source[slice(*spans[0])].lower()
                observation = Observation([f"{name}: {words} {len(spans)}", f"{name}: {words}", name], is_rendered)
                yield _CountedOperator(pair, bead, name, spans, observation)


def _restored_operator(
    pair: PartPair, bead: SentenceSpans, operator: str, model: CharacterModel, terms: TermNames
) -> _RestoredText:
    """The likeliest way to restore an operator, between two characters or in place of one."""
    text, lang = pair.target.text, pair.target.lang
    inside_terms = {at for _, (start, end) in terms.mentions(text, lang) for at in range(start + 1, end)}
    first, last = bead.target
    with model.excluding(text):
        ways = (
            _RestoredText(model.likelihood_gain(text, at, end, words), words, (at, end))
            for at in range(first, last + 1)
            if at not in inside_terms
            for end in (at, at + 1)
            if end <= last and end not in inside_terms
            for words in language_patterns(lang).operators[operator].restores
            if not text.startswith(words, at) and not text.endswith(words, 0, at) and model.has_in_context(text, at, end, words)
        )
        return max(ways, default=_RestoredText(-math.inf, "", bead.target))


def _wrong_names(
    candidates: Sequence[RenderingCandidate], model: CharacterModel, reported_keys: Collection[Key], terms: TermNames
) -> Iterator[DriftFinding]:
    habits = RenderingStatistics(term.observation for term in candidates)
    best: dict[tuple[int, int], tuple[float, RenderingCandidate, Span]] = {}  # a wrong word replaces one term
    for term in (term for term in candidates if _may_be_misnamed(term, habits, reported_keys)):
        restoration = _restored_name(term, model, terms)
        odds = restoration.gain + habits.surprisal(term.observation.keys)
        place = (id(term.pair), restoration.span[0])
        if odds >= max(_MIN_ODDS["term"], best.get(place, (0.0,))[0]):
            best[place] = odds, term, restoration.span
    for odds, term, span in best.values():
        source, target = term.pair.source, term.pair.target
        expected = terms.preferred_names(term.about, target.lang)
        words = source.text[slice(*term.source[0])]
        reason = message("{words}: {names} in the termbase", words=words, names=", ".join(expected))
        places = source.place_of_spans(term.source), target.place_of_spans([span])
        yield DriftFinding("term", reason, *places, _confidence(odds / 4), term.about, expected)


def _may_be_misnamed(term: RenderingCandidate, habits: RenderingStatistics, reported_keys: Collection[Key]) -> bool:
    """Whether a term that is not rendered may have a wrong name in its place.

    Excludes parts with names of cards or people, which occur once or twice in the book: any frequent word is more likely there.
    """
    source, target = term.pair.source, term.pair.target
    return (
        not term.observation.rendered
        and term.kind in ("term", "other")
        and not source.title
        and len(target.text) <= _MAX_TEXT
        and habits.rendered_share(term.observation.keys) >= _MIN_SHARE
        and (source.iri, source.part, source.nth, term.about) not in reported_keys
        and not names(source.text, source.lang)
    )


def _restored_name(term: RenderingCandidate, model: CharacterModel, terms: TermNames) -> _RestoredText:
    """The likeliest place for a name of a concept, replacing words that occur nowhere else in the book."""
    text, lang = term.pair.target.text, term.pair.target.lang
    mention_places = {at for _, span in terms.mentions(text, lang) for at in range(*span)}
    with model.excluding(text):
        ways = (
            _RestoredText(
                model.likelihood_gain(text, start, end, name) + _SHARED_CHARACTER * (not {*name}.isdisjoint(text[start:end])),
                name,
                (start, end),
            )
            for start, end in _pieces_with_context(text)
            if mention_places.isdisjoint(range(start, end)) and model.is_new(text, start, end)
            for name in terms.preferred_names(term.about, lang)
        )
        return max(ways, default=_RestoredText(-math.inf, "", (0, 0)))


def _pieces_with_context(text: str) -> Iterator[Span]:
    """Ranges of a text that may be one wrong word."""
    for run in _HAN.finditer(text):
        for start in range(*run.span()):
            yield from ((start, end) for end in range(start + 1, min(start + _MAX_WRONG_WORD, run.end()) + 1))
