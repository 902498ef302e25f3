"""What has changed since a mark: of every line of the export its digests through the bundles of a home.

A mark names the lines of the export, not the bundle: homes that hold the same have the same mark, and so have copies of a home.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from corpus.database import opened
from corpus.errors import EnvironmentFault, InputError, NotFoundError

FOLDER, FILE = "journal", "journal.sqlite"
NOTHING = "0"
"""The mark of an empty copy."""
KEPT = 256
"""Marks that are remembered; what changed before the oldest of them is forgotten."""
_TABLES = """
CREATE TABLE IF NOT EXISTS mark (place INTEGER PRIMARY KEY, mark TEXT NOT NULL, written TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS about (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS line (id INTEGER NOT NULL, place INTEGER NOT NULL, digest BLOB, PRIMARY KEY (id, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS game (game TEXT PRIMARY KEY, made_of TEXT NOT NULL) WITHOUT ROWID;
"""
_FORGET = """
DELETE FROM mark WHERE place < :oldest;
DELETE FROM line WHERE place < :oldest AND EXISTS
 (SELECT 1 FROM line AS l WHERE l.id = line.id AND l.place > line.place AND l.place <= :oldest);
DELETE FROM line WHERE place <= :oldest AND digest IS NULL;
DELETE FROM about WHERE id NOT IN (SELECT id FROM line);
"""
_OLDER = """
ALTER TABLE line RENAME TO older;
%s
INSERT INTO about (path) SELECT DISTINCT path FROM older;
INSERT INTO line SELECT id, place, digest FROM older JOIN about USING (path);
DROP TABLE older;
"""
"""What brings a journal up to date that has the whole path in each row."""
_THEN = "(SELECT digest FROM line WHERE id = touched.id AND place <= ? ORDER BY place DESC LIMIT 1)"
_NOW = "(SELECT digest FROM line WHERE id = touched.id ORDER BY place DESC LIMIT 1)"
_TOUCHED = f"""
SELECT path, {_THEN}, {_NOW} FROM (SELECT DISTINCT id FROM line WHERE place > ?) AS touched JOIN about USING (id) ORDER BY path"""
_MARK, _DAY = re.compile(r"[0-9a-f]{16}"), re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_WRITING = timedelta(hours=1)
"""What a bundle is dated before it is answered from, at the most."""
Digests = Mapping[str, bytes]
"""Path of what a line is about (`mtg/cr/2024-06-07/400.7`) → digest of the line."""


@dataclass(frozen=True, slots=True)
class Since:
    """A point of the past: all lines that were touched after it, or (`exact`) those that are not as they were."""

    place: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of the lines since then, by path."""

    added: frozenset[str]
    changed: frozenset[str]
    removed: tuple[str, ...]


class Journal:
    """The journal of a bundle, opened for reading."""

    def __init__(self, folder: Path) -> None:
        """Raises EnvironmentFault where an older version wrote the bundle."""
        self._file = folder / FOLDER / FILE
        if not self._file.exists():
            raise EnvironmentFault("the knowledge base was built before changes were kept; run: rulestone build")
        with self._reading() as rows:
            self.place, self.mark = rows.execute("SELECT place, mark FROM mark ORDER BY place DESC LIMIT 1").fetchone()

    def since(self, given: str) -> Since:
        """The point that a mark or a day, month or year (UTC) names.

        Raises NotFoundError for a mark that is not known here and for a day before the journal's first, InputError for what is
        neither, or lies ahead.
        """
        if given == NOTHING:
            return Since(0, exact=True)
        if _MARK.fullmatch(given):
            return Since(self._marked(given), exact=True)
        return Since(self._written_before(_begin(given), given), exact=False)

    def difference(self, since: Since) -> Difference:
        """What is not as it was then."""
        with self._reading() as rows:
            touched = rows.execute(_TOUCHED, (since.place, since.place)).fetchall()
        told = [(path, then, now) for path, then, now in touched if then != now or not since.exact]
        return Difference(
            frozenset(path for path, then, now in told if now is not None and then is None),
            frozenset(path for path, then, now in told if now is not None and then is not None),
            tuple(path for path, _, now in told if now is None),
        )

    def _marked(self, mark: str) -> int:
        with self._reading() as rows:
            place: int | None = rows.execute("SELECT MAX(place) FROM mark WHERE mark = ?", (mark,)).fetchone()[0]
        if place is None:
            raise NotFoundError("the mark {mark} is not known here, or no longer; take everything anew, with since=0", mark=mark)
        return place

    def _written_before(self, moment: datetime, given: str) -> int:
        with self._reading() as rows:
            before = (moment - _WRITING).isoformat()
            place: int | None = rows.execute("SELECT MAX(place) FROM mark WHERE written < ?", (before,)).fetchone()[0]
            first: str = rows.execute("SELECT MIN(written) FROM mark").fetchone()[0]
        if place is None:
            raise NotFoundError(
                "what there was before {day} is not known here: changes are kept from {first} on; take everything, with since=0",
                day=given,
                first=first[:16],
            )
        return place

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with closing(opened(self._file)) as store:
            yield store


class Writing:
    """The journal of a draft, which goes on where that of the bundle before ends."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        older = any(row[1] == "path" for row in store.execute("PRAGMA table_info(line)"))
        self._store.executescript(_OLDER % _TABLES if older else _TABLES)
        self._last: int = store.execute("SELECT COALESCE(MAX(place), 0) FROM mark").fetchone()[0]

    def made_of(self) -> dict[str, str]:
        """Of each game what its lines were made of."""
        return dict(self._store.execute("SELECT game, made_of FROM game"))

    def put(self, game: str, made_of: str | None, lines: Digests) -> None:
        """The lines of a game as they are now; without `made_of` it is gone."""
        before = self._now(game)
        self._store.execute("DELETE FROM game WHERE game = ?", (game,))
        if made_of is not None:
            self._store.execute("INSERT INTO game VALUES (?, ?)", (game, made_of))
        new = [(path, digest) for path, digest in lines.items() if before.get(path) != digest]
        gone = [(path, None) for path in before if path not in lines]
        self._store.executemany("INSERT OR IGNORE INTO about (path) VALUES (?)", ((path,) for path, _ in new))
        rows = ((self._last + 1, digest, path) for path, digest in (*new, *gone))
        self._store.executemany("INSERT INTO line SELECT id, ?, ? FROM about WHERE path = ?", rows)

    def end(self, now: datetime) -> None:
        """Sets a mark where a line has changed, or there is none yet; forgets what is too long ago."""
        if self._last and not self._store.execute("SELECT 1 FROM line WHERE place > ?", (self._last,)).fetchone():
            return
        latest: str = self._store.execute("SELECT COALESCE(MAX(written), '') FROM mark").fetchone()[0]
        written = max(now.astimezone(UTC).isoformat(), latest)  # a clock may go back
        self._store.execute("INSERT INTO mark VALUES (?, ?, ?)", (self._last + 1, self._mark(), written))
        oldest = self._last + 2 - KEPT
        for statement in filter(str.strip, _FORGET.split(";")):
            self._store.execute(statement, {"oldest": oldest})

    def _now(self, game: str) -> dict[str, bytes]:
        last = "place = (SELECT MAX(place) FROM line AS l WHERE l.id = line.id) AND digest IS NOT NULL"
        within = (f"{game}/", f"{game}0") if game else ("", "\U0010ffff")
        query = f"SELECT path, digest FROM line JOIN about USING (id) WHERE path >= ? AND path < ? AND {last}"
        return dict(self._store.execute(query, within))

    def _mark(self) -> str:
        mark = blake2b(digest_size=8)
        for path, digest in sorted(self._now("").items()):
            mark.update(path.encode() + b"\n" + digest)
        return mark.hexdigest()


@contextmanager
def writing(folder: Path) -> Iterator[Writing]:
    """The journal in a draft's folder, to go on with; what is written there is a file of its own already."""
    (folder / FOLDER).mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / FOLDER / FILE)) as store:
        store.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")  # a draft that fails is thrown away
        with store:
            yield Writing(store)


def _begin(given: str) -> datetime:
    """The first moment of a day, month or year. Raises InputError for what is none, or lies ahead."""
    match = _DAY.fullmatch(given)
    try:
        year, month, day = (int(number or 1) for number in match.groups()) if match else (0, 0, 0)
        moment = datetime(year, month, day, tzinfo=UTC)
    except ValueError as fault:
        raise InputError(
            "since {given!r}: expected a mark that an export gave, a day like 2026-05-31, a month or a year, or 0 for everything",
            given=given[:40],
        ) from fault
    if moment > datetime.now(UTC):
        raise InputError("since {given} lies ahead; expected a day that has begun (UTC)", given=given)
    return moment
