"""Of rules that answer alike, a current official one precedes what is superseded, a community's, or known only from the digest."""

import numpy as np
from numpy.typing import NDArray

from corpus.address import EditionKey
from corpus.store.home.manifest import Manifest
from search.index.index import Index
from search.index.passages import Scores
from search.index.rules import Flags

_AUTHORITATIVE = frozenset(("official", "translation"))
_BEHIND = np.float32(1e-3)
"""Distance in relevance at which a rule follows the authoritative one of its game."""


def authoritative_rules(index: Index, manifest: Manifest) -> Flags:
    """Which rules are current and have official or translated words, shape (rules,)."""
    known = {entry.key for entry in manifest.editions.values() if not _AUTHORITATIVE.isdisjoint(entry.languages.values())}

    def is_known(edition: EditionKey) -> bool:
        return edition in known

    return index.rules.current & index.has_text & np.fromiter(map(is_known, index.rules.editions), np.bool_, len(index.rules))


def behind_authoritative(relevance: Scores, games: NDArray[np.int32], authoritative: Flags, max_lead: float) -> Scores:
    """The relevance of rules, or of sections, where none that lacks authority leads by little.

    A candidate that leads the best authoritative one of its game by at most `max_lead` is moved just behind it; a greater lead says
    that the authoritative one hardly answers. All arrays have shape (candidates,).
    """
    moved = relevance.copy()
    for game in np.unique(games[~authoritative]):
        own = games == game
        if (known := own & authoritative).any():
            lead = relevance - relevance[known].max()
            little = own & ~authoritative & (lead >= 0) & (lead <= max_lead)
            moved[little] -= lead[little] + _BEHIND * (1 + max_lead - lead[little])  # they keep their order
    return moved
