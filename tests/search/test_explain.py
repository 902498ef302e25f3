"""Highlights: the same words as by a look at each."""

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, terms, words
from search.query.query import Query
from search.rank.explain import Highlighter

LEXICON = Lexicon(
    [
        ("ferry", "boats floor/ferry"),
        ("渡し船", "boats floor/ferry"),
        ("river bank", "rivers floor/bank"),
        ("bank", "money floor/bank-of-money"),
        ("river", "lang:en"),
    ]
)
HIGHLIGHTER = Highlighter(LEXICON)
PIECES = [
    "ferry ",
    "Ferries, ",
    "river ",
    "bank. ",
    "bank ",
    "渡し船",
    "渡",
    "し",
    "船。",
    "川の岸",
    "ｶﾞﾝ",
    "ガン",
    "ヿ",
    "12.3a ",
    "α ",
    "\n",
    "a ",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
CONCEPTS = ["floor/ferry", "floor/bank", "floor/bank-of-money"]


def asking(text: str, concepts: tuple[str, ...] = (), games: tuple[str, ...] = ()) -> Query:
    """A question with some words, that names some concepts."""
    tokens = words(text)
    return Query(text, "en", games, (), (), dict.fromkeys(terms(tokens), 1.0), concepts, {}, tuple(tokens))


def highlights_of(text: str, query: Query) -> list[str]:
    """The highlighted words."""
    return [text[span["start"] : span["end"]] for span in HIGHLIGHTER.spans(text, query)]


@given(TEXTS, TEXTS, st.sets(st.sampled_from(CONCEPTS)), st.sampled_from([(), ("boats",), ("rivers", "money")]))
def test_words_are_those_that_a_look_at_each_finds(text: str, question: str, concepts: set[str], games: tuple[str, ...]) -> None:
    """Whatever stands beside what, in any script and any width."""
    query = asking(question, tuple(sorted(concepts)), games)
    covered = {place for span in HIGHLIGHTER.spans(text, query) for place in range(span["start"], span["end"])}
    assert covered == {place for start, end in _looked_at(text, query) for place in range(start, end)}


def test_adjacent_matches_are_one_span() -> None:
    """A name of four characters is three pairs, and shown as a whole."""
    assert highlights_of("川の岸に渡し船がある。", asking("渡し船")) == ["渡し船"]


def test_a_label_is_shown_in_the_games_that_call_it_so() -> None:
    """A word that another game has for something else is no word of this one."""
    assert highlights_of("At the bank.", asking("?", ("floor/bank-of-money",), ("rivers",))) == []
    assert highlights_of("At the bank.", asking("?", ("floor/bank-of-money",), ("money",))) == ["bank"]


def test_words_that_were_kept_and_forgotten_are_shown_again() -> None:
    """The same spans whether a text was met before or not."""
    first = highlights_of("The ferries wait.", asking("ferry"))
    HIGHLIGHTER.clear_cache()
    assert first == highlights_of("The ferries wait.", asking("ferry")) == ["ferries"]


def _looked_at(text: str, query: Query) -> Iterator[tuple[int, int]]:
    """Where labels, words and pairs of characters that are asked for stand."""
    tokens = words(text)
    for match in LEXICON.find(tokens):
        concepts = {name for game, _, name in (value.partition(" ") for value in match.values) if game in (query.games or (game,))}
        if concepts & {*query.concepts}:
            yield match.start, match.end
    for token in tokens:
        if not token.cjk and len(token.norm) > 1 and token.norm in query.terms:
            yield token.start, token.end
    for token, following in pairwise(tokens):
        if _are_a_pair(token, following) and token.norm + following.norm in query.terms:
            yield token.start, following.end


def _are_a_pair(token: Token, following: Token) -> bool:
    return token.cjk and following.cjk and token.end == following.start
