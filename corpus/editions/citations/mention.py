"""Citations as printed in a text."""

from dataclasses import dataclass

from corpus.model import Span


@dataclass(frozen=True, slots=True)
class Item:
    """A rule's number in a text; `through` is the last number of a range."""

    start: int
    end: int
    wanted: str
    through: str | None = None


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words between quotation marks, in a block quote or after `says:`: `span` with its marks, `start` and `end` of the words."""

    span: Span
    start: int
    end: int
    marks: str = ""  # the enclosing ones; ">" for a block quote, "" for none, " " if only a space precedes the words


@dataclass(frozen=True, slots=True)
class Mention:
    """A citation: its span, the cited number, and the game, book, edition and quoted words in the text.

    `games` are the possible games, empty if the text names none; `elsewhere` is an unknown game.
    """

    item: Item
    games: tuple[str, ...] = ()
    elsewhere: str = ""
    book: str | None = None
    document: str = ""  # tournament or penalties, if the text names such a document
    edition: str | None = None  # written as an address
    when: str | None = None  # an ISO date, complete or partial
    quotations: tuple[Quotation, ...] = ()
