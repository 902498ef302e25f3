"""What a browser keeps for use offline."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from rulestone.packs.pack import Part


class Packs(Opened):
    """Packs: a game and a language at a time."""

    def packs(self) -> "Sequence[Part]":
        """The packs there are, each with its game and language; None where it serves all of them."""
        bundle = self._bundle()
        return bundle.packs.parts

    def pack(self, name: str) -> bytes:
        """A pack as JSON, for the scripts of the pages (docs/page.md). Raises NotFoundError where no pack has that name."""
        bundle = self._bundle()
        return bundle.packs.pack(name)
