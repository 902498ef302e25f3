"""The terms that a book defines: definitions, the concepts derived from them, and their named graph.

Definitions that share a name belong to one concept; a definition with the name of a shipped concept adds to that concept.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

import pyoxigraph as ox

from corpus.address import RDF_TYPE, RS, SKOS, EditionKey, concept_iri, game_of, graph_iri, rule_iri, scheme_iri, slugify
from corpus.digest import Gloss
from corpus.languages import label_language
from corpus.model import Kind
from corpus.words.text import fold_text
from corpus.words.tokens import name_form
from ingest.merge import Edition, MergedRule
from ingest.names import Form, Where, is_title_of_term, language_patterns, names
from ontology.concepts.names import moved_concepts
from ontology.labels import LabelSort
from ontology.shipped import shipped_forms, shipped_labels

Name = tuple[str, str, str]
"""A concept by IRI, a language, and a name of it."""
Names = Mapping[str, tuple[str, ...]]
"""Language → its names, the preferred one first."""
_MAX_COMMON_SHARE = 0.12
"""If a larger share of an edition's rules use a word, a sentence about its meaning does not define a term."""
_MIN_RULES = 100
"""Minimum number of rules for which this share is meaningful."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A rule that defines a term, and the term's names; the first language takes precedence."""

    locator: str
    names: Names
    meaning: Mapping[str, str]  # our glosses, language by language

    @property
    def lang(self) -> str:
        """The language that takes precedence."""
        return next(iter(self.names))

    @property
    def name(self) -> str:
        """Its first name."""
        return self.names[self.lang][0]


def definitions(edition: Edition) -> Iterator[Definition]:
    """The definitions in the loaded texts of an edition, in document order."""
    uses = _TermUses(edition)
    parents = {rule.parent for rule in edition.rules.values()}
    for rule in edition.rules.values():
        if rule.texts:
            yield from _rule_definitions(rule, edition, uses, has_title=rule.locator in parents)


def _rule_definitions(rule: MergedRule, edition: Edition, uses: "_TermUses", *, has_title: bool) -> Iterator[Definition]:
    langs = sorted(rule.texts, key=lambda lang: (lang != edition.original, lang))
    titles = _titles(rule, langs, has_title=has_title)
    if titles:
        yield Definition(rule.locator, titles, {} if rule.kind.is_heading or rule.gloss is None else rule.gloss.words)
    elif rule.kind is Kind.RULE:
        yield from _defined_in_sentences(rule, langs, uses)


def _titles(rule: MergedRule, langs: list[str], *, has_title: bool) -> Names:
    """The names of a term in a headword or in the title of a section or keyword, by language; empty for other titles."""
    if rule.kind is Kind.GLOSSARY:
        headwords = {lang: rule.texts[lang].headword for lang in langs if rule.texts[lang].headword}
    elif (rule.kind.is_heading and rule.parent) or (rule.kind is Kind.RULE and rule.number and has_title):
        headwords = {lang: rule.texts[lang].text for lang in langs}
    else:
        return {}
    where: Where = "headword" if rule.kind is Kind.GLOSSARY else "title"
    names_by_lang = {lang: terms for lang, words in headwords.items() if (terms := names(words, lang, where))}
    if not names_by_lang or (
        rule.kind is not Kind.GLOSSARY and not all(is_title_of_term(names_by_lang[lang][0], lang) for lang in names_by_lang)
    ):
        return {}
    return {**names_by_lang, **_names_in_gloss(rule, headwords, where)} if set(names_by_lang) == set(headwords) else names_by_lang


def _names_in_gloss(rule: MergedRule, headwords: Mapping[str, str], place: Where) -> dict[str, tuple[str, ...]]:
    """The names in our gloss of a title or headword, for languages without a loaded text."""
    gloss = rule.gloss or (rule.other.gloss if rule.other else None)
    if gloss is None:
        return {}
    gloss_titles = dict(gloss.headword) if rule.kind is Kind.GLOSSARY else _glossed_title(rule, gloss)
    if rule.gloss is None or rule.kind is Kind.RULE:  # a gloss of other words or without title must use the text's name of the term
        same = [lang for lang in headwords if fold_text(gloss_titles.get(lang, "")) == fold_text(headwords[lang])]
        if not same:
            return {}
    return {lang: terms for lang, words in gloss_titles.items() if lang not in headwords and (terms := names(words, lang, place))}


def _glossed_title(rule: MergedRule, gloss: Gloss) -> dict[str, str]:
    """A gloss of a heading is its title; that of a keyword's rule begins with it: `Trample: the keyword for …`."""
    if rule.kind.is_heading:
        return dict(gloss.words) if gloss.heading else {}
    heads = {lang: re.split("[:：]", words, maxsplit=1) for lang, words in gloss.words.items()}
    return {lang: parts[0].strip() for lang, parts in heads.items() if len(parts) > 1}


def _defined_in_sentences(rule: MergedRule, langs: list[str], uses: "_TermUses") -> Iterator[Definition]:
    """The terms that the sentences of a rule define. If each language defines one, they are the same term."""
    by_lang = {lang: list(_meant_terms(rule.texts[lang].text, lang, uses)) for lang in langs}
    meaning = rule.gloss.words if rule.gloss else {}
    if all(len(terms) == 1 for terms in by_lang.values()):
        yield Definition(rule.locator, {lang: terms[0] for lang, terms in by_lang.items()}, meaning)
        return
    for lang, terms in by_lang.items():
        yield from (Definition(rule.locator, {lang: term}, {}) for term in terms)


def _meant_terms(text: str, lang: str, uses: "_TermUses") -> Iterator[tuple[str, ...]]:
    forms: set[Form] = set()
    for pattern in language_patterns(lang).means:
        for match in pattern.finditer(text):
            terms = names(match["term"], lang, "sentence")
            if not terms or name_form(terms[0]) in forms or terms[0].split()[0].lower() in language_patterns(lang).openings:
                continue
            if is_title_of_term(terms[0], lang) and not uses.is_common(terms[0], lang):
                forms.add(name_form(terms[0]))
                yield terms


class _TermUses:
    """How common words are in an edition: a rule explains `your`, but it is not a term."""

    def __init__(self, edition: Edition) -> None:
        self._rules = [rule for rule in edition.rules.values() if rule.texts]
        self._texts: dict[str, tuple[str, int]] = {}

    def is_common(self, term: str, lang: str) -> bool:
        """Whether a word is in many rules."""
        if lang not in self._texts:
            texts = [rule.texts[lang].text for rule in self._rules if lang in rule.texts]
            self._texts[lang] = "\0".join(texts).lower(), len(texts)
        text, rules = self._texts[lang]
        return rules >= _MIN_RULES and text.count(term.lower()) > _MAX_COMMON_SHARE * rules


_MIN_TERMS = 3
"""Number of terms above which parentheses after terms are treated as remarks."""
_JOINED_KIND = "term"
"""Suffix of the slug of a concept whose address is taken."""


@dataclass(slots=True)
class BookConcept:
    """A concept of a book: its address, names in each language, and defining rules."""

    iri: str
    shipped: bool  # a shipped concept, to which the book only adds names and rules
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    """Language → names, the preferred one first."""
    defined_by: dict[str, None] = field(default_factory=dict)
    """Locators."""
    meaning: Mapping[str, str] = field(default_factory=dict)

    def add_definition(self, definition: Definition, remarks: Collection[tuple[str, str]]) -> None:
        """Adds another definition."""
        for lang, terms in definition.names.items():
            own_names = (name for name in terms if (lang, name) not in remarks)
            self.names.setdefault(lang, {}).update(dict.fromkeys(own_names))
        self.defined_by[definition.locator] = None
        self.meaning = self.meaning or definition.meaning


def concepts(edition: Edition, termbase: Iterable[Name] = ()) -> list[BookConcept]:
    """The concepts that an edition defines, in document order.

    `termbase` are names of concepts that do not ship, by decision of a person: a definition with such a name defines that concept.
    """
    every = list(definitions(edition))
    collection = _GatheredConcepts(edition.key.game, _common_remarks(every), termbase)
    leading = [definition for definition in every if edition.original in (definition.lang, "")]
    for definition in leading or every:
        collection.add(definition)
    for definition in every if leading else ():
        if definition.lang != edition.original:
            collection.join_definition(definition)
    order = {locator: place for place, locator in enumerate(edition.rules)}
    return sorted(collection.concepts(), key=lambda concept: min(order[locator] for locator in concept.defined_by))


class _GatheredConcepts:
    """The concepts found so far, by name."""

    def __init__(self, game: str, remarks: Collection[tuple[str, str]], termbase: Iterable[Name]) -> None:
        self._game = game
        self._remarks = remarks
        self._iris_by_decided_name = _by_name(name for name in termbase if game_of(name[0]) == game)
        self._shipped_iris = {*moved_concepts(), *(iri for iris in _shipped_by_name(game).values() for iri in iris)}
        self._leading: dict[tuple[str, Form], BookConcept] = {}
        self._concepts_by_name: dict[tuple[str, Form], dict[int, BookConcept]] = {}

    def concepts(self) -> list[BookConcept]:
        """The items without duplicates."""
        return list({id(concept): concept for concept in self._leading.values()}.values())

    def add(self, definition: Definition) -> None:
        """Adds a definition: equal names in the first language identify one concept."""
        place = definition.lang, name_form(definition.name)
        concept = self._leading.get(place) or (self._concept(definition) if place[1] else None)
        if concept is not None:
            self._take_names(concept, definition)

    def _concept(self, definition: Definition) -> BookConcept | None:
        """The shipped concept with that name, else the one of the termbase, else that at its own address; None if several have it.

        A person may have given further names to the concept at that address: it is the same, whichever was there first.
        """
        place = label_language(definition.lang), name_form(definition.name)
        if shipped := _shipped_by_name(self._game).get(place, ()):
            return BookConcept(shipped[0], shipped=True) if len(shipped) == 1 else None
        if len(iris := self._iris_by_decided_name.get(place, ())) == 1:
            concepts = (concept for concept in self.concepts() if concept.iri == iris[0])
            return next(concepts, BookConcept(iris[0], shipped=False))
        iri = next(iri for iri in _candidate_addresses(self._game, definition) if iri not in self._shipped_iris)
        return BookConcept(iri, shipped=False)

    def join_definition(self, definition: Definition) -> None:
        """The same for a definition that exists only in a translation: adds to the single concept with that name."""
        bearers = self._concepts_by_name.get((definition.lang, name_form(definition.name)), {})
        if len(bearers) == 1:
            self._take_names(next(iter(bearers.values())), definition)
        elif not bearers:
            self.add(definition)

    def _take_names(self, concept: BookConcept, definition: Definition) -> None:
        concept.add_definition(definition, self._remarks)
        self._shipped_iris.add(concept.iri)
        for lang, terms in definition.names.items():
            for name in terms:
                if (lang, name) not in self._remarks:
                    self._concepts_by_name.setdefault((lang, name_form(name)), {})[id(concept)] = concept
                    if lang == definition.lang:
                        self._leading.setdefault((lang, name_form(name)), concept)


def _common_remarks(definitions: Iterable[Definition]) -> set[tuple[str, str]]:
    """Removes alternative names that many terms share, such as (Obsolete)."""
    beside = Counter((lang, name) for definition in definitions for lang, terms in definition.names.items() for name in terms[1:])
    return {name for name, count in beside.items() if count >= _MIN_TERMS}


def _by_name(names: Iterable[Name]) -> Mapping[tuple[str, Form], tuple[str, ...]]:
    """Language and name → the concepts with that name."""
    bearers: dict[tuple[str, Form], dict[str, None]] = {}
    for concept, lang, words in names:
        bearers.setdefault((label_language(lang), name_form(words)), {})[concept] = None
    return {place: tuple(iris) for place, iris in bearers.items()}


def _candidate_addresses(game: str, definition: Definition) -> Iterator[str]:
    """Candidate addresses for a concept: from its English name if it has one, else from the first."""
    english = definition.names.get("en", ())
    slugs = [part for name in (*english[:1], definition.name) if (part := slugify(name))]
    yield from (concept_iri(f"{game}/{part}") for part in slugs)
    base = slugs[-1] if slugs else slugify(definition.locator)
    yield concept_iri(f"{game}/{base}-{_JOINED_KIND}")
    yield concept_iri(f"{game}/{base}-{slugify(definition.locator)}")


@cache
def _shipped_by_name(game: str) -> Mapping[tuple[str, Form], tuple[str, ...]]:
    """Language and name → the shipped concepts of a game with that name; slang counts only if no other name matches."""
    bearers, forms = dict[tuple[str, Form], dict[bool, dict[str, None]]](), shipped_forms()
    for label in shipped_labels():
        if label.scheme == game:
            by_sort = bearers.setdefault((label.lang, forms[label.text]), {})
            by_sort.setdefault(label.sort is LabelSort.SLANG, {})[label.concept] = None
    return {place: tuple(by_sort[min(by_sort)]) for place, by_sort in bearers.items()}


GRAPH_FOLDER = "terms"
"""Prefix of the names of these graphs."""
BOOK_TERM = f"{RS}BookTerm"
_PREF, _ALT = ox.NamedNode(f"{SKOS}prefLabel"), ox.NamedNode(f"{SKOS}altLabel")
_TYPE, _DEFINED_BY = ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{RS}definedBy")


def quads(key: EditionKey, concepts: Iterable[BookConcept], official: Collection[str]) -> Iterator[ox.Quad]:
    """The graph of the concepts that an edition defines; `official` are the languages of its official texts."""
    graph = ox.NamedNode(graph_iri(GRAPH_FOLDER, key))
    for concept in concepts:
        subject = ox.NamedNode(concept.iri)
        if not concept.shipped:
            yield ox.Quad(subject, _TYPE, ox.NamedNode(f"{SKOS}Concept"), graph)
            yield ox.Quad(subject, _TYPE, ox.NamedNode(BOOK_TERM), graph)
            yield ox.Quad(subject, ox.NamedNode(f"{SKOS}inScheme"), ox.NamedNode(scheme_iri(key.game)), graph)
            for lang, words in sorted(concept.meaning.items()):
                yield ox.Quad(subject, ox.NamedNode(f"{SKOS}definition"), ox.Literal(words, language=lang), graph)
        for locator in concept.defined_by:
            yield ox.Quad(subject, _DEFINED_BY, ox.NamedNode(rule_iri(key, locator)), graph)
        for lang, terms in concept.names.items():
            for place, name in enumerate(_new_names(concept, lang, terms)):
                kind = _ALT if place or concept.shipped else _PREF
                yield ox.Quad(subject, kind, ox.Literal(name, language=lang), graph)
                if lang in official:
                    yield ox.Quad(subject, ox.NamedNode(f"{RS}officialLabel"), ox.Literal(name, language=lang), graph)


def _new_names(concept: BookConcept, lang: str, names: Iterable[str]) -> list[str]:
    """The names that the shipped concept lacks, the first of equivalent ones."""
    shipped = _shipped_names().get((concept.iri, lang), frozenset()) if concept.shipped else frozenset()
    distinct = {name_form(name): name for name in reversed(list(names))}
    return [distinct[label] for label in reversed(distinct) if label not in shipped]


@cache
def _shipped_names() -> dict[tuple[str, str], frozenset[tuple[str, ...]]]:
    """Concept and language → its shipped names without slang."""
    forms_by_name, forms = dict[tuple[str, str], set[Form]](), shipped_forms()
    for label in shipped_labels():
        if label.sort is not LabelSort.SLANG:
            forms_by_name.setdefault((label.concept, label.lang), set()).add(forms[label.text])
    return {place: frozenset(forms) for place, forms in forms_by_name.items()}
