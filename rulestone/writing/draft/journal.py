"""The last step of every writing: what has changed for those who keep a copy is written down, and the draft is swapped in."""

import json
import shutil
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

from orjson import OPT_APPEND_NEWLINE, dumps

from corpus.address import graph_iri, path_of
from ontology.answers.whole import of_game
from ontology.store.home import Draft, checksums
from ontology.store.home.journal import FILE, FOLDER, Digests, writing
from ontology.store.home.manifest import Manifest, titles_of
from ontology.store.knowledge import Knowledge
from ontology.store.rulings import GROUNDS
from rulestone.writing.draft.made_of import made_of

_DIGEST = 8
"""Bytes of the digest of a line; only digests of one address are compared."""


def commit(draft: Draft, manifest: Manifest, *, anew: bool = False) -> Path:
    """Makes a draft the current bundle, as `Draft.commit` does. `anew`: no line is taken to be as it was."""
    _carry_over(draft)
    _keep(draft.path, manifest, anew=anew)
    return draft.commit(manifest.sources())


def _carry_over(draft: Draft) -> None:
    """The journal of the bundle before, copied: a file that bundles share must not be written to."""
    file = draft.path / FOLDER / FILE
    file.unlink(missing_ok=True)
    if draft.base and (draft.base / FOLDER / FILE).exists() and checksums.is_whole(draft.base, FOLDER):
        file.parent.mkdir(exist_ok=True)
        shutil.copyfile(draft.base / FOLDER / FILE, file)


def _keep(folder: Path, manifest: Manifest, *, anew: bool) -> None:
    now = {game: _made_of(manifest, game) for game in titles_of(manifest)}
    with writing(folder) as journal:
        before = journal.made_of()
        changed = [game for game in now if anew or before.get(game) != now[game]]
        if changed:
            knowledge = Knowledge.open(folder)
            for game in changed:
                journal.put(game, now[game], _digests(knowledge, game))
        for game in before.keys() - now.keys():
            journal.put(game, None, {})
        journal.end(datetime.now(UTC))


def _digests(knowledge: Knowledge, game: str) -> Digests:
    bodies = ((path_of(str(body["iri"])), dumps(body, option=OPT_APPEND_NEWLINE)) for body in of_game(knowledge, game))
    return {path: blake2b(line, digest_size=_DIGEST).digest() for path, line in bodies}


def _made_of(manifest: Manifest, game: str) -> str:
    """A digest of all that the lines of a game are made of: reading them takes a second for 8,000 rules."""
    editions = [manifest.editions[key]._asdict() for key in sorted(manifest.editions, key=str) if key.game == game]
    pairs = [pair._asdict() for pair in manifest.pairs if pair.game == game]
    rulings = [entry._asdict() for entry in manifest.rulings if entry.game == game]
    grounds = sorted(item for item in manifest.grounds.items() if item[0].startswith(f"{graph_iri(GROUNDS, game)}/"))
    return made_of(json.dumps([editions, pairs, rulings, grounds]))
