"""Cards: files of them, and each by its name."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened, PathName

if TYPE_CHECKING:
    from corpus import contract


class Cards(Opened):
    """What judges name in their questions."""

    def cards(self, name: str, *, game: str | None = None, lang: str | None = None) -> "contract.Cards":
        """The cards that bear a name in any language, of one game if that is given. Raises NotFoundError."""
        from rulestone.answers.cards import cards, slug

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return cards(bundle.knowledge, bundle.cards, name, answer, slug(bundle.knowledge, game))

    def add_cards(self, path: PathName, *, game: str | None = None) -> "contract.CardsAdded":
        """Adds a file of cards: MTGJSON AtomicCards, Scryfall's bulk files, YGOJSON, YAML Yugi, or a table.

        `game` is the game they belong to, where the file does not say. They stay in the home through every `build`, until `remove`
        takes the file away. Raises InputError for a file that holds none, or a record of it that cannot be read: then nothing
        has changed.
        """
        from rulestone.answers.cards import added, slug
        from rulestone.writing.cards import add_cards

        self.ensure()
        entry, new = add_cards(self._home, Path(path), slug(self._bundle().knowledge, game))
        self._live.look_again()
        shelf = self._bundle().cards
        return added(entry, os.fspath(path), shelf.count() if shelf else 0, new=new)
