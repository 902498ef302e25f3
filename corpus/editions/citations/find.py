"""Finds the citations in a text: addresses, articles, numbers with their game and edition, and the quotations beside them.

Every step is linear in the text: patterns have no unbounded repetition, and the context examined around a position is bounded.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus import ordinals
from corpus.address import path_of_foreign_url
from corpus.catalogue import RULES, catalogue
from corpus.editions.citations.context import (
    CitationMention,
    CitedNumber,
    DateMention,
    Games,
    Segments,
    date_after,
    date_before,
    dates,
    games_in,
    paragraphs,
    sentences,
    without_spans,
)
from corpus.editions.citations.numbers import Chains, Cue, Numbering, cue_before, document_before, number_end
from corpus.editions.citations.phrases import alternation, compile_pattern, phrase_list
from corpus.editions.citations.quotations import AttributedQuotation, attribute_quotations, outside_links, quotations
from corpus.editions.citations.view import View, render_view
from corpus.model import Span
from corpus.reference import catalogue_game, fold_number


@dataclass(frozen=True, slots=True)
class FoundCitations:
    """The citations of a text in order, and the quotations attributed to them; offsets are those of `view`."""

    view: View
    mentions: tuple[CitationMention, ...]
    attributions: tuple[AttributedQuotation, ...]


def find(text: str, numbering: Numbering, game: str | None = None) -> FoundCitations:
    """The citations of a text; `game` is the default for citations whose sentence names no game."""
    view = render_view(text)
    plain = view.text
    quotes = outside_links(quotations(plain), view.links)
    ends, paragraph_ends = sentences(plain, (quotation.span for quotation in quotes)), paragraphs(plain)
    date_mentions = list(dates(plain))
    date_spans = (Span(date.start, date.end) for date in date_mentions)  # `MTG (June 2022) 701.17` is `MTG 701.17`
    games = Games(without_spans(plain, date_spans), games_in(plain, numbering.names), ends, paragraph_ends)
    by_address, address_spans = addresses(plain, numbering.grammars)
    articles = Articles(plain, numbering, games, address_spans, game)
    chains = Chains(plain, numbering, games, [*address_spans, *(Span(item.start, item.end) for item in articles.items)], game)
    context = _CitationContext(plain, games, date_mentions, ends, chains, articles, game)
    mentions = by_address + context.mentions()
    mentions.sort(key=lambda mention: (mention.item.start, mention.item.end))
    ties = attribute_quotations(plain, [mention.item for mention in mentions], quotes, ends, paragraph_ends)
    return FoundCitations(view, tuple(mentions), tuple(ties))


_OTHER_TEXT_WORDS = compile_pattern(rf"{alternation(*phrase_list('article', 'other'))}\s?$")
"""The name of another law or contract before an article: 民法第3条."""
_WINDOW = 24
"""Characters before an article that are examined."""


class Articles:
    """The articles that a text cites by ordinals (第3条, 第1部第2章第3条, 第三条第二款), if a book of articles is loaded."""

    def __init__(self, text: str, numbering: Numbering, games: "Games", address_spans: Sequence[Span], game: str | None) -> None:
        """`address_spans` are the spans of addresses, `game` is the default game."""
        self._text, self._numbering, self._games, self._game = text, numbering, games, game
        paths = list(ordinals.paths_in(text)) if numbering.with_articles else []
        free = [each for each in paths if not any(span.start <= each.start < span.end for span in address_spans)]
        self.holders: Mapping[str, frozenset[str]] = (
            numbering.find_holders({ordinals.fold_path(each.path) for each in free}) if free else {}
        )
        self.items = [CitedNumber(each.start, each.end, ordinals.fold_path(each.path)) for each in free if self._is_citation(each)]

    def _is_citation(self, path: ordinals.FoundPath) -> bool:
        """Whether a path cites a loaded book, or an article that a book of the named game could have.

        Any text may mention chapters and parts alone: they count only next to the name of a game or document.
        """
        if is_of_other_text(self._text, path.start):
            return False
        item = CitedNumber(path.start, path.end, ordinals.fold_path(path.path))
        holders = self.holders.get(item.number, frozenset())
        context_games = self._context_games(item)
        beside = bool(document_before(self._text, path.start)[0] or self._games.games_next_to(item))
        if context_games and not self._numbering.with_articles.intersection(context_games):
            return False
        if any(step.unit == "条" for step in path.path):
            return bool(holders or context_games or beside)
        return bool(holders) and (beside or len(path.path) > 1 or cue_before(self._text, path.start) is Cue.BOOK)

    def _context_games(self, item: CitedNumber) -> Iterable[str]:
        """The games that are named beside a citation, by the caller or around it."""
        beside = [name.game for name in self._games.games_next_to(item) if name.game]
        if beside or self._game:
            return beside or [self._game or ""]
        return next((games for games in (self._games.games_around(item, scope) for scope in range(3)) if games), ())


def is_of_other_text(text: str, start: int) -> bool:
    """Whether the words before an article name another law or contract: 民法第3条."""
    return bool(_OTHER_TEXT_WORDS.search(text[max(0, start - _WINDOW) : start]))


class _CitationContext:
    """The context of the citations in a text: their games and editions."""

    def __init__(
        self,
        text: str,
        games: Games,
        date_mentions: Sequence[DateMention],
        ends: Segments,
        chains: Chains,
        articles: Articles,
        game: str | None,
    ) -> None:
        self._text, self._games, self._ends, self._game = text, games, ends, game
        self._lists = [*chains.chains(), *([item] for item in articles.items)]
        self._holders = {**chains.holders, **articles.holders}
        self._in_prose = games.games_in_prose(item for items in self._lists for item in (items[0], items[-1]))
        self._dates_by_sentence: dict[int, list[DateMention]] = {}
        for date in sorted(date_mentions):
            self._dates_by_sentence.setdefault(ends.segment_at(date.start), []).append(date)

    def mentions(self) -> list[CitationMention]:
        """The citations of a text that are not addresses."""
        return [mention for items in self._lists for mention in self._mentions_of_list(items)]

    def _mentions_of_list(self, items: Sequence[CitedNumber]) -> list[CitationMention]:
        """A list of numbers as citations: a game and edition named beside one of them apply to all."""
        first, last = items[0], items[-1]
        neighbours = self._games.games_next_to(first) or self._games.games_next_to(last)
        date = date_after(self._text, number_end(self._text, last.end)) or date_before(self._text, first.start)
        when = date.when if date else self._edition_in_sentence(first)
        games = tuple(dict.fromkeys(candidate.game for candidate in neighbours if candidate.game))
        if neighbours and not games:
            return [CitationMention(item, elsewhere=self._games.game_name(neighbours[-1]), when=when) for item in items]
        document, words = document_before(self._text, first.start)
        # the game whose document has this abbreviation: `IPG` is Magic's
        books = [book for book in catalogue().books.values() if book.document != RULES and book.slug == words[:3].lower()]
        own = tuple(book.game for book in books) if document else ()
        return [CitationMention(item, games or own or self._games_in_context(item), document=document, when=when) for item in items]

    def _games_in_context(self, item: CitedNumber) -> tuple[str, ...]:
        """The possible games of a citation: named in its sentence, by the caller, in its paragraph, in the text.

        A game named only beside other citations is not that of a number which it lacks and another game has.
        """
        there = self._holders.get(item.number, frozenset())
        sentence, *wider = (self._games.games_around(item, scope) for scope in range(3))
        if self._game:
            elsewhere = self._game not in sentence and there.intersection(sentence)
            return sentence if elsewhere else (self._game,)
        if sentence:
            return sentence
        nearest_games = next((games for games in wider if games), ())
        is_of_others = there and there.isdisjoint(nearest_games) and self._in_prose.isdisjoint(nearest_games)
        return () if is_of_others else nearest_games

    def _edition_in_sentence(self, item: CitedNumber) -> str | None:
        """The edition of a sentence: the nearest one before the citation, else the first after it."""
        near = self._dates_by_sentence.get(self._ends.segment_at(item.start), [])
        before = [quotation for quotation in near[-_MAX_LISTED:] if quotation.end <= item.start]
        behind = [quotation for quotation in near[:_MAX_LISTED] if quotation.start >= item.end]
        nearest = before[-1:] or behind[:1]
        return nearest[0].when if nearest else None


_MAX_LISTED = 50
"""Maximum number of dates examined in one sentence."""
_URL = re.compile(r"https?://[^\s<>\"'()\[\]{}「」『』“”、。，；）】]+")
_EMAIL_OR_DOMAIN = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}|www\.[^\s<>]+")
_SHORT_ADDRESS = re.compile(
    r"(?<![\w/:.\-])([a-z][a-z0-9-]{1,15})(?:/([a-z0-9][a-z0-9.-]{0,30}))?:(?:([a-z0-9][a-z0-9.-]{0,30}):)?"
    r"(\d[\da-zA-Z.\-]{0,24}(?:~[\d.]{1,12})?|第[\d〇零一二三四五六七八九十百部編编篇章節节款条條項项の第]{2,40}"
    r"|glossary/[\w-]{1,60}|[a-z][a-z-]{0,30}/\d[\d.]{0,12}(?:~[\d.]{1,12})?)"
)
_TRAILING_PUNCTUATION = ".,;:!?…"


def addresses(text: str, games: Collection[str]) -> tuple[list[CitationMention], list[Span]]:
    """The addresses of rules in a text, and the spans to skip afterwards: addresses, links, mail."""
    mentions: list[CitationMention] = []
    spans = [Span(*other.span()) for other in _EMAIL_OR_DOMAIN.finditer(text)]
    for link in _URL.finditer(text):
        spans.append(Span(*link.span()))
        mentions.extend(_linked_mention(link.start(), link[0].rstrip(_TRAILING_PUNCTUATION), games))
    for short in _SHORT_ADDRESS.finditer(text):
        if mention := _short_address_mention(short, games):
            spans.append(Span(mention.item.start, mention.item.end))
            mentions.append(mention)
    return mentions, spans


def _linked_mention(start: int, url: str, games: Collection[str]) -> Iterator[CitationMention]:
    path = path_of_foreign_url(url)
    if len(path) >= 5 and path[0] == "id" and (path[1] in games or catalogue_game(path[1])):
        locator, edition = "/".join(path[4:]).lower(), path[3]
        item = CitedNumber(start, start + len(url), locator)
        yield CitationMention(item, (path[1],), book=path[2], edition=None if edition == "latest" else edition)


def _short_address_mention(match: re.Match[str], games: Collection[str]) -> CitationMention | None:
    name, book, edition, locator = match.groups()
    game = name if name in games else catalogue_game(name)
    if not game:
        return None
    locator = locator.rstrip(_TRAILING_PUNCTUATION + "-")
    item = CitedNumber(match.start(), match.start(4) + len(locator), fold_number(locator))
    return CitationMention(item, (game,), book=book, edition=None if edition == "latest" else edition)
