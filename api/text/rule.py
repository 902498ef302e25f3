"""A rule for people: what a judge reads on a small terminal. Nothing is shown without its edition."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api.text.past import past
from api.text.wrap import wrap
from corpus.address import split_rule
from corpus.languages import choose
from corpus.model import HEADINGS

if TYPE_CHECKING:
    from corpus.contract import Cites, Hit, MappedRule, Rule, RuleCounterpart, Rules, Successor

DOT = " · "
_ALIKE = {"skos:closeMatch": "", "skos:broadMatch": " (more general)", "skos:narrowMatch": " (a special case)"}
_NOT_LOADED = "The book's own words are not loaded; add them with: rulestone add FILE"


def pages(body: "Rules", lang: str, width: int | None) -> Iterator[str]:
    """The lines of a `show` body. Where a current edition answers, the others are only named."""
    rules = body["rules"]
    current = [rule for rule in rules if rule["current"]] or rules
    for count, rule in enumerate(current):
        yield from ["", ""] if count else []
        yield from page(rule, lang, width)
    older = [rule for rule in rules if rule not in current]
    if older:
        yield from ["", "also in editions that are NOT CURRENT:"]
        yield from (f"  rulestone show {rule['game']}/{rule['book']}:{rule['edition']}:{rule['locator']}" for rule in older)


def page(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    """The lines of one rule: address, heading path, words, what belongs to it, its neighbours, its IRI."""
    shown = choose(lang, rule["texts"])
    yield from wrap(address(rule, shown), width)
    for warning in warnings(rule):
        yield from wrap(warning, width)
    if now := rule.get("successor"):
        yield from wrap(_successor(rule, now, lang), width)
    elif by := superseded(rule):
        yield from wrap(by, width)
    yield from past(rule, width)
    for twin in rule.get("printed_again", ()):
        key, locator = split_rule(twin)
        other = f"rulestone show {key.game}/{key.book}:{key.edition}:{locator}"
        yield from wrap(f"this number is printed more than once: {other}", width)
    if rule["heading"]:
        yield from wrap(" › ".join(rule["heading"]), width)
    for block in (_own(rule, lang, width), _asides(rule, shown, width), _children(rule, lang, width), _elsewhere(rule, width)):
        lines = list(block)
        yield from ["", *lines] if lines else []
    if beside := rule.get("rulings"):
        from api.text.rulings import beside_rule

        yield from ["", "rulings that rest on it:", *beside_rule(beside, width)]
    yield ""
    yield from _links(rule, shown or choose(lang, rule["digest"]), width)
    yield rule["iri"]


def address(rule: "Rule", lang: str | None) -> str:
    """Game, book, edition, number, whether current, and whose words: the line no rule is shown without."""
    whose = f"{rule['texts'][lang]['authority']}{DOT}{lang}" if lang else "gloss only"
    current = "current" if rule["current"] else "NOT CURRENT"
    number = (rule["number"] or rule["locator"]).rstrip(".")
    return DOT.join((f"{rule['game']} {rule['book']} {rule['edition']}", number, current, whose))


def superseded(rule: "Rule | Hit") -> str:
    """By which edition a rule is superseded, and where it stands there; empty for a current one."""
    by = rule["superseded_by"]
    return f"superseded by {by['game']} {by['book']} {by['edition']}" + (f", {short(by['iri'])}" if by["iri"] else "") if by else ""


def warnings(rule: "Rule | Hit") -> Iterator[str]:
    """What is to be known of the age of a text that is the latest in its language, or of which nobody knows whether it is."""
    if rule["latest_in"]:
        yield f"the latest text in {rule['latest_in']}: no later edition is loaded in it"
    if beside := rule["order_unknown"]:
        yield f"whether it is earlier or later than {', '.join(beside)} is not known"


def _successor(rule: "Rule", now: "Successor", lang: str) -> str:
    """What the current edition has in a rule's place, in one sentence."""
    number = (rule["number"] or rule["locator"]).rstrip(".")
    followed = [_standing(successor, lang) for successor in now["mapped"] if successor["iri"] != now["same_number"]]
    there = f"the current edition, {now['game']} {now['book']} {now['edition']}, {_has(now, number)}"
    if not followed:
        return there
    return f"{there}; see its {', '.join(followed)}"


def _has(now: "Successor", number: str) -> str:
    if not now["same_number"]:
        return f"has no {number}"
    if now["reused"]:
        return f"has ANOTHER RULE as {number}"
    words = {True: "with the same words", False: "with OTHER WORDS", None: "in another language"}[now["same_words"]]
    return f"has {number} {words}"


def _standing(rule: "MappedRule", lang: str) -> str:
    """A rule that stands in the place of another, with how it came to, or with the concept that both define."""
    told = rule["labels"].get(choose(lang, rule["labels"]) or lang) or (rule["step"] or "").replace("-", " and ")
    return f"{rule['locator']} ({told})"


def citations(body: "Cites", width: int | None) -> Iterator[str]:
    """The lines of a `cites` body."""
    rule = body["rule"]
    current = "current" if rule["current"] else "NOT CURRENT"
    yield DOT.join((f"{rule['game']} {rule['book']} {rule['edition']}", rule["locator"], current))
    yield "" if body["cites"] or body["cited_by"] else "cites nothing, and nothing cites it"
    for cite in body["cites"]:
        target = short(cite["target"]) if cite["target"] else "not in this edition"
        yield from wrap(f"cites {target} ({cite['lang']}: {cite['text']})", width, rest="  ")
    for iri in body["cited_by"]:
        yield from wrap(f"cited by {short(iri)}", width, rest="  ")
    yield rule["iri"]


def short(iri: str) -> str:
    """The locator in a rule's address."""
    return split_rule(iri).locator


def _own(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    shown = choose(lang, rule["texts"])
    if shown:
        yield from _words(rule, shown, width)
    for label, words in _glosses(rule, lang):
        yield from ["", f"{label}:"] if shown else [f"{label}:"]
        yield from wrap(words, width)
    if not shown:
        yield from ["", *wrap(_NOT_LOADED, width)]


def _words(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    """The book's own words: a heading with its number, a glossary entry with its headword, a table row by row."""
    text, title = rule["texts"][lang]["text"], rule["number"] if rule["kind"] in HEADINGS else None
    if headword := rule.get("headwords", {}).get(lang):
        yield headword
    if table := rule.get("table"):
        yield from (" | ".join(row) for row in table)
    else:
        yield from wrap(f"{title} {text}" if title not in (None, text) else text, width)


def _glosses(rule: "Rule", lang: str) -> Iterator[tuple[str, str]]:
    """Our own gloss, or that of another edition's wording, said to be that."""
    other = rule.get("digest_other")
    if gloss := choose(lang, rule["digest"]):
        yield f"gloss, unofficial ({gloss})", rule["digest"][gloss]
    elif other and (gloss := choose(lang, other["texts"])):
        yield f"gloss of {other['book']} {other['edition']}, other wording ({gloss})", other["texts"][gloss]


def _asides(rule: "Rule", lang: str | None, width: int | None) -> Iterator[str]:
    """Examples, which carry a printed mark of their own, and notes with theirs; whose they are, if not the text's."""
    for label, aside in [*(("", example) for example in rule["examples"]), *(("note", note) for note in rule["notes"])]:
        if aside["lang"] == lang:
            whose = f"({aside['authority']})" if aside["authority"] != rule["texts"][lang]["authority"] else ""
            lead = " ".join(word for word in (label, aside.get("mark"), whose) if word)
            yield from wrap(aside["text"], width, f"  {lead}: " if lead else "  ", "    ")


def _children(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    for child in rule["children"]:
        number = (child["number"] or f"~{child['locator'].split('~')[-1]}").rstrip(".")
        shown = choose(lang, child["texts"])
        words = [child["texts"][shown]["text"]] if shown else []
        if lang not in child["texts"] and (gloss := choose(lang, child["digest"])):
            words.append(f"[gloss {gloss}] {child['digest'][gloss]}")
        yield from wrap("\n".join(words), width, f"  {number}  ", "      ")


def _elsewhere(rule: "Rule", width: int | None) -> Iterator[str]:
    """What the other games say, with what differs; what is only related is named."""
    counterparts = rule.get("counterparts", ())
    alike = [counterpart for counterpart in counterparts if counterpart["predicate"] in _ALIKE]
    yield from ["in the other games:"] if alike else []
    for counterpart in alike:
        yield from wrap(
            counterpart["comment"],
            width,
            f"  {_elsewhere_named(counterpart)}, {counterpart['label']}{_ALIKE[counterpart['predicate']]}: ",
            "      ",
        )
    yield from _listed(
        "related in the other games:",
        (_elsewhere_named(counterpart) for counterpart in counterparts if counterpart not in alike),
        width,
    )


def _elsewhere_named(counterpart: "RuleCounterpart") -> str:
    return f"{counterpart['game']} {counterpart['number']}"


def _links(rule: "Rule", lang: str | None, width: int | None) -> Iterator[str]:
    cited = {cite["text"]: cite["target"] for cite in rule["cites"] if cite["lang"] == lang}
    resolved = [_named(short(target), words) for words, target in cited.items() if target]
    dangling = [f"{words} (not in this edition)" for words, target in cited.items() if not target]
    yield from _listed("cites", [*resolved, *dangling], width)
    yield from _listed("cited by", map(short, rule["cited_by"]), width)
    named = (
        f"{concept['label']} (defined here)" if concept["defined"] else concept["label"] for concept in rule.get("concepts", ())
    )
    yield from _listed("concepts:", dict.fromkeys(named), width)
    beside = [f"{side} {short(iri)}" for side, iri in (("previous", rule["previous"]), ("next", rule["next"])) if iri]
    yield from wrap(DOT.join(beside), width) if beside else []


def _named(locator: str, words: str) -> str:
    return locator if locator == words else f"{locator} ({words})"


def _listed(label: str, items: Iterable[str], width: int | None) -> Iterator[str]:
    if listed := ", ".join(items):
        yield from wrap(f"{label} {listed}", width, rest="  ")
