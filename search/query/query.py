"""What a query asks: its terms, the concepts it names, the games it is about, the rule numbers in it, its language."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from corpus.reference import numbers_in
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.tokens import Token, terms, words
from search.index.concept_tokens import MARK, calling, elsewhere_in, found_in, games_in, shares
from search.index.definitions import name_key
from search.index.lexical import Vocabulary
from search.query.definition import Defined, subjects
from search.query.language import language
from search.query.named import Named
from search.query.shelf import NONE, Shelf

_RULE = "floor floor/rule"
"""What the words for a rule stand for: they say no more than the number beside them."""
_TYPO = 0.7
"""What a corrected word weighs beside one that was typed right."""
_COMPARED = "floor floor/difference"
"""What 違い, 区别 and difference name: how to answer, not about what; no rule says it."""
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
    concepts: tuple[str, ...]
    corrected: Mapping[str, str]  # word as typed → word it was taken for
    words: tuple[Token, ...]  # as they were typed
    numbers_only: bool = False  # it asks for rules by their numbers and for nothing else
    names_only: bool = False  # it names games and asks nothing
    asked: str = ""  # the text without the names of games: what rules are compared with
    defining: tuple[Defined, ...] = ()  # of what it asks what it is, and no more
    game_terms: Mapping[str, float] = field(default_factory=dict)  # game → how many terms in it are that game's own
    cards: tuple[Named, ...] = ()  # the cards that it names
    own: Mapping[str, float] = field(default_factory=dict)  # the terms but those of cards; none where it names none

    @property
    def said(self) -> Mapping[str, float]:
        """The terms as they were typed, names of cards like any others: rulings speak of single cards by their names."""
        names = (self.words[card.found.first : card.found.last] for card in self.cards)
        return {**dict.fromkeys((term for own in names for term in terms(own)), 1.0), **self.own} if self.cards else self.terms

    @property
    def evident(self) -> Mapping[str, float]:
        """The terms that a rule must have to answer it: no rule speaks of a single card by its name."""
        return self.own or self.terms


def understand(
    text: str,
    lexicon: Lexicon,
    index: Vocabulary,
    games: Sequence[str] = (),
    concept_weight: float = 1.0,
    shelf: Shelf = NONE,
    defined: Container[str] = (),
) -> Query:
    """Reads a query. `games` limits it to those games, whatever it names; `concept_weight` is that of concept tokens.

    `shelf` holds the cards that it may name; it is about their game where it names none itself. `defined` has the keys of the names
    that something defines.
    """
    tokens = words(text)
    labels = list(lexicon.find(tokens))
    said = tuple(dict.fromkeys(game for label in labels for game in games_in(label)))
    cards = tuple(shelf.named(text, tokens, labels, lexicon, index, tuple(games) or said))
    inside = {place for card in cards for place in range(card.found.first, card.found.last)}
    matches = [label for label in labels if inside.isdisjoint(range(label.first, label.last))]
    named = tuple(dict.fromkeys(game for match in matches for game in games_in(match)))
    about = tuple(games) or named or shelf.games_of(cards)
    kept = _without_names(tokens, matches)
    outside = [token for token in kept if not inside or tokens.index(token) not in inside]
    corrected = _corrected(_unnamed(outside, matches, tokens), index)
    read = [_right(token, corrected) for token in outside]
    weights = dict.fromkeys(terms(read), 1.0) | dict.fromkeys(corrected.values(), _TYPO)
    concepts = list(dict.fromkeys(concept for _, named_here in found_in(read, lexicon, about) for concept in named_here))
    weights |= {MARK + concept: concept_weight for concept in concepts if concept_weight}
    asking = _asking(tokens, matches)
    numbers = numbers_in(text)
    asked = _without(text, tokens, kept)
    return Query(
        text=text,
        lang=language(text, matches),
        games=about,
        elsewhere=tuple(dict.fromkeys(name for match in matches for name in elsewhere_in(match)[:1])),
        numbers=numbers,
        terms=shelf.widened(weights, cards, tokens, index),
        concepts=tuple(concepts),
        corrected=corrected,
        words=tuple(tokens),
        numbers_only=bool(numbers) and all(token.norm[0].isdigit() for token in asking),
        names_only=bool(named) and not games and not asking,
        asked=shelf.told(asked, text, cards),
        defining=() if cards else tuple(_defining(asked, corrected, lexicon, about, defined)),
        game_terms=shares(matches),
        cards=cards,
        own=weights if cards else {},
    )


def _defining(
    asked: str, corrected: Mapping[str, str], lexicon: Lexicon, games: Sequence[str], defined: Container[str]
) -> list[Defined]:
    """Of what a text asks what it is: the concepts that one name in it stands for as a whole, and that name if it is defined."""
    for subject in subjects(asked):
        tokens = [_right(token, corrected) for token in words(subject)]
        key = name_key(token.norm for token in tokens)
        if told := [*_whole(tokens, lexicon, games), *([Defined(key)] if key in defined else ())]:
            return told
    return []


def _whole(tokens: Sequence[Token], lexicon: Lexicon, games: Sequence[str]) -> list[Defined]:
    """The concepts that some words stand for as a whole, with the games that call them so, of those that are asked."""
    for match, named in found_in(tokens, lexicon, games):
        if match.last - match.first == len(tokens):
            own = [(concept, calling(match, concept)) for concept in _as_a_whole(named, tokens, lexicon)]
            return [Defined(concept, tuple(game for game in called if not games or game in games)) for concept, called in own]
    return []


def _as_a_whole(named: Sequence[str], tokens: Sequence[Token], lexicon: Lexicon) -> list[str]:
    """The concepts of a name but those that a part of it names alone: a stun counter is no counter of other kinds."""
    parts = (tokens[:-1], tokens[1:])
    said = {concept for part in parts if not _is_character(part) for _, some in found_in(part, lexicon) for concept in some}
    return [concept for concept in named if concept not in said] or list(named)


def _is_character(tokens: Sequence[Token]) -> bool:
    return len(tokens) == 1 and tokens[0].cjk


def _asking(tokens: Sequence[Token], matches: Sequence[LabelMatch]) -> list[Token]:
    """The words but those that say which game is meant, and those for a rule."""
    said = {place for match in matches if games_in(match) or _RULE in match.values for place in range(match.first, match.last)}
    return [token for place, token in enumerate(tokens) if place not in said]


def _without_names(tokens: Sequence[Token], matches: Sequence[LabelMatch]) -> list[Token]:
    """The words but those that only say which game is meant, or ask to compare; all of them where nothing else is left."""
    said = (match for match in matches if (games_in(match) and not _means_more(match)) or _COMPARED in match.values)
    names = {place for match in said for place in range(match.first, match.last)}
    return [token for place, token in enumerate(tokens) if place not in names] or list(tokens)


def _without(text: str, tokens: Sequence[Token], kept: Sequence[Token]) -> str:
    """The text as it was typed, but for the tokens that are not kept."""
    left, starts = list(text), {token.start for token in kept}
    for token in tokens:
        if token.start not in starts:
            left[token.start : token.end] = " " * (token.end - token.start)
    return " ".join("".join(left).split())


def _unnamed(kept: Sequence[Token], matches: Sequence[LabelMatch], tokens: Sequence[Token]) -> list[Token]:
    """The words that are no name of a game: these are never mistyped."""
    names = {tokens[place] for match in matches if games_in(match) for place in range(match.first, match.last)}
    return [token for token in kept if token not in names]


def _means_more(match: LabelMatch) -> bool:
    return any(" " in value for value in match.values)


def _corrected(tokens: Sequence[Token], index: Vocabulary) -> dict[str, str]:
    """Words of Latin script that no passage has, with the nearest word that one has."""
    return {word: near for word in dict.fromkeys(_unknown(tokens, index)) if (near := index.nearest(word))}


def _unknown(tokens: Iterable[Token], index: Vocabulary) -> Iterator[str]:
    words = (token.norm for token in tokens if not token.cjk and token.norm.isalpha() and len(token.norm) >= _SHORTEST)
    return (word for word in words if word not in index.vocabulary)


def is_plain(query: Query, index: Vocabulary) -> bool:
    """Whether no word of a query is mistyped, neither beside the index that it was read with nor beside another."""
    return not query.corrected and next(_unknown(query.words, index), None) is None


def _right(token: Token, corrected: Mapping[str, str]) -> Token:
    return token._replace(norm=corrected[token.norm]) if token.norm in corrected else token
