"""Which gloss of the digest stands beside a rule: by its words, by its wording but for the numbers cited, by its place."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from corpus.digest import Digest, Gloss
from corpus.model import Node
from corpus.words.text import fold_digest
from ingest.wording import wording

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Glosses:
    """The glosses of a game."""

    by_words: dict[Key, Gloss] = field(default_factory=dict)  # language and fold digest of the text they gloss
    by_wording: dict[Key, list[Gloss]] = field(default_factory=dict)  # language and digest without the numbers cited
    by_place: dict[Key, list[tuple[Digest, Gloss]]] = field(default_factory=dict)  # book and locator

    def of(self, lang: str, node: Node, wordings: Mapping[Key, int]) -> Gloss | None:
        """The gloss of a text: of these very words, or of words that differ in nothing but the numbers they cite.

        `wordings` counts those of the edition: what two rules say alike ("See rule §.") tells neither from the other, so
        that then only the gloss of the same place is the rule's.
        """
        if gloss := self.by_words.get((lang, fold_digest(node.text))):
            return gloss
        key = lang, wording(node)
        alike = self.by_wording.get(key, []) if key[1] else []
        alone = len(alike) == 1 and wordings[key] == 1
        return next((gloss for gloss in alike if alone or gloss.locator == node.locator), None)


@cache
def glosses(game: str, shipped: Sequence[Digest]) -> Glosses:
    """The shipped glosses of a game."""
    known = Glosses()
    for digest in shipped:
        if digest.key.game == game:
            for gloss in digest.glosses:
                if gloss.sha256:
                    known.by_words[digest.lang, gloss.sha256] = gloss
                if gloss.wording:
                    known.by_wording.setdefault((digest.lang, gloss.wording), []).append(gloss)
                known.by_place.setdefault((digest.key.book, gloss.locator), []).append((digest, gloss))
    return known


def wordings(texts: Iterable[tuple[str, Node]]) -> Counter[Key]:
    """How many texts of an edition have each wording, by language."""
    return Counter((lang, wording(node)) for lang, node in texts if node.cites)
