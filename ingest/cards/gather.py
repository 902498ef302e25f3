"""What several records say of one card, put together: its printings, its faces, its languages."""

from collections.abc import Iterable
from typing import NamedTuple

from corpus.card import Card
from ingest.cards.clean import plain, spoken


class Said(NamedTuple):
    """What one record says of a card in one language."""

    game: str
    id: str
    lang: str
    name: str
    text: str


def gathered(said: Iterable[Said]) -> list[Card]:
    """The cards that some records speak of, in the order in which they come; what is said first of a text stands."""
    cards: dict[tuple[str, str], tuple[dict[str, dict[str, None]], dict[str, dict[str, None]]]] = {}
    for record in said:
        names, texts = cards.setdefault((record.game, record.id), ({}, {}))
        known = names.setdefault(record.lang, {})
        if record.name not in known:
            known.update(dict.fromkeys(spoken(record.name)))
            if text := plain(record.text):
                texts.setdefault(record.lang, {})[text] = None
    return [
        Card(game, ident, _named(names), {lang: "\n".join(lines) for lang, lines in texts.items()})
        for (game, ident), (names, texts) in cards.items()
        if any(names.values())
    ]


def _named(names: dict[str, dict[str, None]]) -> dict[str, tuple[str, ...]]:
    return {lang: tuple(some) for lang, some in names.items() if some}
