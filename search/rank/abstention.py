"""The reasons for abstaining, in words for the user: a wrong rule that looks certain may cost a match."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpus.catalogue import catalogue
from corpus.languages import LANGUAGE_NAMES, choose, language_of
from corpus.messages import Message, message
from corpus.reference import Titles, title_of
from corpus.words.tokens import terms
from search.query.out_of_scope_examples import KINDS, NONSENSE, OTHER_GAME, POLICY, PRICES, out_of_scope_terms
from search.query.query import Query
from search.rank.answerability import AnswerabilityFeatures
from search.rank.explain import matched_words
from search.rank.ranker import Ranking

OUT_OF_SCOPE_MARGIN = 0.05
"""A question is out of scope if an example is at most this much farther than the nearest rule (in cosine)."""
_MAX_WORDS = 4
"""Number of missing words that are named."""
_OUT_OF_SCOPE = {
    OTHER_GAME: message("this seems to be about a game without a rulebook in the library; name the game"),
    POLICY: message(
        "this seems to be about how events are run (penalties, time, deck lists, judges), which the rulebooks here do not cover; "
        "ask the judge of the event, or see the publisher's tournament rules"
    ),
    PRICES: message(
        "this seems to be about buying, collecting or choosing cards, which rulebooks do not cover; ask how a rule works"
    ),
    NONSENSE: message(
        "this does not seem to be about the rules of a card game; ask about a step, a zone, a term or a rule's number"
    ),
}
_WORD = re.compile(r"[^\W\d_]{3,}|[\u30a1-\u30fa\u30fc]{2,}|[\u3400-\u9fff]{2,}")
"""A word worth naming: three letters, or two katakana or Han characters; text joined by hiragana does not count."""
_QUOTED = re.compile(r"(?:[「『《“\"]|\[\[)(?P<name>[^「」『』《》“”\"\[\]]{2,40})(?:[」』》”\"]|\]\])")
_CAPITALISED = re.compile(r"\b(?P<name>[A-Z][a-z'’]+(?:,? (?:(?:of|the|and|to|in) )*[A-Z][a-z'’]+)*)")
_SENTENCE_START = re.compile(r"(?:^|[.?!:…。？！])\W*$")


@dataclass(frozen=True, slots=True)
class GameNames:
    """Games to be named in a message of any language."""

    games: Sequence[str]
    titles: Titles = field(default_factory=dict)

    def in_language(self, lang: str) -> str:
        """Their names in a language; of a game that the catalogue lacks, the name in the titles of its books, else the slug."""
        return (", " if lang == "en" else "、").join(self._name(game, lang) for game in self.games)

    def _name(self, game: str, lang: str) -> str:
        entry = catalogue().game(game)
        names = entry.names if entry else {}
        return names[name_lang] if (name_lang := choose(lang, names)) else title_of(self.titles.get(game, ())) or game


class NearestRule(NamedTuple):
    """A rule in the form in which a reason names it."""

    game: str
    reference: str  # in the form that `show` takes
    title: str  # the heading above it; "" without one

    def __str__(self) -> str:
        return f"{self.reference} ({self.title})" if self.title else self.reference


def unknown_game(query: Query, games: Sequence[str]) -> Message | None:
    """The reason why a question about another game is not answered; None if `games` has one that it names."""
    loaded_games = [game for game in query.games if game in games]
    if query.games and not loaded_games:
        return message("no rulebook of {games} is in the library", games=GameNames(query.games, query.titles))
    if query.unknown_games and not loaded_games:
        game_list = ", ".join(query.unknown_games)
        return message("the question names {games}, a game without a rulebook in the library", games=game_list)
    return None


def only_a_game(query: Query) -> Message | None:
    """The reason why the name of a game alone is not answered: every rule of the game would match."""
    if not query.game_only:
        return None
    return message("only {games} is named; add a question, or give a rule's number", games=GameNames(query.games, query.titles))


def no_book_in(query: Query, book_lang: str) -> Message:
    """The reason for a language without books."""
    if not query.games:
        return message("no book in {lang} is in the library; leave out the language of the books, or add one", lang=book_lang)
    return message(
        "no book of {games} in {lang} is in the library; leave out the language of the books, or add one",
        games=GameNames(query.games, query.titles),
        lang=book_lang,
    )


def no_book_so_old(query: Query) -> Message:
    """The reason for a date before the first edition of each book."""
    if not query.games:
        return message("no rulebook from that date or before is in the library; leave out the date, or add an older edition")
    return message(
        "no rulebook of {games} from that date or before is in the library; leave out the date, or add an older edition",
        games=GameNames(query.games, query.titles),
    )


def nothing_found(query: Query, ranking: Ranking) -> Message | None:
    """The reason why a ranking is not shown: it has no hit, or no rule has the number in question. None if it can be shown."""
    if query.numbers_only:
        numbers = " / ".join(query.numbers)
        if not query.games:
            return message(
                "no rule in the library has the number {numbers}; ask in words",
                numbers=numbers,
            )
        return message(
            "no rule of {games} in the library has the number {numbers}; leave out the game, or ask in words",
            games=GameNames(query.games, query.titles),
            numbers=numbers,
        )
    if not ranking.hits:
        if names := unknown_card_names(query, query.required_terms):
            return _unknown_cards(names)
        return message("no rule has any of these words; try other words, or a rule's number")
    return None


def low_probability(
    query: Query,
    features: AnswerabilityFeatures,
    probability: float,
    nearest: NearestRule,
    other_game: Callable[[], NearestRule | None],
    book_langs: Sequence[str] = (),
) -> Message:
    """The reason why the rules found are not shown.

    `other_game` searches for a rule of another game that contains the terms missing in the found rules. `book_langs` are the
    languages of the texts and glosses of the games that the query names.
    """
    if query.games and book_langs and language_of(query.lang) not in map(language_of, book_langs):
        return _only_in_other_languages(query, features, probability, nearest, book_langs)
    if names := unknown_card_names(query, features.absent_terms):
        return _unknown_cards(names)
    words = missing_words(query, features)
    if query.games and words:
        return _not_in_this_game(query, words, other_game())
    if not _is_unknown_word(query, words) and (reason := _out_of_scope(query, features)):
        return reason
    if words:
        return message("no text in the library has {words}; use other words, or a rule's number", words=" / ".join(words))
    return _no_confident_match(query, probability, nearest)


def _only_in_other_languages(
    query: Query, features: AnswerabilityFeatures, probability: float, nearest: NearestRule, book_langs: Sequence[str]
) -> Message:
    """The reason for games without words in the language of the question, which lack most of its words for that reason."""
    if reason := _out_of_scope(query, features):
        return reason
    return message(
        "no confident match ({sure:.0%} sure), the nearest is {rule}; the rules of {games} here are only in {langs}: ask in that "
        "language, or give a rule's number",
        sure=probability,
        rule=str(nearest),
        games=GameNames(query.games, query.titles),
        langs=" / ".join(LANGUAGE_NAMES[lang] for lang in book_langs),
    )


def missing_words(query: Query, features: AnswerabilityFeatures) -> list[str]:
    """The words of a question, as typed, that no searched rule contains."""
    runs = matched_words(query, features.absent_terms)
    return list(dict.fromkeys(word for run in runs for word in _WORD.findall(run) if not _is_hiragana(word)))[:_MAX_WORDS]


def _is_unknown_word(query: Query, words: Sequence[str]) -> bool:
    """Whether a query is nothing but words that no text has: a bare noun says nothing about what is asked.

    Words of the examples of questions out of scope (price, 価格) do.
    """
    is_all = "".join(words) == re.sub(r"[\W_]+", "", query.text)
    return is_all and set(terms(query.words)).isdisjoint(out_of_scope_terms())


def unknown_card_names(query: Query, absent: Collection[str]) -> list[str]:
    """The names that no card has: quoted, or capitalised inside a sentence, and with one of the terms that occur in no rule.

    The first word of a sentence is part of a name if it is such a term and another capitalised word follows.
    """
    card_ranges = [range(card.mention.start, card.mention.end) for card in query.cards]
    names = []
    for match in (*_QUOTED.finditer(query.text), *_CAPITALISED.finditer(query.text)):
        start, end = match.span("name")
        inside = [token for token in query.words if start <= token.start and token.end <= end]
        if match.re is _CAPITALISED and _SENTENCE_START.search(query.text[:start]):
            if len(inside) < 2:
                continue
            if not set(terms(inside[:1])) <= set(absent):
                inside = inside[1:]
                start = inside[0].start
        if not set(absent).isdisjoint(terms(inside)) and not any(start < card.stop and card.start < end for card in card_ranges):
            names.append(query.text[start:end].strip())
    return list(dict.fromkeys(names))[:_MAX_WORDS]


def _unknown_cards(names: Sequence[str]) -> Message:
    return message("unknown card names: {names}; add a file of cards, or ask without names", names=" / ".join(names))


def _is_hiragana(word: str) -> bool:
    return all("\u3041" <= character <= "\u309f" for character in word)


def out_of_scope_kind(features: AnswerabilityFeatures) -> str | None:
    """The kind of out-of-scope example that a question resembles; None if rules are nearer."""
    if not features.encoded:
        return None
    cosines = features.out_of_scope.kinds
    best = max(range(len(cosines)), key=cosines.__getitem__)
    nearest_rule = features.nearest_dense - features.out_of_scope.to_mean
    return KINDS[best] if cosines[best] >= nearest_rule - OUT_OF_SCOPE_MARGIN else None


def _out_of_scope(query: Query, features: AnswerabilityFeatures) -> Message | None:
    """The reason for a question that resembles an out-of-scope example; None if it resembles none, or names what it is about.

    A question that names a loaded game is about no other game, and one that compares several games is about their rules.
    """
    kind = out_of_scope_kind(features)
    if kind is None or (kind == OTHER_GAME and query.games) or (query.compares and len(query.games) > 1):
        return None
    return _OUT_OF_SCOPE[kind]


def _not_in_this_game(query: Query, words: Sequence[str], other: NearestRule | None) -> Message:
    games = GameNames(query.games, query.titles)
    if other is None:
        return message(
            "no rule of {games} here has {words}; ask in the words of its rules, or give a rule's number",
            games=games,
            words=" / ".join(words),
        )
    return message(
        "no rule of {games} here has {words}; {other} has: {rule}",
        games=games,
        words=" / ".join(words),
        other=GameNames((other.game,), query.titles),
        rule=str(other),
    )


def _no_confident_match(query: Query, probability: float, nearest: NearestRule) -> Message:
    if query.games:
        return message(
            "no confident match ({sure:.0%} sure), the nearest is {rule}; name the zone, the step, the keyword or a rule's number",
            sure=probability,
            rule=str(nearest),
        )
    return message(
        "no confident match ({sure:.0%} sure), the nearest is {rule}; name the game, and the zone, the step or a rule's number",
        sure=probability,
        rule=str(nearest),
    )
