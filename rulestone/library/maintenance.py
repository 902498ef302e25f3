"""Changes the knowledge base: adds and removes books and rulings, makes embeddings, checks and repairs files."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corpus.errors import InputError
from corpus.memory import without_gc
from corpus.messages import message
from corpus.model import Authority
from corpus.reference import games_in_title, slug_of_game
from corpus.store.home.disk import os_faults
from corpus.store.home.manifest import CardsEntry, JudgementsEntry
from rulestone.games import own_names, shipped_name
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase, PathName
from rulestone.library.cards import card_file
from rulestone.library.rulings import judgement_file
from rulestone.progress import Progress, no_progress

if TYPE_CHECKING:
    from corpus import contract
    from corpus.contract.library import OutlineLine
    from corpus.model import Reading
    from ingest.rulings.gather import Counts
    from rulestone.writing.add import Added
    from rulestone.writing.admission import GivenFile
    from rulestone.writing.rulings.update import RulingOptions


_PARAGRAPHS, _EXCERPT = 10, 80
"""Number of paragraphs shown of a text without headings, and of characters in each line of an outline."""


class EncodingResult(NamedTuple):
    """The number of new sentence embeddings, and of all."""

    made: int
    total: int


class MaintenanceMixin(LibraryBase):
    """Adds to the knowledge base, removes from it, and checks and repairs it."""

    def add(
        self,
        paths: PathName | Iterable[PathName],
        *,
        game: str | None = None,
        book: str | None = None,
        edition: str | None = None,
        lang: str | None = None,
        authority: str | None = None,
        title: str | None = None,
        alias: str | None = None,
        structure: str | None = None,
        source: str | None = None,
        fields: "str | Mapping[str, str] | None" = None,
        replace: bool = False,
        keep_going: bool = False,
        later: bool = False,
        dry_run: bool = False,
        progress: Progress = no_progress,
    ) -> "contract.Added":
        """Adds rulebooks or rulings, files or folders of them: all or none, or with `keep_going` those that can be added.

        The kind of file is recognised; `game`, `book`, `edition`, `lang` and `authority` override it, and `structure`, a grammar of
        the catalogue, overrides how the text is read. `title` is the game's name, `alias` its other names, separated by commas.
        `replace` allows a file to replace an edition with other words. With `dry_run` nothing is saved, and each file has its
        `outline`. Search finds them by words and static vectors immediately; sentence embeddings follow, unless `later` (`index`).
        A finished translation (XLIFF, `bitext` with `todo`) becomes the translation of its source's edition; it is refused if there
        are findings; with `keep_going`, they are notes. Rulings need `game`; `source` names their author, and `fields`
        (`question=q,answer=a`) the fields of a record if they are not recognised. Raises InputError for a file that is neither, or
        contradicts what is loaded.
        """
        with without_gc():  # collecting takes a sixth of the time of these imports
            from ingest.recognise import Hints
            from rulestone.writing.add import AddOptions, add
            from rulestone.writing.restore import restore_copies

        if authority is not None and authority not in list(Authority):
            raise InputError("authority {given!r}: expected {known}", given=authority[:40], known=", ".join(Authority))
        language, rank = language_option(lang, "lang"), Authority(authority) if authority else None
        hints = Hints(game and slug_of_game(game), book, edition, language, rank, title, alias, structure)
        files = [Path(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
        if not dry_run:
            restore_copies(self._home, files)
        if self._home.current_folder() is not None or self._home.given():
            self.ensure_built()
        options = AddOptions(replace, keep_going, dry_run, linked=later, rulings=_ruling_hints(source, fields))

        def finish(path: Path) -> "GivenFile":
            from ontology.translation.glossary import forbidden_names
            from rulestone.library.finished import finished_text

            bundle = self._bundle()
            return finished_text(bundle.knowledge, path, forbidden_names(bundle.path), keep_going=keep_going)

        results = add(self._home, files, hints, options, finish=finish, progress=progress)
        if dry_run:
            return {"added": [_file_result(file, self.lang, outline=True) for file in results]}
        self._current.expire()
        if not later:
            self._encode(progress)
            self._propose_grounds(progress, later=False)
        return {"added": [_file_result(file, self.lang) for file in results]}

    def title_of(self, game: str) -> str | None:
        """The name of a game, from the catalogue, its books or the user; None without any."""
        return self.game_titles().get(game) or shipped_name(game)

    def game_titles(self) -> dict[str, str]:
        """Loaded game → its name, where the user gave one, or its books and not the catalogue do."""
        if self._home.current_folder() is None:
            return {}
        return own_names(self._bundle().knowledge.manifest)

    def remove(self, what: PathName, *, lang: str | None = None, progress: Progress = no_progress) -> "contract.Removed":
        """Removes an edition (`mtg:2024-06-07`, `mtg/cr/2024-06-07`, an address) or an added file, of cards too, by name or path.

        `lang` removes one language only. The rest is as if it had never been added. Raises NotFoundError if it was not added,
        InputError if it is ambiguous.
        """
        from rulestone.writing.cards import remove_cards
        from rulestone.writing.remove import remove
        from rulestone.writing.restore import give_up
        from rulestone.writing.rulings.judgements import remove_judgements
        from rulestone.writing.verdicts import remove_verdicts

        name = os.fspath(what)
        given_up = give_up(self._home, name) if self.must_be_built() and not lang else []
        self.ensure_built()
        if given_up:
            return {"removed": [_removed_body(entry.name, reading) for entry in given_up for reading in entry.readings]}
        if not lang and (verdicts := remove_verdicts(self._home, name)):
            self._current.expire()
            return {"removed": [], "verdicts": {"file": verdicts[0].file, "verdicts": len(verdicts)}}
        entry = None if lang else remove_cards(self._home, name) or remove_judgements(self._home, name)
        readings = [] if entry else remove(self._home, name, language_option(lang, "lang"), progress)
        self._current.expire()
        self._propose_grounds(progress, later=False)
        removed_readings: list[contract.RemovedReading] = [
            {
                "file": reading.file,
                "game": reading.key.game,
                "book": reading.key.book,
                "edition": reading.key.edition,
                "lang": reading.lang,
            }
            for reading in readings
        ]
        if isinstance(entry, CardsEntry):
            return {"removed": removed_readings, "cards": card_file(entry, "removed")}
        if isinstance(entry, JudgementsEntry):
            return {"removed": removed_readings, "judgements": judgement_file(entry, "removed")}
        return {"removed": removed_readings}

    def index(self, progress: Progress = no_progress) -> EncodingResult:
        """Makes the sentence embeddings of every text and gloss that has none: search then finds rules by meaning.

        An interrupted run continues where it stopped. Raises EnvironmentFault if the pretrained encoder is not installed, or a
        setting names another model.
        """
        from rulestone.writing.embeddings.embed import embed_home

        self.ensure_built()
        encoded, total = embed_home(self._home, progress)
        self._current.expire()
        self._propose_grounds(progress, later=False)
        return EncodingResult(encoded, total)

    def missing_search_parts(self) -> str | None:
        """The missing parts of search and the remedy, in one line; None if nothing is missing."""
        from rulestone.writing.embeddings.vectors import missing_vectors

        with self._home.reading_current() as bundle:
            reason = missing_vectors(bundle)
        return reason.in_language(self.lang) if reason else None

    def push_index(self) -> int:
        """Writes the current bundle's search index to Milvus; returns the number of passages.

        The index of the previous bundle stays for running servers; older ones are deleted. Raises InputError if RULESTONE_INDEX
        names no Milvus server, NotFoundError without a bundle, EnvironmentFault if Milvus fails.
        """
        from contextlib import closing

        from corpus.store.home import checksums
        from ontology.knowledge import Knowledge
        from search.index.milvus.collections import Collections
        from search.index.milvus.push import push_index
        from search.searcher import Searcher

        with self._home.reading_current() as bundle, closing(Collections.from_environment()) as collections:
            checksums.check_opening(bundle)
            searcher = Searcher(bundle, Knowledge.open(bundle))
            for index in searcher.indexes:
                checksums.check_folder(bundle, index.folder.name)
            return push_index(collections, checksums.seal_hash(bundle), searcher.indexes)

    def doctor(self, *, mend: bool = False, progress: Progress = no_progress) -> "contract.Diagnosis":
        """Problems of the home folder: damaged or missing files, remains of a killed writer, a nearly full disk.

        `mend` repairs problems by a rebuild from the stored files and reports the remaining ones. Raises EnvironmentFault if the
        home cannot be read, or for `mend` if it is locked or the disk fails.
        """
        from rulestone.writing import doctor

        with os_faults(message("read the knowledge base in {folder}", folder=self.path)):
            faults = doctor.repair(self._home, lambda: self.build(progress)) if mend else doctor.find_problems(self._home)
        self._current.expire()
        complaints: list[contract.Complaint] = [
            {"message": complaint.what.in_language(self.lang), "mendable": complaint.mendable} for complaint in faults
        ]
        return {"home": str(self.path), "sound": not complaints, "complaints": complaints}


def _removed_body(file: str, reading: str) -> "contract.RemovedReading":
    """A removed reading (`game/book/edition lang`), or a removed source of rulings."""
    edition, _, lang = reading.partition(" ")
    game, book, name = edition.split("/", 2)
    return {"file": file, "game": game, "book": book, "edition": name, "lang": lang}


def _ruling_hints(source: str | None, fields: str | Mapping[str, str] | None) -> "RulingOptions":
    """The user's options for files of rulings; `fields` is `question=q,answer=a`, or the same as a mapping. Raises InputError."""
    from ingest.rulings.vocabulary import FIELD_ROLES
    from rulestone.writing.rulings.update import RulingOptions

    if not isinstance(fields, str):
        return RulingOptions(source, dict(fields or {}))
    pairs = [pair.partition("=") for pair in fields.split(",") if pair.strip()]
    field_of_role = {role.strip(): name.strip() for role, _, name in pairs}
    if (
        not pairs
        or any(role not in FIELD_ROLES or not name for role, name in field_of_role.items())
        or "answer" not in field_of_role
    ):
        raise InputError(
            "--map {given!r}: expected role=field, separated by commas, with an answer among them; roles are {roles}",
            given=fields[:80],
            roles=", ".join(FIELD_ROLES),
        )
    return RulingOptions(source, field_of_role)


def _file_result(result: "Added", lang: str, *, outline: bool = False) -> "contract.FileResult":
    """The result for one file; errors are in `lang`. With `outline`, its headings, or its first paragraphs if it has none."""
    reasons = result.rulings.file.why if result.rulings else result.readings[0].why if result.readings else ()
    body: contract.FileResult = {
        "file": result.file,
        "status": result.status,
        "readings": [_recognised_body(reading) for reading in result.readings],
        "rulings": [_ruling_file_body(result, game, source, counts) for (game, source), counts in result.counts.items()],
        "why": [reason.in_language(lang) for reason in reasons],
        "notes": [note.in_language(lang) for note in (result.readings[0].notes if result.readings else ())],
        "error": result.error.in_language(lang) if result.error else None,
    }
    if outline:
        body["title"] = next((name for reading in result.readings if (name := games_in_title(reading.title))), None)
        body["outline"] = [line for reading in result.readings for line in _outline_body(reading)]
    return body


def _outline_body(reading: "Reading") -> "list[OutlineLine]":
    headings = [node for node in reading.nodes if node.kind.is_heading] or list(reading.nodes[:_PARAGRAPHS])
    return [{"locator": node.locator, "kind": node.kind.value, "text": " ".join(node.text.split())[:_EXCERPT]} for node in headings]


def _recognised_body(reading: "Reading") -> "contract.Recognised":
    return {
        "game": reading.key.game,
        "book": reading.key.book,
        "edition": reading.key.edition,
        "lang": reading.lang,
        "authority": reading.authority.value,
        "grammar": reading.grammar,
        "rules": len(reading.nodes),
    }


def _ruling_file_body(result: "Added", game: str, source: str, counts: "Counts") -> "contract.RulingFile":
    """The result for the rulings of one source in a file."""
    assert result.rulings is not None
    file = result.rulings.file
    rulings = [ruling for ruling in file.rulings if (ruling.game, ruling.source) == (game, source)]
    return {
        "game": game,
        "source": source,
        "langs": sorted({lang for ruling in rulings for lang in ruling.answer}),
        "records": file.records,
        "rulings": len(rulings),
        "new": counts.new,
        "same": counts.same,
        "revised": counts.revised,
        "withdrawn": counts.withdrawn,
    }
