"""Checks whether the glosses of the digest use the terms of the concepts.

A zone named in one language must be named in the others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from corpus.address import RS, concept_iri, scheme_of
from corpus.digest import GLOSS_LANGUAGES, Digest, Gloss, digests
from corpus.store.engine import Store
from corpus.words.text import fold_text
from ontology.labels import ALT_LABEL, PREF_LABEL, labels_in

Labels = Mapping[str, Mapping[str, set[str]]]
"""Zone → language → its preferred and alternative labels."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A zone that a gloss names in one language but not in another."""

    rule: str  # game/book/edition/locator
    concept: str
    naming_lang: str  # the language that names it
    missing: str  # the language that does not name it


class _ZoneName(NamedTuple):
    """A label of a zone in the form in which it is searched."""

    letters: str  # characters without which the pattern cannot match
    pattern: re.Pattern[str]
    zone: str


def labels(store: Store) -> dict[str, dict[str, dict[str, set[str]]]]:
    """Game → zone → language → labels."""
    by_game: dict[str, dict[str, dict[str, set[str]]]] = {}
    for label in labels_in(store, [PREF_LABEL, ALT_LABEL], types=[f"{RS}Zone"]):
        zone = by_game.setdefault(scheme_of(label.concept), {}).setdefault(label.concept, {})
        if len(label.text) > 1:  # 場 and 手 occur in too many other words
            zone.setdefault(label.lang, set()).add(label.text)
    return by_game


def gloss_deviations(store: Store, shipped: Iterable[Digest] | None = None) -> Iterator[Deviation]:
    """Every deviation of the shipped digest, rule by rule, except for the words that homonyms.tsv excuses."""
    zone_labels = labels(store)
    exceptions = homonyms()
    for digest in digests() if shipped is None else shipped:
        zones = zone_labels.get(digest.key.game, {})
        names = {lang: _names(zones, lang) for lang in GLOSS_LANGUAGES}
        for gloss in digest.glosses:
            if not gloss.heading:
                deviations = _deviations_of_gloss(digest, gloss, zones, names)
                yield from (each for each in deviations if (each.rule, each.concept) not in exceptions)


def homonyms() -> set[tuple[str, str]]:
    """A rule and a zone, if a gloss uses a word that is also a label of the zone but means something else."""
    lines = files("ontology").joinpath("data/homonyms.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {(rule, concept_iri(concept)) for rule, concept, _ in (line.split("\t") for line in lines)}


@cache
def compound_words() -> Mapping[tuple[str, str], Sequence[str]]:
    """Game and language → words that contain a zone's label but mean something else, the longest first."""
    lines = files("ontology").joinpath("data/compounds.tsv").read_text(encoding="utf-8").splitlines()[1:]
    words: dict[tuple[str, str], list[str]] = {}
    for game, lang, word, _ in sorted((line.split("\t") for line in lines), key=lambda row: -len(row[2])):
        words.setdefault((game, lang), []).append(word)
    return words


@cache
def foreign_words() -> Mapping[tuple[str, str], Sequence[re.Pattern[str]]]:
    """Game and language → patterns of words that only another game uses for a thing that this game names differently."""
    lines = files("ontology").joinpath("data/foreign_words.tsv").read_text(encoding="utf-8").splitlines()
    patterns: dict[tuple[str, str], list[re.Pattern[str]]] = {}
    for game, lang, word, _ in (line.split("\t") for line in lines if not line.startswith("#")):
        patterns.setdefault((game, lang), []).append(re.compile(word, re.IGNORECASE))
    return patterns


def words_of_another_game(game: str, lang: str, text: str) -> list[str]:
    """The words in a text about a game that only another game uses, in the order of `foreign_words.tsv`."""
    return [match[0] for pattern in foreign_words().get((game, lang), ()) for match in pattern.finditer(text)]


def _deviations_of_gloss(
    digest: Digest, gloss: Gloss, zones: Labels, names: Mapping[str, Sequence[_ZoneName]]
) -> Iterator[Deviation]:
    zones_by_lang = {
        lang: _zones_in_text(_without_compounds(gloss.words[lang], digest.key.game, lang), lang, names[lang])
        for lang in GLOSS_LANGUAGES
    }
    for zone in sorted(set().union(*zones_by_lang.values())):
        naming = [lang for lang in GLOSS_LANGUAGES if zone in zones_by_lang[lang]]
        for lang in GLOSS_LANGUAGES:
            if lang not in naming and zones[zone].get(lang):
                yield Deviation(f"{digest.key}/{gloss.locator}", zone, naming[0], lang)


def _without_compounds(words: str, game: str, lang: str) -> str:
    """The words without those that merely contain a zone's label."""
    for word in compound_words().get((game, lang), ()):
        words = words.replace(word, "|")
    return words


def _names(zones: Labels, lang: str) -> list[_ZoneName]:
    """The labels in a language, the longest first, so that none is found inside a longer one."""
    every = ((label, zone) for zone, langs in zones.items() for label in langs.get(lang, ()))
    pattern = r"(?<![a-z]){}(?:e?s)?(?![a-z])" if lang == "en" else "{}"
    return [
        _ZoneName(letters, re.compile(pattern.format(re.escape(letters))), zone)
        for label, zone in sorted(every, key=lambda pair: (-len(pair[0]), pair))
        for letters in [label.lower() if lang == "en" else fold_text(label)]
    ]


def _zones_in_text(words: str, lang: str, names: Sequence[_ZoneName]) -> set[str]:
    """The zones that a text names."""
    zones: set[str] = set()
    text = words.lower() if lang == "en" else fold_text(words)
    for name in names:
        if name.letters in text and name.pattern.search(text):
            zones.add(name.zone)
            text = name.pattern.sub("|", text)
    return zones
