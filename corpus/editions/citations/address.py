"""Addresses in a text: `mtg:2022-06-10:701.17`, `mtg/cr:701.17`, IRIs."""

import re
from collections.abc import Collection, Iterator

from corpus.address import path_on_any_host
from corpus.editions.citations.mention import Item, Mention
from corpus.model import Span
from corpus.reference import folded_number, game_named

_URL = re.compile(r"https?://[^\s<>\"'()\[\]{}「」『』“”、。，；）】]+")
_OTHER = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63}|www\.[^\s<>]+")
_SHORT = re.compile(
    r"(?<![\w/:.\-])([a-z][a-z0-9-]{1,15})(?:/([a-z0-9][a-z0-9.-]{0,30}))?:(?:([a-z0-9][a-z0-9.-]{0,30}):)?"
    r"(\d[\da-zA-Z.\-]{0,24}(?:~[\d.]{1,12})?|glossary/[\w-]{1,60}|[a-z][a-z-]{0,30}/\d[\d.]{0,12}(?:~[\d.]{1,12})?)",
)
_TRAILING = ".,;:!?…"


def addresses(text: str, games: Collection[str]) -> tuple[list[Mention], list[Span]]:
    """The addresses of rules in a text, and the stretches in which nothing else is to be looked for: these, links, mail."""
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
