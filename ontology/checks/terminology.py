"""Do the glosses of the digest use the terms of the concepts? A zone named in one language must be named in the others."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from corpus.address import NS, concept_iri, scheme_of
from corpus.digest import GLOSSES, Digest, Gloss, digests
from corpus.text import fold
from ontology.store.engine import Store
from ontology.store.labels import ALTERNATIVE, PREFERRED, labels_in

Labels = Mapping[str, Mapping[str, set[str]]]
"""Zone → language → its preferred and alternative labels."""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A zone that a gloss names in one language and not in another."""

    rule: str  # game/book/edition/locator
    concept: str
    said: str  # the language that names it
    missing: str  # the language that does not


def labels(store: Store) -> dict[str, dict[str, dict[str, set[str]]]]:
    """Game → zone → language → labels."""
    by_game: dict[str, dict[str, dict[str, set[str]]]] = {}
    for label in labels_in(store, [PREFERRED, ALTERNATIVE], types=[f"{NS}Zone"]):
        zone = by_game.setdefault(scheme_of(label.concept), {}).setdefault(label.concept, {})
        if len(label.text) > 1:  # 場 and 手 stand in too many other words
            zone.setdefault(label.lang, set()).add(label.text)
    return by_game


def deviations(store: Store, shipped: Iterable[Digest] | None = None) -> Iterator[Deviation]:
    """Every deviation of the shipped digest, rule by rule, but for the words that homonyms.tsv excuses."""
    known = labels(store)
    excused = homonyms()
    for digest in digests() if shipped is None else shipped:
        zones = known.get(digest.key.game, {})
        for gloss in digest.glosses:
            if not gloss.heading:
                deviations = _of_gloss(digest, gloss, zones)
                yield from (each for each in deviations if (each.rule, each.concept) not in excused)


def homonyms() -> set[tuple[str, str]]:
    """Rule and zone, where a gloss uses a word that is also a zone's label and means something else."""
    lines = files("ontology").joinpath("data/homonyms.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {(rule, concept_iri(concept)) for rule, concept, _ in (line.split("\t") for line in lines)}


@cache
def compounds() -> Mapping[tuple[str, str], Sequence[str]]:
    """Game and language → words that hold a zone's label and mean something else, the longest first."""
    lines = files("ontology").joinpath("data/compounds.tsv").read_text(encoding="utf-8").splitlines()[1:]
    found: dict[tuple[str, str], list[str]] = {}
    for game, lang, word, _ in sorted((line.split("\t") for line in lines), key=lambda row: -len(row[2])):
        found.setdefault((game, lang), []).append(word)
    return found


def _of_gloss(digest: Digest, gloss: Gloss, zones: Labels) -> Iterator[Deviation]:
    named = {lang: _named(_apart(gloss.words[lang], digest.key.game, lang), lang, zones) for lang in GLOSSES}
    for zone in sorted(set().union(*named.values())):
        said = [lang for lang in GLOSSES if zone in named[lang]]
        for lang in GLOSSES:
            if lang not in said and zones[zone].get(lang):
                yield Deviation(f"{digest.key}/{gloss.locator}", zone, said[0], lang)


def _apart(words: str, game: str, lang: str) -> str:
    """The words without those that only hold a zone's label."""
    for word in compounds().get((game, lang), ()):
        words = words.replace(word, "|")
    return words


def _named(words: str, lang: str, zones: Labels) -> set[str]:
    """The zones that a text names; no label is found inside a longer one."""
    text = words.lower() if lang == "en" else fold(words)
    named: set[str] = set()
    every = ((label, zone) for zone, langs in zones.items() for label in langs.get(lang, ()))
    for label, zone in sorted(every, key=lambda pair: (-len(pair[0]), pair)):
        pattern = rf"(?<![a-z]){re.escape(label.lower())}(?:e?s)?(?![a-z])" if lang == "en" else re.escape(fold(label))
        if re.search(pattern, text):
            named.add(zone)
            text = re.sub(pattern, "|", text)
    return named
