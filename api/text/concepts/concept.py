"""`rulestone concept` for people: names, then what the rules say, each statement with its rule and quoted words."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api.text.concepts.zones import said
from api.text.rule import DOT
from api.text.wrap import wrap
from corpus.address import concept_name, split_rule
from corpus.comparison import CORE, DENIED
from corpus.languages import choose, fallback

if TYPE_CHECKING:
    from corpus.contract import Concept, ConceptDescribed, ConceptLabel, Concepts, RulePointer, Support

LEGEND = "* official name; the others are ours or players' usage"
_KINDS = {"book-term": "from the book"}
_MARKS = {True: "", False: " (the words were not found there)", None: " (text not loaded)"}


def pages(body: "Concepts", width: int | None) -> Iterator[str]:
    """The lines of a `concept` body: one concept whole, several in brief with what to ask for to see each whole."""
    concepts = body["concepts"]
    for count, concept in enumerate(concepts):
        yield from ["", ""] if count else []
        yield from page(concept, body["lang"], width, whole=len(concepts) == 1)
    yield from ["", *wrap(LEGEND, width, rest="  ")]


def page(concept: "Concept", lang: str, width: int | None, *, whole: bool) -> Iterator[str]:
    """The lines of one concept; in brief without its counterparts and further properties."""
    kind = _KINDS.get(concept["kind"], concept["kind"])
    yield from wrap(DOT.join((concept["label"], concept["game"] or "all games", kind)), width)
    yield from named(concept, lang, width)
    if defined_in := choose(lang, concept["definition"]):
        yield ""
        yield f"definition, ours ({defined_in}):"
        yield from wrap(concept["definition"][defined_in], width, "  ")
    yield from defined(concept["defined_by"], width)
    blocks = [_properties(concept, lang, width, whole=whole)]
    if whole:
        blocks += [_related(concept, width), _matches(concept, width), _mentioned(concept, width)]
    for block in blocks:
        lines = list(block)
        yield from ["", *lines] if lines else []
    where = concept["concept"] if whole else f"rulestone concept {concept_name(concept['concept'])}"
    yield from ["", where] if whole or concept["game"] else []


def named(concept: "ConceptDescribed", lang: str, width: int | None) -> Iterator[str]:
    """The names, a language a line, the answer's first: official ones marked, slang behind the others."""
    for known in fallback(lang):
        if labels := concept["labels"].get(known):
            yield from wrap("; slang: ".join(filter(None, map(listed, sorts(labels)))), width, f"  {known:8}")


def sorts(labels: "Iterable[ConceptLabel]") -> "tuple[list[ConceptLabel], list[ConceptLabel]]":
    """The names that books may use, and slang."""
    every = list(labels)
    return [label for label in every if label["sort"] != "slang"], [label for label in every if label["sort"] == "slang"]


def listed(labels: "Iterable[ConceptLabel]") -> str:
    """Names separated by commas, official ones marked."""
    return ", ".join(label["label"] + "*" * label["official"] for label in labels)


def defined(rules: "Iterable[RulePointer]", width: int | None) -> Iterator[str]:
    """The rules that define a concept, those of one edition on a line."""
    editions: dict[str, list[str]] = {}
    for rule in rules:
        edition = f"{rule['game']} {rule['book']} {rule['edition']}"
        edition += "" if rule["loaded"] else " (text not loaded)"
        edition += "" if rule["current"] or not rule["loaded"] else " (NOT CURRENT)"
        editions.setdefault(edition, []).append(rule["locator"])
    for edition, locators in editions.items():
        yield from wrap(f"defined by {', '.join(locators)}{DOT}{edition}", width, rest="  ")


def where(rule: str) -> str:
    """Number, game, book and edition in a rule's address."""
    key, locator = split_rule(rule)
    return f"{locator}{DOT}{key.game} {key.book} {key.edition}"


def _properties(concept: "Concept", lang: str, width: int | None, *, whole: bool) -> Iterator[str]:
    """Each claim with every rule that supports it and the words quoted from there; in brief the core ones, a rule each."""
    shown = list(concept["properties"].items())
    for name, claims in shown if whole else shown[: len(CORE)]:
        for claim in claims:
            status = "" if claim["status"] == "accepted" else f" ({claim['status']})"
            yield from wrap(f"{name}: {said(claim, lang)}{status}", width, rest="  ")
            proofs = list(_proofs(claim["supports"]))
            for proof in proofs if whole else proofs[:1]:
                yield from wrap(proof, width, "  ", "    ")
            yield from wrap(f"note, ours: {claim['note']}", width, "  ", "    ") if claim["note"] and whole else []


def _proofs(supports: "Iterable[Support]") -> Iterator[str]:
    """Each rule once, with all that is quoted from it."""
    quotes: dict[str, list[str]] = {}
    for support in supports:
        quotes.setdefault(where(support["rule"]), []).append(f"“{support['quote']}”{_MARKS[support['verified']]}")
    yield from (f"{rule}: {' '.join(words)}" for rule, words in quotes.items())


def _related(concept: "Concept", width: int | None) -> Iterator[str]:
    for name, related in (("broader", concept["broader"]), ("narrower", concept["narrower"]), ("parts", concept["parts"])):
        if labels := ", ".join(other["label"] if concept["game"] else f"{other['label']} ({other['game']})" for other in related):
            yield from wrap(labels, width, f"{name}: ", "  ")


def _matches(concept: "Concept", width: int | None) -> Iterator[str]:
    for count, match in enumerate(concept["matches"]):
        yield from () if count else ["in other games:"]
        sure = f"{match['predicate'].replace('skos:', '').replace('Match', ' match')}, {match['confidence']:g}"
        name = (
            f"{match['game']} {match['label']} ({sure})"
            if match["concept"]
            else f"{match['game'] or 'another game'}: no counterpart"
        )
        yield from wrap(name, width, "  ≠ " if match["predicate"].startswith(DENIED) else "  ", "    ")
        rules = " ↔ ".join(where(rule) for rule in (match["own_rule"], match["rule"]) if rule)
        for words in (rules, match["comment"]):
            yield from wrap(words, width, "    ") if words else []


def _mentioned(concept: "Concept", width: int | None) -> Iterator[str]:
    for mention in concept["mentioned_in"]:
        current = "" if mention["current"] else " (NOT CURRENT)"
        first = ", ".join(rule["locator"] for rule in mention["first"])
        more = ", …" if mention["rules"] > len(mention["first"]) else ""
        rules = "1 rule" if mention["rules"] == 1 else f"{mention['rules']} rules"
        yield from wrap(
            f"named in {rules} of {mention['game']} {mention['book']} {mention['edition']}{current}: {first}{more}",
            width,
            rest="  ",
        )
