"""Terms that a translation keeps though it has none of their names: left as they are, in a short form, or pointed back to."""

import re
from collections.abc import Iterator, Sequence

from ontology.translation.drift.finding import Span
from ontology.translation.drift.pairs import Pair
from ontology.translation.drift.patterns import language
from ontology.translation.drift.terms import Termbase

_HEAD = 2
"""Characters of the end of a Japanese or Chinese name that says what kind of thing it is: 持续性效应 is an 效应."""
_LATIN = re.compile(r"[A-Za-z][A-Za-z’' -]*")


def is_spared(pair: Pair, concept: str, spans: Sequence[Span], terms: Termbase) -> bool:
    """Whether a translation has a concept in other words than its names."""
    names, target = terms.preferred(concept, pair.target.lang), pair.target
    forms = language(target.lang).forms
    return (
        any(form in target.text for name in names for form in forms.get(name, ()))
        or _is_left(pair, spans)
        or _is_pointed_to(pair, spans, names)
    )


def _is_left(pair: Pair, spans: Sequence[Span]) -> bool:
    """Whether a word of Latin letters stands in the translation as it is: it is mentioned, not used."""
    words = {pair.source.text[slice(*span)] for span in spans}
    return all(
        _LATIN.fullmatch(word) and re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", pair.target.text) for word in words
    )


def _is_pointed_to(pair: Pair, spans: Sequence[Span], names: Sequence[str]) -> bool:
    """Whether both texts point back to what they named: "the continuous effect" is 该效应."""
    source, target = pair.source, pair.target
    here, there = language(source.lang).pointers, language(target.lang).pointers
    if not (here and there) or not all(re.search(rf"(?:{here})\s*$", source.text[:start], re.IGNORECASE) for start, _ in spans):
        return False
    return any(re.search(rf"(?:{there})\s*{re.escape(head)}", target.text, re.IGNORECASE) for head in _heads(names))


def _heads(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        *before, last = name.split()
        if before:
            yield last
        elif not _LATIN.fullmatch(name) and len(name) >= 2 * _HEAD:
            yield name[-_HEAD:]
