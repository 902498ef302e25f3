"""Cards as they are answered, and what became of files of them."""

from typing import Annotated

from typing_extensions import TypedDict

from corpus.contract.schema import Schema
from corpus.contract.words import Count, Iri, Lang, Slug, Some, Words


class CardConcept(TypedDict):
    """A concept that a card's text speaks of, what it is called, and the rules that define it."""

    concept: Iri
    label: Words
    defined_by: list[Iri]


class Card(TypedDict):
    """A card: its names in each language, its own first, and what it says; `concepts` are what its text speaks of."""

    game: Slug
    id: Words
    names: Annotated[dict[str, list[Words]], Schema(keys=Lang)]
    texts: Annotated[dict[str, Words], Schema(keys=Lang)]
    concepts: list[CardConcept]


class Cards(TypedDict):
    """The cards that bear a name in any language."""

    name: Words
    lang: Lang
    cards: list[Card]


class CardFile(TypedDict):
    """A file of cards: how many there are in it, of which games and in which languages they are named."""

    file: str
    status: Annotated[str, Schema(name="card_file_status", enum=("added", "known", "removed"))]
    cards: Some
    games: list[Slug]
    langs: list[Lang]


class CardsAdded(TypedDict):
    """What became of a file of cards; `total` is how many cards there are now."""

    added: CardFile
    total: Count
