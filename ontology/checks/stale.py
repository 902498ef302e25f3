"""Finds stale rows: claims, definitions, mappings and counterparts that cite a rule which has been changed or removed since.

A citation is valid if the rule is current, or if the current edition of its book, loaded in the same language, has the same words
in the rule of the same thread (of the same number if no thread is known). The words count as the same if they contain the
quotation of a claim or, without a quotation, if the whole text is equal.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice

from corpus.address import NS, EditionKey, concept_name, graph_iri, is_concept, path_of, split_rule
from corpus.messages import Message, message
from corpus.words.text import fold
from ontology.checks.finding import Finding
from ontology.concepts.claim_status import LaterTexts
from ontology.concepts.claims import Claim, Support
from ontology.knowledge import Knowledge
from ontology.sssom import INVERTED, SSSOM, expand

_SHOWN = 3
"""Maximum number of rules with the same words, and of dependents of one rule, that are named."""
_DEFINED = f"""
SELECT DISTINCT ?concept ?rule WHERE {{
  GRAPH ?g {{ ?concept <{NS}definedBy> ?rule }} FILTER(STRSTARTS(STR(?g), "{graph_iri("concepts", "")}"))
}} ORDER BY ?concept ?rule"""
_MATCHED = f"""
SELECT DISTINCT ?subject ?object ?rule WHERE {{
  VALUES (?g ?cited) {{
    (<{graph_iri("mappings")}> <{NS}subject_rule>) (<{graph_iri("mappings")}> <{NS}object_rule>)
    (<{graph_iri("counterparts")}> <{SSSOM}subject_id>) (<{graph_iri("counterparts")}> <{SSSOM}object_id>)
  }}
  GRAPH ?g {{
    ?row ?cited ?rule ; <{SSSOM}subject_id> ?subject ; <{SSSOM}object_id> ?object ; <{SSSOM}mapping_justification> ?why
    FILTER(?why != <{expand(INVERTED)}>)
  }}
}} ORDER BY ?subject ?object"""
"""Mappings with the rules that they cite, and counterparts, which are rules."""
_REASONS = {
    (True, False): message("it rests on {rule}, but the current {now} has other words there"),
    (True, True): message("it rests on {rule}, but the current {now} has other words there (the same words: {elsewhere})"),
    (False, False): message("it rests on {rule}, but the current {now} has no {locator}"),
    (False, True): message("it rests on {rule}, but the current {now} has no {locator} (the same words: {elsewhere})"),
}
"""Keyed by whether the current edition has the rule, and whether it has the words elsewhere."""
Verdict = Message | bool | None
"""The reason why the rows that rest on a rule are stale; True if they are valid, None if unknown."""


class Stale:
    """Looks up the replacements of a rule in the current editions."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._later = LaterTexts(knowledge)
        self._whole = cache(self._of_rule)

    def of_claim(self, claim: Claim) -> Message | None:
        """The reason why a claim is stale: none of its supports is valid today, and the words of one were changed or removed."""
        return _stale(map(self._of_support, sorted(claim.supports, key=lambda support: (support.rule, support.quote))))

    def rules(self) -> Iterator[Finding]:
        """A finding for each rule that has been changed or removed, with its dependents.

        A concept rests on all rules that define it: it is stale if none of them is valid.
        """
        resting: dict[str, dict[str, None]] = defaultdict(dict)
        for concept, rules in self._defined().items():
            if _stale(map(self._whole, rules)):
                resting[next(rule for rule in rules if isinstance(self._whole(rule), Message))][concept_name(concept)] = None
        rows = self._knowledge.store.select(_MATCHED)
        today = {split_rule(row["rule"]).key for row in rows if not is_concept(row["subject"])}
        for row in rows:  # the counterparts of an edition that one of today supersedes are kept for its users
            if is_concept(row["subject"]) or not any(entry.key in today for entry in self._later.later(row["rule"])):
                resting[row["rule"]][f"{_short(row['subject'])} ↔ {_short(row['object'])}"] = None
        for rule, things in sorted(resting.items()):
            if isinstance(reason := self._whole(rule), Message):
                more = f" (+{len(things) - _SHOWN})" if len(things) > _SHOWN else ""
                named = ", ".join(islice(things, _SHOWN)) + more
                words = message("{things}: {reason}; read it there and correct them", things=named, reason=reason)
                yield Finding("stale", rule, words)

    def _defined(self) -> Mapping[str, list[str]]:
        """Concept → the rules that define it; excludes the terms of books, which exist only with their edition."""
        rules: dict[str, list[str]] = defaultdict(list)
        for row in self._knowledge.store.select(_DEFINED):
            rules[row["concept"]].append(row["rule"])
        return rules

    def _of_support(self, support: Support) -> Verdict:
        later = self._later.later(support.rule)
        if not later:
            return support.verified or None
        now = next((entry.key for entry in later if support.lang in entry.languages), None)
        return self._has_same_words(support.rule, support.quote, now, support.lang, str.__contains__) if now else None

    def _of_rule(self, rule: str) -> Verdict:
        key, locator = split_rule(rule)
        later = self._later.later(rule)
        if not later:
            return True
        old = ((lang, self._later.texts(key, lang).get(locator)) for lang in later[0].languages)
        verdicts = [self._has_same_words(rule, text, later[0].key, lang, str.__eq__) for lang, text in old if text]
        return True in verdicts or next(iter(verdicts), None)

    def _has_same_words(
        self, rule: str, words: str, now: EditionKey, lang: str, same: Callable[[str, str], bool]
    ) -> Message | bool:
        """Whether a later edition has the same words in the rule of that thread; if not, the change of the words."""
        texts, words = self._later.texts(now, lang), fold(words)
        steps = self._knowledge.threads.at(rule, now)
        there = self._later.successors(rule, steps)
        if any(same(texts.get(place, ""), words) for place in there) or any(step.only_references for step in steps):
            return True
        elsewhere = ", ".join([place for place, text in texts.items() if same(text, words)][:_SHOWN])
        text = _REASONS[any(place in texts for place in there), bool(elsewhere)].text
        return message(text, rule=path_of(rule), now=now, locator=split_rule(rule).locator, elsewhere=elsewhere)


def _stale(verdicts: Iterable[Verdict]) -> Message | None:
    """The first reason why a row that rests on several rules is stale; None if one of them is valid."""
    given = list(verdicts)
    return None if True in given else next((verdict for verdict in given if isinstance(verdict, Message)), None)


def _short(iri: str) -> str:
    return concept_name(iri) if is_concept(iri) else path_of(iri)
