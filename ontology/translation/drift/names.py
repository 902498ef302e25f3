"""Names of cards and people: their renderings are learned from the book, and parts without the usual rendering are findings."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from corpus.messages import message
from corpus.words.text import CJK
from ontology.translation.drift.finding import DriftFinding, Span
from ontology.translation.drift.pairs import PartPair, RulePart
from ontology.translation.drift.patterns import language_patterns
from ontology.translation.drift.terms import TermNames

_NAME_PARTICLES = r"(?:of|the|and|to|in|on|for|from|with|a|an)"
_NAME_WORD = r"[A-Z][a-z]*(?:[’'-][A-Za-z]?[a-z]+)*"
_CAPITALISED_NAME = re.compile(rf"{_NAME_WORD}(?:,? (?:{_NAME_PARTICLES} ){{0,2}}{_NAME_WORD}){{1,6}}")
_SINGLE_NAME = re.compile(rf"[a-z,;] ({_NAME_WORD})(?![\w’'-])(?! [A-Z])")
_SENTENCE_START = re.compile(rf"[A-Za-z’'-]+ (?:{_NAME_PARTICLES} )*")
_PRECEDING_NAME = re.compile(r"([A-Z][a-z-]+) $")
_CONJUNCTION = re.compile(r" and (?=[A-Z])")
_QUOTED_NAME = re.compile(r"[《「『“]([^《》「」『』“”\n]{2,30})[》」』”]")
_MIN_PARTS, _MIN_SHARE, _MIN_SHARE_OF_WORD, _MAX_ELSEWHERE = 3, 0.65, 0.7, 0.25
"""Number of parts with a name from which its rendering is learned, the share of them that must have the rendering (higher for a
name of one word), and its allowed occurrences elsewhere for each of them.
"""
_SHORTEST, _LONGEST = 2, 14
_WORD = re.compile(r"[A-Za-z]+(?:[’'-][A-Za-z]+)*")
_TEXT_RUN = re.compile(f"[{CJK}・／]{{2,}}|[A-Za-z][A-Za-z’' -]{{2,30}}")


@dataclass(frozen=True, slots=True)
class NameRendering:
    """The words that render a name, and the share of the parts with the name that have one of them."""

    words: Sequence[str]
    share: float


def name_findings(pairs: Sequence[PartPair], terms: TermNames) -> Iterator[DriftFinding]:
    """The parts in which a name is not rendered as elsewhere in the book."""
    book = "\n".join(pair.target.text for pair in pairs)
    words = Counter(word for pair in pairs for word in _WORD.findall(pair.source.text))
    often = {name: some for name, some in _occurrences(pairs).items() if len(some) >= _MIN_PARTS}
    often = {name: some for name, some in often.items() if not _is_ordinary_word(name, words)}
    occurrences = {name: some for name, some in often.items() if not terms.mentions(name, some[0][0].source.lang)}
    renderings: dict[str, NameRendering] = {}
    for name, some in occurrences.items():
        if rendering := learn_rendering([pair.target.text for pair, _ in some], book):
            own = [word for word in rendering.words if not terms.mentions(word, some[0][0].target.lang)]
            renderings[name] = NameRendering(own, rendering.share)
    for name, rendering in renderings.items():
        own = [word for word in rendering.words if not _belongs_to_another(word, name, renderings)]
        if own and rendering.share >= (_MIN_SHARE if " " in name else _MIN_SHARE_OF_WORD):
            yield from _missing_name_findings(name, occurrences[name], NameRendering(own, rendering.share))


def _belongs_to_another(words: str, name: str, renderings: Mapping[str, NameRendering]) -> bool:
    """Whether words are the rendering of another name that occurs together with this one."""
    stronger = ((other, each) for other, each in renderings.items() if each.share > renderings[name].share)
    others = (each for other, each in stronger if other not in name and name not in other)
    return any(piece in words for rendering in others for piece in rendering.words)


def _occurrences(pairs: Sequence[PartPair]) -> dict[str, list[tuple[PartPair, Span]]]:
    """Each name that several parts have, with its place in each."""
    counts = Counter(name for pair in pairs for name in names(pair.source.text, pair.source.lang))
    recurring = [name for name, count in counts.items() if count > 1]
    occurrences: dict[str, list[tuple[PartPair, Span]]] = {}
    for pair in (pair for pair in pairs if not pair.source.title):
        for name in (name for name in recurring if name in pair.source.text):
            places = _whole_name_pattern(name).finditer(pair.source.text)
            if at := next((place for place in places if not _ends_longer_name(pair.source, place.start())), None):
                occurrences.setdefault(name, []).append((pair, at.span()))
    return occurrences


def _ends_longer_name(part: RulePart, start: int) -> bool:
    """Whether the name at a place is the end of a longer one."""
    before = _PRECEDING_NAME.search(part.text[max(start - _LONGEST, 0) : start])
    return before is not None and before[1] not in language_patterns(part.lang).no_names


def _is_ordinary_word(name: str, words: Mapping[str, int]) -> bool:
    """Whether a name is one word that the book mostly has in lower case: it only begins a sentence. `words` are counts."""
    return " " not in name and name != name.lower() and words.get(name.lower(), 0) > words.get(name, 0)


@cache
def _whole_name_pattern(name: str) -> re.Pattern[str]:
    """Matches a name that is not the beginning of a longer one."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-]| (?:of |the )*[A-Z])")


def _missing_name_findings(
    name: str, occurrences: Sequence[tuple[PartPair, Span]], rendering: NameRendering
) -> Iterator[DriftFinding]:
    for pair, span in occurrences:
        if not any(words in pair.target.text for words in rendering.words):
            reason = message("{name}: elsewhere {rendering}", name=name, rendering=rendering.words[0])
            places = pair.source.place_of_spans([span]), pair.target.place_of_spans()
            yield DriftFinding("name", reason, *places, round(rendering.share, 3), name, rendering.words[:1])


def names(text: str, lang: str) -> Mapping[str, Span]:
    """The apparent names in a text, each with its first place."""
    pattern = _CAPITALISED_NAME if lang == "en" else _QUOTED_NAME
    spans: dict[str, Span] = {}
    if lang == "en":
        single = (match for match in _SINGLE_NAME.finditer(text) if match[1] not in language_patterns(lang).no_names)
        spans |= {match[1].removesuffix("’s"): match.span(1) for match in single}
    for match in pattern.finditer(text):
        if text[match.start() - 1 : match.start()] == "“" and pattern is _CAPITALISED_NAME:
            continue  # the title of a section
        for words, start in _split_names(
            match[1] if pattern is _QUOTED_NAME else match[0], match.start(), language_patterns(lang).no_names
        ):
            spans.setdefault(words, (start, start + len(words)))
    return spans


def _split_names(words: str, start: int, beginnings: Collection[str]) -> Iterator[tuple[str, int]]:
    """The names joined by "and", each with its place, without words that begin a sentence."""
    while words.partition(" ")[0] in beginnings and (first := _SENTENCE_START.match(words)):
        words, start = words[first.end() :], start + first.end()
    for name in _CONJUNCTION.split(words):
        if (plain := name.strip(" ,").removesuffix("’s").removesuffix("'s")) and plain not in beginnings:
            yield plain, start
        start += len(name) + len(" and ")


def learn_rendering(texts: Sequence[str], book: str) -> NameRendering | None:
    """The longest words that occur in most of the texts and are rare in the rest of the book; None if there are none.

    If there are several, any of them may be the name: a text lacks the name only if it contains none of them.
    """
    shortest = sorted(texts, key=len)[: max(2, len(texts) // 3 + 1)]
    counts = {piece: sum(piece in text for text in texts) for text in shortest for piece in _candidate_renderings(text)}
    for most in sorted({count for count in counts.values() if count >= max(2, _MIN_SHARE * len(texts))}, reverse=True):
        same = [piece for piece, count in counts.items() if count == most]
        longest = [piece for piece in same if not any(piece != other and piece in other for other in same)]
        elsewhere = {piece: book.count(piece) - sum(text.count(piece) for text in texts) for piece in longest}
        rare = [piece for piece in longest if elsewhere[piece] <= _MAX_ELSEWHERE * most]
        if rare:
            return NameRendering(rare, most / len(texts))
    return None


def _candidate_renderings(text: str) -> Iterator[str]:
    for run in _TEXT_RUN.findall(text):
        if run[0].isascii():
            yield run.strip()
            continue
        for start in range(len(run)):
            yield from (run[start:end] for end in range(start + _SHORTEST, min(start + _LONGEST, len(run)) + 1))
