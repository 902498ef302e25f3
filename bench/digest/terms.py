"""Do glosses and labels use the terms that the loaded books print? `python -m bench.digest.terms` lists those that differ."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.digest.glossed import all_readings
from bench.measure import table_rows
from corpus.address import scheme_of
from corpus.model import Node, Reading
from corpus.words.text import fold_text
from ingest.merge import Edition, MergedRule, merge
from ontology.labels import ALT_LABEL, PREF_LABEL, labels_in
from ontology.shipped import shipped_store

MIN_SHARE = 0.5
"""A term differs if more than this share of the glosses of rules that print it use another word."""
MIN_GLOSSES = 5
"""Minimum number of uses of a term or label for its share to count."""
_KEYWORD = re.compile(r"70[12]\.\d+")
_LONGEST_NAME = 40  # characters of a rule that is only a keyword's name
_ASIDE = re.compile(r"\s*[（(][^（）()]*[)）]")


class Term(NamedTuple):
    """A term that a book prints in English and in another language, and the words in our glosses of rules that print it."""

    english: str
    printed: tuple[str, ...]  # in the other language
    rules: int  # print it in both languages, and the English gloss uses it
    without: tuple[str, ...]  # of these, the gloss in the other language does not use it


class Label(NamedTuple):
    """The preferred label of a concept, and another label of it that the game's books print more often."""

    concept: str  # IRI
    lang: str
    preferred: str
    printed: str


def main() -> int:
    """Prints the terms and the labels that differ and are not excused; returns 0 if there are none."""
    lines = {name: line for name, line in differences(all_readings()).items() if name not in excused_differences()}
    print("\n".join([*lines.values(), f"terms and labels that differ: {len(lines)}"]))
    return int(bool(lines))


def differences(readings: Sequence[Reading]) -> dict[tuple[str, str], str]:
    """Term or concept, and language → the difference, in one line."""
    lines: dict[tuple[str, str], str] = {}
    for edition, lang in translated_editions(readings):
        for term in differing_terms(edition, lang):
            sentence = f"{len(term.without)} of {term.rules} glosses are without {' / '.join(term.printed)}"
            lines[term.english, lang] = f"{edition.key} {lang}: {term.english}: {sentence}: {', '.join(term.without)}"
    for label in labels(readings):
        name = label.concept.partition("/id/")[2]
        lines[name, label.lang] = f"{name} {label.lang}: {label.preferred}, where the books print {label.printed}"
    return lines


def excused_differences() -> dict[tuple[str, str], str]:
    """Term or concept, and language → the reason why it may differ (`terms.tsv`)."""
    rows = table_rows(Path(__file__).with_name("terms.tsv"))
    return {(row["term"], row["lang"]): row["reason"] for row in rows}


def translated_editions(readings: Iterable[Reading]) -> Iterator[tuple[Edition, str]]:
    """Each edition that is loaded in English and in another language of glosses, with that language; the newest of each book."""
    by_key: dict[tuple[str, str], dict[str, list[Reading]]] = {}
    for reading in readings:
        by_key.setdefault((reading.key.game, reading.key.book), {}).setdefault(reading.key.edition, []).append(reading)
    for editions in by_key.values():
        newest = editions[max(editions)]
        langs = {reading.lang for reading in newest}
        if "en" in langs:
            edition = merge(newest[0].key, newest)
            yield from ((edition, lang) for lang in sorted(langs & {"ja", "zh-Hans"}))


def printed_terms(edition: Edition, lang: str) -> dict[str, set[str]]:
    """English term → its translations in the edition: its headings, its keywords and the headwords of its glossary."""
    terms: dict[str, set[str]] = {}
    for rule in edition.rules.values():
        english, other = rule.texts.get("en"), rule.texts.get(lang)
        if english and other and (pair := _pair(rule, english, other)):
            terms.setdefault(pair[0].lower(), set()).update(filter(None, re.split("[／/，、]", pair[1])))
    return {english: printed for english, printed in terms.items() if len(english) > 2 and min(map(len, printed), default=0) > 1}


def _pair(rule: MergedRule, english: Node, other: Node) -> tuple[str, str] | None:
    keyword = _KEYWORD.fullmatch(rule.locator) and len(english.text) <= _LONGEST_NAME
    if english.kind.is_heading or keyword:
        titles = english.text, other.text
    elif english.headword and other.headword:
        titles = english.headword, other.headword
    else:
        return None
    return _ASIDE.sub("", titles[0]).strip(), _ASIDE.sub("", titles[1]).strip()


def differing_terms(edition: Edition, lang: str) -> Iterator[Term]:
    """The terms for which most glosses use another word."""
    glosses = [(rule, rule.gloss.words["en"].lower(), rule.gloss.words[lang]) for rule in edition.rules.values() if rule.gloss]
    texts = {rule.locator: f"{node.headword} {node.text}" for rule, _, _ in glosses if (node := rule.texts.get(lang))}
    for english, printed in sorted(printed_terms(edition, lang).items()):
        pattern = re.compile(rf"(?<![a-z]){re.escape(english)}(?:e?s)?(?![a-z])")
        uses = [
            (rule.locator, words)
            for rule, gloss, words in glosses
            if english in gloss and pattern.search(gloss) and any(term in texts.get(rule.locator, "") for term in printed)
        ]
        without = tuple(locator for locator, words in uses if not any(term in words for term in printed))
        if len(uses) >= MIN_GLOSSES and len(without) > MIN_SHARE * len(uses):
            yield Term(english, tuple(sorted(printed)), len(uses), without)


def labels(readings: Sequence[Reading]) -> Iterator[Label]:
    """The preferred labels of concepts that a game's books print less than half as often as another label of the concept.

    A label that contains the other ("graveyard order", "graveyard") does not compete with it, because each of its uses is also a
    use of the other.
    """
    words = _words(readings)
    labels_by_concept: dict[str, dict[str, list[str]]] = {}  # concept → property → labels
    for label in labels_in(shipped_store(), (PREF_LABEL, ALT_LABEL)):
        if (scheme_of(label.concept), label.lang) in words:
            labels_by_concept.setdefault(f"{label.concept} {label.lang}", {}).setdefault(label.property, []).append(label.text)
    for concept, of in sorted(labels_by_concept.items()):
        iri, lang = concept.rsplit(" ", 1)
        book_words, (preferred, *_) = words[scheme_of(iri), lang], of.get(PREF_LABEL, [""])
        for other in of.get(ALT_LABEL, ()):
            uses, rivals = book_words.count(fold_text(preferred)), book_words.count(fold_text(other))
            if other not in preferred and preferred not in other and rivals >= MIN_GLOSSES and rivals > 2 * uses:
                yield Label(iri, lang, preferred, other)


def _words(readings: Iterable[Reading]) -> Mapping[tuple[str, str], str]:
    """Game and language of Chinese or Japanese → the folded text of its books."""
    texts: dict[tuple[str, str], list[str]] = {}
    for reading in readings:
        if reading.lang != "en":
            texts.setdefault((reading.key.game, reading.lang), []).extend(node.text for node in reading.nodes)
    return {key: fold_text(" ".join(nodes)) for key, nodes in texts.items()}


if __name__ == "__main__":
    sys.exit(main())
