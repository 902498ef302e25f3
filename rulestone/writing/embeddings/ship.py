"""`make vectors`: encodes every gloss of the digest with the encoder of today and writes the vectors that ship."""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from corpus.messages import message
from corpus.store.home import Home
from ontology.knowledge import Knowledge
from rulestone.writing.build import build
from search.encode import pretrained, shipped
from search.encode.cache import Kept, levels_of, short_key
from search.encode.pretrained import PretrainedEncoder
from search.index import index, sentences
from search.index.field import Field


def glosses() -> dict[str, str]:
    """What is encoded of every gloss, by what its vector is kept by, with the digest alone loaded."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        build(home)
        with home.reading() as bundle:
            passages = index.passages_of(Knowledge.open(bundle))
    return sentences.wanted([passage for passage in passages if passage.field == Field.GLOSS])


def ship(texts: dict[str, str], encoder: PretrainedEncoder) -> Kept:
    """Encodes texts and writes their vectors to where what ships lies."""
    keys = np.frombuffer(b"".join(short_key(text) for text in texts), np.uint8).reshape(len(texts), -1)
    kept = Kept(keys, levels_of(encoder.encode(list(texts.values()))))
    shipped.write(encoder.digest, kept)
    return kept


def main() -> None:
    """Writes the file and says what it holds."""
    os.environ.pop("RULESTONE_DIGEST", None)
    os.environ.pop("RULESTONE_MODEL", None)
    kept = ship(glosses(), PretrainedEncoder())
    megabytes = round(shipped.FILE.stat().st_size / 1e6, 1)
    told = "{file}: {count} glosses, {megabytes} MB, encoder {digest}"
    digest = pretrained.digest()[:12]
    sys.stdout.write(f"{message(told, file=shipped.FILE, count=len(kept.keys), megabytes=megabytes, digest=digest)}\n")


if __name__ == "__main__":
    main()
