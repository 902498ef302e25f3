"""Merges the readings of one edition: chapters are joined, languages and glosses are placed side by side."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import pairwise

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.digest import Digest, Gloss, digests
from corpus.model import Authority, Kind, Node, Reading
from corpus.words.text import fold_hash, fold_text
from ingest.cite import with_citations
from ingest.number_format import Key, number_key
from ingest.split.headings import is_title


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a rule's words: a file and a range of code points in its decoded text."""

    lang: str
    authority: Authority
    file: str
    sha256: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OtherGloss:
    """A gloss of the same rule in another edition, whose words differ."""

    key: EditionKey
    gloss: Gloss


_MIN_UNTITLED = 0.25
"""Share of the numbers of a flat book that are sentences, from which its titles head those that follow."""


@dataclass(slots=True)
class MergedRule:
    """A rule of an edition: its text in each language, its gloss, its sources."""

    locator: str
    texts: dict[str, Node] = field(default_factory=dict)
    authorities: dict[str, Authority] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)
    gloss: Gloss | None = None
    other: OtherGloss | None = None
    parent: str | None = None
    number: str | None = None
    kind: Kind = Kind.RULE


@dataclass(slots=True)
class Edition:
    """An edition with all its data, its rules in document order."""

    key: EditionKey
    grammar: str
    original: str  # the language whose numbers and order take precedence
    rules: dict[str, MergedRule] = field(default_factory=dict)
    authorities: dict[str, Authority] = field(default_factory=dict)  # per loaded language
    files: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # per language: (name, sha256)
    titles: tuple[str, ...] = ()  # first lines of its files


def conflicting_locators(old: Iterable[Reading], new: Reading) -> list[str]:
    """Locators that both have with different words, ignoring typography."""
    mine = {node.locator: node for node in new.nodes}
    others = (each for each in old if (each.key, each.lang) == (new.key, new.lang) and each.sha256 != new.sha256)
    pairs = ((node, mine[node.locator]) for reading in others for node in reading.nodes if node.locator in mine)
    clashing = {node.locator for node, own in pairs if node.text != own.text and fold_text(node.text) != fold_text(own.text)}
    return sorted(clashing, key=list(mine).index)


def merge(key: EditionKey, readings: Sequence[Reading]) -> Edition:
    """One edition from all its readings, in any order, and the shipped digest."""
    readings = sorted(readings, key=lambda reading: (-len(reading.nodes), reading.lang, reading.sha256))
    original = catalogue().book(key.game, key.book).original
    languages = {
        lang: [reading for reading in readings if reading.lang == lang]
        for lang in dict.fromkeys(reading.lang for reading in readings)
    }
    leading = original if original in languages else max(languages, key=lambda lang: len(languages[lang][0].nodes), default="")
    grammar = readings[0].grammar if readings else next(iter(catalogue().book(key.game, key.book).grammars.values()), "")
    edition = Edition(key, grammar, leading or original)
    for lang in sorted(languages, key=lambda lang: (lang != leading, lang)):
        _add_language(edition, lang, languages[lang], leading)
    edition.titles = tuple(sorted({reading.title for reading in readings if reading.title}))
    _add_glosses(edition)
    _adopt_headings(edition)
    _nest_below_titles(edition)
    _resolve_citations(edition)
    return edition


def _adopt_headings(edition: Edition) -> None:
    """A number whose heading is in another file, or only in the digest, becomes a child of that heading."""
    grammar = catalogue().grammars.get(edition.grammar)
    if grammar is None or not grammar.levels:
        return
    rules = [rule for rule in edition.rules.values() if rule.number]
    plain = {number_key(rule.locator, grammar): rule.locator for rule in rules if ".dup" not in rule.locator}
    for rule in rules:
        if rule.parent is None:
            key = number_key(rule.locator.split(".dup")[0], grammar)
            above = (plain.get(key[:length]) for length in range(len(key) - 1, 0, -1))
            rule.parent = next((locator for locator in above if locator), None)


def _nest_below_titles(edition: Edition) -> None:
    """Nests the numbers of a flat book: a title without numbered parts heads the numbers that follow it.

    A title of a round hundred heads a chapter; if the numbers jump to it, it may have parts. Any other title heads a section. A
    jump to the first number of a hundred, without such a title, begins a chapter whose title is missing.
    """
    grammar = catalogue().grammars.get(edition.grammar)
    if grammar is None or not grammar.is_flat:
        return
    rules_and_keys = [(rule, number_key(rule.locator.split(".dup")[0], grammar)) for rule in edition.rules.values() if rule.number]
    with_parts = {rule.locator for (rule, key), (_, below) in pairwise(rules_and_keys) if len(below) > 1 and below[:1] == key}
    tops = [(rule, key[0]) for rule, key in rules_and_keys if len(key) == 1]
    bare_titles = {rule.locator for rule, _ in tops if _is_only_title(rule)}
    titles = bare_titles - with_parts
    has_sections = sum(rule.locator not in bare_titles for rule, _ in tops) >= _MIN_UNTITLED * len(tops)
    chapter: str | None = None
    section: str | None = None
    before = -1
    for rule, value in tops:
        jumps = value != before + 1
        if value % 100 == 0 and rule.locator in (bare_titles if jumps else titles):
            rule.kind, chapter, section = Kind.CHAPTER, rule.locator, None
        else:
            if value % 100 <= 1 and jumps:
                chapter = section = None
            is_section = has_sections and rule.locator in titles
            rule.parent = rule.parent or (chapter if is_section else section or chapter)
            if rule.kind is Kind.CHAPTER and rule.parent:
                rule.kind = Kind.SECTION
            if is_section:
                section = rule.locator
        before = value


def _is_only_title(rule: MergedRule) -> bool:
    """Whether the words of a numbered rule, or those of its gloss, are no more than a title."""
    if not rule.texts:
        return rule.gloss is not None and rule.gloss.heading
    return rule.kind.is_heading and is_title(next(iter(rule.texts.values())).text)


def _resolve_citations(edition: Edition) -> None:
    """Resolves citations of rules that exist only in another language of the edition."""
    for rule in edition.rules.values():
        for lang, node in rule.texts.items():
            if any(cite.target is None and cite.locator in edition.rules for cite in node.cites):
                targets = (cite.target or (cite.locator if cite.locator in edition.rules else None) for cite in node.cites)
                cites = tuple(cite._replace(target=target) for cite, target in zip(node.cites, targets, strict=True))
                rule.texts[lang] = node._replace(cites=cites)


def _add_language(edition: Edition, lang: str, readings: list[Reading], leading: str) -> None:
    by_chapter = sorted(readings, key=_place_chapters)
    best: dict[str, tuple[Node, Reading]] = {}
    for reading in sorted(by_chapter, key=lambda reading: -len(reading.nodes)):
        for node in reading.nodes:
            best.setdefault(node.locator, (node, reading))
    names = list(dict.fromkeys(node.locator for reading in by_chapter for node in reading.nodes))
    nodes: Sequence[Node] = [best[name][0] for name in names]
    if len(readings) > 1:
        nodes = with_citations(nodes, catalogue().grammars[readings[0].grammar])
    new_locators = {} if lang == leading else _joined_glossary(edition, nodes)
    _insert_locators(edition, [new_locators.get(node.locator, node.locator) for node in nodes])
    for node in nodes:
        _add_text(edition, lang, node, new_locators, best[node.locator][1])
    for reading in by_chapter:
        for node in reading.nodes:
            authority, origin = node.authority or reading.authority, (reading.file, reading.sha256)
            rule = edition.rules[new_locators.get(node.locator, node.locator)]
            rule.sources += [Source(lang, authority, *origin, start, end) for start, end in node.spans]
    edition.authorities[lang] = min((reading.authority for reading in readings), key=lambda authority: authority.rank)
    edition.files[lang] = sorted({(reading.file, reading.sha256) for reading in readings})


def _add_text(edition: Edition, lang: str, node: Node, new_locators: Mapping[str, str], reading: Reading) -> None:
    locator = new_locators.get(node.locator, node.locator)
    rule = edition.rules[locator]
    first = not rule.texts
    rule.texts[lang] = node._replace(locator=locator)
    rule.authorities[lang] = node.authority or reading.authority
    if first:
        rule.number, rule.kind = node.number, node.kind
    rule.parent = rule.parent or node.parent


def _place_chapters(reading: Reading) -> tuple[object, ...]:
    """Chapters in the order of their first numbers, or of the catalogue."""
    grammar = catalogue().grammars[reading.grammar]
    first_locator = next((node.locator for node in reading.nodes if node.number), None)
    first = number_key(first_locator, grammar) if first_locator else ()
    chapter = _catalogue_position(reading.key, reading.nodes[0].locator if reading.nodes else "")
    return first, chapter, reading.file, reading.sha256


def _joined_glossary(edition: Edition, nodes: Sequence[Node]) -> dict[str, str]:
    """A translation's glossary entries take the addresses of the original's, in order, if there are as many."""
    mine = [node for node in nodes if node.kind is Kind.GLOSSARY]
    theirs = [rule for rule in edition.rules.values() if rule.kind is Kind.GLOSSARY and edition.original in rule.texts]
    if len(mine) != len(theirs):
        return {}
    names = [rule.locator for rule in theirs]
    cited_locators = [_cited_locators(node) for node in mine]
    others = [_cited_locators(rule.texts[edition.original]) for rule in theirs]
    for at, (first, second) in enumerate(pairwise(cited_locators)):
        if (
            first and second and first != second and [second, first] == others[at : at + 2]
        ):  # each cites what the other's partner cites
            names[at : at + 2] = names[at + 1], names[at]
    return dict(zip((node.locator for node in mine), names, strict=True))


def _cited_locators(node: Node) -> frozenset[str]:
    return frozenset(cite.locator for cite in node.cites)


def _insert_locators(edition: Edition, locators: Sequence[str]) -> None:
    """New locators are inserted after their predecessor; known ones keep their place."""
    if not edition.rules:
        edition.rules = {locator: MergedRule(locator) for locator in locators}
        return
    behind: dict[str | None, list[str]] = {}
    anchor: str | None = None
    for locator in locators:
        if locator in edition.rules:
            anchor = locator
        else:
            behind.setdefault(anchor, []).append(locator)
    if not behind:
        return
    order = list(behind.get(None, ()))
    for rule_locator in edition.rules:
        order += [rule_locator, *behind.get(rule_locator, ())]
    edition.rules = {locator: edition.rules.get(locator) or MergedRule(locator) for locator in order}


def _add_glosses(edition: Edition) -> None:
    glosses_of_game = glosses(edition.key.game, digests(game=edition.key.game))
    if not glosses_of_game.by_place:
        return
    own = (digest for digest in digests(game=edition.key.game) if digest.key == edition.key)
    chapters = sorted(own, key=lambda digest: _chapter_place(edition, digest))
    shipped = [gloss for digest in chapters for gloss in digest.glosses]
    _insert_locators(edition, [gloss.locator for gloss in shipped])
    _add_digest_only(edition, shipped)
    alike = count_wordings((lang, node) for rule in edition.rules.values() for lang, node in rule.texts.items())
    for rule in edition.rules.values():
        for lang, node in rule.texts.items():
            rule.gloss = rule.gloss or glosses_of_game.gloss_of(lang, node, alike)
        if rule.gloss is None:
            _place_gloss(edition, rule, glosses_of_game.by_place.get((edition.key.book, rule.locator), ()))


def _place_gloss(edition: Edition, rule: MergedRule, candidates: Sequence[tuple[Digest, Gloss]]) -> None:
    """A gloss of other words is never the rule's own gloss; the title of a heading does not count as wording."""
    for digest, gloss in candidates:
        same = digest.key == edition.key
        if same and (gloss.heading or not rule.texts or digest.lang not in rule.texts):
            rule.gloss = gloss
        elif not gloss.heading:
            rule.other = OtherGloss(digest.key, gloss)


def _chapter_place(edition: Edition, digest: Digest) -> tuple[bool, Key, int]:
    """Chapters of a digest in the order of a book: by first numbers with the glossary last, or as in the catalogue."""
    grammar = catalogue().grammars.get(edition.grammar)
    first_locator = next((gloss.locator for gloss in digest.glosses if gloss.number), None)
    first = number_key(first_locator, grammar) if first_locator and grammar else ()
    return not first, first, _catalogue_position(edition.key, digest.glosses[0].locator if digest.glosses else "")


def _catalogue_position(key: EditionKey, locator: str) -> int:
    """The index of an address's chapter in the catalogue's list for the book; after all others if it is not listed."""
    chapters = [entry.chapter for entry in catalogue().editions if entry.book == f"{key.game}/{key.book}"]
    chapter = locator.split("/")[0]
    return chapters.index(chapter) if chapter in chapters else len(chapters)


def _add_digest_only(edition: Edition, glosses: Sequence[Gloss]) -> None:
    """Adds the rules that only the digest has."""
    grammar = catalogue().grammars.get(edition.grammar)
    locators_by_key = {number_key(gloss.locator, grammar): gloss.locator for gloss in glosses if grammar and gloss.number}
    for gloss in glosses:
        rule = edition.rules[gloss.locator]
        if rule.texts:
            continue
        key = number_key(gloss.locator, grammar) if grammar and gloss.number else ()
        above = [locators_by_key.get(key[:length], "") for length in range(len(key) - 1, 0, -1)] or list(
            _possible_parents(gloss.locator)
        )
        rule.number = gloss.number
        rule.parent = next((locator for locator in above if locator in edition.rules), None)
        heading = Kind.SECTION if rule.parent else Kind.CHAPTER
        rule.kind = heading if gloss.heading else Kind(gloss.kind)


def _possible_parents(locator: str) -> Iterator[str]:
    """The possible parents of an unnumbered address, nearest first: `3.16~1` of `3.16~1.2`, `places/1` of `places/1.1`."""
    anchor, _, path = locator.partition("~")
    if path:
        yield from (f"{anchor}~{path[:length]}" for length in range(len(path), 0, -1) if path[length : length + 1] == ".")
        yield anchor
    elif "/" in anchor:
        yield anchor.rpartition(".")[0]
        yield anchor.split("/")[0]


_CITATION_MARK = "\N{SECTION SIGN}"


def wording(node: Node) -> str:
    """SHA-256 (64 hex) of a rule's folded headword and words with every citation masked; "" if it cites nothing.

    Two rules with the same wording differ only in the numbers that they cite.
    """
    if not node.cites:
        return ""
    pieces, end = [node.headword, "\n"], 0
    for cite in node.cites:
        pieces += [node.text[end : cite.start], _CITATION_MARK]
        end = cite.end
    return sha256(fold_text("".join([*pieces, node.text[end:]])).encode()).hexdigest()


GlossKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Glosses:
    """The glosses of a game."""

    by_words: dict[GlossKey, list[Gloss]] = field(default_factory=dict)  # language and hash of the folded text
    by_wording: dict[GlossKey, list[Gloss]] = field(default_factory=dict)  # language and hash without the cited numbers
    by_place: dict[GlossKey, list[tuple[Digest, Gloss]]] = field(default_factory=dict)  # book and locator

    def gloss_of(self, lang: str, node: Node, wordings: Mapping[GlossKey, int]) -> Gloss | None:
        """The gloss of a text: one for the same words, or for words that differ only in cited numbers.

        `wordings` counts those of the edition: a wording that several rules share ("See rule §.") does not identify a rule, so
        only the gloss of the same place counts. The same holds for glossary entries with equal text ("See Landwalk.").
        """
        if same := self.by_words.get((lang, fold_hash(node.text))):
            elsewhere = None if node.headword and len(same) > 1 else same[-1]
            return next((gloss for gloss in same if gloss.locator == node.locator), elsewhere)
        key = lang, wording(node)
        alike = self.by_wording.get(key, []) if key[1] else []
        alone = len(alike) == 1 and wordings[key] == 1
        return next((gloss for gloss in alike if alone or gloss.locator == node.locator), None)


@cache
def glosses(game: str, shipped: Sequence[Digest]) -> Glosses:
    """The shipped glosses of a game."""
    all_glosses = Glosses()
    for digest in shipped:
        if digest.key.game == game:
            for gloss in digest.glosses:
                if gloss.sha256:
                    all_glosses.by_words.setdefault((digest.lang, gloss.sha256), []).append(gloss)
                if gloss.wording:
                    all_glosses.by_wording.setdefault((digest.lang, gloss.wording), []).append(gloss)
                all_glosses.by_place.setdefault((digest.key.book, gloss.locator), []).append((digest, gloss))
    return all_glosses


def count_wordings(texts: Iterable[tuple[str, Node]]) -> Counter[GlossKey]:
    """How many texts of an edition have each wording, by language."""
    return Counter((lang, wording(node)) for lang, node in texts if node.cites)
