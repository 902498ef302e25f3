"""Games by name, in the language that is spoken."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import catalogue
from corpus.languages import choose


@dataclass(frozen=True, slots=True)
class GameNames:
    """Some games, to be named in a sentence of any language."""

    games: Sequence[str]

    def said(self, lang: str) -> str:
        """Their names in a language, the first as it comes; a game that the catalogue lacks by its slug."""
        return (", " if lang == "en" else "、").join(_name(game, lang) for game in self.games)


def _name(game: str, lang: str) -> str:
    known = catalogue().games.get(game)
    names = known.names if known else {}
    return names[spoken] if (spoken := choose(lang, names)) else game
