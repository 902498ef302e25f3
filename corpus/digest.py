"""The digest: Rulestone's own glosses of rules in three languages (`corpus/data/digest/*.toml`). A digest is not an edition."""

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from fnmatch import fnmatch
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from corpus.address import EditionKey
from corpus.errors import InputError
from corpus.prepared import prepared

GLOSS_LANGUAGES = ("ja", "zh-Hans", "en")
"""The languages of every gloss."""


@dataclass(frozen=True, slots=True)
class Gloss:
    """A gloss of one rule or heading; `sha256` is the hash of the folded text that it glosses ("" for a heading).

    `wording` is the hash of the same text without the numbers it cites (`ingest.merge`), "" if it cites none.
    """

    locator: str
    heading: bool
    words: Mapping[str, str]
    questions: Mapping[str, tuple[str, ...]]
    number: str | None = None
    sha256: str = ""
    kind: str = "rule"  # of a row that is not a heading
    headword: Mapping[str, str] = field(default_factory=dict)  # of a glossary entry
    example: Mapping[str, str] = field(default_factory=dict)
    wording: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Digest:
    """The glosses of one chapter of one edition, in document order."""

    key: EditionKey
    lang: str  # of the text that is glossed
    glosses: tuple[Gloss, ...]


def _gloss(row: Mapping[str, Any], *, heading: bool) -> Gloss:
    questions = {lang: tuple(some) for lang, some in row.get("asked", {}).items()}
    words = {lang: row[lang] for lang in GLOSS_LANGUAGES}
    other = {name: value for name, value in row.items() if name not in (*GLOSS_LANGUAGES, "asked")}
    return Gloss(heading=heading, words=words, questions=questions, **other)


def parse(text: str, name: str) -> Digest:
    """A digest file. Raises InputError with the file's name if a field is missing."""
    try:
        data = tomllib.loads(text)
        glosses = [_gloss(row, heading=True) for row in data.get("heading", ())]
        glosses += [_gloss(row, heading=False) for row in data.get("rule", ())]
        places = _document_positions(text)
        key = EditionKey(data["game"], data["book"], data["edition"])
        return Digest(key, data["language"], tuple(sorted(glosses, key=lambda gloss: places[gloss.locator])))
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as fault:
        raise InputError("{file} cannot be read: {fault!r}; correct the error there", file=name, fault=fault) from fault


def _document_positions(text: str) -> dict[str, int]:
    """Locator → its place in the file, where headings and rules are interleaved in document order."""
    lines = (line.split("=", 1)[1].strip().strip('"') for line in text.splitlines() if line.startswith("locator"))
    return {locator: place for place, locator in enumerate(lines)}


def digests(*, all_games: bool = False, game: str | None = None) -> tuple[Digest, ...]:
    """The shipped digests in the order of their file names: those selected by RULESTONE_DIGEST, or `all_games` one.

    With `game`, only those of that game, whose file names begin with it. The setting is a comma-separated list of glob patterns of
    file names, by default `*`. Raises InputError for a pattern that matches no file.
    """
    return _parse_matching(("*",) if all_games else selected_patterns(), game)


def selected_patterns() -> tuple[str, ...]:
    """The glob patterns of the file names that RULESTONE_DIGEST selects."""
    patterns = (pattern.strip() for pattern in os.environ.get("RULESTONE_DIGEST", "").split(","))
    return tuple(filter(None, patterns)) or ("*",)


@cache
def _parse_matching(patterns: tuple[str, ...], game: str | None) -> tuple[Digest, ...]:
    matching = (file for file in _matching_files(patterns) if game is None or file.name.startswith(f"{game}."))
    return tuple(_parse_file(file.name) for file in matching)


@cache
def _parse_file(name: str) -> Digest:
    key, lang, glosses = prepared(name, lambda: _plain_values(parse(_digest_folder().joinpath(name).read_text("utf-8"), name)))
    return Digest(EditionKey(*key), lang, tuple(Gloss(*values) for values in glosses))


def _plain_values(digest: Digest) -> tuple[tuple[str, ...], str, list[tuple[object, ...]]]:
    """A digest without objects, as it is kept."""
    names = [field.name for field in fields(Gloss)]
    return astuple(digest.key), digest.lang, [tuple(getattr(gloss, name) for name in names) for gloss in digest.glosses]


def _digest_folder() -> Traversable:
    return files("corpus").joinpath("data/digest")


def _matching_files(patterns: Sequence[str]) -> list[Traversable]:
    """The files whose names match one of some patterns. Raises InputError for a pattern that matches none."""
    shipped = sorted((file for file in _digest_folder().iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    for pattern in patterns:
        if pattern != "*" and not any(fnmatch(file.name, pattern) for file in shipped):
            raise InputError(
                "RULESTONE_DIGEST: no digest file matches {pattern}; expected a pattern such as mtg.cr.*", pattern=pattern
            )
    return [file for file in shipped if any(fnmatch(file.name, pattern) for pattern in patterns)]
