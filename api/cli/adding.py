"""What became of the files given to `rulestone add`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from api.cli.progress import progress
from corpus.errors import InputError
from corpus.model import Authority, Reading
from ingest.recognise.edition import Hints
from ontology.store.home import Home
from ontology.store.manifest import read_manifest
from rulestone import building as bundle
from rulestone.building import Added

DOT = " · "


def add(home: Home, paths: Sequence[Path], hints: Hints, *, replace: bool, keep_going: bool) -> list[Added]:
    """Adds files under a progress bar. Raises as `rulestone.building.add` does."""
    with progress() as report:
        return bundle.add(home, paths, hints, replace=replace, keep_going=keep_going, progress=report)


def authority_of(name: str | None) -> Authority | None:
    """The authority named by --authority. Raises InputError for another name."""
    if name is None or name in list(Authority):
        return Authority(name) if name else None
    raise InputError(f"--authority {name[:40]!r}: expected {', '.join(Authority)}")


def body(added: list[Added]) -> dict[str, Any]:
    """The `--json` body: `{"added": [{"file", "status", "readings", "why", "error"}]}`."""
    return {"added": [_file(one) for one in added]}


def _file(one: Added) -> dict[str, Any]:
    return {
        "file": one.file,
        "status": one.status,
        "readings": [_reading(reading) for reading in one.readings],
        "why": _why(one),
        "error": str(one.error) if one.error else None,
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {
        "game": reading.key.game,
        "book": reading.key.book,
        "edition": reading.key.edition,
        "lang": reading.lang,
        "authority": reading.authority.value,
        "grammar": reading.grammar,
        "rules": len(reading.nodes),
    }


def _why(one: Added) -> list[str]:
    return [str(reason) for reason in one.readings[0].why] if one.readings else []


def lines(one: Added, *, verbose: bool) -> Iterator[str]:
    """One line a file that was taken; with `verbose` also how it was recognised."""
    found = [_recognised(reading) for reading in one.readings] or ["nothing new in it"]
    known = " (known already)" if one.status == "known" else ""
    yield f"{one.file}: {'; '.join(found)}{known}"
    yield from (f"  {reason}" for reason in _why(one) if verbose)


def to_learn(home: Home, added: Sequence[Added]) -> Iterator[str]:
    """A line for each edition that now stands in several languages: search learns from them in `build`, which takes longer."""
    bundle_folder = home.current()
    if bundle_folder is not None:
        editions = read_manifest(bundle_folder).editions
        for key in sorted({reading.key for one in added for reading in one.readings}, key=str):
            if key in editions and len(editions[key].languages) > 1:
                langs = " and ".join(sorted(editions[key].languages))
                yield f"{key} is loaded in {langs}: rulestone build lets search learn from them"


def _recognised(reading: Reading) -> str:
    rules = f"{len(reading.nodes)} rules"
    return DOT.join((str(reading.key), reading.lang, reading.authority, reading.grammar, rules))
