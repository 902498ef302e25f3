"""What two zones have in common and where they differ, in three languages, worked out from their claims.

`python -m ontology.checks.comparison` writes it behind the comments of the mappings, so that no comment contradicts a claim.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import pyoxigraph as ox

from corpus.address import NS, concept_iri, local_name, split_rule
from ontology import shipped, sssom
from ontology.concepts.claims import Claim
from ontology.concepts.properties import claims_of
from ontology.shipped_store import shipped_store

COLUMNS = {"en": "comment", "ja": "comment_ja", "zh-Hans": "comment_zh"}
_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
Claims = Mapping[str, Sequence[Claim]]


def compared(row: sssom.MappingRow, claims: Mapping[str, Sequence[Claim]], lang: str) -> str:
    """What the claims of the two concepts of a mapping say, in brackets; "" where nothing comparable is claimed of one of them."""
    if row["predicate_modifier"] or sssom.NOTHING in (row["subject_id"], row["object_id"]):
        return ""
    sides = [
        _by_property(claims.get(concept_iri(row[f"{side}_id"].removeprefix("concept:")), ())) for side in ("subject", "object")
    ]
    games = [row[f"{side}_id"].removeprefix("concept:").split("/")[0] for side in ("subject", "object")]
    return _said(sides, games, lang) if all(sides) else ""


def differing(sides: Sequence[Sequence[Claim]], games: Sequence[str], lang: str) -> Iterator[tuple[str, list[str], str]]:
    """Where the claims of two concepts, one of each game, differ: the property, the first rules that prove it, and a sentence.

    `lang` is one that comparisons are written in.
    """
    mine, other = (_by_property(claims) for claims in sides)
    for name in shipped.comparison()["properties"]:
        if name in mine and name in other and _values(mine[name]) != _values(other[name]):
            rules = [claim.supports[0].rule for claim in (*mine[name], *other[name])]
            yield name, rules, shipped.comparison()[lang]["differs"].format(items=_pair(name, (mine, other), games, lang))


def _by_property(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Property → what is claimed of it, of the properties that are compared."""
    by_property: dict[str, list[Claim]] = {}
    for name in shipped.comparison()["properties"]:
        if mine := [claim for claim in claims if claim.property == name and claim.status in ("accepted", "disputed")]:
            by_property[name] = sorted(mine, key=lambda claim: (claim.status, claim.value))
    return by_property


def _said(sides: Sequence[Claims], games: Sequence[str], lang: str) -> str:
    told = shipped.comparison()[lang]
    mine, other = sides
    differs = [
        name
        for name in shipped.comparison()["properties"]
        if name in mine and name in other and _values(mine[name]) != _values(other[name])
    ]
    same = [name for name in mine if name in other and name not in differs]
    alone = [(name, side) for side in (0, 1) for name in sides[side] if name not in sides[1 - side]]
    parts = {
        "differs": told["semicolon"].join(_pair(name, sides, games, lang) for name in differs),
        "same": told["comma"].join(_named(name, lang) for name in same),
        "alone": told["semicolon"].join(_single(name, sides[side][name], games[side], lang) for name, side in alone),
    }
    sentences = [told[part].format(items=items) for part, items in parts.items() if items]
    return f"{told['open']}{(' ' if lang == 'en' else '').join(sentences)}{told['close']}"


def _pair(name: str, sides: Sequence[Claims], games: Sequence[str], lang: str) -> str:
    told = shipped.comparison()[lang]
    own, other = (_written(side[name], lang) for side in sides)
    mine, theirs = (told["games"].get(game, game) for game in games)
    return str(told["pair"].format(property=_named(name, lang), one=own, game=mine, other=other, other_game=theirs))


def _single(name: str, claims: Sequence[Claim], game: str, lang: str) -> str:
    told = shipped.comparison()[lang]
    return str(told["single"].format(property=_named(name, lang), one=_written(claims, lang), game=told["games"][game]))


def _values(claims: Sequence[Claim]) -> set[tuple[str, str]]:
    return {(claim.value, claim.status) for claim in claims}


def _written(claims: Sequence[Claim], lang: str) -> str:
    """The values of a property, each with the first rule that proves it."""
    told = shipped.comparison()[lang]
    kinds = {"accepted": told["value"], "disputed": told["disputed"]}
    said = (
        kinds[claim.status].format(value=claim.labels.get(lang, claim.value), rule=split_rule(claim.supports[0].rule).locator)
        for claim in claims
    )
    return str(told["either"].join(said))


def _named(name: str, lang: str) -> str:
    return labels()[name][lang]


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """Property → language → what the vocabulary calls it."""
    by_name: dict[str, dict[str, str]] = {}
    for triple in ox.parse(files("ontology").joinpath("data/schema.ttl").read_bytes(), format=ox.RdfFormat.TURTLE):
        subject, label = triple.subject, triple.object
        if triple.predicate == _LABEL and isinstance(subject, ox.NamedNode) and isinstance(label, ox.Literal) and label.language:
            lang = "zh-Hans" if label.language == "zh-hans" else label.language
            by_name.setdefault(local_name(subject.value) if subject.value.startswith(NS) else subject.value, {})[lang] = label.value
    return by_name


def rewritten(rows: Sequence[sssom.MappingRow], claims: Mapping[str, Sequence[Claim]]) -> list[sssom.MappingRow]:
    """The rows with what the claims say behind each comment, in place of what stood there."""
    return [row | {column: _comment(row, column, claims, lang) for lang, column in COLUMNS.items()} for row in map(dict, rows)]


def _comment(row: sssom.MappingRow, column: str, claims: Mapping[str, Sequence[Claim]], lang: str) -> str:
    ours = row[column].split(shipped.comparison()[lang]["open"].strip(), 1)[0].rstrip()
    written = ours or not row["comment"].split(shipped.comparison()["en"]["open"].strip(), 1)[0].strip()
    return f"{ours}{compared(row, claims, lang)}".strip() if written else ""


def knowledge() -> Mapping[str, Sequence[Claim]]:
    """Concept → its shipped claims."""
    return claims_of(shipped_store())


if __name__ == "__main__":
    place = Path(str(files("ontology").joinpath("data/mappings")))
    known = knowledge()
    for file in sorted(place.iterdir()):
        rows = rewritten(sssom.read(file.read_text(encoding="utf-8"), file.name), known)
        file.write_text(sssom.write(rows, f"mappings/{file.name.split('.')[0]}"), encoding="utf-8")
