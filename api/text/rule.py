"""`show` and `cites`: a rule with its context. Nothing is shown without its edition."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.text.layout import SEPARATOR, current_label, edition_label, iri_locator, value_label, wrap
from api.text.rulings import ruling_briefs
from corpus.address import citation_of
from corpus.languages import choose
from corpus.model import HEADING_KINDS

if TYPE_CHECKING:
    from corpus.contract import Cites, Hit, MappedRule, Rule, Rules, Successor

_SAME_QUESTION_PREDICATES = ("skos:closeMatch", "skos:broadMatch", "skos:narrowMatch")
"""Mappings to rules that answer the same question."""


def show_lines(body: "Rules", lang: str, width: int | None) -> Iterator[str]:
    """The lines of a `show` body. If an edition is current, rules of other editions are only named."""
    rules = body["rules"]
    current = [rule for rule in rules if rule["current"]] or rules
    for count, rule in enumerate(current):
        yield from ["", ""] if count else []
        yield from _rule_lines(rule, lang, width)
    older = [rule for rule in rules if rule not in current]
    if older:
        yield from ["", _("also in editions that are NOT CURRENT:")]
        yield from (f"  rulestone show {citation_of(rule['iri'])}" for rule in older)


def cites_lines(body: "Cites", width: int | None) -> Iterator[str]:
    """The lines of a `cites` body."""
    rule = body["rule"]
    edition = edition_label(rule)
    yield SEPARATOR.join((edition, rule["locator"], current_label(current=rule["current"])))
    yield "" if body["cites"] or body["cited_by"] else _("cites nothing, and nothing cites it")
    for cite in body["cites"]:
        target = iri_locator(cite["target"]) if cite["target"] else _("not in this edition")
        sentence = _("cites {rule}", rule=target)
        yield from wrap(f"{sentence} ({cite['lang']}: {cite['text']})", width, rest="  ")
    for iri in body["cited_by"]:
        yield from wrap(_("cited by {rule}", rule=iri_locator(iri)), width, rest="  ")
    yield rule["iri"]


def _rule_lines(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    """Address, warnings, heading path, words, examples and notes, its neighbours, its IRI."""
    text_lang = choose(lang, rule["texts"])
    yield from wrap(_address_line(rule, text_lang), width)
    for warning in age_warnings(rule):
        yield from wrap(warning, width)
    if (day := rule.get("as_of")) and day["note"]:
        yield from wrap(day["note"], width)
    if now := rule.get("successor"):
        yield from wrap(_successor_line(rule, now, lang), width)
    elif by := superseded_notices(rule):
        yield from wrap(by, width)
    yield from history_lines(rule, width)
    for twin in rule.get("printed_again", ()):
        other = f"rulestone show {citation_of(twin)}"
        yield from wrap(_("this number is printed more than once: {other}", other=other), width)
    if rule["heading"]:
        yield from wrap(labels.title_path(rule["heading"]), width)
    for block in (
        _own_text_lines(rule, lang, width),
        _aside_lines(rule, text_lang, width),
        _child_lines(rule, lang, width),
        _counterpart_lines(rule, width),
    ):
        lines = list(block)
        yield from ["", *lines] if lines else []
    if rulings := rule.get("rulings"):
        yield from ["", _("rulings that rest on it:"), *ruling_briefs(rulings, width)]
    yield ""
    yield from _link_lines(rule, text_lang or choose(lang, rule["digest"]), width)
    yield rule["iri"]


def _address_line(rule: "Rule", lang: str | None) -> str:
    """Game, book, edition, number, whether current, and the authority: the line above every rule."""
    source = (
        f"{value_label(labels.AUTHORITY_ORDER, rule['texts'][lang]['authority'])}{SEPARATOR}{lang}" if lang else _("gloss only")
    )
    edition = edition_label(rule)
    day = rule.get("as_of")
    standing = [_("as of {day}", day=day["asked"])] if day else []
    if not (day and rule["current"]):
        standing.append(current_label(current=rule["current"]))
    return SEPARATOR.join((edition, labels.rule_number(rule), *standing, source))


def superseded_notices(rule: "Rule | Hit") -> str:
    """The edition that supersedes a rule, and its rule there; empty for a current one."""
    if (by := rule["superseded_by"]) is None:
        return ""
    edition = _("superseded by {edition}", edition=edition_label(by))
    return f"{edition}, {iri_locator(by['iri'])}" if by["iri"] else edition


def age_warnings(rule: "Rule | Hit") -> Iterator[str]:
    """Warnings about a text that is the latest only in its language, or whose place among the editions is unknown."""
    if lang := rule["latest_in"]:
        yield _("the latest text in {lang}: no later edition is loaded in this language", lang=lang)
    if others := rule["order_unknown"]:
        yield unknown_order_warnings(others)


def unknown_order_warnings(others: Iterable[str]) -> str:
    """A warning that the order of some editions is unknown."""
    return _("it is unknown whether this edition is earlier or later than {editions}", editions=", ".join(others))


def history_lines(rule: "Rule | Hit", width: int | None, lead: str = "") -> Iterator[str]:
    """The number of a rule in other editions, other rules with its number, and the editions that changed its words."""
    for words in _history_messages(rule):
        yield from wrap(words, width, lead)


def _history_messages(rule: "Rule | Hit") -> Iterator[str]:
    history = rule.get("history")
    if history is None:
        return
    number = labels.rule_number(rule)
    if history["moved_from"]:
        places = ", ".join(_("{rule} in {edition}", rule=old["locator"], edition=old["edition"]) for old in history["moved_from"])
        yield _("was {places}", places=places)
    if was := history["number_was"]:
        yield _("{number} was another rule in {edition}", number=number, edition=was["edition"])
    if history["moved_to"] and not rule.get("successor"):
        places = ", ".join(_("{rule} in {edition}", rule=new["locator"], edition=new["edition"]) for new in history["moved_to"])
        yield _("is {places}", places=places)
    if now := history["number_is"]:
        yield _("{number} is another rule since {edition}", number=number, edition=now["edition"])
    if history["edited_since"]:
        yield _("reworded in {editions}", editions=", ".join(history["edited_since"]))
    if edition := history["removed_in"]:
        yield _("removed in {edition}", edition=edition)


def _successor_line(rule: "Rule", successor: "Successor", lang: str) -> str:
    """The current edition's rule that replaces a superseded one."""
    edition, number = edition_label(successor), labels.rule_number(rule)
    if not successor["same_number"]:
        there = _("the current edition, {edition}, has no {number}", edition=edition, number=number)
    elif successor["reused"]:
        there = _("in the current edition, {edition}, {number} is ANOTHER RULE", edition=edition, number=number)
    elif successor["same_words"] is None:
        there = _("the current edition, {edition}, has {number} in another language", edition=edition, number=number)
    elif successor["same_words"]:
        there = _("the current edition, {edition}, has {number} with the same words", edition=edition, number=number)
    else:
        there = _("the current edition, {edition}, has {number} with OTHER WORDS", edition=edition, number=number)
    if replacements := [
        _mapped_replacement(other, lang) for other in successor["mapped"] if other["iri"] != successor["same_number"]
    ]:
        return _("{there}; see its {rules}", there=there, rules=", ".join(replacements))
    return there


def _mapped_replacement(rule: "MappedRule", lang: str) -> str:
    """The replacement of a rule, with the step that led to it, or the concept that both define."""
    concept = rule["labels"].get(choose(lang, rule["labels"]) or lang)
    return f"{rule['locator']} ({concept or value_label(labels.STEP_LABELS, rule['step'] or '')})"


def _own_text_lines(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    """The book's own words, and the gloss."""
    text_lang = choose(lang, rule["texts"])
    if text_lang:
        yield from _text_lines(rule, text_lang, width)
    for label, words in _gloss_lines(rule, lang):
        yield from ["", label] if text_lang else [label]
        yield from wrap(words, width)
    if not text_lang:
        yield from ["", *wrap(_("The book's own words are not loaded; add them with: rulestone add FILE"), width)]


def _text_lines(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    """The book's own words: a heading with its number, a glossary entry with its headword, a table row by row."""
    text, title = rule["texts"][lang]["text"], rule["number"] if rule["kind"] in HEADING_KINDS else None
    if headword := rule.get("headwords", {}).get(lang):
        yield headword
    if table := rule.get("table"):
        yield from (" | ".join(row) for row in table)
    else:
        yield from wrap(f"{title} {text}" if title not in (None, text) else text, width)


def _gloss_lines(rule: "Rule", lang: str) -> Iterator[tuple[str, str]]:
    """The gloss of the rule, else that of another edition's wording, each with its label."""
    other = rule.get("digest_other")
    if gloss := choose(lang, rule["digest"]):
        yield _("unofficial gloss ({lang}):", lang=gloss), rule["digest"][gloss]
    elif other and (gloss := choose(lang, other["texts"])):
        edition = f"{other['book']} {other['edition']}"
        yield _("gloss of {edition}, other wording ({lang}):", edition=edition, lang=gloss), other["texts"][gloss]


def _aside_lines(rule: "Rule", lang: str | None, width: int | None) -> Iterator[str]:
    """Examples and notes with their printed marks, and their authority if it is not the text's."""
    asides = [*(("", example) for example in rule["examples"]), *((_("note"), note) for note in rule["notes"])]
    for label, aside in asides:
        if lang and aside["lang"] == lang:
            other = aside["authority"] != rule["texts"][lang]["authority"]
            words = (label, aside.get("mark"), f"({value_label(labels.AUTHORITY_ORDER, aside['authority'])})" if other else "")
            lead = " ".join(word for word in words if word)
            yield from wrap(aside["text"], width, f"  {lead}: " if lead else "  ", "    ")


def _child_lines(rule: "Rule", lang: str, width: int | None) -> Iterator[str]:
    gloss_label = _("gloss")
    for child in rule["children"]:
        number = (child["number"] or f"~{child['locator'].split('~')[-1]}").rstrip(".")
        text_lang = choose(lang, child["texts"])
        words = [child["texts"][text_lang]["text"]] if text_lang else []
        if lang not in child["texts"] and (gloss := choose(lang, child["digest"])):
            words.append(f"[{gloss_label} {gloss}] {child['digest'][gloss]}")
        yield from wrap("\n".join(words), width, f"  {number}  ", "      ")


def _counterpart_lines(rule: "Rule", width: int | None) -> Iterator[str]:
    """The counterparts in other games with the differences; rules that are only related are named, proposed ones come last."""
    every = rule.get("counterparts", ())
    counterparts = [counterpart for counterpart in every if counterpart["status"] == "accepted"]
    alike = [counterpart for counterpart in counterparts if counterpart["predicate"] in _SAME_QUESTION_PREDICATES]
    yield from [_("in the other games:")] if alike else []
    for counterpart in alike:
        predicate = counterpart["predicate"]
        kind = "" if predicate == "skos:closeMatch" else f" ({value_label(labels.MATCH_LABELS, predicate)})"
        name = f"{counterpart['game']} {counterpart['number']}, {counterpart['label']}{kind}"
        yield from wrap(counterpart["comment"], width, f"  {name}: ", "      ")
    related_rules = [counterpart for counterpart in counterparts if counterpart not in alike]
    if names := ", ".join(f"{counterpart['game']} {counterpart['number']}" for counterpart in related_rules):
        yield from wrap(_("related in the other games: {rules}", rules=names), width, rest="  ")
    proposals = [counterpart for counterpart in every if counterpart["status"] == "proposed"]
    yield from [_("similar in the other games, proposed and not checked:")] if proposals else []
    for counterpart in proposals:
        probability = value_label(labels.PROBABILITY_LABELS, labels.probability(counterpart["confidence"]))
        name = f"{counterpart['game']} {counterpart['number']}, {counterpart['label']} ({probability})"
        yield from wrap(name, width, "  ~ ", "      ")


def _link_lines(rule: "Rule", lang: str | None, width: int | None) -> Iterator[str]:
    """The rule's citations in both directions, its concepts and its neighbours."""
    cites = {cite["text"]: cite["target"] for cite in rule["cites"] if cite["lang"] == lang}
    links = [
        locator if (locator := iri_locator(target)) == words else f"{locator} ({words})"
        for words, target in cites.items()
        if target
    ]
    dangling = [_("{words} (not in this edition)", words=words) for words, target in cites.items() if not target]
    concepts = (
        _("{concept} (defined here)", concept=concept["label"]) if concept["defined"] else concept["label"]
        for concept in rule.get("concepts", ())
    )
    if rules := ", ".join((*links, *dangling)):
        yield from wrap(_("cites {rule}", rule=rules), width, rest="  ")
    if rules := ", ".join(map(iri_locator, rule["cited_by"])):
        yield from wrap(_("cited by {rule}", rule=rules), width, rest="  ")
    if names := ", ".join(dict.fromkeys(concepts)):
        yield from wrap(_("concepts: {concepts}", concepts=names), width, rest="  ")
    neighbours = [_("previous {rule}", rule=iri_locator(rule["previous"]))] if rule["previous"] else []
    neighbours += [_("next {rule}", rule=iri_locator(rule["next"]))] if rule["next"] else []
    yield from wrap(SEPARATOR.join(neighbours), width) if neighbours else []
