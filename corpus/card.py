"""A card of a game: what it is called in each language, and what it says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Card:
    """A card, whatever its printings. Its names in a language are its own first, then those of its faces and readings."""

    game: str
    id: str
    names: Mapping[str, Sequence[str]]  # BCP 47 tag → names
    texts: Mapping[str, str] = field(default_factory=dict)  # BCP 47 tag → what it says; of several faces a line each
