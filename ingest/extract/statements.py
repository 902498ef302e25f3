"""What the rules of a text state of its zones, sentence by sentence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.extract.book import BookText
from ingest.extract.components import Hit
from ingest.extract.facts import PROPERTIES, Provision, Statement, Support
from ingest.extract.patterns import Pattern
from ingest.extract.spacy_pipeline import Pipeline
from ingest.extract.tokens import phrase, sentences

if TYPE_CHECKING:
    from spacy.tokens import Doc

OWN, NAMED, RULE, WEAK = 3, 2, 1, 0
"""How much a statement counts: in the zone's own section, of zones it names, of all zones, in passing."""


@dataclass(slots=True)
class Reader:
    """Reads one text; `sections` says whose section begins where."""

    text: BookText
    pipeline: Pipeline
    sections: Mapping[str, str]  # locator → slug
    about: frozenset[str]  # locators of the provisions in chapters about zones
    composites: frozenset[str]  # slugs

    def statements(self) -> Iterator[Statement]:
        """Everything stated, in the order of the text."""
        for provision in self.text.provisions:
            home = self._home(provision)
            if not provision.heading and (home or provision.locator in self.about):
                yield from self._rule(provision, home)

    def _rule(self, provision: Provision, home: str | None) -> Iterator[Statement]:
        """One rule: `the others` are those that it has not named, and `these are` speaks of what it has just defined."""
        named: dict[str, list[str]] = {}
        defined = ""
        for sentence in sentences(provision.text, self.pipeline.patterns.ends, cjk=self.pipeline.patterns.cjk):
            defined = self._defines(sentence) or defined
            doc, hits = self.pipeline.read(sentence, home)
            for hit in hits:
                pattern = hit.pattern
                if pattern.property not in PROPERTIES:
                    continue
                value = defined if pattern.value == "defined" else _value(hit)
                support = Support(
                    provision.locator, self.text.lang, phrase(doc, hit.start, hit.end, cjk=self.pipeline.patterns.cjk)
                )
                seen = _Sentence(doc, hit, home, named.get(pattern.property, []), self.composites)
                statement = _statement(pattern, seen, value, support)
                if statement:
                    named.setdefault(pattern.property, []).extend(statement.zones if pattern.subject in ("named", "here") else ())
                    yield statement

    def _home(self, provision: Provision) -> str | None:
        """The zone whose section a rule stands in."""
        return next(
            (self.sections[above.locator] for above in self.text.above(provision.locator) if above.locator in self.sections), None
        )

    def _defines(self, sentence: str) -> str:
        """`public` or `hidden` where a sentence says what such a zone is."""
        cues = self.pipeline.patterns.cues
        start = sentence[:24]
        if any(word + area in start for word in cues["SECRET"] for area in cues["AREA"]):
            return "hidden"
        return "public" if any(word + area in start for word in cues["OPEN"] for area in cues["AREA"]) else ""


def _value(hit: Hit) -> str:
    return str(hit.number) if hit.pattern.value == "number" else hit.pattern.value


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A hit in its surroundings."""

    doc: "Doc"
    hit: Hit
    home: str | None  # the zone whose section it stands in
    earlier: Sequence[str]  # zones of which the same rule has said something of the kind
    composites: frozenset[str]

    @property
    def excepted(self) -> tuple[str, ...]:
        """The zones of a sentence that makes an exception."""
        cues = {token.ent_type_ for token in self.doc}
        return tuple(zone for token in self.doc for zone in token._.zones) if "EXCEPT" in cues else self.hit.zones

    @property
    def before(self) -> list[str]:
        """The zones named up to the end of the hit."""
        return [zone for token in self.doc[: self.hit.end] for zone in token._.zones]

    @property
    def is_home(self) -> bool:
        """Whether it speaks of the section's zone: it names that or none, or says `this zone`."""
        here = any(token.ent_type_ == "HERE" for token in self.doc[: self.hit.end])
        return self.home is not None and (here or not self.before or self.home in self.before)

    @property
    def part(self) -> bool:
        """`a card in the deck zone … in the zone`: the section's zone first, then the name of several together."""
        return self.home in self.before and self.hit.zones != (self.home,) and set(self.hit.zones) <= self.composites


def _statement(pattern: Pattern, seen: _Sentence, value: str, support: Support) -> Statement | None:
    """A hit as a statement about certain zones; None where it is about none."""
    zones, home = seen.hit.zones, seen.home
    if not value or value == "None":
        return None
    if pattern.subject in ("all", "others"):
        left = (*seen.before, *seen.earlier) if pattern.subject == "others" else seen.excepted
        return Statement(pattern.property, value, tuple(dict.fromkeys(left)), pattern.subject, RULE, support)
    if pattern.subject == "here" or not zones or seen.part:
        if home is None or not seen.is_home or (value == "possessed" and home in seen.composites):
            return None
        return Statement(pattern.property, value, (home,), "here", WEAK if value == "possessed" else OWN, support)
    return Statement(pattern.property, value, zones, "named", OWN if zones == (home,) else NAMED, support)
