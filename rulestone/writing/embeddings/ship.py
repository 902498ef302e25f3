"""`make vectors`: encodes every gloss of the digest with the current encoder and writes the shipped vectors."""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from corpus.messages import message
from corpus.store.home import Home
from ontology.knowledge import Knowledge
from rulestone.writing.add import build
from search.encode import pretrained
from search.encode.cache import SHIPPED_VECTORS, StoredVectors, quantise, text_key, write_shipped_vectors
from search.encode.pretrained import PretrainedEncoder
from search.index import index
from search.index.embeddings import texts_to_encode
from search.settings import Field


def gloss_texts() -> dict[str, str]:
    """Cache key → encoded text of every gloss, with only the digest loaded."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        build(home)
        with home.reading_current() as bundle:
            passages = index.sentence_passages(Knowledge.open(bundle))
    return texts_to_encode([passage for passage in passages if passage.field == Field.GLOSS])


def write_shipped(texts: dict[str, str], encoder: PretrainedEncoder) -> StoredVectors:
    """Encodes texts and writes their vectors to the shipped file."""
    keys = np.frombuffer(b"".join(text_key(text) for text in texts), np.uint8).reshape(len(texts), -1)
    kept = StoredVectors(keys, quantise(encoder.encode(list(texts.values()))))
    write_shipped_vectors(encoder.sha256, kept)
    return kept


def main() -> None:
    """Writes the file and prints its contents."""
    os.environ.pop("RULESTONE_DIGEST", None)
    os.environ.pop("RULESTONE_MODEL", None)
    kept = write_shipped(gloss_texts(), PretrainedEncoder())
    megabytes = round(SHIPPED_VECTORS.stat().st_size / 1e6, 1)
    told = "{file}: {count} glosses, {megabytes} MB, encoder {digest}"
    digest = pretrained.encoder_sha256()[:12]
    sys.stdout.write(f"{message(told, file=SHIPPED_VECTORS, count=len(kept.keys), megabytes=megabytes, digest=digest)}\n")


if __name__ == "__main__":
    main()
