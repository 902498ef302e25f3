"""For translators: which rule of one text is which of another, and what a translation lost."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulestone.library.opened import Opened, PathName

if TYPE_CHECKING:
    from corpus import contract


class Translating(Opened):
    """Comparing texts across languages."""

    def align(self, old: str, new: str, *, limit: int | None = None, offset: int = 0) -> "contract.Alignment":
        """Two loaded texts rule by rule, whatever their languages and numbers: links with confidence, and what has no partner.

        A text is `GAME[/BOOK][/EDITION][:LANG]`, e.g. `fow/cr/undated:ja`; the newest edition, and its one language, where these
        are left out. What a person has checked before (`apply_alignment`) stands in place of what is worked out. Raises
        InputError, NotFoundError.
        """
        from ontology.translation.alignments import alignments
        from rulestone.answers.translation.alignment import alignment

        bundle = self._bundle()
        return alignment(bundle.searcher, old, new, alignments(self._home), offset, limit)

    def alignment_table(self, body: "contract.Alignment") -> str:
        """An alignment as a tab-separated table, to check in a spreadsheet and to give to `apply_alignment`."""
        from rulestone.answers.translation.alignment import table

        return table(body)

    def drift(
        self,
        book: str,
        source: str,
        target: str,
        *,
        translation: str | None = None,
        kinds: Sequence[str] = (),
        lang: str | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> "contract.Drift":
        """What a translation lost or says otherwise than its original, what would change a ruling first.

        `book` is `GAME[/BOOK][/EDITION]`, the original's edition; `source` and `target` are languages. `translation` names the
        edition that was translated where that is another one: without it the same, else the newest in that language. `kinds`
        limits the findings. What is said is said in `lang`. Raises InputError, NotFoundError.
        """
        from ontology.translation.alignments import alignments
        from rulestone.answers.translation.drift import Asked, drifted

        answer, _ = self._languages(lang)
        bundle = self._bundle()
        asked = Asked(book, source, target, translation, tuple(kinds))
        return drifted(bundle.searcher, asked, alignments(self._home), answer, offset, limit)

    def source_text(self, source: "contract.Source") -> str | None:
        """The words of the file that a rule came from, as its offsets count them; None where the home does not keep the file."""
        from rulestone.writing.sources import Sources

        return Sources(self._home).text(source["sha256"])

    def apply_alignment(self, path: PathName) -> "contract.AppliedAlignment":
        """Takes a checked table into the knowledge base: rows marked `yes` count, rows marked `no` are never proposed again.

        Two editions of a book are joined by a thread, two books by counterparts. It stays through every later build; another
        table of the same editions takes its place. Raises InputError for what is no such table.
        """
        from rulestone.answers.translation.alignment import applied
        from rulestone.writing import alignments

        self.ensure()
        done = alignments.apply(self._home, alignments.read(Path(path)))
        self._live.look_again()
        return applied(done)
