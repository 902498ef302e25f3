"""Cases generated from real editions at run time, and the share of correct results: `python -m bench.verify`.

The state of a rule in another edition is known only from the equality of complete texts, not from threads: the same words under
the same number, the same words elsewhere, similar words under the same number. Quotations are taken from the rule and then altered:
a word is replaced, dropped or repeated, a `not` is removed, a number is changed. Texts are never printed.
"""

import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from rapidfuzz.fuzz import ratio

from bench.measure import rulebook_folder, use_only_seed_digests
from bench.verify.altered import altered_quotation, faithful_quotation
from bench.verify.case import Case, Expected, print_score, score_cases
from corpus.address import EditionKey
from corpus.store.home import Home
from corpus.words.text import fold_text
from ontology.knowledge import Knowledge
from rulestone import Library

BOOKS = ("mtg", "dm", "onepiece", "fow/comprehensive_rules_12.7.en.txt")
CASES_PER_KIND = 60
"""Number of cases of each kind."""
_NUMBER = re.compile(r"\d{3,4}\.\d+[a-z]?|\d+-\d+-\d+-\d+")
_RULE_FORMS = {"en": "rule {}", "ja": "ルール{}", "zh-Hans": "规则{}"}
_BARE_FORMS = {
    "en": ("{} covers this.", "See {} for details.", "I think that {} applies here.", "(see {})"),
    "ja": ("{}を参照してください。", "これは{}の通りです。", "（{}）"),
    "zh-Hans": ("根据{}，可以这样做。", "请参见{}。", "（{}）"),
}
_QUOTING_FORMS = {
    "en": (
        "{cite} says “{words}”",
        'According to {cite}, "{words}"',
        "“{words}” ({cite})",
        "{cite}:\n> {words}\n",
        '{cite} states: "{words}" So there.',
    ),
    "ja": (
        "{cite}には「{words}」とあります。",
        "「{words}」（{cite}）",
        "{cite}：\n> {words}\n",
        "{cite}によれば『{words}』です。",
    ),
    "zh-Hans": (
        "{cite}规定：“{words}”",
        "根据{cite}，“{words}”",
        "“{words}”（{cite}）",
        "{cite}：\n> {words}\n",
        "{cite}写道：「{words}」",
    ),
}
_T = TypeVar("_T")
Words = Mapping[str, str]
"""Locator → the text of a rule."""


class CaseMaker:
    """Cases of one knowledge base, drawn with a seed."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self.knowledge = knowledge
        self.draw = random.Random(seed)
        self.names: dict[str, set[str]] = defaultdict(set)
        self.words: dict[tuple[EditionKey, str], dict[str, str]] = defaultdict(dict)
        self.around: dict[tuple[EditionKey, str], str] = {}
        for key in knowledge.manifest.editions:
            self._read_edition(key)

    def _read_edition(self, key: EditionKey) -> None:
        for record in self.knowledge.records_of(key):
            self.names[record["locator"]].add(key.game)
            for lang, text in record["texts"].items():
                if record["kind"] == "rule" and _NUMBER.fullmatch(record["locator"]):
                    self.words[key, lang][record["locator"]] = text["text"]

    def cases(self) -> Iterator[Case]:
        """All kinds of cases."""
        for old, new in self._edition_pairs():
            yield from self._cases_since(old, new)
        yield from self._cases_between_days()
        for key, lang in list(self.words):
            if self.knowledge.currency.has_current(key):
                yield from self._standing_cases(key, lang)
        yield from self._case_without_game()

    def _edition_pairs(self) -> Iterator[tuple[EditionKey, EditionKey]]:
        current = {
            (key.game, key.book): key for key in self.knowledge.manifest.editions if self.knowledge.currency.has_current(key)
        }
        for key in sorted(self.knowledge.manifest.editions, key=str):
            if key.edition[:1].isdigit() and not self.knowledge.currency.has_current(key):
                yield key, current[key.game, key.book]

    def _cases_since(self, old: EditionKey, new: EditionKey) -> Iterator[Case]:
        """Cases that cite from an earlier edition."""
        for lang in ("en", "zh-Hans"):
            before, after = self.words.get((old, lang), {}), self.words.get((new, lang), {})
            if not before or not after:
                continue
            for status, rules in rule_fates(before, after).items():
                for locator, now in self._sample(rules):
                    name = f"{old.edition} {lang} {status}"
                    yield self._citing_case(name, old, lang, locator, status, now)
                    yield self._quoting_case(f"{name} quoted", old, lang, locator, status, now, is_wrong=False)
                    yield self._quoting_case(f"{name} misquoted", old, lang, locator, "misquoted", None, is_wrong=True)

    def _cases_between_days(self) -> Iterator[Case]:
        """Cases for a day between two editions of a book, one of which may be current: a rule that is equal in both is certain."""
        for book in sorted({(key.game, key.book) for key, _ in self.words}):
            keys = sorted((key for key in {key for key, _ in self.words} if (key.game, key.book) == book), key=str)
            for old, new in pairwise(key for key in keys if key.edition[:1].isdigit()):
                yield from self._cases_on_day(f"{old.edition[:7]}-28", old, new, keys[-1])

    def _cases_on_day(self, day: str, old: EditionKey, new: EditionKey, last: EditionKey) -> Iterator[Case]:
        before, after, now = (self.words.get((key, "en"), {}) for key in (old, new, last))
        if not before or not after or not old.edition < day < new.edition:
            return
        alike = [locator for locator, words in before.items() if fold_text(words) == fold_text(after.get(locator, ""))]
        status_by_locator = {locator: status for status, rules in rule_fates(before, now).items() for locator, _ in rules}
        apart = [
            locator for locator in {**before, **after} if fold_text(before.get(locator, "")) != fold_text(after.get(locator, ""))
        ]
        for locator in self._sample([locator for locator in alike if locator in status_by_locator]):
            expected = Expected(locator, _status_of_number(status_by_locator[locator]))
            yield Case(f"day {day} same", f"See rule {locator}.", (expected,), old.game, day)
        for locator in self._sample(apart):
            yield Case(f"day {day} open", f"See rule {locator}.", (Expected(locator, "unchecked"),), old.game, day)
        for locator in self._sample([locator for locator in apart if locator in before and locator in status_by_locator]):
            text = f"Rule {locator} says “{before[locator].splitlines()[0]}”"
            yield Case(f"day {day} quoted", text, (Expected(locator, status_by_locator[locator], quote="verified"),), old.game, day)

    def _sample(self, rules: Sequence[_T], count: int = CASES_PER_KIND) -> list[_T]:
        return self.draw.sample(rules, min(count, len(rules)))

    def _citation(self, lang: str, locator: str) -> str:
        return _RULE_FORMS[lang].format(locator)

    def _citing_case(self, kind: str, key: EditionKey, lang: str, locator: str, status: str, current: str | None) -> Case:
        sentence = self.draw.choice(_BARE_FORMS[lang]).format(self._citation(lang, locator))
        return Case(kind, sentence, (Expected(locator, _status_of_number(status), current),), key.game, key.edition)

    def _quoting_case(
        self, kind: str, key: EditionKey, lang: str, locator: str, status: str, current: str | None, *, is_wrong: bool
    ) -> Case:
        whole = self._full_text(key, lang, locator)
        words = (altered_quotation if is_wrong else faithful_quotation)(self.draw, self.words[key, lang][locator], whole, lang)
        if words is None:
            return Case(kind, "", ()) if is_wrong else self._citing_case(kind, key, lang, locator, status, current)
        form = self.draw.choice(_QUOTING_FORMS[lang])
        quotation = words.replace("\n", "\n> ") if "> " in form else words
        text = form.format(cite=self._citation(lang, locator), words=quotation)
        return Case(kind, text, (Expected(locator, status, current),), key.game, key.edition)

    def _full_text(self, key: EditionKey, lang: str, locator: str) -> str:
        """The words of a rule, its examples and its parts."""
        pieces: list[str] = []
        waiting = [f"{key.iri}/{locator}"]
        for record in (self.knowledge.by_iri([iri]).get(iri) for iri in waiting):
            if record:
                pieces.append(record["texts"].get(lang, {"text": ""})["text"])
                pieces += [aside["text"] for aside in (*record["examples"], *record["notes"]) if aside["lang"] == lang]
                waiting += [child["iri"] for child in record["children"]]
        return "\n".join(pieces)

    def _standing_cases(self, key: EditionKey, lang: str) -> Iterator[Case]:
        """Cases that cite a current edition without naming it."""
        name = f"{key.game} {lang}"
        rules = list(self.words[key, lang])
        for locator in self._sample(rules):
            for case in (
                self._citing_case(f"{name} verified", key, lang, locator, "verified", None),
                self._quoting_case(f"{name} quoted", key, lang, locator, "verified", None, is_wrong=False),
                self._quoting_case(f"{name} misquoted", key, lang, locator, "misquoted", None, is_wrong=True),
            ):
                yield Case(case.kind, case.text, case.expected, key.game)
        for locator in self._sample(rules, CASES_PER_KIND // 2):
            missing = self._missing_case(locator)
            yield Case(f"{name} not found", self._citation(lang, missing), (Expected(missing, "not_found"),), key.game)
            sentence = self.draw.choice(_BARE_FORMS[lang]).format(self._citation(lang, locator))
            yield Case(f"{name} unchecked", sentence, (Expected(locator, "unchecked"),), key.game, "1999-04-01")

    def _missing_case(self, locator: str) -> str:
        """A number that no book has, next to an existing one."""
        head, dot, _ = locator.rpartition("." if "." in locator else "-")
        return next(name for count in range(240, 990) if (name := f"{head}{dot}{count}") not in self.names)

    def _case_without_game(self) -> Iterator[Case]:
        """Numbers that rules of several games have, in a text that names no game."""
        several = sorted(locator for locator, games in self.names.items() if len(games) > 1 and _NUMBER.fullmatch(locator))
        for locator in self._sample(several):
            lang = self.draw.choice(list(_BARE_FORMS))
            sentence = self.draw.choice(_BARE_FORMS[lang]).format(self._citation(lang, locator))
            yield Case("ambiguous", sentence, (Expected(locator, "ambiguous"),))


def _status_of_number(status: str) -> str:
    """The status of a citation without quotation, of whose rule only the number is looked up."""
    return "exists" if status == "verified" else status


def rule_fates(before: Words, after: Words) -> dict[str, list[tuple[str, str | None]]]:
    """The outcomes of rules, by the equality of complete texts: status → locator and the locator today, without doubtful ones."""
    places: dict[str, list[str]] = defaultdict(list)
    for locator, text in after.items():
        places[fold_text(text)].append(locator)
    earlier = {fold_text(text) for text in before.values()}
    by_fate: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for locator, text in before.items():
        words = fold_text(text)
        there = places.get(words, [])
        if locator in there:
            by_fate["verified"].append((locator, None))
        elif len(there) == 1 and len(words) > 30:
            by_fate["reused" if locator in after else "moved"].append((locator, there[0]))
        elif (
            not there
            and locator in after
            and fold_text(after[locator]) not in earlier
            and ratio(words, fold_text(after[locator])) > 85
        ):
            by_fate["edited"].append((locator, None))
    return by_fate


def main() -> int:
    """Returns 0 if at least 0.98 of the cases are correct and none is falsely reported as verified."""
    use_only_seed_digests()
    with tempfile.TemporaryDirectory(prefix="rulestone-verify-") as folder, Library.open(folder) as library:
        library.add([rulebook_folder() / name for name in BOOKS])
        with Home(library.path).reading_current() as bundle:
            cases = [case for case in CaseMaker(Knowledge.open(bundle), seed=11).cases() if case.text]
        return print_score(score_cases(cases, library))
