"""What a query asks: its terms, the ideas it names, the games it is about, the rule numbers in it, its language."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from corpus.lexicon import Found, Lexicon
from corpus.tokens import Token, terms, words
from search.ideas import MARK, elsewhere_in, found_in, games_in
from search.lexical import Lexical

_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_NUMBER = re.compile(r"\d{1,4}(?:[.\-]\d+)+[a-z]{0,2}|\d{3}[a-z]{0,2}")
"""What may be a rule's number among the words of a query."""
_TYPO = 0.7
"""What a corrected word weighs beside one that was typed right."""
_SHORTEST = 4
"""Letters below which a word is not corrected: too many others are near."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query as it is understood."""

    text: str
    lang: str  # the language it is in
    games: tuple[str, ...]  # games it is about; none: all
    elsewhere: tuple[str, ...]  # games it names that the library does not know
    numbers: tuple[str, ...]  # rule numbers in it
    terms: Mapping[str, float]  # term → weight
    ideas: tuple[str, ...]
    corrected: Mapping[str, str]  # word as typed → word it was taken for
    words: tuple[Token, ...]  # as they were typed


def understand(text: str, lexicon: Lexicon, index: Lexical, games: Sequence[str] = (), concepts: float = 1.0) -> Query:
    """Reads a query. `games` limits it to those games, whatever it names; `concepts` is the weight of concept tokens."""
    tokens = words(text)
    found = list(lexicon.find(tokens))
    named = tuple(dict.fromkeys(game for one in found for game in games_in(one)))
    about = tuple(games) or named
    kept = _without_names(tokens, found)
    corrected = _corrected(kept, index)
    read = [_right(token, corrected) for token in kept]
    weights = dict.fromkeys(terms(read), 1.0) | dict.fromkeys(corrected.values(), _TYPO)
    ideas = list(dict.fromkeys(idea for _, some in found_in(read, lexicon, about) for idea in some))
    weights |= {MARK + idea: concepts for idea in ideas if concepts}
    return Query(
        text=text,
        lang=language(text),
        games=about,
        elsewhere=tuple(dict.fromkeys(name for one in found for name in elsewhere_in(one))),
        numbers=tuple(token.norm for token in tokens if _NUMBER.fullmatch(token.norm)),
        terms=weights,
        ideas=tuple(ideas),
        corrected=corrected,
        words=tuple(tokens),
    )


def language(text: str) -> str:
    """`ja`, `zh-Hans`, `zh-Hant` or `en`, good enough for three words."""
    if _KANA.search(text):
        return "ja"
    han = "".join(_HAN.findall(text))
    if not han:
        return "en"
    if _writes(han, "shift_jis") and not _writes(han, "gb2312"):
        return "zh-Hant" if _writes(han, "big5") and not _writes(han, "shift_jis") else "ja"
    return "zh-Hant" if _writes(han, "big5") and not _writes(han, "gb2312") else "zh-Hans"


def spoken_alike(one: str, other: str) -> bool:
    """Whether two language tags name one language, whatever its script."""
    return one.split("-")[0] == other.split("-")[0]


def _writes(han: str, codec: str) -> bool:
    try:
        han.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _without_names(tokens: Sequence[Token], found: Sequence[Found]) -> list[Token]:
    """The words but those that only say which game is meant; all of them where nothing else is left."""
    names = {place for one in found if games_in(one) and not _means_more(one) for place in range(one.first, one.last)}
    return [token for place, token in enumerate(tokens) if place not in names] or list(tokens)


def _means_more(found: Found) -> bool:
    return any(" " in value for value in found.values)


def _corrected(tokens: Sequence[Token], index: Lexical) -> dict[str, str]:
    """Words of Latin script that no passage has, with the nearest word that one has."""
    unknown = [
        token.norm
        for token in tokens
        if not token.cjk and token.norm.isalpha() and len(token.norm) >= _SHORTEST and token.norm not in index.vocabulary
    ]
    return {word: near for word in dict.fromkeys(unknown) if (near := index.nearest(word))}


def _right(token: Token, corrected: Mapping[str, str]) -> Token:
    return token._replace(norm=corrected[token.norm]) if token.norm in corrected else token
