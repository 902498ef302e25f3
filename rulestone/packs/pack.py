"""Packs by name: `core` and `model`, which all share, `all.ja`, `mtg`, `mtg.ja`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from corpus.errors import NotFoundError
from corpus.languages import LANGUAGES
from rulestone.packs.concepts import concepts
from rulestone.packs.core import core
from rulestone.packs.frame import Kept, frame
from rulestone.packs.model import small
from rulestone.packs.words import words

if TYPE_CHECKING:
    from search.searcher import Searcher

CORE, MODEL, ALL = "core", "model", "all"
FORMAT = 2
"""What browsers must know to read them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A pack with its game and language; None where it is of all of them."""

    name: str
    game: str | None
    lang: str | None


class Packs:
    """The packs of one bundle, each made when it is asked for. Thread-safe."""

    def __init__(self, searcher: "Searcher") -> None:
        self._searcher = searcher
        self._kept = cache(lambda game: Kept(game, searcher))

    @cached_property
    def parts(self) -> list[Part]:
        """Every pack."""
        return list(self._parts())

    def _parts(self) -> Iterator[Part]:
        spoken = {game: self._searcher.index.languages(game) for game in self._searcher.index.games}
        yield from (Part(name, None, None) for name in (CORE, MODEL))
        yield from (Part(f"{ALL}.{lang}", None, lang) for lang in LANGUAGES if any(lang in some for some in spoken.values()))
        for game, langs in spoken.items():
            yield Part(game, game, None)
            yield from (Part(f"{game}.{lang}", game, lang) for lang in langs)

    def pack(self, name: str) -> bytes:
        """A pack as JSON. Raises NotFoundError for a name of none."""
        part = next((known for known in self.parts if known.name == name), None)
        if part is None:
            raise NotFoundError("there is no pack {name!r}", name=name[:60])
        return json.dumps({"format": FORMAT, **self._body(part)}, ensure_ascii=False, separators=(",", ":")).encode()

    def _body(self, part: Part) -> dict[str, Any]:
        if part.lang is None:
            return self._without_words(part)
        said = {"lang": part.lang, "concepts": concepts(self._searcher.knowledge, part.game, part.lang)}
        return said | (_shared() if part.game is None else {"game": part.game, **words(self._kept(part.game), part.lang)})

    def _without_words(self, part: Part) -> dict[str, Any]:
        if part.game is not None:
            return {"game": part.game, **frame(self._kept(part.game))}
        return core(self._searcher) if part.name == CORE else small(self._searcher.encoder)


def _shared() -> dict[str, Any]:
    """What the properties of concepts are called, in every language."""
    from ontology.translation.terms.vocabulary import property_labels

    return {"properties": property_labels()}
