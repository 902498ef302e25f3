"""Operators and terms that a sentence has and its translation lacks, judged by the usual renderings in the book."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from corpus.messages import message
from ontology.translation.drift.finding import DriftFinding, Span
from ontology.translation.drift.pairs import PartPair, RulePart, SentenceSpans
from ontology.translation.drift.patterns import language_patterns
from ontology.translation.drift.terms import TermNames

_MIN_GENERAL, _MIN_SPECIFIC = 8, 20
"""Minimum number of observations for a key to determine what is usual: for the most general key, and for a more specific one."""
_MIN_RENDERED = {"turned": 0.0, "elsewhere": 0.8, "operator": 0.972, "term": 0.992, "other": 0.93, "back": 0.97, "added": 0.985}
"""Share of occurrences that the book must render for an unrendered one to be reported."""
_MAX_EXCEPTIONS = {"operator": ((6, 0.9), (16, 0.96)), "term": ((3, 0.9),)}
"""(Number of exceptions in the whole book, share that suffices up to that number): a few exceptions are worth reporting at a lower
share.
"""
_MAX_TIMES = 3
"""Number of mentions of a term in a part above which counts are treated as equal."""
_WHOLE_PART = 0.5
"""Confidence of corresponding sentences below which the whole translated part is searched."""
_DECIDED = 0.9
"""Confidence of a finding about a term whose name a person decided."""
Key = tuple[str, str, int, str]
"""Rule, part, number among the parts of its kind, and operator or concept: the subject of at most one finding."""
OPPOSITES = (("at-least", "at-most"),)
_NEXT_WORD = re.compile(r"[\W_]*([A-Za-z]+|.)")
_SENTENCE_STARTS = ("", ".", "“", "(", "!", "?", ":")
_CAPITAL = re.compile(r" (?:of |the )?[A-Z][a-z]")
_LATIN = re.compile(r"[A-Za-z][A-Za-z’' -]*")
_MIN_HEAD_LENGTH = 2
"""Final characters of a Japanese or Chinese name that denote its kind: 持续性效应 is an 效应."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One occurrence in the source, and whether the translation renders it. `keys`: its descriptions, the most specific first."""

    keys: Sequence[str]
    rendered: bool


class RenderingStatistics:
    """Counts how often the whole book renders each thing."""

    def __init__(self, observations: Iterable[Observation]) -> None:
        self._counts: dict[str, list[int]] = {}
        for observation in observations:
            for key in observation.keys:
                count = self._counts.setdefault(key, [0, 0])
                count[0] += 1
                count[1] += observation.rendered

    def exception_count(self, key: str) -> int:
        """Counts how often something is not rendered."""
        total, count = self._counts.get(key, (0, 0))
        return total - count

    def rendered_share(self, keys: Sequence[str]) -> float:
        """The rendered share, from 0 to 1, of the most specific key with enough observations; 0 if there is none."""
        for key in keys:
            total, count = self._counts.get(key, (0, 0))
            if total >= (_MIN_GENERAL if key == keys[-1] else _MIN_SPECIFIC):
                return count / total
        return 0.0

    def surprisal(self, keys: Sequence[str]) -> float:
        """The negative logarithm of the share that the book does not render."""
        total, count = next((self._counts[key] for key in keys if self._counts.get(key, [0])[0] >= _MIN_SPECIFIC), (0, 0))
        return math.log((total + 2) / (total - count + 1))


@dataclass(frozen=True, slots=True)
class RenderingCandidate:
    """An operator or term of a source, rendered or not, and the place where it was searched.

    `kind`: `operator`; `added`, an operator that only the translation has; `turned` into its opposite; `term`; `other`, a term
    replaced by another one.
    """

    observation: Observation
    kind: str
    about: str
    pair: PartPair
    source: tuple[Span, ...]
    target: tuple[Span, ...]
    instead: str = ""  # the concept that replaces it

    @property
    def key(self) -> Key:
        """The subject of a finding about it."""
        source = self.pair.source
        return source.iri, source.part, source.nth, self.about


def candidates(pairs: Sequence[PartPair], terms: TermNames) -> list[RenderingCandidate]:
    """The operators and terms of all pairs."""
    return [candidate for pair in pairs for candidate in (*_operator_candidates(pair), *_term_candidates(pair, terms))]


def unrendered_findings(
    candidates: Sequence[RenderingCandidate], reported_keys: Collection[Key], terms: TermNames
) -> Iterator[DriftFinding]:
    """Findings for candidates that are not rendered although the book nearly always renders them, or a person decided their name.

    Those with `reported_keys` are left out.
    """
    habits = RenderingStatistics(candidate.observation for candidate in candidates)
    habits_back = RenderingStatistics(_original_observations(candidates, terms))
    reported_places: set[tuple[int, tuple[Span, ...]]] = set()  # words that name two concepts count as one term
    for candidate in candidates:
        is_term, place = candidate.kind in ("term", "other"), (id(candidate.pair), candidate.source)
        if candidate.key in reported_keys or (is_term and place in reported_places):
            continue
        if is_term and not candidate.observation.rendered and terms.decided_names(candidate.about, candidate.pair.target.lang):
            reported_places.add(place)
            yield _term_finding(candidate, _DECIDED, terms)
            continue
        instead = candidate.instead if candidate.kind == "other" else ""
        if instead and habits_back.rendered_share([instead]) < _MIN_RENDERED["back"]:
            continue
        share = habits.rendered_share(candidate.observation.keys)
        if candidate.observation.rendered or share < _min_share(candidate, habits):
            continue
        if is_term:
            reported_places.add(place)
        yield _term_finding(candidate, share, terms)


def _min_share(candidate: RenderingCandidate, habits: RenderingStatistics) -> float:
    if candidate.kind == "other" and not candidate.instead:
        return _MIN_RENDERED["elsewhere"]
    exceptions = habits.exception_count(candidate.observation.keys[-1])
    steps = _MAX_EXCEPTIONS.get(candidate.kind, ())
    return next((share for most, share in steps if exceptions <= most), _MIN_RENDERED[candidate.kind])


def _term_finding(candidate: RenderingCandidate, share: float, terms: TermNames) -> DriftFinding:
    pair, about = candidate.pair, candidate.about
    source, target = pair.source.place_of_spans(candidate.source), pair.target.place_of_spans(candidate.target)
    confidence = 0.9 if candidate.kind == "turned" else round(share, 3)
    if candidate.kind == "added":
        words = _words(pair.target, candidate.target)
        reason = message("{words}: not in the original ({operator})", words=words, operator=about)
        return DriftFinding("operator", reason, source, target, confidence, about)
    words = _words(pair.source, candidate.source)
    if candidate.kind in ("operator", "turned"):
        reason = message("{words}: not rendered ({operator})", words=words, operator=about)
        return DriftFinding("operator", reason, source, target, confidence, about)
    names = list(terms.decided_names(about, pair.target.lang)) or terms.preferred_names(about, pair.target.lang)
    reason = message("{words}: {names} in the termbase", words=words, names=", ".join(names))
    return DriftFinding("term", reason, source, target, confidence, about, names)


def _words(part: RulePart, spans: Sequence[Span]) -> str:
    return part.text[slice(*spans[0])] if spans else ""


def _operator_candidates(pair: PartPair) -> Iterator[RenderingCandidate]:
    if pair.source.title:
        return
    source_operators, target_operators = (language_patterns(side.lang).operators for side in (pair.source, pair.target))
    for bead in pair.beads:
        source_span, target_span = _compared_sentences(pair, bead)
        source, target = pair.source.text[slice(*source_span)], pair.target.text[slice(*target_span)]
        if not source or not target:
            continue
        yield from _inverted_operators(pair, source, target, source_span[0], target_span[0])
        for name in source_operators.keys() & target_operators.keys():
            if spans := source_operators[name].asserted_spans(source):
                observation = Observation(_observation_keys(name, source, spans[0]), target_operators[name].is_rendered(target))
                yield RenderingCandidate(observation, "operator", name, pair, _shift_spans(spans, source_span[0]), (target_span,))
            if spans := target_operators[name].asserted_spans(target):
                observation = Observation([f"+{name}"], source_operators[name].is_rendered(source))
                yield RenderingCandidate(observation, "added", name, pair, (source_span,), _shift_spans(spans, target_span[0]))


def _compared_sentences(pair: PartPair, bead: SentenceSpans) -> tuple[Span, Span]:
    """The sentences to compare; the whole translated part if the alignment is uncertain."""
    return bead.source, bead.target if bead.confidence >= _WHOLE_PART else (0, len(pair.target.text))


def _inverted_operators(
    pair: PartPair, source: str, target: str, source_start: int, target_start: int
) -> Iterator[RenderingCandidate]:
    """Operators that were turned into their opposite."""
    source_operators, target_operators = (language_patterns(side.lang).operators for side in (pair.source, pair.target))
    for one, other in OPPOSITES:
        for name, opposite in ((one, other), (other, one)):
            spans, opposite_spans = source_operators[name].asserted_spans(source), target_operators[opposite].asserted_spans(target)
            has_both = source_operators[opposite].asserted_spans(source) or target_operators[name].asserted_spans(target)
            if spans and opposite_spans and not has_both:
                observation = Observation([f"{name} not {opposite}"], rendered=False)
                places = _shift_spans(spans, source_start), _shift_spans(opposite_spans, target_start)
                yield RenderingCandidate(observation, "turned", f"{name}, {opposite}", pair, *places)


def _observation_keys(name: str, text: str, span: Span) -> list[str]:
    """An operator's words with the word after them, its words alone, and its name."""
    after = _NEXT_WORD.match(text, span[1])
    words = text[slice(*span)].lower()
    return [f"{name}: {words} {after[1].lower() if after else ''}", f"{name}: {words}", name]


def _shift_spans(spans: Sequence[Span], offset: int) -> tuple[Span, ...]:
    return tuple((start + offset, end + offset) for start, end in spans)


def _term_candidates(pair: PartPair, terms: TermNames) -> Iterator[RenderingCandidate]:
    """The terms of a part. Pronouns may replace terms in a sentence, but rarely in a whole part that names them several times."""
    mentions: dict[str, list[Span]] = {}
    data, source = language_patterns(pair.source.lang), pair.source.text
    idioms = [match.span() for idiom in data.idioms for match in idiom.finditer(source)]
    for concept, span in terms.mentions(source, pair.source.lang):
        in_idiom = any(start < span[1] and span[0] < end for start, end in idioms)
        if source[slice(*span)].lower() in data.no_terms or _is_name(source, span) or in_idiom:
            continue
        if terms.names(concept, pair.target.lang):
            mentions.setdefault(concept, []).append(span)
    for concept, spans in mentions.items():
        times = min(len(spans), _MAX_TIMES)
        word = source[slice(*spans[0])].lower()
        is_rendered = terms.is_rendered(pair.target.text, concept, pair.target.lang) or _is_rendered_otherwise(
            pair, concept, spans, terms
        )
        observation = Observation([f"{concept} {word} {times}", f"{concept} {times}", concept], is_rendered)
        if not is_rendered and (instead := _replacement(pair, concept, terms)):
            yield RenderingCandidate(observation, "other", concept, pair, tuple(spans), (instead[1],), instead[0])
        else:
            target = [bead.target for bead in pair.beads if bead.source[0] <= spans[0][0] < bead.source[1]]
            yield RenderingCandidate(observation, "term", concept, pair, tuple(spans), tuple(target))


def _is_name(text: str, span: Span) -> bool:
    """Whether a word is part of a name (Elephant Graveyard): capitalised inside a sentence, or before another capitalised word."""
    start, end = span
    if not text[start].isupper():
        return False
    return text[max(start - 2, 0) : start].strip()[-1:] not in _SENTENCE_STARTS or _CAPITAL.match(text, end) is not None


def _original_observations(candidates: Sequence[RenderingCandidate], terms: TermNames) -> Iterator[Observation]:
    """For each term of the translation, whether the original contains it."""
    for pair in {id(candidate.pair): candidate.pair for candidate in candidates}.values():
        for concept in {concept for concept, _ in terms.mentions(pair.target.text, pair.target.lang)}:
            if terms.names(concept, pair.source.lang):
                yield Observation([concept], terms.has_name(pair.source.text, concept, pair.source.lang))


def _replacement(pair: PartPair, concept: str, terms: TermNames) -> tuple[str, Span] | None:
    """The concept that a translation has instead, if the original lacks it; "" for a name from slang or another game."""
    target, lang = pair.target.text, pair.target.lang
    if name := terms.foreign_name(target, concept, lang):
        return "", name
    source_concepts = {source_concept for source_concept, _ in terms.mentions(pair.source.text, pair.source.lang)}
    for other, span in terms.mentions(target, lang):
        if other not in source_concepts and not terms.has_name(pair.source.text, other, pair.source.lang):
            return other, span
    return None


def _is_rendered_otherwise(pair: PartPair, concept: str, spans: Sequence[Span], terms: TermNames) -> bool:
    """Whether a translation renders a concept without one of its names: by a short form, untranslated, or by a back-reference."""
    names, target = terms.preferred_names(concept, pair.target.lang), pair.target
    forms = language_patterns(target.lang).forms
    has_short_form = any(form in target.text for name in names for form in forms.get(name, ()))
    return has_short_form or _is_left_in_latin(pair, spans) or _is_pronominalised(pair, spans, names)


def _is_left_in_latin(pair: PartPair, spans: Sequence[Span]) -> bool:
    """Whether the translation has the words unchanged in Latin letters: they are mentioned, not used."""
    words = {pair.source.text[slice(*span)] for span in spans}
    return all(
        _LATIN.fullmatch(word) and re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", pair.target.text) for word in words
    )


def _is_pronominalised(pair: PartPair, spans: Sequence[Span], names: Sequence[str]) -> bool:
    """Whether both texts refer back to the concept: "the continuous effect" is 该效应."""
    source, target = pair.source, pair.target
    source_pointers, target_pointers = language_patterns(source.lang).pointers, language_patterns(target.lang).pointers
    if not (source_pointers and target_pointers):
        return False
    if not all(re.search(rf"(?:{source_pointers})\s*$", source.text[:start], re.IGNORECASE) for start, _ in spans):
        return False
    return any(re.search(rf"(?:{target_pointers})\s*{re.escape(head)}", target.text, re.IGNORECASE) for head in _head_nouns(names))


def _head_nouns(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        *before, last = name.split()
        if before:
            yield last
        elif not _LATIN.fullmatch(name) and len(name) >= 2 * _MIN_HEAD_LENGTH:
            yield name[-_MIN_HEAD_LENGTH:]
