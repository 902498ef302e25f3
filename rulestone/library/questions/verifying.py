"""Texts that cite rules."""

from typing import TYPE_CHECKING

from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract


class Verifying(Opened):
    """Checking what others write."""

    def verify(
        self,
        text: str,
        *,
        game: str | None = None,
        as_of: str | None = None,
        lang: str | None = None,
        limited: bool = False,
        strict: bool = False,
    ) -> "contract.Verify":
        """Every citation of a text, with its status: whether the rule exists, still stands there, and has the words quoted.

        `game` is what citations are of where the text names no game beside them; `as_of` the edition (`2022-06-10`, `2022`, a
        slug) that they are from where it names none. Notes are told in `lang`. `limited` refuses more than 64 KiB or 200
        citations, as the HTTP API does. `strict` gives `gate` too: the verdict, and the text with what is not proven marked and
        without it. Raises InputError.
        """
        from rulestone.answers.verify import verify

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        return verify(bundle.knowledge, text, game, as_of, answer, limited=limited, strict=strict)
