"""The files with the concepts of a bundle: written anew only where what they are made of has changed."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from corpus.address import graph_iri
from corpus.store.engine import Store
from corpus.store.home import checksums
from corpus.store.home.manifest import Manifest
from ontology.concepts.bundle import CLAIMS, FOLDER, MAPPINGS, NAMES, PARTS, file_name, write_part
from rulestone.writing.draft.copies import link
from rulestone.writing.draft.made_of import made_of

_MADE = "made_of.json"
_OF_EDITIONS = (f"{graph_iri('terms')}/", f"{graph_iri('proposed')}/")
"""What the names of the graphs of editions begin with that tell of concepts."""


def write_concepts(base: Path | None, target: Path, store: Store, manifest: Manifest, verified: bytes) -> None:
    """Writes the files of a draft whose store is written, or takes them over from the bundle before.

    `verified` is the graph that says whether the words of each claim stand in their rule.
    """
    folder, made = target / FOLDER, _made_of(manifest, verified)
    folder.mkdir()
    before = _made_before(base)
    for part in PARTS:
        if base is not None and before.get(part) == made[part]:
            link(str(base / FOLDER / file_name(part)), str(folder / file_name(part)))
        else:
            write_part(folder, part, store)
    (folder / _MADE).write_text(json.dumps(made, indent=0), encoding="utf-8")


def _made_of(manifest: Manifest, verified: bytes) -> dict[str, str]:
    """Part → digest of the graphs that tell of it."""
    graphs = {name: digest for entry in manifest.editions.values() for name, digest in entry.graphs.items()}
    told = {**manifest.shipped, **{name: digest for name, digest in graphs.items() if name.startswith(_OF_EDITIONS)}}
    every, mappings = _digest(told), _digest(manifest.shipped)  # mappings of concepts ship; no edition has any
    return {NAMES: every, CLAIMS: made_of(every, verified.decode()), MAPPINGS: mappings}


def _digest(graphs: Mapping[str, str]) -> str:
    return made_of(*(f"{name} {digest}" for name, digest in sorted(graphs.items())))


def _made_before(base: Path | None) -> Mapping[str, str]:
    """The same of the bundle before; nothing where that has no such files, or damaged ones."""
    made: dict[str, str] = {}
    if base is not None and checksums.is_whole(base, FOLDER):
        with suppress(OSError, ValueError):
            made = json.loads((base / FOLDER / _MADE).read_text(encoding="utf-8"))
    return made
