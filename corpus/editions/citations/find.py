"""Finds the citations in a text: addresses, numbers with their game and edition, and the quotations beside them.

Every step is linear in the text: patterns have no unbounded repetition, and the context examined around a position is bounded.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from corpus.address import path_on_any_host
from corpus.catalogue import catalogue
from corpus.documents import RULES
from corpus.editions.citations.articles import Articles
from corpus.editions.citations.context import Dated, Ends, Games, date_before, date_behind, dates, games_in, paragraphs, sentences
from corpus.editions.citations.mention import Item, Mention
from corpus.editions.citations.numbers import Chains, Numbering, closed, document_before
from corpus.editions.citations.quotations import Attributed, attributed, outside, quotations
from corpus.editions.citations.view import View, view
from corpus.model import Span
from corpus.reference import folded_number, game_named


@dataclass(frozen=True, slots=True)
class Found:
    """The citations of a text in order, and the quotations attributed to them; offsets are those of `view`."""

    view: View
    mentions: tuple[Mention, ...]
    attributed: tuple[Attributed, ...]


def find(text: str, numbering: Numbering, game: str | None = None) -> Found:
    """The citations of a text; `game` is the default for citations whose sentence names no game."""
    seen = view(text)
    plain = seen.text
    quoted = outside(quotations(plain), seen.links)
    ends, paragraph_ends = sentences(plain, (quotation.span for quotation in quoted)), paragraphs(plain)
    dated = list(dates(plain))
    games = Games(_without(plain, dated), games_in(plain, numbering.names), ends, paragraph_ends)
    given, taken = addresses(plain, numbering.grammars)
    articles = Articles(plain, numbering, games, taken, game)
    chains = Chains(plain, numbering, games, [*taken, *articles.spans])
    context = _Context(plain, games, dated, ends, chains, articles, game)
    mentions = given + context.mentions()
    mentions.sort(key=lambda mention: (mention.item.start, mention.item.end))
    ties = attributed(plain, [mention.item for mention in mentions], quoted, ends, paragraph_ends)
    return Found(seen, tuple(mentions), tuple(ties))


def _without(text: str, dated: Sequence[Dated]) -> str:
    """The text with the words about editions replaced by spaces: `MTG (June 2022) 701.17` is `MTG 701.17`."""
    pieces, end = [], 0
    for date in sorted(dated):
        if date.start >= end:
            pieces += [text[end : date.start], " " * (date.end - date.start)]
            end = date.end
    return "".join([*pieces, text[end:]])


class _Context:
    """The context of the citations in a text: their games and editions."""

    def __init__(
        self,
        text: str,
        games: Games,
        dated: Sequence[Dated],
        ends: Ends,
        chains: Chains,
        articles: Articles,
        game: str | None,
    ) -> None:
        self._text, self._games, self._ends, self._game = text, games, ends, game
        self._lists = [*chains.chains(), *([item] for item in articles.items)]
        self._held = {**chains.held, **articles.held}
        self._dated: dict[int, list[Dated]] = {}
        for date in sorted(dated):
            self._dated.setdefault(ends.part(date.start), []).append(date)

    def mentions(self) -> list[Mention]:
        """The citations of a text that are not addresses."""
        return [mention for items in self._lists for mention in self._of(items)]

    def _of(self, items: Sequence[Item]) -> list[Mention]:
        """A list of numbers as citations: a game and edition named beside one of them apply to all."""
        first, last = items[0], items[-1]
        named = self._games.beside(first) or self._games.beside(last)
        said = date_behind(self._text, closed(self._text, last.end)) or date_before(self._text, first.start)
        when = said.when if said else self._in_sentence(first)
        games = tuple(dict.fromkeys(candidate.game for candidate in named if candidate.game))
        if named and not games:
            return [Mention(item, elsewhere=self._games.name(named[-1]), when=when) for item in items]
        document, words = document_before(self._text, first.start)
        own = _own_game(words) if document else ()
        return [Mention(item, games or own or self._around(item), document=document, when=when) for item in items]

    def _around(self, item: Item) -> tuple[str, ...]:
        """The possible games of a citation: named in its sentence, by the caller, in its paragraph, in the text."""
        there = self._held.get(item.wanted, frozenset())
        sentence, *wider = (self._games.around(item, scope) for scope in range(3))
        if self._game:
            elsewhere = self._game not in sentence and there.intersection(sentence)
            return sentence if elsewhere else (self._game,)
        return next((games for games in (sentence, *wider) if games), ())

    def _in_sentence(self, item: Item) -> str | None:
        """The edition of a sentence: the nearest one before the citation, else the first after it."""
        near = self._dated.get(self._ends.part(item.start), [])
        before = [quotation for quotation in near[-_MAX:] if quotation.end <= item.start]
        behind = [quotation for quotation in near[:_MAX] if quotation.start >= item.end]
        chosen = before[-1:] or behind[:1]
        return chosen[0].when if chosen else None


def _own_game(words: str) -> tuple[str, ...]:
    """The game whose document has this abbreviation; `IPG` is Magic's."""
    name = words[:3].lower()
    return tuple(book.game for book in catalogue().books.values() if book.document != RULES and book.slug == name)


_MAX = 50
"""Maximum number of dates examined in one sentence."""


_URL = re.compile(r"https?://[^\s<>\"'()\[\]{}「」『』“”、。，；）】]+")
_OTHER = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}|www\.[^\s<>]+")
_SHORT = re.compile(
    r"(?<![\w/:.\-])([a-z][a-z0-9-]{1,15})(?:/([a-z0-9][a-z0-9.-]{0,30}))?:(?:([a-z0-9][a-z0-9.-]{0,30}):)?"
    r"(\d[\da-zA-Z.\-]{0,24}(?:~[\d.]{1,12})?|第[\d〇零一二三四五六七八九十百部編编篇章節节款条條項项の第]{2,40}"
    r"|glossary/[\w-]{1,60}|[a-z][a-z-]{0,30}/\d[\d.]{0,12}(?:~[\d.]{1,12})?)",
)
_TRAILING = ".,;:!?…"


def addresses(text: str, games: Collection[str]) -> tuple[list[Mention], list[Span]]:
    """The addresses of rules in a text, and the spans to skip afterwards: addresses, links, mail."""
    mentions: list[Mention] = []
    spans = [Span(*other.span()) for other in _OTHER.finditer(text)]
    for link in _URL.finditer(text):
        spans.append(Span(*link.span()))
        mentions.extend(_linked(link.start(), link[0].rstrip(_TRAILING), games))
    for short in _SHORT.finditer(text):
        if mention := _short(short, games):
            spans.append(Span(mention.item.start, mention.item.end))
            mentions.append(mention)
    return mentions, spans


def _linked(start: int, url: str, games: Collection[str]) -> Iterator[Mention]:
    path = path_on_any_host(url)
    if len(path) >= 5 and path[0] == "id" and (path[1] in games or game_named(path[1])):
        locator, edition = "/".join(path[4:]).lower(), path[3]
        item = Item(start, start + len(url), locator)
        yield Mention(item, (path[1],), book=path[2], edition=None if edition == "latest" else edition)


def _short(match: re.Match[str], games: Collection[str]) -> Mention | None:
    name, book, edition, locator = match.groups()
    game = name if name in games else game_named(name)
    if not game:
        return None
    locator = locator.rstrip(_TRAILING + "-")
    item = Item(match.start(), match.start(4) + len(locator), folded_number(locator))
    return Mention(item, (game,), book=book, edition=None if edition == "latest" else edition)
