"""Names of cards and of people: what the book calls each elsewhere is learned from the book itself."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from corpus.messages import message
from corpus.words.text import CJK
from ontology.translation.drift.finding import Finding, Span
from ontology.translation.drift.pairs import Pair, Part
from ontology.translation.drift.patterns import language
from ontology.translation.drift.terms import Termbase
from ontology.translation.drift.words import place

_JOINTS = r"(?:of|the|and|to|in|on|for|from|with|a|an)"
_WORD = r"[A-Z][a-z]*(?:[’'-][A-Za-z]?[a-z]+)*"
_CAPITAL = re.compile(rf"{_WORD}(?:,? (?:{_JOINTS} ){{0,2}}{_WORD}){{1,6}}")
_SINGLE = re.compile(rf"[a-z,;] ({_WORD})(?![\w’'-])(?! [A-Z])")
_FIRST = re.compile(rf"[A-Za-z’'-]+ (?:{_JOINTS} )*")
_JOINED = re.compile(r"([A-Z][a-z-]+) $")
_AND = re.compile(r" and (?=[A-Z])")
_QUOTED = re.compile(r"[《「『“]([^《》「」『』“”\n]{2,30})[》」』”]")
_OFTEN, _SHARE, _ALONE, _ELSEWHERE = 3, 0.65, 0.7, 0.25
"""Parts that must name something for its rendering to be learned, the share of them that must have it (of a name of
one word more), and how many others, for each of these, may have it too."""
_SHORTEST, _LONGEST = 2, 14
_RUN = re.compile(f"[{CJK}・／]{{2,}}|[A-Za-z][A-Za-z’' -]{{2,30}}")


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a name is called in the translation, or what stands there with it, and in how many of the parts that have it."""

    words: Sequence[str]
    share: float


def findings(pairs: Sequence[Pair], terms: Termbase) -> Iterator[Finding]:
    """Parts in which a name is not rendered as elsewhere in the book."""
    every = "\n".join(pair.target.text for pair in pairs)
    met = {
        name: some for name, some in _met(pairs).items() if len(some) >= _OFTEN and not terms.named(name, some[0][0].source.lang)
    }
    known: dict[str, Rendering] = {}
    for name, some in met.items():
        if rendering := learned([pair.target.text for pair, _ in some], every):
            words = [word for word in rendering.words if not terms.named(word, some[0][0].target.lang)]
            known[name] = Rendering(words, rendering.share)
    for name, rendering in known.items():
        words = [word for word in rendering.words if not _is_others(word, name, known)]
        if words and rendering.share >= (_SHARE if " " in name else _ALONE):
            yield from _missing(name, met[name], Rendering(words, rendering.share))


def _is_others(words: str, name: str, known: Mapping[str, Rendering]) -> bool:
    """Whether some words are what another name is called, with which this one stands together."""
    others = (
        rendering
        for other, rendering in known.items()
        if other not in name and name not in other and rendering.share > known[name].share
    )
    return any(piece in words for rendering in others for piece in rendering.words)


def _met(pairs: Sequence[Pair]) -> dict[str, list[tuple[Pair, Span]]]:
    """Each name that several parts have, and where."""
    known = Counter(name for pair in pairs for name in names(pair.source.text, pair.source.lang))
    repeated = [name for name, count in known.items() if count > 1]
    met: dict[str, list[tuple[Pair, Span]]] = {}
    for pair in (pair for pair in pairs if not pair.source.title):
        for name in (name for name in repeated if name in pair.source.text):
            places = _alone(name).finditer(pair.source.text)
            if at := next((place for place in places if not _is_end(pair.source, place.start())), None):
                met.setdefault(name, []).append((pair, at.span()))
    return met


def _is_end(part: Part, start: int) -> bool:
    """Whether what begins there is the end of a longer name."""
    before = _JOINED.search(part.text[max(start - _LONGEST, 0) : start])
    return before is not None and before[1] not in language(part.lang).no_names


@cache
def _alone(name: str) -> re.Pattern[str]:
    """A name that is no part of a longer one."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-]| (?:of |the )*[A-Z])")


def _missing(name: str, some: Sequence[tuple[Pair, Span]], rendering: Rendering) -> Iterator[Finding]:
    for pair, span in some:
        if not any(words in pair.target.text for words in rendering.words):
            said = message("{name}: elsewhere {rendering}", name=name, rendering=rendering.words[0])
            sure = round(rendering.share, 3)
            yield Finding("name", said, place(pair.source, [span]), place(pair.target), sure, name, rendering.words[:1])


def names(text: str, lang: str) -> Mapping[str, Span]:
    """What looks like a name in a text, each with its first place."""
    pattern = _CAPITAL if lang == "en" else _QUOTED
    spans: dict[str, Span] = {}
    if lang == "en":
        spans |= {
            match[1].removesuffix("’s"): match.span(1)
            for match in _SINGLE.finditer(text)
            if match[1] not in language(lang).no_names
        }
    for match in pattern.finditer(text):
        if text[match.start() - 1 : match.start()] == "“" and pattern is _CAPITAL:
            continue  # the title of a section
        for words, start in _several(match[1] if pattern is _QUOTED else match[0], match.start(), language(lang).no_names):
            spans.setdefault(words, (start, start + len(words)))
    return spans


def _several(words: str, start: int, beginnings: Collection[str]) -> Iterator[tuple[str, int]]:
    """The names that are joined by "and", each with its place, without what begins a sentence."""
    while words.partition(" ")[0] in beginnings and (first := _FIRST.match(words)):
        words, start = words[first.end() :], start + first.end()
    for name in _AND.split(words):
        if (plain := name.strip(" ,").removesuffix("’s").removesuffix("'s")) and plain not in beginnings:
            yield plain, start
        start += len(name) + len(" and ")


def learned(texts: Sequence[str], every: str) -> Rendering | None:
    """The longest words that most of some texts have and hardly any other place of the whole book has.

    Of several nobody knows which is the name: a text misses it only where it has none of them.
    """
    shortest = sorted(texts, key=len)[: max(2, len(texts) // 3 + 1)]
    counts = {piece: sum(piece in text for text in texts) for text in shortest for piece in _pieces(text)}
    for most in sorted({count for count in counts.values() if count >= max(2, _SHARE * len(texts))}, reverse=True):
        same = [piece for piece, count in counts.items() if count == most]
        longest = [piece for piece in same if not any(piece != other and piece in other for other in same)]
        own = [piece for piece in longest if _elsewhere(piece, texts, every) <= _ELSEWHERE * most]
        if own:
            return Rendering(own, most / len(texts))
    return None


def _elsewhere(piece: str, texts: Sequence[str], every: str) -> int:
    """How often the book has some words beside some of its texts."""
    return every.count(piece) - sum(text.count(piece) for text in texts)


def _pieces(text: str) -> Iterator[str]:
    for run in _RUN.findall(text):
        if run[0].isascii():
            yield run.strip()
            continue
        for start in range(len(run)):
            yield from (run[start:end] for end in range(start + _SHORTEST, min(start + _LONGEST, len(run)) + 1))
