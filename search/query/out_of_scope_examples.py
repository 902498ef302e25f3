"""Examples of questions that no rulebook answers, in `data/out_of_scope.tsv`.

Each has a kind, the game whose mechanics it names (such an example counts until that game is loaded), and words in any language.
"""

import csv
from functools import cache
from typing import NamedTuple

from corpus.words.tokens import terms, words
from search.settings import DATA

EXAMPLES_FILE = DATA / "out_of_scope.tsv"
OTHER_GAME, POLICY, PRICES, NONSENSE = KINDS = ("other-game", "policy", "prices", "nonsense")


class OutOfScopeExample(NamedTuple):
    """A topic that no rulebook answers."""

    kind: str  # one of KINDS
    game: str  # slug of the game whose mechanics it names; "" for none
    text: str


@cache
def out_of_scope_examples() -> tuple[OutOfScopeExample, ...]:
    """All examples, in the order of the file."""
    with EXAMPLES_FILE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(OutOfScopeExample(row["kind"], row["game"] or "", row["words"]) for row in rows)


@cache
def out_of_scope_words() -> frozenset[str]:
    """The normalised words of all examples: they are no mistyped words of rules (to sell is not a spell)."""
    return frozenset(token.norm for example in out_of_scope_examples() for token in words(example.text))


@cache
def out_of_scope_terms() -> frozenset[str]:
    """The index terms of all examples, without single characters."""
    return frozenset(term for example in out_of_scope_examples() for term in terms(words(example.text)) if len(term) > 1)
