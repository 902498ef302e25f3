"""`make vectors`: encodes the glosses of the digest that have no shipped vectors by the current encoder, and writes all vectors."""

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
from search.encode.cache import SHIPPED_VECTORS, StoredVectors, quantise, shipped_vectors, text_key, write_shipped_vectors
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
    """Writes the vectors of texts to the shipped file; those that it has by the same encoder are kept, the others encoded."""
    shipped = shipped_vectors(encoder.sha256)
    codes = {} if shipped is None else dict(zip(map(bytes, shipped.keys), shipped.codes, strict=True))
    keys = [text_key(name) for name in texts]
    new = {key: text for key, text in zip(keys, texts.values(), strict=True) if key not in codes}
    if new:
        codes.update(zip(new, quantise(encoder.encode(list(new.values()))), strict=True))
    vectors = StoredVectors(np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), -1), np.stack([codes[key] for key in keys]))
    write_shipped_vectors(encoder.sha256, vectors)
    return vectors


def main() -> None:
    """Writes the file and prints its contents."""
    os.environ.pop("RULESTONE_DIGEST", None)
    os.environ.pop("RULESTONE_MODEL", None)
    vectors = write_shipped(gloss_texts(), PretrainedEncoder())
    megabytes = round(SHIPPED_VECTORS.stat().st_size / 1e6, 1)
    report = "{file}: {count} glosses, {megabytes} MB, encoder {digest}"
    digest = pretrained.encoder_sha256()[:12]
    sys.stdout.write(f"{message(report, file=SHIPPED_VECTORS, count=len(vectors.keys), megabytes=megabytes, digest=digest)}\n")


if __name__ == "__main__":
    main()
