"""Which rules a ruling rests on that cites none: proposed by search, each with the probability that it is right."""

from search.grounds.propose import Proposed, propose, words

__all__ = ["Proposed", "propose", "words"]
