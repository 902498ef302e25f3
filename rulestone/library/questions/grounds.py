"""What rulings rest on: proposals that wait for a curator, and what curators say."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import InputError
from rulestone.library.opened import Opened, PathName

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.writing.draft.bundle import Progress


class Grounds(Opened):
    """Curating what rulings rest on."""

    def grounds(self, *, below: float | None = None, game: str | None = None) -> "contract.WeakGrounds":
        """The rulings that rest on nothing sure, each with the rules that are proposed for it, the least sure first.

        `below` is the probability below which the best proposal is not sure, 0.5 without it.
        """
        from corpus.editions.rulings.grounds import SURE
        from rulestone.answers.grounds import waiting

        sure = SURE if below is None else below
        if not 0 <= sure <= 1:
            raise InputError("below {given}: expected a probability from 0 to 1", given=sure)
        return waiting(self._bundle().knowledge, sure, game)

    def judge(self, path: PathName, *, progress: "Progress | None" = None) -> "contract.JudgementsAdded":
        """Adds a curator's file: a table with the columns ruling, rule, verdict (yes or no) and who, separated by tabs.

        It overrules what is proposed and cited, and survives `build`, until `remove` takes the file away. Raises InputError for a
        row that cannot be used: then nothing has changed.
        """
        from rulestone.answers.grounds import file
        from rulestone.writing.draft.bundle import silent
        from rulestone.writing.rulings.judgements import add_judgements

        self.ensure()
        entry, new = add_judgements(self._home, Path(path))
        self._live.look_again()
        self._ground(progress or silent, later=True)
        return {"added": file(entry, "added" if new else "known", os.fspath(path))}
