"""What a text cites, as far as the text itself says it."""

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
    """Words between marks, of a block quote or behind `says:`: `span` with its marks, `start` and `end` of the words."""

    span: Span
    start: int
    end: int
    marks: str = ""  # those it stands in; ">" for a block quote, "" for none, " " for none and only a space before it


@dataclass(frozen=True, slots=True)
class Mention:
    """A citation: its place, the number asked for, and what the text says of game, book, edition and words.

    `games` are the games that the text can mean, none where it names none; `elsewhere` is a game that nothing is known of.
    """

    item: Item
    games: tuple[str, ...] = ()
    elsewhere: str = ""
    book: str | None = None
    edition: str | None = None  # as an address has it
    when: str | None = None  # an ISO date, whole or in part
    quotations: tuple[Quotation, ...] = ()
