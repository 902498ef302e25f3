"""Terms that a person brings: a glossary is compared, and what the person accepts is taken in."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rulestone.languages import language_option
from rulestone.library.opened import Opened, PathName

if TYPE_CHECKING:
    from ontology.translation.curated import Curated
    from ontology.translation.termbase.proposal import Proposal


class Curating(Opened):
    """Taking in labels by way of a file that a person edits."""

    def propose_terms(
        self, path: PathName, *, game: str | None = None, source: str | None = None, target: str | None = None
    ) -> "list[Proposal]":
        """What a glossary (CSV, TSV, TBX, Qt's .ts) would change: one proposal for each of its terms. Nothing is taken.

        `game` is that of its terms; `source` and `target` are the languages of such columns. Raises InputError.
        """
        from rulestone.answers.translation.glossaries import proposed

        languages = language_option(source, "source"), language_option(target, "target")
        bundle = self._bundle()
        return proposed(bundle.knowledge, Path(path), game, languages)

    def proposals_table(self, proposals: "list[Proposal]") -> bytes:
        """Proposals as CSV, to be edited: `take` or `drop` in the first column."""
        from rulestone.writing.curating import written

        return written(proposals)

    def apply_terms(self, path: PathName, *, by: str = "curator") -> "tuple[list[Curated], list[Curated]]":
        """Takes in what an edited file of proposals says; gives what was taken and what was dropped. Later builds keep it.

        Raises InputError with the line that cannot be taken; then nothing is.
        """
        from rulestone.answers.translation.glossaries import text_of
        from rulestone.writing.curating import apply, decided

        self.ensure()
        file = Path(os.fspath(path))
        names = self._bundle().knowledge.names
        taken, dropped = decided(text_of(file), file.name, by, names.labels)
        if taken or dropped:
            apply(self._home, taken, dropped)
            self._live.look_again()
        return taken, dropped

    def curated_terms(self) -> "list[Curated]":
        """Every label that was taken in."""
        from ontology.translation.curated import curated

        return curated(self._home)
