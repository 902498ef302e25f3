"""What no translation changes: figures, symbols, citations."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from corpus.messages import Message, message
from corpus.words.text import CJK
from ontology.translation.drift.finding import Finding, Span
from ontology.translation.drift.numbers import Figure, figures, lacking, surplus, symbols
from ontology.translation.drift.pairs import Pair, Part
from ontology.translation.drift.patterns import language
from ontology.translation.drift.words import place

_WORD = re.compile(r"\{[A-Z]{3,}\}")
_HAN = re.compile(f"[{CJK}]{{2}}.*\\d")
_SHORT = 2
"""Characters of a rule's number that any other figure may have too."""
_MANY = 3
"""A figure from which on it is said of purpose: two sums up whatever was named."""
Follow = Callable[[str], Sequence[str]]
"""From the locator of a rule in the source's edition to what it is in the target's."""


def findings(pair: Pair, follow: Follow) -> Iterator[Finding]:
    """What differs in a part."""
    yield from _symbols(pair)
    yield from _citations(pair, follow)
    yield from _numbers(pair)


def _numbers(pair: Pair) -> Iterator[Finding]:
    """Figures are compared in the whole part, then placed: sentences may share them out otherwise."""
    source, target = pair.source, pair.target
    mine, theirs = figures(source.text, source.lang, source.hidden), figures(target.text, target.lang, target.hidden)
    missing = lacking(mine, theirs, (locator for locator, _ in target.cites))
    added = lacking(theirs, mine, (locator for locator, _ in source.cites))
    if not missing:  # words that sum up, "these two", are no figures of the rule
        added = [figure for figure in added if _says(target, figure)]
    if not missing and not added:
        return
    here, there = _told([figure.value for figure in missing]), _told([figure.value for figure in added])
    spans = [figure.span for figure in missing], [figure.span for figure in added]
    said = _differs(here, there)
    yield Finding(
        "number", said, place(source, spans[0]), place(target, spans[1]), 0.95 if missing and added else 0.8, f"{here}|{there}"
    )


def _says(part: Part, figure: Figure) -> bool:
    """Whether a figure is more than a word that sums up what was named, or a part of another word."""
    first, last = figure.span
    if part.text[first:last].isdigit():
        return True
    data = language(part.lang).numbers
    before, after = part.text[max(first - 1, 0) : first], part.text[last : last + 1]
    counts = bool(after) and after in data.get("counters", "")
    return counts and figure.value >= _MANY and before not in tuple(data.get("sums", ""))


def _told(values: Sequence[object]) -> str:
    return ", ".join(dict.fromkeys(map(str, values)))


def _differs(here: str, there: str) -> Message:
    if here and there:
        return message("{here} has become {there}", here=here, there=there)
    if here:
        return message("{here} is missing in the translation", here=here)
    return message("{there} is not in the original", there=there)


def _symbols(pair: Pair) -> Iterator[Finding]:
    mine, theirs = symbols(pair.source.text), symbols(pair.target.text)
    lost, other = surplus(mine, theirs), surplus(theirs, mine)
    # said once more or less often, but said: pronouns differ between languages
    missing = [(name, span) for name, span in lost if name not in {two for two, _ in theirs} or other]
    added = [(name, span) for name, span in other if name not in {two for two, _ in mine} or lost]
    words = pair.source.text.lower()
    added = [(name, span) for name, span in added if not (_WORD.fullmatch(name) and name[1:-1].lower() in words)]
    if len(missing) == len(added) and all(_HAN.search(name) for name, _ in added):
        return  # its words are translated
    if missing or added:
        here, there = _told([name for name, _ in missing]), _told([name for name, _ in added])
        yield Finding(
            "symbol",
            _differs(here, there),
            place(pair.source, [span for _, span in missing]),
            place(pair.target, [span for _, span in added]),
            0.95,
            f"{here}|{there}",
        )


def _citations(pair: Pair, follow: Follow) -> Iterator[Finding]:
    there = {locator for locator, _ in pair.target.cites}
    wanted = {other for locator, _ in pair.source.cites for other in (locator, *follow(locator))}
    missing = [
        (locator, span)
        for locator, span in pair.source.cites
        if not {locator, *follow(locator)} & there and not _stands(locator, pair.target.text)
    ]
    added = [(locator, span) for locator, span in pair.target.cites if locator not in wanted]
    if missing or added:
        here, others = _told(_distinct(missing)), _told(_distinct(added))
        spans = [span for _, span in missing], [span for _, span in added]
        yield Finding(
            "citation", _differs(here, others), place(pair.source, spans[0]), place(pair.target, spans[1]), 0.95, f"{here}|{others}"
        )


def _stands(locator: str, text: str) -> bool:
    """Whether the number of a rule stands in a text, in whatever words that are not read as a citation."""
    return len(locator) > _SHORT and re.search(rf"(?<![\d.]){re.escape(locator)}(?![\d]|\.\d)(?![a-z])", text) is not None


def _distinct(cites: Sequence[tuple[str, Span]]) -> list[str]:
    return list(Counter(locator for locator, _ in cites))
