"""Text that a translation must not change: figures, symbols, citations.

A figure is the same in every script: 7, seven and 七 are one. Symbols such as {2}{R}, +1/+1 and d20 stay as they are.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corpus.address import split_rule
from corpus.messages import message
from corpus.words.text import CJK, to_half_width
from ontology.translation.drift.finding import DriftFinding, Span
from ontology.translation.drift.pairs import PartPair, RulePart
from ontology.translation.drift.patterns import blank_phrases, blank_spans, language_patterns

_SYMBOL = re.compile(
    r"\{[^{}\n]{1,14}\}"
    r"|(?<![0-9A-Za-z/.*])[+\-−–]?[0-9XY*]{1,2}/[+\-−–]?[0-9XY*]{1,2}(?![0-9A-Za-z/*])"
    r"|(?<![0-9A-Za-z])d[0-9]{1,3}(?![0-9A-Za-z])"
)
_REPEATED_SYMBOL = re.compile(r"\{([A-Z])\1+\}")
_WORD_SYMBOL = re.compile(r"\{[A-Z]{3,}\}")
_TRANSLATED_SYMBOL = re.compile(f"[{CJK}]{{2}}.*\\d")
_DIGITS = re.compile(r"(?<![0-9A-Za-z.,])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6})(?![.,]?[0-9]|[A-Za-z])")
_MINUS_SIGNS = str.maketrans("−–", "--")
_SHORT_LOCATOR = 2
"""Characters of a locator that may also form another figure."""
_MIN_COUNT = 3
"""Smallest number whose number word counts something; "the two" is only a back-reference."""
Follow = Callable[[str], Sequence[str]]
"""Maps a locator in the source's edition to the locators of the rule in the target's."""
Symbols = Sequence[tuple[str, Span]]


class Figure(NamedTuple):
    """A figure and its place; `strict` if a translation must have it."""

    value: int
    span: Span
    strict: bool


def figure_findings(pair: PartPair, find_translated_rule: Follow, other_parts: Sequence[RulePart] = ()) -> Iterator[DriftFinding]:
    """The symbols, citations and figures of a part that differ; `other_parts` are those of the same rule in the original."""
    yield from _symbol_findings(pair)
    yield from _citation_findings(pair, find_translated_rule)
    yield from _figure_findings(pair, other_parts)


def _figure_findings(pair: PartPair, other_parts: Sequence[RulePart]) -> Iterator[DriftFinding]:
    """Compares the figures of whole parts, since sentences may distribute them differently.

    A figure that only the translation has is none of its own if another part of the original's rule has it: the translation
    states an example in the text.
    """
    source, target = pair.source, pair.target
    source_figures = figures(source.text, source.lang, source.citation_spans)
    target_figures = figures(target.text, target.lang, target.citation_spans)
    missing = missing_figures(source_figures, target_figures, (locator for locator, _ in target.cites))
    extra = missing_figures(target_figures, source_figures, (locator for locator, _ in source.cites))
    if not missing:
        elsewhere = {figure.value for part in other_parts if extra for figure in figures(part.text, part.lang, part.citation_spans)}
        extra = [figure for figure in extra if figure.value not in elsewhere and _counts_something(target, figure)]
    if missing or extra:
        values = _joined_values([figure.value for figure in missing]), _joined_values([figure.value for figure in extra])
        spans = [figure.span for figure in missing], [figure.span for figure in extra]
        yield _finding("number", pair, values, spans, 0.95 if missing and extra else 0.8)


def _counts_something(part: RulePart, figure: Figure) -> bool:
    """Whether a figure is more than a back-reference ("these two") or a part of another word."""
    first, last = figure.span
    if part.text[first:last].isdigit():
        return True
    data = language_patterns(part.lang).numbers
    before, after = part.text[max(first - 1, 0) : first], part.text[last : last + 1]
    has_counter = bool(after) and after in data.get("counters", "")
    return has_counter and figure.value >= _MIN_COUNT and before not in tuple(data.get("sums", ""))


def _finding(
    kind: str, pair: PartPair, values: tuple[str, str], spans: tuple[Sequence[Span], Sequence[Span]], confidence: float
) -> DriftFinding:
    here, there = values
    if here and there:
        difference = message("{here} has become {there}", here=here, there=there)
    elif here:
        difference = message("{here} is missing from the translation", here=here)
    else:
        difference = message("{there} is not in the original", there=there)
    return DriftFinding(
        kind, difference, pair.source.place_of_spans(spans[0]), pair.target.place_of_spans(spans[1]), confidence, f"{here}|{there}"
    )


def _joined_values(values: Sequence[object]) -> str:
    return ", ".join(dict.fromkeys(map(str, values)))


def _symbol_findings(pair: PartPair) -> Iterator[DriftFinding]:
    source, target = symbols(pair.source.text), symbols(pair.target.text)
    missing_symbols, extra = _surplus_symbols(source, target), _surplus_symbols(target, source)
    # a difference of one in a symbol that both have is ignored: pronouns may replace symbols
    missing = [(name, span) for name, span in missing_symbols if name not in {other for other, _ in target} or extra]
    new_symbols = [(name, span) for name, span in extra if name not in {other for other, _ in source} or missing_symbols]
    words = pair.source.text.lower()
    new_symbols = [(name, span) for name, span in new_symbols if not (_WORD_SYMBOL.fullmatch(name) and name[1:-1].lower() in words)]
    if len(missing) == len(new_symbols) and all(_TRANSLATED_SYMBOL.search(name) for name, _ in new_symbols):
        return
    if missing or new_symbols:
        names = _joined_values([name for name, _ in missing]), _joined_values([name for name, _ in new_symbols])
        yield _finding("symbol", pair, names, ([span for _, span in missing], [span for _, span in new_symbols]), 0.95)


def _citation_findings(pair: PartPair, find_translated_rule: Follow) -> Iterator[DriftFinding]:
    cited_locators = {locator for locator, _ in pair.target.cites}
    expected = {other for locator, _ in pair.source.cites for other in (locator, *find_translated_rule(locator))}
    missing = [
        (locator, span)
        for locator, span in pair.source.cites
        if not {locator, *find_translated_rule(locator)} & cited_locators and not _has_locator(pair.target.text, locator)
    ]
    extra = [
        (locator, span)
        for locator, span in pair.target.cites
        # a rule without words of its own has its number as text
        if locator not in expected and locator != split_rule(pair.target.iri).locator
    ]
    if missing or extra:
        locators = _joined_values([locator for locator, _ in missing]), _joined_values([locator for locator, _ in extra])
        yield _finding("citation", pair, locators, ([span for _, span in missing], [span for _, span in extra]), 0.95)


def _has_locator(text: str, locator: str) -> bool:
    """Whether a text contains a locator in words that are not recognised as a citation."""
    pattern = rf"(?<![\d.]){re.escape(locator)}(?![\d]|\.\d)(?![a-z])"
    return len(locator) > _SHORT_LOCATOR and re.search(pattern, text) is not None


def symbols(text: str) -> list[tuple[str, Span]]:
    """The symbols of a text with their places; {BB} counts as {B}{B}."""
    matches = ((match[0].translate(_MINUS_SIGNS).upper(), match.span()) for match in _SYMBOL.finditer(to_half_width(text)))
    return [(single, span) for symbol, span in matches for single in _single_symbols(symbol)]


def _single_symbols(symbol: str) -> Sequence[str]:
    inside = symbol[1:-1]
    return [f"{{{inside[0]}}}"] * len(inside) if _REPEATED_SYMBOL.fullmatch(symbol) else [symbol]


def figures(text: str, lang: str, ignored_spans: Sequence[Span] = ()) -> list[Figure]:
    """The figures of a text, without those of symbols and of `ignored_spans` such as citations."""
    plain = blank_spans(to_half_width(text), [*ignored_spans, *(span for _, span in symbols(text))])
    data = language_patterns(lang).numbers
    plain = blank_phrases(plain, data["ignores"])
    digits = (Figure(int(match[0].replace(",", "")), match.span(), strict=True) for match in _DIGITS.finditer(plain))
    return [*digits, *(_number_words(plain, data) if "strict" in data else _number_characters(plain, data))]


def _number_words(text: str, data: Mapping[str, Mapping[str, int]]) -> Iterator[Figure]:
    for match in re.finditer(r"[A-Za-z]+", text):
        word = match[0].lower()
        if word in data["strict"]:
            yield Figure(data["strict"][word], match.span(), strict=True)
        elif word in data["loose"]:
            yield Figure(data["loose"][word], match.span(), strict=False)


def _number_characters(text: str, data: Mapping[str, Any]) -> Iterator[Figure]:
    digits, powers = data["digits"], data["powers"]
    for match in re.finditer(f"[{''.join((*digits, *powers))}]+", text):
        value = _value(match[0], digits, powers)
        yield Figure(value, match.span(), strict=value > 1)
    for word, value in data["loose"].items():
        yield from (Figure(value, match.span(), strict=False) for match in re.finditer(re.escape(word), text))


def _value(characters: str, digits: Mapping[str, int], powers: Mapping[str, int]) -> int:
    """二十三 is 23, 十二 is 12, 二〇 is 20."""
    if not any(character in powers for character in characters):
        return int("".join(str(digits[character]) for character in characters))
    total = last = 0
    for digit in characters:
        if digit in powers:
            total, last = total + (last or 1) * powers[digit], 0
        else:
            last = digits[digit]
    return total + last


def missing_figures(figures: Sequence[Figure], others: Sequence[Figure], locators: Iterable[str]) -> list[Figure]:
    """The strict figures whose value the other text has neither as a figure nor as the number of a cited rule."""
    values = {figure.value for figure in others} | {int(number) for number in locators if number.isdigit()}
    return [figure for figure in figures if figure.strict and figure.value not in values]


def _surplus_symbols(symbols: Symbols, others: Symbols) -> list[tuple[str, Span]]:
    """The symbols that one text has more often than the other."""
    counts = Counter(name for name, _ in others)
    surplus = []
    for name, span in symbols:
        if counts[name]:
            counts[name] -= 1
        else:
            surplus.append((name, span))
    return surplus
