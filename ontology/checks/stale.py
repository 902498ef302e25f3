"""Finds stale rows: claims, definitions, mappings and counterparts that cite a rule which has been changed or removed since.

A citation is valid if the rule is current, or if the current edition of its book, loaded in the same language, has the same words
in the rule of the same thread (of the same number if no thread is known). The words count as the same if they contain the
quotation of a claim or, without a quotation, if the whole text is equal.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice

from corpus.address import RS, EditionKey, concept_name, graph_iri, is_concept, path_of, split_rule
from corpus.messages import Message, message
from corpus.words.text import fold_text
from ontology.checks.finding import Finding
from ontology.concepts.claim_status import LaterTexts
from ontology.concepts.claims import Claim, Support
from ontology.knowledge import Knowledge
from ontology.sssom import INVERSION_JUSTIFICATION, SSSOM, expand_curie

_MAX_SHOWN = 3
"""Maximum number of rules with the same words, and of dependents of one rule, that are named."""
_DEFINED_QUERY = f"""
SELECT DISTINCT ?concept ?rule WHERE {{
  GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} FILTER(STRSTARTS(STR(?g), "{graph_iri("concepts", "")}"))
}} ORDER BY ?concept ?rule"""
_MATCHED_QUERY = f"""
SELECT DISTINCT ?subject ?object ?rule WHERE {{
  VALUES (?g ?cited) {{
    (<{graph_iri("mappings")}> <{RS}subject_rule>) (<{graph_iri("mappings")}> <{RS}object_rule>)
    (<{graph_iri("counterparts")}> <{SSSOM}subject_id>) (<{graph_iri("counterparts")}> <{SSSOM}object_id>)
  }}
  GRAPH ?g {{
    ?row ?cited ?rule ; <{SSSOM}subject_id> ?subject ; <{SSSOM}object_id> ?object ; <{SSSOM}mapping_justification> ?why
    FILTER(?why != <{expand_curie(INVERSION_JUSTIFICATION)}>)
  }}
}} ORDER BY ?subject ?object"""
"""Mappings with the rules that they cite, and counterparts, which are rules."""
_STALE_MESSAGES = {
    (True, False): message("it rests on {rule}, but the current {now} has other words there"),
    (True, True): message("it rests on {rule}, but the current {now} has other words there (the same words: {elsewhere})"),
    (False, False): message("it rests on {rule}, but the current {now} has no {locator}"),
    (False, True): message("it rests on {rule}, but the current {now} has no {locator} (the same words: {elsewhere})"),
}
"""Keyed by whether the current edition has the rule, and whether it has the words elsewhere."""
Verdict = Message | bool | None
"""The reason why the rows that rest on a rule are stale; True if they are valid, None if unknown."""


class StaleChecker:
    """Looks up the replacements of a rule in the current editions."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._later = LaterTexts(knowledge)
        self._whole = cache(self._rule_verdict)

    def claim_verdict(self, claim: Claim) -> Message | None:
        """The reason why a claim is stale: none of its supports is valid today, and the words of one were changed or removed."""
        return _first_reason(map(self._support_verdict, sorted(claim.supports, key=lambda support: (support.rule, support.quote))))

    def stale_rules(self) -> Iterator[Finding]:
        """A finding for each rule that has been changed or removed, with its dependents.

        A concept rests on all rules that define it: it is stale if none of them is valid.
        """
        resting: dict[str, dict[str, None]] = defaultdict(dict)
        for concept, rules in self._rules_by_concept().items():
            if _first_reason(map(self._whole, rules)):
                resting[next(rule for rule in rules if isinstance(self._whole(rule), Message))][concept_name(concept)] = None
        rows = self._knowledge.store.select(_MATCHED_QUERY)
        today = {split_rule(row["rule"]).key for row in rows if not is_concept(row["subject"])}
        for row in rows:  # the counterparts of an edition that one of today supersedes are kept for its users
            if is_concept(row["subject"]) or not any(entry.key in today for entry in self._later.later_editions(row["rule"])):
                resting[row["rule"]][f"{_short_name(row['subject'])} ↔ {_short_name(row['object'])}"] = None
        for rule, things in sorted(resting.items()):
            if isinstance(reason := self._whole(rule), Message):
                more = f" (+{len(things) - _MAX_SHOWN})" if len(things) > _MAX_SHOWN else ""
                names = ", ".join(islice(things, _MAX_SHOWN)) + more
                words = message("{things}: {reason}; read it there and correct them", things=names, reason=reason)
                yield Finding("stale", rule, words)

    def _rules_by_concept(self) -> Mapping[str, list[str]]:
        """Concept → the rules that define it; excludes the terms of books, which exist only with their edition."""
        rules: dict[str, list[str]] = defaultdict(list)
        for row in self._knowledge.store.select(_DEFINED_QUERY):
            rules[row["concept"]].append(row["rule"])
        return rules

    def _support_verdict(self, support: Support) -> Verdict:
        later = self._later.later_editions(support.rule)
        if not later:
            return support.verified or None
        now = next((entry.key for entry in later if support.lang in entry.languages), None)
        return self._same_words_verdict(support.rule, support.quote, now, support.lang, str.__contains__) if now else None

    def _rule_verdict(self, rule: str) -> Verdict:
        key, locator = split_rule(rule)
        later = self._later.later_editions(rule)
        if not later:
            return True
        old = ((lang, self._later.texts(key, lang).get(locator)) for lang in later[0].languages)
        verdicts = [self._same_words_verdict(rule, text, later[0].key, lang, str.__eq__) for lang, text in old if text]
        return True in verdicts or next(iter(verdicts), None)

    def _same_words_verdict(
        self, rule: str, words: str, later_key: EditionKey, lang: str, same: Callable[[str, str], bool]
    ) -> Message | bool:
        """Whether a later edition has the same words in the rule of that thread; if not, the change of the words."""
        texts, words = self._later.texts(later_key, lang), fold_text(words)
        steps = self._knowledge.threads.steps_to_edition(rule, later_key)
        there = self._later.successor_locators(rule, steps)
        if any(same(texts.get(place, ""), words) for place in there) or any(step.only_references for step in steps):
            return True
        elsewhere = ", ".join([place for place, text in texts.items() if same(text, words)][:_MAX_SHOWN])
        text = _STALE_MESSAGES[any(place in texts for place in there), bool(elsewhere)].text
        return message(text, rule=path_of(rule), now=later_key, locator=split_rule(rule).locator, elsewhere=elsewhere)


def _first_reason(verdicts: Iterable[Verdict]) -> Message | None:
    """The first reason why a row that rests on several rules is stale; None if one of them is valid."""
    every = list(verdicts)
    return None if True in every else next((verdict for verdict in every if isinstance(verdict, Message)), None)


def _short_name(iri: str) -> str:
    return concept_name(iri) if is_concept(iri) else path_of(iri)
