"""Terms that a translation renders in several ways, each of which recurs: one finding for each term."""

from collections.abc import Iterator, Mapping, Sequence

from corpus.messages import message
from ontology.translation.drift.finding import DriftFinding, RenderingPlaces
from ontology.translation.drift.pairs import PartPair
from ontology.translation.drift.rendering import Key, RenderingCandidate
from ontology.translation.drift.terms import TermNames
from ontology.translation.renderings import MIN_SHARE, Rendering, TranslatedBook, distinct_renderings, translated_part

_MIN_KNOWN = 2
"""Number of parts in which a known name recurs."""
_CONFIDENCE = 0.9


def several_renderings(
    pairs: Sequence[PartPair], candidates: Sequence[RenderingCandidate], terms: TermNames
) -> Iterator[DriftFinding]:
    """The terms among some candidates that have several renderings."""
    book = TranslatedBook(
        [
            translated_part(pair.source.text, pair.target.text, (pair.source.lang, pair.target.lang), terms.mentions)
            for pair in pairs
        ]
    )
    numbers = {id(pair): number for number, pair in enumerate(pairs)}
    by_concept: dict[str, list[RenderingCandidate]] = {}
    for candidate in candidates:
        if candidate.kind in ("term", "other"):
            by_concept.setdefault(candidate.about, []).append(candidate)
    reported_places: set[tuple[object, ...]] = set()  # words that name two concepts count as one term
    for concept, some in by_concept.items():
        by_number = {numbers[id(each.pair)]: each for each in some}
        renderings = _renderings(book, concept, by_number, terms)
        key = tuple((rendering.words, tuple(rendering.parts)) for rendering in renderings)
        if len(renderings) > 1 and key not in reported_places:
            reported_places.add(key)
            yield _finding(concept, renderings, by_number, terms)


def _renderings(book: TranslatedBook, concept: str, some: Mapping[int, RenderingCandidate], terms: TermNames) -> list[Rendering]:
    """The renderings of a term that recur, the most frequent first."""
    lang = next(iter(some.values())).pair.target.lang
    known_renderings = book.known(
        some, list(dict.fromkeys([*terms.decided_names(concept, lang), *terms.written_names(concept, lang)]))
    )
    lacking = [number for number, each in some.items() if not _has_any_name(each, terms)]
    least = max(_MIN_KNOWN, MIN_SHARE * len(some))
    recurring = book.recurring(some.keys(), lacking, _source_names(concept, some, terms), known_renderings)
    renderings = distinct_renderings([*known_renderings, *recurring])
    return [rendering for rendering in renderings if len(rendering.parts) >= least]


def _has_any_name(candidate: RenderingCandidate, terms: TermNames) -> bool:
    """Whether a translation has a name of a term, decided or not, or refers to it otherwise."""
    target = candidate.pair.target
    return candidate.observation.rendered or terms.has_name(target.text, candidate.about, target.lang)


def _source_names(concept: str, some: Mapping[int, RenderingCandidate], terms: TermNames) -> set[str]:
    """The names of a term in the original: those that the termbase has, and those that some parts have."""
    words = {each.pair.source.text[slice(*span)] for each in some.values() for span in each.source}
    return {*words, *terms.names(concept, next(iter(some.values())).pair.source.lang)}


def _finding(
    concept: str, renderings: Sequence[Rendering], some: Mapping[int, RenderingCandidate], terms: TermNames
) -> DriftFinding:
    """One finding, at the first place of the least frequent rendering."""
    least = renderings[-1]
    candidate = some[least.parts[0]]
    source, target = candidate.pair.source, candidate.pair.target
    word = source.text[slice(*candidate.source[0])]
    counts = ", ".join(f"{rendering.words} {len(rendering.parts)}" for rendering in renderings)
    reason = message("{words}: several renderings: {counts}", words=word, counts=counts)
    decided_names = list(terms.decided_names(concept, target.lang))
    if decided_names:
        names = ", ".join(decided_names)
        reason = message("{words}: several renderings: {counts}; decided: {names}", words=word, counts=counts, names=names)
    start = target.text.find(least.words)
    places = (
        source.place_of_spans(candidate.source),
        target.place_of_spans([(start, start + len(least.words))] if start >= 0 else ()),
    )
    parts = [RenderingPlaces(each.words, [_part_key(some[number]) for number in each.parts]) for each in renderings]
    expected = decided_names or [renderings[0].words]
    return DriftFinding("rendering", reason, *places, _CONFIDENCE, concept, expected, parts)


def _part_key(candidate: RenderingCandidate) -> tuple[str, str, int]:
    source = candidate.pair.source
    return source.iri, source.part, source.nth


def unusual_places(finding: DriftFinding) -> Iterator[Key]:
    """The places where a term is not rendered as expected, which the finding covers."""
    for rendering in finding.renderings:
        if rendering.words not in finding.expected:
            yield from ((*part, finding.about) for part in rendering.parts)
