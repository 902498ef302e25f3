"""Names of cards and of people: what the book calls each elsewhere is learned from the book itself."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from corpus.messages import message
from corpus.text import CJK
from ontology.drift.finding import Finding, Span
from ontology.drift.pairs import Pair
from ontology.drift.patterns import language
from ontology.drift.terms import Termbase
from ontology.drift.words import place

_JOINTS = r"(?:of|the|and|to|in|on|for|from|with|a|an)"
_CAPITAL = re.compile(rf"[A-Z][a-z’'-]+(?:,? (?:{_JOINTS} ){{0,2}}[A-Z][a-z’'-]+){{1,6}}")
_SINGLE = re.compile(r"[a-z,;] ([A-Z][a-z’'-]{2,})(?! [A-Z])")
_JOINED = re.compile(r"[A-Z][a-z’'-]+ $")
_QUOTED = re.compile(r"[《「『“]([^《》「」『』“”\n]{2,30})[》」』”]")
_OFTEN, _SHARE, _ALONE, _ELSEWHERE = 3, 0.7, 0.8, 0.25
"""Parts that must name something for its rendering to be learned, the share of them that must have it (of a name of
one word more), and how many others, for
each of these, may have it too."""
_SHORTEST, _LONGEST = 2, 14
_RUN = re.compile(f"[{CJK}・／]{{2,}}|[A-Za-z][A-Za-z’' -]{{2,30}}")


@dataclass(frozen=True, slots=True)
class Rendering:
    """What a name is called in the translation, and in how many of the parts that have it."""

    words: str
    share: float


def findings(pairs: Sequence[Pair], terms: Termbase) -> Iterator[Finding]:
    """Parts in which a name is not rendered as elsewhere in the book."""
    known = Counter(name for pair in pairs for name in names(pair.source.text, pair.source.lang))
    met: dict[str, list[tuple[Pair, Span]]] = {}
    repeated = [name for name, count in known.items() if count > 1]
    for pair in (pair for pair in pairs if not pair.source.title):
        for name in (name for name in repeated if name in pair.source.text):
            at = _alone(name).search(pair.source.text)
            if at and not _JOINED.search(pair.source.text[max(at.start() - _LONGEST, 0) : at.start()]):
                met.setdefault(name, []).append((pair, at.span()))
    often = {name: some for name, some in met.items() if len(some) >= _OFTEN}
    every = "\n".join(pair.target.text for pair in pairs)
    for name, some in often.items():
        if terms.named(name, some[0][0].source.lang):
            continue
        rendering = learned([pair.target.text for pair, _ in some], every)
        if rendering and rendering.share >= (_SHARE if " " in name else _ALONE):
            yield from _missing(name, some, rendering)


@cache
def _alone(name: str) -> re.Pattern[str]:
    """A name that is no part of a longer one."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-]| (?:of |the )*[A-Z])")


def _missing(name: str, some: Sequence[tuple[Pair, Span]], rendering: Rendering) -> Iterator[Finding]:
    for pair, span in some:
        if rendering.words not in pair.target.text:
            said = message("{name}: elsewhere {rendering}", name=name, rendering=rendering.words)
            yield Finding(
                "name", said, place(pair.source, [span]), place(pair.target), round(rendering.share, 3), name, [rendering.words]
            )


def names(text: str, lang: str) -> Mapping[str, Span]:
    """What looks like a name in a text, each with its first place."""
    pattern = _CAPITAL if lang == "en" else _QUOTED
    found: dict[str, Span] = {}
    if lang == "en":
        found |= {
            match[1].removesuffix("’s"): match.span(1)
            for match in _SINGLE.finditer(text)
            if match[1] not in language(lang).no_names
        }
    for match in pattern.finditer(text):
        words = (match[1] if pattern is _QUOTED else match[0]).strip(" ,").removesuffix("’s").removesuffix("'s")
        if words.partition(" ")[0] in language(lang).no_names or text[match.start() - 1 : match.start()] == "“":
            continue  # the beginning of a sentence, or the title of a section
        found.setdefault(words, (match.start(), match.start() + len(match[0].rstrip(" ,"))))
    return found


def learned(texts: Sequence[str], every: str) -> Rendering | None:
    """The longest words that most of some texts have and hardly any other place of the whole book has.

    Of several that do nobody knows which is the name: then None.
    """
    shortest = sorted(texts, key=len)[: max(2, len(texts) // 3)]
    counts = {piece: sum(piece in text for text in texts) for text in shortest for piece in _pieces(text)}
    for most in sorted({count for count in counts.values() if count >= max(2, _SHARE * len(texts))}, reverse=True):
        same = [piece for piece, count in counts.items() if count == most]
        longest = [piece for piece in same if not any(piece != other and piece in other for other in same)]
        own = [piece for piece in longest if _elsewhere(piece, texts, every) <= _ELSEWHERE * most]
        if own:
            return Rendering(own[0], most / len(texts)) if len(own) == 1 else None
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
