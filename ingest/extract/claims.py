"""Statements of a text about zones, sentence by sentence, and the claims derived from them.

A zone's own rules outweigh mentions elsewhere, and these outweigh general rules.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.extract.patterns import Pattern
from ingest.extract.pipeline import PatternHit, Pipeline
from ingest.extract.text import (
    PROPERTIES,
    BookText,
    ExtractedClaim,
    ExtractedStatement,
    ExtractedSupport,
    Provision,
    quoted_phrase,
    sentences,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc


OWN, NAMED, RULE, WEAK = 3, 2, 1, 0
"""Strength of a statement: in the zone's own section, about named zones, about all zones, incidental."""


@dataclass(slots=True)
class ClaimReader:
    """Reads one text; `sections` maps locators to the zones whose sections start there."""

    text: BookText
    pipeline: Pipeline
    sections: Mapping[str, str]  # locator → slug
    about: frozenset[str]  # locators of the provisions in chapters about zones
    composites: frozenset[str]  # slugs

    def statements(self) -> Iterator[ExtractedStatement]:
        """All statements, in text order."""
        for provision in self.text.provisions:
            home = self._home_zone(provision)
            if not provision.heading and (home or provision.locator in self.about):
                yield from self._rule(provision, home)

    def _rule(self, provision: Provision, home: str | None) -> Iterator[ExtractedStatement]:
        """The statements of one rule: `the others` are the zones that it has not named, `these` those that it has just defined."""
        zones_by_property: dict[str, list[str]] = {}
        visibility = ""
        for sentence in sentences(provision.text, self.pipeline.patterns.ends, cjk=self.pipeline.patterns.cjk):
            visibility = self._defined_visibility(sentence) or visibility
            doc, hits = self.pipeline.read(sentence, home)
            for hit in hits:
                pattern = hit.pattern
                if pattern.property not in PROPERTIES:
                    continue
                value = {"defined": visibility, "number": str(hit.number)}.get(pattern.value, pattern.value)
                support = ExtractedSupport(
                    provision.locator, self.text.lang, quoted_phrase(doc, hit.start, hit.end, cjk=self.pipeline.patterns.cjk)
                )
                context = _Sentence(doc, hit, home, zones_by_property.get(pattern.property, []), self.composites)
                statement = _make_statement(pattern, context, value, support)
                if statement:
                    zones_by_property.setdefault(pattern.property, []).extend(
                        statement.zones if pattern.subject in ("named", "here") else ()
                    )
                    yield statement

    def _home_zone(self, provision: Provision) -> str | None:
        """The zone in whose section a rule is."""
        locators = (above.locator for above in self.text.provision_and_ancestors(provision.locator))
        return next((self.sections[locator] for locator in locators if locator in self.sections), None)

    def _defined_visibility(self, sentence: str) -> str:
        """`public` or `hidden` if a sentence defines such zones."""
        cues = self.pipeline.patterns.cues
        start = sentence[:24]
        if any(word + area in start for word in cues["SECRET"] for area in cues["AREA"]):
            return "hidden"
        return "public" if any(word + area in start for word in cues["OPEN"] for area in cues["AREA"]) else ""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A hit with its context."""

    doc: "Doc"
    hit: PatternHit
    home: str | None  # the zone whose section contains it
    earlier: Sequence[str]  # zones about which the same rule has a similar statement
    composites: frozenset[str]

    @property
    def excepted_zones(self) -> tuple[str, ...]:
        """The zones that a sentence makes exceptions of."""
        cues = {token.ent_type_ for token in self.doc}
        return tuple(zone for token in self.doc for zone in token._.zones) if "EXCEPT" in cues else self.hit.zones

    @property
    def zones_before(self) -> list[str]:
        """The zones named up to the end of the hit."""
        return [zone for token in self.doc[: self.hit.end] for zone in token._.zones]

    @property
    def is_home(self) -> bool:
        """Whether the hit is about the section's zone: it names that zone or none, or contains `this zone`."""
        here = any(token.ent_type_ == "HERE" for token in self.doc[: self.hit.end])
        return self.home is not None and (here or not self.zones_before or self.home in self.zones_before)

    @property
    def zones_in_part(self) -> bool:
        """`a card in the deck zone … in the zone`: the section's zone first, then the name of several together."""
        return self.home in self.zones_before and self.hit.zones != (self.home,) and set(self.hit.zones) <= self.composites


def _make_statement(pattern: Pattern, sentence: _Sentence, value: str, support: ExtractedSupport) -> ExtractedStatement | None:
    """A hit as a statement about certain zones; None if it is about none."""
    zones, home = sentence.hit.zones, sentence.home
    if not value or value == "None":
        return None
    if pattern.subject in ("all", "others"):
        exceptions = (*sentence.zones_before, *sentence.earlier) if pattern.subject == "others" else sentence.excepted_zones
        return ExtractedStatement(pattern.property, value, tuple(dict.fromkeys(exceptions)), pattern.subject, RULE, support)
    if pattern.subject == "here" or not zones or sentence.zones_in_part:
        if home is None or not sentence.is_home or (value == "possessed" and home in sentence.composites):
            return None
        return ExtractedStatement(pattern.property, value, (home,), "here", WEAK if value == "possessed" else OWN, support)
    return ExtractedStatement(pattern.property, value, zones, "named", OWN if zones == (home,) else NAMED, support)


_MAX_VALUES = 4
"""Maximum number of supports of one claim."""


def claims(
    statements: Sequence[ExtractedStatement], zones: Sequence[str], owner_sees: Iterable[str], parts: Iterable[str]
) -> list[ExtractedClaim]:
    """The claims about some zones (slugs); a property without statements, or with conflicting ones, stays empty.

    `owner_sees` are zones whose cards a player holds; `parts` are composites, to which rules about all zones do not apply.
    """
    in_hand, composite = frozenset(owner_sees), frozenset(parts)
    decisions: list[ExtractedClaim] = []
    for zone in zones:
        for name in PROPERTIES:
            of_property = (statement for statement in statements if statement.property == name)
            mine = [statement for statement in of_property if _is_about(statement, zone, composite=zone in composite)]
            claim = _PROPERTY_RESOLVERS[name](zone, mine, zone in in_hand) if mine else None
            if claim:
                decisions.append(claim)
    return decisions


def _is_about(statement: ExtractedStatement, zone: str, *, composite: bool) -> bool:
    if statement.subject in ("all", "others"):
        return zone not in statement.zones and not composite
    return zone in statement.zones


def _claim(zone: str, name: str, value: str, proofs: Sequence[ExtractedStatement]) -> ExtractedClaim:
    """A claim with its best proofs first, at most one for each rule."""
    supports: dict[str, ExtractedSupport] = {}
    for proof in sorted(proofs, key=lambda proof: -proof.strength):
        supports.setdefault(proof.support.locator, proof.support)
    return ExtractedClaim(
        zone, name, value, tuple(supports.values())[:_MAX_VALUES], all(proof.subject in ("all", "others") for proof in proofs)
    )


def _by_value(statements: Sequence[ExtractedStatement]) -> dict[str, list[ExtractedStatement]]:
    by_value: dict[str, list[ExtractedStatement]] = {}
    for statement in statements:
        by_value.setdefault(statement.value, []).append(statement)
    return by_value


def _strongest(statements: Iterable[ExtractedStatement]) -> int:
    return max((statement.strength for statement in statements), default=-1)


def _visibility_claim(zone: str, statements: Sequence[ExtractedStatement], is_private: bool) -> ExtractedClaim | None:
    """Public and hidden state the kind of zone; seen, unseen, owner and others-not state who may look at its cards."""
    by = _by_value(statements)
    open_, closed = _strongest(by.get("public", ())), _strongest(by.get("hidden", ()))
    owner = by.get("owner", []) + by.get("others-not", [])
    if open_ < 0 and closed < 0:
        if parts := by.get("part-public", []) + by.get("part-hidden", []):  # the kind of a part is not that of the whole
            return _claim(zone, "visibility", "mixed", parts) if len({part.value for part in parts}) > 1 else None
        return _visibility_by_looking(zone, by, owner, is_private)
    if open_ == closed:
        return None
    if open_ > closed:
        return _claim(zone, "visibility", "public", by["public"] + by.get("seen", []))
    if owner or is_private:
        return _claim(zone, "visibility", "owner-only", owner + by["hidden"])
    return _claim(zone, "visibility", "hidden", by["hidden"] + by.get("unseen", []))


def _visibility_by_looking(
    zone: str, statements_by_value: Mapping[str, list[ExtractedStatement]], owner: Sequence[ExtractedStatement], is_private: bool
) -> ExtractedClaim | None:
    """The visibility if no rule states the kind of zone."""
    up, down = statements_by_value.get("face-up", []), statements_by_value.get("face-down", [])
    visible, hidden = statements_by_value.get("seen", []), statements_by_value.get("unseen", [])
    if up and not visible and (owner or not down):  # open and hidden cards, neither of them an exception
        return _claim(zone, "visibility", "mixed", [*up, *down, *owner])
    if (up and not visible) or (down and not hidden and not owner):  # face-down cards are the exception
        return _claim(zone, "visibility", "public", [*up, *down])
    if visible and not hidden and not owner:
        return _claim(zone, "visibility", "public", visible)
    if owner and not visible:
        return _claim(zone, "visibility", "owner-only", owner)
    if hidden and not visible:
        return _claim(zone, "visibility", "owner-only" if is_private else "hidden", hidden)
    return None


def _sharing_claim(zone: str, statements: Sequence[ExtractedStatement], is_private: bool) -> ExtractedClaim | None:
    by = _by_value(statements)
    apart, shared = by.get("per-player", []), by.get("shared", [])
    if _strongest(apart) == _strongest(shared) and (apart or shared):
        return None
    if _strongest(shared) > _strongest(apart):
        return _claim(zone, "sharing", "shared", shared)
    return _claim(zone, "sharing", "per-player", apart or by.get("possessed", []))


def _ordering_claim(zone: str, statements: Sequence[ExtractedStatement], is_private: bool) -> ExtractedClaim | None:
    """An order that is managed and grows on top is newest-on-top; if only changing it is forbidden, it is fixed."""
    by = _by_value(statements)
    newest = by.pop("newest-on-top", [])
    arrangements = by.pop("managed", [])
    best = max((_strongest(rows) for rows in by.values()), default=-1)
    top = [value for value, rows in by.items() if _strongest(rows) == best]
    if len(top) > 1:
        return None
    if top and (best >= _strongest(arrangements) or (top[0] == "fixed" and best >= NAMED)):
        extra = arrangements if top[0] == "fixed" else []
        return _claim(zone, "ordering", top[0], [*by[top[0]], *extra])
    if newest and (arrangements or not top):
        return _claim(zone, "ordering", "newest-on-top", [*newest, *arrangements])
    return _claim(zone, "ordering", "fixed", arrangements) if arrangements else None


def _capacity_claim(zone: str, statements: Sequence[ExtractedStatement], is_private: bool) -> ExtractedClaim | None:
    by = _by_value([statement for statement in statements if statement.strength > 0])
    best = max((_strongest(rows) for rows in by.values()), default=-1)
    top = [value for value, rows in by.items() if _strongest(rows) == best]
    return _claim(zone, "capacity", top[0], by[top[0]]) if len(top) == 1 else None


_PROPERTY_RESOLVERS = {
    "visibility": _visibility_claim,
    "sharing": _sharing_claim,
    "ordering": _ordering_claim,
    "capacity": _capacity_claim,
}


def inherited_properties(claims: Sequence[ExtractedClaim], kinds: Mapping[str, str]) -> Iterator[ExtractedClaim]:
    """The properties that a sub-zone inherits if its own rules do not state them. `kinds`: slug → slug."""
    own = {(claim.zone, claim.property) for claim in claims}
    for zone, above in kinds.items():
        for claim in claims:
            if claim.zone == above and (zone, claim.property) not in own and claim.property != "capacity":
                yield ExtractedClaim(zone, claim.property, claim.value, claim.supports, claim.general)
