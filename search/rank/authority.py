"""Of rules that answer alike, a current official one precedes those that are superseded, a community's, or only in the digest."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.address import EditionKey
from corpus.store.home.manifest import Manifest
from search.index.index import Index
from search.index.passages import Scores
from search.index.rules import Flags
from search.settings import SearchSettings

_AUTHORITATIVE = frozenset(("official", "translation"))
_BEHIND = np.float32(1e-3)
"""Distance in relevance at which a rule follows the authoritative one of its game."""


def authoritative_rules(index: Index, manifest: Manifest) -> Flags:
    """Which rules are current and have official or translated words, shape (rules,)."""
    keys = {entry.key for entry in manifest.editions.values() if not _AUTHORITATIVE.isdisjoint(entry.languages.values())}

    def is_known(edition: EditionKey) -> bool:
        return edition in keys

    return index.rules.current & index.has_text & np.fromiter(map(is_known, index.rules.editions), np.bool_, len(index.rules))


def behind_authoritative(
    relevance: Scores,
    games: NDArray[np.int32],
    authoritative: Flags,
    alike: Callable[[Sequence[int], Sequence[int]], Scores],
    settings: SearchSettings,
) -> Scores:
    """The relevance of rules, or of sections, where none that lacks authority precedes an authoritative one that answers as well.

    A candidate is moved just behind the first authoritative one of its game that says the same, or that it leads by little. All
    arrays have shape (candidates,); `alike` gives the likeness of some candidates to others, see `Index.likeness`.
    """
    result = relevance.copy()
    for game in np.unique(games[~authoritative]):
        authorities = np.flatnonzero((games == game) & authoritative)
        best = relevance[authorities].max(initial=-np.inf)
        others = np.flatnonzero((games == game) & ~authoritative & (relevance >= best)) if len(authorities) else authorities[:0]
        if not len(others):
            continue
        near = relevance[others][:, None] - relevance[authorities] <= settings.authority_lead
        answers = near | (alike(others.tolist(), authorities.tolist()) >= settings.authority_likeness)
        first = np.where(answers, relevance[authorities], -np.inf).max(axis=1)
        order = np.argsort(-relevance[others], kind="stable")
        for place, nth in enumerate(order.tolist()):
            if np.isfinite(first[nth]):
                result[others[nth]] = first[nth] - _BEHIND * np.float32(1 + place)  # they keep their order
    return result
