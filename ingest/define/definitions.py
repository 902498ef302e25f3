"""Where a book defines its terms: glossary entries, titles of sections and keywords, sentences that say what something means."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corpus.digest import Gloss
from corpus.model import Kind
from corpus.words.text import fold
from ingest.define.label import Form, Where, form, is_title_of_term, names, words_of
from ingest.merge import Edition, Rule

Names = Mapping[str, tuple[str, ...]]
"""Language → the names in it, the first one first."""
_COMMON = 0.12
"""Share of an edition's rules that use a term from which on a sentence that says what it means defines no term of its own."""
_FEW = 100
"""Rules below which nothing is told from such a share."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule that defines a term, and what it calls it; the first language leads."""

    locator: str
    names: Names
    meaning: Mapping[str, str]  # our gloss of it, language by language

    @property
    def lang(self) -> str:
        """The language that leads."""
        return next(iter(self.names))

    @property
    def name(self) -> str:
        """What it is called first."""
        return self.names[self.lang][0]


def definitions(edition: Edition) -> Iterator[Definition]:
    """What the loaded texts of an edition define, in the order of the book."""
    uses = _Uses(edition)
    parents = {rule.parent for rule in edition.rules.values()}
    for rule in edition.rules.values():
        if rule.texts:
            yield from _defined(rule, edition, uses, titled=rule.locator in parents)


def _defined(rule: Rule, edition: Edition, uses: "_Uses", *, titled: bool) -> Iterator[Definition]:
    langs = sorted(rule.texts, key=lambda lang: (lang != edition.original, lang))
    called = _titles(rule, langs, titled=titled)
    if called:
        yield Definition(rule.locator, called, {} if rule.kind.is_heading or rule.gloss is None else rule.gloss.words)
    elif rule.kind is Kind.RULE:
        yield from _said(rule, langs, uses)


def _titles(rule: Rule, langs: list[str], *, titled: bool) -> Names:
    """What a headword, or the title of a section or keyword, calls a term in each language; nothing for another title."""
    if rule.kind is Kind.GLOSSARY:
        printed = {lang: rule.texts[lang].headword for lang in langs if rule.texts[lang].headword}
    elif (rule.kind.is_heading and rule.parent) or (rule.kind is Kind.RULE and rule.number and titled):
        printed = {lang: rule.texts[lang].text for lang in langs}
    else:
        return {}
    where: Where = "headword" if rule.kind is Kind.GLOSSARY else "title"
    named = {lang: called for lang, words in printed.items() if (called := names(words, lang, where))}
    if not named or (rule.kind is not Kind.GLOSSARY and not all(is_title_of_term(named[lang][0], lang) for lang in named)):
        return {}
    return {**named, **_translated(rule, printed, where)} if set(named) == set(printed) else named


def _translated(rule: Rule, printed: Mapping[str, str], where: Where) -> dict[str, tuple[str, ...]]:
    """The names in our gloss of a title or headword, in the languages in which no text is loaded."""
    gloss = rule.gloss or (rule.other.gloss if rule.other else None)
    if gloss is None:
        return {}
    called = dict(gloss.headword) if rule.kind is Kind.GLOSSARY else _glossed_title(rule, gloss)
    if rule.gloss is None or rule.kind is Kind.RULE:  # of other words, or no title: it must call the term what the text calls it
        same = [lang for lang in printed if fold(called.get(lang, "")) == fold(printed[lang])]
        if not same:
            return {}
    return {lang: terms for lang, words in called.items() if lang not in printed and (terms := names(words, lang, where))}


def _glossed_title(rule: Rule, gloss: Gloss) -> dict[str, str]:
    """A gloss of a heading is its title; that of a keyword's rule begins with it: `Trample: the keyword for …`."""
    if rule.kind.is_heading:
        return dict(gloss.words) if gloss.heading else {}
    heads = {lang: re.split("[:：]", words, maxsplit=1) for lang, words in gloss.words.items()}
    return {lang: parts[0].strip() for lang, parts in heads.items() if len(parts) > 1}


def _said(rule: Rule, langs: list[str], uses: "_Uses") -> Iterator[Definition]:
    """The terms that the sentences of a rule define. Where each language defines one, it is the same."""
    by_lang = {lang: list(_means(rule.texts[lang].text, lang, uses)) for lang in langs}
    meaning = rule.gloss.words if rule.gloss else {}
    if all(len(terms) == 1 for terms in by_lang.values()):
        yield Definition(rule.locator, {lang: terms[0] for lang, terms in by_lang.items()}, meaning)
        return
    for lang, terms in by_lang.items():
        yield from (Definition(rule.locator, {lang: called}, {}) for called in terms)


def _means(text: str, lang: str, uses: "_Uses") -> Iterator[tuple[str, ...]]:
    seen: set[Form] = set()
    for pattern in words_of(lang).means:
        for match in pattern.finditer(text):
            terms = names(match["term"], lang, "sentence")
            if terms and form(terms[0]) not in seen and _is_term(terms[0], lang) and not uses.is_common(terms[0], lang):
                seen.add(form(terms[0]))
                yield terms


def _is_term(name: str, lang: str) -> bool:
    return name.split()[0].lower() not in words_of(lang).openings and is_title_of_term(name, lang)


class _Uses:
    """How common words are in an edition: `your` has a rule that says what it means, and is no term."""

    def __init__(self, edition: Edition) -> None:
        self._rules = [rule for rule in edition.rules.values() if rule.texts]
        self._texts: dict[str, tuple[str, int]] = {}

    def is_common(self, term: str, lang: str) -> bool:
        """Whether a term stands in many rules."""
        if lang not in self._texts:
            texts = [rule.texts[lang].text for rule in self._rules if lang in rule.texts]
            self._texts[lang] = "\0".join(texts).lower(), len(texts)
        text, rules = self._texts[lang]
        return rules >= _FEW and text.count(term.lower()) > _COMMON * rules
