"""What changes the knowledge base: files are added and removed, embeddings made."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.messages import message
from rulestone.library.opened import Opened, PathName

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.writing.draft.bundle import Progress


class Writing(Opened):
    """Adding to the library, and taking away."""

    def add(
        self,
        paths: PathName | Iterable[PathName],
        *,
        game: str | None = None,
        book: str | None = None,
        edition: str | None = None,
        lang: str | None = None,
        authority: str | None = None,
        source: str | None = None,
        fields: "str | Mapping[str, str] | None" = None,
        replace: bool = False,
        keep_going: bool = False,
        later: bool = False,
        progress: "Progress | None" = None,
    ) -> "contract.Added":
        """Adds rulebooks or rulings, files or folders of them: all or none, or with `keep_going` what can be added.

        The kind of file is recognised; `game`, `book`, `edition`, `lang` and `authority` overrule that. `replace` lets a file
        take the place of an edition with other words. They are searched by words and static vectors at once; then their
        sentence embeddings are made, unless `later` (`index`). For rulings `game` is required; `source` names who answers, and
        `fields` (`question=q,answer=a`) which field of a record is what, where the values do not tell. Raises InputError
        for a file that is neither, or contradicts what is loaded.
        """
        from rulestone.answers import added
        from rulestone.writing.add import add
        from rulestone.writing.draft.bundle import silent

        given = [paths] if isinstance(paths, str | os.PathLike) else paths
        hints = added.hints(game, book, edition, lang, authority)
        files = [Path(path) for path in given]
        if self._home.current() is not None:
            self.ensure()
        ruled = added.ruled(source, fields)
        results = add(self._home, files, hints, replace=replace, keep_going=keep_going, ruled=ruled, progress=progress or silent)
        self._live.look_again()
        if not later:
            self._encode(progress or silent)
        self._ground(progress or silent, later=later)
        return added.body(results, self.lang)

    def remove(self, what: PathName, *, lang: str | None = None, progress: "Progress | None" = None) -> "contract.Removed":
        """Removes an edition (`mtg:2024-06-07`, `mtg/cr/2024-06-07`, an address) or an added file, of cards too, by name or path.

        `lang` removes one language alone. What stays is as if it had never been added. Raises NotFoundError for what was not
        added, InputError for what may mean several.
        """
        from rulestone.answers import added
        from rulestone.languages import language_option
        from rulestone.writing.cards import remove_cards
        from rulestone.writing.draft.bundle import silent
        from rulestone.writing.remove import remove
        from rulestone.writing.rulings.judgements import remove_judgements

        self.ensure()
        cards = None if lang else remove_cards(self._home, os.fspath(what))
        beside = cards or (None if lang else remove_judgements(self._home, os.fspath(what)))
        removed = remove(self._home, os.fspath(what), language_option(lang, "lang"), progress or silent) if not beside else []
        self._live.look_again()
        self._ground(progress or silent, later=True)
        return added.removed(removed, beside)

    def index(self, progress: "Progress | None" = None) -> tuple[int, int]:
        """Makes the sentence embeddings of every text and gloss that has none yet: search then goes by the meaning of a question.

        Gives how many were made, and how many there are. What is broken off goes on where it stopped. Raises EnvironmentFault
        where the pretrained encoder is not installed, or a setting names another model.
        """
        from rulestone.writing.draft.bundle import silent
        from rulestone.writing.embeddings.embed import embed

        self.ensure()
        made = embed(self._home, progress or silent)
        self._live.look_again()
        self._ground(progress or silent, later=False)
        return made

    def push(self) -> int:
        """Writes the current bundle's search index to Milvus; gives how many passages that are.

        What is there of the bundle before stays, so that servers go on answering from it; older ones go. Raises InputError where
        RULESTONE_INDEX names no Milvus, NotFoundError without a bundle, EnvironmentFault where Milvus refuses.
        """
        from contextlib import closing

        from corpus.store.home import checksums
        from ontology.knowledge import Knowledge
        from search.index.milvus.collections import Collections
        from search.index.milvus.push import push
        from search.searcher import Searcher

        with self._home.reading() as bundle, closing(Collections.named()) as collections:
            checksums.check_opening(bundle)
            searcher = Searcher(bundle, Knowledge.open(bundle))
            for index in searcher.indexes:
                checksums.check_folder(bundle, index.folder.name)
            return push(collections, checksums.sealed_with(bundle), searcher.indexes)

    def doctor(self, *, mend: bool = False, progress: "Progress | None" = None) -> "contract.Diagnosis":
        """What is wrong with the home folder: damaged or missing files, what a stopped writer left, a disk that is nearly full.

        `mend` builds anew from the kept files what can be; what is left is told. Raises EnvironmentFault where the home cannot
        be read, or, to mend, where it is locked or the disk refuses.
        """
        from corpus.store.home.disk import os_faults
        from rulestone.writing import doctor
        from rulestone.writing.draft.bundle import silent

        with os_faults(message("read the knowledge base in {folder}", folder=self.path)):
            faults = doctor.mend(self._home, progress or silent) if mend else doctor.examine(self._home)
        self._live.look_again()
        complaints: list[contract.Complaint] = [
            {"message": complaint.what.said(self.lang), "mendable": complaint.mendable} for complaint in faults
        ]
        return {"home": str(self.path), "sound": not complaints, "complaints": complaints}

    def lacking(self) -> str | None:
        """What search has to do without and what to do about it, in one line; None where nothing is missing."""
        from rulestone.writing.embeddings.vectors import lacking

        with self._home.reading() as bundle:
            reason = lacking(bundle)
        return reason.said(self.lang) if reason else None
