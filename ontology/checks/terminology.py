"""Do the glosses of the digest use the terms of the concepts? A zone named in one language must be named in the others."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

from corpus.address import NS, SKOS, concept_iri, scheme_of
from corpus.digest import GLOSSES, Digest, Gloss, digests
from corpus.languages import canonical
from corpus.text import fold
from ontology.store.engine import Store

_LABELS = f"""
SELECT ?concept ?kind ?label (LANG(?label) AS ?lang) WHERE {{
  GRAPH ?g {{ ?concept a <{NS}Zone> ; ?kind ?label }}
  FILTER(?kind IN (<{SKOS}prefLabel>, <{SKOS}altLabel>))
}}"""
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
    found: dict[str, dict[str, dict[str, set[str]]]] = {}
    for row in store.select(_LABELS):
        game = scheme_of(row["concept"])
        zone = found.setdefault(game, {}).setdefault(row["concept"], {})
        if len(row["label"]) > 1:  # 場 and 手 stand in too many other words
            zone.setdefault(canonical(row["lang"]), set()).add(row["label"])
    return found


def deviations(store: Store) -> Iterator[Deviation]:
    """Every deviation of the shipped digest, rule by rule, but for the words that homonyms.tsv excuses."""
    known = labels(store)
    excused = homonyms()
    for digest in digests():
        zones = known.get(digest.key.game, {})
        for gloss in digest.glosses:
            if not gloss.heading:
                yield from (one for one in _of_gloss(digest, gloss, zones) if (one.rule, one.concept) not in excused)


def homonyms() -> set[tuple[str, str]]:
    """Rule and zone, where a gloss uses a word that is also a zone's label and means something else."""
    lines = files("ontology").joinpath("data/homonyms.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {(rule, concept_iri(concept)) for rule, concept, _ in (line.split("\t") for line in lines)}


def _of_gloss(digest: Digest, gloss: Gloss, zones: Labels) -> Iterator[Deviation]:
    named = {lang: _named(gloss.words[lang], lang, zones) for lang in GLOSSES}
    for zone in sorted(set().union(*named.values())):
        said = [lang for lang in GLOSSES if zone in named[lang]]
        for lang in GLOSSES:
            if lang not in said and zones[zone].get(lang):
                yield Deviation(f"{digest.key}/{gloss.locator}", zone, said[0], lang)


def _named(words: str, lang: str, zones: Labels) -> set[str]:
    """The zones that a text names; no label is found inside a longer one."""
    text = words.lower() if lang == "en" else fold(words)
    found: set[str] = set()
    every = ((label, zone) for zone, langs in zones.items() for label in langs.get(lang, ()))
    for label, zone in sorted(every, key=lambda one: (-len(one[0]), one)):
        pattern = rf"(?<![a-z]){re.escape(label.lower())}(?:e?s)?(?![a-z])" if lang == "en" else re.escape(fold(label))
        if re.search(pattern, text):
            found.add(zone)
            text = re.sub(pattern, "|", text)
    return found
