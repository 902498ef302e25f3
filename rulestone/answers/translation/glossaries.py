"""A glossary beside what is known: which of its terms are new, known, or contradict."""

from pathlib import Path

from corpus.address import game_of
from corpus.errors import InputError
from ingest.glossary.read import LARGEST, read
from ontology.knowledge import Knowledge
from ontology.translation.termbase.proposal import Proposal, propose
from rulestone import games
from rulestone.faults import os_faults


def proposed(knowledge: Knowledge, path: Path, game: str | None, languages: tuple[str | None, str | None]) -> list[Proposal]:
    """A proposal for every term of a glossary. Raises InputError where it is none, or nobody knows of which game it is."""
    rows = read(_bytes(path), path.name, languages)
    if game is None and not all(row.concept for row in rows):
        raise InputError("{file} does not say which concepts it means; name its game with --game", file=path.name)
    known = {slug for concept in knowledge.names.labels if (slug := game_of(concept))}
    chosen = games.game_of(game, games.among(known, knowledge.manifest), games.TERMS) if game else None
    return propose(knowledge, rows, chosen)


def text_of(path: Path) -> str:
    """An edited file of proposals. Raises InputError where there is none, or it is not UTF-8 text."""
    try:
        return _bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=path.name, place=fault.start) from fault


def _bytes(path: Path) -> bytes:
    if not path.is_file():
        raise InputError("there is no file {file}; expected a glossary, or a file of proposals", file=path)
    with os_faults(f"read {path}"), path.open("rb") as file:
        return file.read(LARGEST + 1)
