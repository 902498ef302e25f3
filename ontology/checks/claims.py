"""Claims that need somebody's eye: without support, unverified, stale, contradicting; and for information the disputed.

A claim is *stale* if none of its supports stands in a current edition, and one rests on an edition in whose place the
current edition of the same book, loaded in the same language, has other words or no such rule.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from corpus.address import NS, OA, EditionKey, concept_name, graph_iri, local_name, path_of, split_rule
from corpus.age import age
from corpus.languages import canonical
from corpus.text import fold
from ontology.checks.finding import Finding
from ontology.store.engine import Row, Store
from ontology.store.knowledge import Knowledge
from ontology.store.manifest import EditionEntry

MANY = ("contents", "sub-zone", "entry-restriction", "on-enter", "on-leave")
"""Properties of which a zone may have several values at once; of every other one value holds."""
_CLAIMS = f"""
SELECT ?claim ?concept ?property ?value ?status WHERE {{
  GRAPH ?g {{ ?claim <{NS}subject> ?concept ; <{NS}property> ?property ; <{NS}value> ?value ; <{NS}status> ?status }}
}} ORDER BY ?concept ?property STR(?value) ?claim"""
_SUPPORTS = f"""
SELECT ?claim ?rule ?quote (LANG(?quote) AS ?lang) ?verified WHERE {{
  GRAPH ?g {{
    ?claim <{NS}support> ?support . ?support <{OA}hasSource> ?rule ; <{OA}hasSelector>/<{OA}exact> ?quote
  }}
  OPTIONAL {{ GRAPH ?v {{ ?support <{NS}verified> ?verified }} }}
}} ORDER BY ?rule ?quote"""


def unsound(knowledge: Knowledge) -> Iterator[Finding]:
    """Every finding about a claim, kind by kind."""
    claims = knowledge.store.select(_CLAIMS)
    supports: dict[str, list[Row]] = defaultdict(list)
    for row in knowledge.store.select(_SUPPORTS):
        supports[row["claim"]].append(row)
    yield from (
        _finding("unsupported", one, "no rule supports it; add one, or take the claim out")
        for one in claims
        if not supports[one["claim"]]
    )
    for one in claims:
        yield from _unverified(one, supports[one["claim"]])
    stale = _Stale(knowledge)
    yield from (found for one in claims if _is(one, "accepted") for found in stale.findings(one, supports[one["claim"]]))
    yield from _pairs("contradicting", [one for one in claims if _is(one, "accepted") and _property(one) not in MANY], supports)
    yield from _pairs("disputed", [one for one in claims if _is(one, "disputed")], supports)


def _unverified(claim: Row, supports: Sequence[Row]) -> Iterator[Finding]:
    for one in supports:
        if one.get("verified") == "false":
            words = f"the words {one['quote']!r} do not stand in {path_of(one['rule'])}; correct the quote or the rule"
            yield _finding("unverified", claim, words)


def _pairs(kind: str, claims: Sequence[Row], supports: dict[str, list[Row]]) -> Iterator[Finding]:
    """Claims of one concept and property that have several values: one line for each concept and property."""
    grouped: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for one in claims:
        grouped[one["concept"], one["property"]].append(one)
    todo = {"contradicting": "; mark them disputed, or take out what is wrong", "disputed": ""}[kind]
    for same in grouped.values():
        if len({one["value"] for one in same}) > 1:
            values = " against ".join(f"{one['value']!r}{_where(supports[one['claim']])}" for one in same)
            yield Finding(kind, same[0]["concept"], f"{_property(same[0])}: {values}{todo}")


def _where(supports: Sequence[Row]) -> str:
    return f" ({path_of(supports[0]['rule'])})" if supports else ""


class _Stale:
    """Looks up what the current editions say in place of a rule."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._store: Store = knowledge.store
        self._knowledge = knowledge
        self._texts = cache(self._read)

    def findings(self, claim: Row, supports: Sequence[Row]) -> Iterator[Finding]:
        """At most one finding of a claim."""
        verdicts = [self._verdict(one) for one in supports]
        reasons = [one for one in verdicts if one]
        if reasons and "" not in verdicts:
            yield _finding("stale", claim, f"{reasons[0]}; read it there and correct the claim or its support")

    def _verdict(self, support: Row) -> str | None:
        """Why a support is stale; "" if its words stand in a current edition, None if that cannot be told."""
        key, locator = split_rule(support["rule"])
        lang = canonical(support["lang"])
        if lang in self._knowledge.current.get(key, ()):
            return "" if support.get("verified") == "true" else None
        now = self._current(key, lang)
        if now is None:
            return None
        texts = self._texts(now.key, lang)
        words = fold(support["quote"])
        if words in texts.get(locator, ""):
            return ""
        what = "has other words there" if locator in texts else f"has no {locator}"
        elsewhere = [other for other, text in texts.items() if words in text]
        found = f" (the same words: {', '.join(elsewhere[:3])})" if elsewhere else ""
        return f"it rests on {path_of(support['rule'])}, but the current {now.key} {what}{found}"

    def _current(self, key: EditionKey, lang: str) -> EditionEntry | None:
        """The edition of the same book that is current in a language, unless it is older than the one given."""
        for entry in self._knowledge.manifest.editions.values():
            same = (entry.game, entry.book) == (key.game, key.book) and entry.key != key
            if same and lang in self._knowledge.current[entry.key]:
                loaded = self._knowledge.manifest.editions.get(key)
                return entry if (loaded and loaded.languages) or age(entry.edition) > age(key.edition) else None
        return None

    def _read(self, key: EditionKey, lang: str) -> dict[str, str]:
        """Locator → folded text."""
        query = f"SELECT ?rule ?text {{ GRAPH <{graph_iri(key, lang)}> {{ ?rule <{NS}text> ?text ; <{NS}locator> ?locator }} }}"
        return {split_rule(row["rule"]).locator: fold(row["text"]) for row in self._store.select(query)}


def _is(claim: Row, status: str) -> bool:
    return claim["status"] == NS + status


def _property(claim: Row) -> str:
    return local_name(claim["property"])


def _finding(kind: str, claim: Row, words: str) -> Finding:
    concept = concept_name(claim["concept"])
    return Finding(kind, claim["claim"], f"{concept} {_property(claim)} {claim['value']!r}: {words}")
