"""What every format of bitext says of a book in two languages, and of each unit of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from corpus.address import EditionKey
from ontology.translation.bitext.units import Pair, Unit


@dataclass(frozen=True, slots=True)
class Bitext:
    """A book, its edition and the two languages; `version` is that of Rulestone."""

    key: EditionKey
    title: str
    source: str
    target: str
    version: str
    translated: EditionKey | None = None
    """The edition that the translation is of, where it is another one."""

    @property
    def about(self) -> Mapping[str, str]:
        """What the head of a document says."""
        said = {"edition": self.key.iri, "title": f"{self.title} {self.key.edition}", "origin": "rule texts added by the user"}
        return said | ({"translated-edition": self.translated.iri} if self.translated else {})

    def properties(self, unit: Unit, pair: Pair | None = None) -> Mapping[str, str]:
        """What is said of a unit, and of one pair of sentences in it."""
        passage = unit.passage
        said = {"address": passage.rule, "game": self.key.game, "book": self.key.book, "edition": self.key.edition}
        said |= {"number": passage.locator, "part": passage.part}
        said |= {"current": "yes" if passage.current else "no"} | ({"translated-address": unit.answered} if unit.answered else {})
        return said | {"confidence": str(pair.confidence)} if pair else said


def segment_id(unit: Unit, place: int) -> str:
    """A name for one pair of a unit, which no other of the book has."""
    passage = unit.passage
    whole = f"{passage.rule}#{passage.part}-{passage.place}"
    return whole if len(unit.pairs) == 1 else f"{whole}.{place}"
