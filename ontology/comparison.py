"""Shared and differing properties of two zones, in three languages, derived from their claims.

`tools/comparisons.py` appends it to the comments of the mappings, so that comments never contradict claims.
"""

from collections.abc import Iterator, Mapping, Sequence

from corpus.address import concept_iri, split_rule
from ontology import sssom
from ontology.concepts.claims import Claim
from ontology.vocabulary import comparison_words, property_labels

_COMPARED_STATUSES = ("accepted", "disputed", "proposed")
Claims = Mapping[str, Sequence[Claim]]
"""Concept or property → claims."""


def compared_claims(row: sssom.MappingRow, claims: Claims, lang: str) -> str:
    """The claims of a mapping's two concepts, in brackets; "" if one of them has nothing to compare."""
    if row["predicate_modifier"] or sssom.NO_TERM_FOUND in (row["subject_id"], row["object_id"]):
        return ""
    names = [row[f"{side}_id"].removeprefix("concept:") for side in ("subject", "object")]
    sides = [_by_property(claims.get(concept_iri(name), ())) for name in names]
    return _summary_sentence(sides, [name.split("/")[0] for name in names], lang) if all(sides) else ""


def claim_differences(sides: Sequence[Sequence[Claim]], games: Sequence[str], lang: str) -> Iterator[tuple[str, list[str], str]]:
    """Differences between the claims of two games' concepts: the property, the first rules that prove it, and a sentence.

    `lang` is a language in which comparisons are written.
    """
    first, second = by_side = [_by_property(claims) for claims in sides]
    for name in _differing_properties(by_side):
        rules = [claim.supports[0].rule for claim in (*first[name], *second[name])]
        yield name, rules, comparison_words()[lang]["differs"].format(items=_pair_sentence(name, by_side, games, lang))


def _by_property(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Property → its settled claims, for the properties that are compared."""
    properties: dict[str, list[Claim]] = {}
    for name in comparison_words()["properties"]:
        if own_claims := [claim for claim in claims if claim.property == name and claim.status in _COMPARED_STATUSES]:
            properties[name] = sorted(own_claims, key=lambda claim: (claim.status, claim.value))
    return properties


def _differing_properties(sides: Sequence[Claims]) -> list[str]:
    """The properties claimed by both sides with other values, or disputed on one side only."""
    first, second = ({name: {(claim.value, claim.status == "disputed") for claim in side[name]} for name in side} for side in sides)
    return [name for name in first if name in second and first[name] != second[name]]


def _summary_sentence(sides: Sequence[Claims], games: Sequence[str], lang: str) -> str:
    sentences = comparison_words()[lang]
    first, second = sides
    differs = _differing_properties(sides)
    same = [name for name in first if name in second and name not in differs]
    alone = [(name, side) for side in (0, 1) for name in sides[side] if name not in sides[1 - side]]
    parts = {
        "differs": sentences["semicolon"].join(_pair_sentence(name, sides, games, lang) for name in differs),
        "same": sentences["comma"].join(_same_property(name, sides, lang) for name in same),
        "alone": sentences["semicolon"].join(_single_sentence(name, sides[side][name], games[side], lang) for name, side in alone),
    }
    clauses = [sentences[part].format(items=items) for part, items in parts.items() if items]
    return f"{sentences['open']}{(' ' if lang == 'en' else '').join(clauses)}{sentences['close']}"


def _same_property(name: str, sides: Sequence[Claims], lang: str) -> str:
    """A property with the same values on both sides, with a mark if a claim is only proposed."""
    label = property_labels()[name][lang]
    is_proposed = any(claim.status == "proposed" for side in sides for claim in side[name])
    return str(comparison_words()[lang]["same-proposed"].format(property=label)) if is_proposed else label


def _pair_sentence(name: str, sides: Sequence[Claims], games: Sequence[str], lang: str) -> str:
    sentences = comparison_words()[lang]
    one, other = (_values_with_rules(side[name], lang) for side in sides)
    game, other_game = (sentences["games"].get(game, game) for game in games)
    label = property_labels()[name][lang]
    return str(sentences["pair"].format(property=label, one=one, game=game, other=other, other_game=other_game))


def _single_sentence(name: str, claims: Sequence[Claim], game: str, lang: str) -> str:
    sentences = comparison_words()[lang]
    values = _values_with_rules(claims, lang)
    return str(
        sentences["single"].format(property=property_labels()[name][lang], one=values, game=sentences["games"].get(game, game))
    )


def _values_with_rules(claims: Sequence[Claim], lang: str) -> str:
    """The values of a property, each with the first rule that proves it."""
    sentences = comparison_words()[lang]
    patterns = {"accepted": sentences["value"], "disputed": sentences["disputed"], "proposed": sentences["proposed"]}
    values = (
        patterns[claim.status].format(value=claim.labels.get(lang, claim.value), rule=split_rule(claim.supports[0].rule).locator)
        for claim in claims
    )
    return str(sentences["either"].join(values))


def with_comparisons(rows: Sequence[sssom.MappingRow], claims: Claims) -> list[sssom.MappingRow]:
    """The rows with a renewed comparison at the end of their comments."""
    return [
        row | {column: _comment_with_claims(row, column, claims, lang) for lang, column in sssom.COMMENT_COLUMNS.items()}
        for row in map(dict, rows)
    ]


def _comment_with_claims(row: sssom.MappingRow, column: str, claims: Claims, lang: str) -> str:
    own_words = row[column].split(comparison_words()[lang]["open"].strip(), 1)[0].rstrip()
    has_comment = own_words or not row["comment"].split(comparison_words()["en"]["open"].strip(), 1)[0].strip()
    return f"{own_words}{compared_claims(row, claims, lang)}".strip() if has_comment else ""


def have_equal_claims(row: sssom.MappingRow, claims: Claims) -> bool:
    """Whether both concepts of a row have claims, none of them only proposed, with equal values of the properties compared."""
    both = [
        [claim for some in _by_property(claims.get(sssom.expand_curie(row[side]), ())).values() for claim in some]
        for side in ("subject_id", "object_id")
    ]
    values = [{(claim.property, claim.value) for claim in some} for some in both]
    has_proposed = any(claim.status == "proposed" for some in both for claim in some)
    return bool(values[0]) and values[0] == values[1] and not has_proposed
