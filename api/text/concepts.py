"""`concept` and `term`: names, claims with their proofs, counterparts; the term table, false friends, and uses in context."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from api import labels
from api.languages import gettext as _
from api.languages import ngettext
from api.text.layout import SEPARATOR, current_label, display_width, rule_count, table_lines, truncate, value_label, wrap
from corpus.address import concept_name, path_of, split_rule
from corpus.languages import choose, fallback_order
from corpus.model import CORE_PROPERTIES, NEGATION_PREFIX
from corpus.spreadsheet import quote_cell
from corpus.words.text import printable_line

if TYPE_CHECKING:
    from corpus.contract import (
        Claim,
        Concept,
        ConceptDescribed,
        ConceptLabel,
        Concepts,
        FalseFriend,
        ProposedMappings,
        RulePointer,
        Support,
        Terms,
        UnusedVerdict,
        Use,
        Uses,
        VerdictFile,
    )

PropertyLabels = Mapping[str, Mapping[str, str]]
"""Property → language → label."""
_WIDE, _NARROWEST, _USE = 120, 40, 110
"""Columns of the term table and of a use without a terminal, and minimum number of columns of the table."""


def concept_lines(body: "Concepts", properties: PropertyLabels, width: int | None) -> Iterator[str]:
    """The lines of a `concept` body: a single concept in full, several in brief, each with the command that shows it in full.

    `properties` are the labels of properties by language.
    """
    concepts = body["concepts"]
    for count, concept in enumerate(concepts):
        yield from ["", ""] if count else []
        yield from _concept_lines(concept, properties, body["lang"], width, in_full=len(concepts) == 1)
    yield from ["", *_legend_lines(width)]


def _legend_lines(width: int | None) -> Iterator[str]:
    return wrap(_("* official name; the others are ours or players' usage"), width, rest="  ")


def _concept_lines(concept: "Concept", properties: PropertyLabels, lang: str, width: int | None, *, in_full: bool) -> Iterator[str]:
    """One concept; in brief without its counterparts and further properties."""
    kind = value_label(labels.KIND_LABELS, concept["kind"])
    yield from wrap(SEPARATOR.join((concept["label"], concept["game"] or _("all games"), kind)), width)
    yield from _name_lines(concept, lang, width)
    if defined_in := choose(lang, concept["definition"]):
        yield from ["", _("definition, ours ({lang}):", lang=defined_in)]
        yield from wrap(concept["definition"][defined_in], width, "  ")
    yield from _defining_rule_lines(concept["defined_by"], width)
    blocks = [_property_lines(concept, properties, lang, width, in_full=in_full)]
    if in_full:
        blocks += [_related_lines(concept, width), _match_lines(concept, width), _mention_lines(concept, width)]
    for block in blocks:
        lines = list(block)
        yield from ["", *lines] if lines else []
    address = concept["concept"] if in_full else f"rulestone concept {concept_name(concept['concept'])}"
    yield from ["", address] if in_full or concept["game"] else []


def _name_lines(concept: "ConceptDescribed", lang: str, width: int | None) -> Iterator[str]:
    """The names, one language per line, the answer's first: official ones marked, slang after the others."""
    for name_lang in fallback_order(lang):
        if names := concept["labels"].get(name_lang):
            plain, slang = grouped_names(names)
            parts = (plain, _("slang: {names}", names=slang) if slang else "")
            yield from wrap("; ".join(filter(None, parts)), width, f"  {name_lang:8}")


def grouped_names(names: "Iterable[ConceptLabel]") -> tuple[str, str]:
    """The names that books may use, with those that a person forbade, and slang."""
    by_sort: dict[str, list[ConceptLabel]] = {}
    for name in names:
        by_sort.setdefault(name["sort"] if name["sort"] in ("slang", "forbidden") else "", []).append(name)
    plain, slang, forbidden = (_joined_names(by_sort.get(sort, ())) for sort in ("", "slang", "forbidden"))
    return "; ".join(filter(None, (plain, _("must not be used: {names}", names=forbidden) if forbidden else ""))), slang


def _joined_names(names: "Iterable[ConceptLabel]") -> str:
    """Names separated by commas, official ones marked."""
    return ", ".join(name["label"] + "*" * name["official"] for name in names)


def _defining_rule_lines(rules: "Iterable[RulePointer]", width: int | None) -> Iterator[str]:
    """The rules that define a concept, those of one edition on a line."""
    editions: dict[str, list[str]] = {}
    for rule in rules:
        edition = f"{rule['game']} {rule['book']} {rule['edition']}"
        if not rule["loaded"]:
            edition += " (" + _("text not loaded") + ")"
        elif not rule["current"]:
            edition += f" ({current_label(current=False)})"
        editions.setdefault(edition, []).append(rule["locator"])
    for edition, locators in editions.items():
        yield from wrap(_("defined by {rules}", rules=", ".join(locators)) + SEPARATOR + edition, width, rest="  ")


def _rule_place(rule: str) -> str:
    """Number, game, book and edition in a rule's address."""
    key, locator = split_rule(rule)
    return f"{locator}{SEPARATOR}{key.game} {key.book} {key.edition}"


def _property_lines(concept: "Concept", names: PropertyLabels, lang: str, width: int | None, *, in_full: bool) -> Iterator[str]:
    """Each claim with every rule that supports it and the quoted words; in brief the core claims, with one rule each."""
    properties = list(concept["properties"].items())
    for name, claims in properties if in_full else properties[: len(CORE_PROPERTIES)]:
        for claim in claims:
            status = "" if claim["status"] == "accepted" else f" ({value_label(labels.CLAIM_LABELS, claim['status'])})"
            yield from wrap(f"{property_name(name, names, lang)}: {claim_value(claim, lang)}{status}", width, rest="  ")
            proofs = list(_proof_lines(claim["supports"]))
            for proof in proofs if in_full else proofs[:1]:
                yield from wrap(proof, width, "  ", "    ")
            yield from wrap(_("note, ours: {note}", note=claim["note"]), width, "  ", "    ") if claim["note"] and in_full else []


def property_name(name: str, properties: PropertyLabels, lang: str) -> str:
    """The label of a property in a language; its slug if it has none."""
    words = properties.get(name, {})
    tag = choose(lang, words)
    return words[tag] if tag else name


def claim_value(claim: "Claim", lang: str) -> str:
    """The value of a claim in words of a language."""
    words = claim["value_labels"]
    return words[choose(lang, words) or next(iter(words))]


def _proof_lines(supports: "Iterable[Support]") -> Iterator[str]:
    """Each rule once, with all quotations from it."""
    marks = {True: "", False: " (" + _("the words were not found in the rule") + ")", None: " (" + _("text not loaded") + ")"}
    quotes: dict[str, list[str]] = {}
    for support in supports:
        quotes.setdefault(_rule_place(support["rule"]), []).append(f"“{support['quote']}”{marks[support['verified']]}")
    yield from (f"{rule}: {' '.join(words)}" for rule, words in quotes.items())


def _related_lines(concept: "Concept", width: int | None) -> Iterator[str]:
    relations = ((_("broader"), concept["broader"]), (_("narrower"), concept["narrower"]), (_("parts"), concept["parts"]))
    for name, others in relations:
        if names := ", ".join(other["label"] if concept["game"] else f"{other['label']} ({other['game']})" for other in others):
            yield from wrap(names, width, f"{name}: ", "  ")


def _match_lines(concept: "Concept", width: int | None) -> Iterator[str]:
    for count, match in enumerate(concept["matches"]):
        yield from () if count else [_("in other games:")]
        is_denied = match["predicate"].startswith(NEGATION_PREFIX)
        kind = value_label(labels.MATCH_LABELS, match["predicate"].removeprefix(NEGATION_PREFIX))
        name = f"{match['game']} {match['label']} ({kind}, {match['confidence']:g})"
        if not match["concept"]:
            name = _("{game}: no counterpart", game=match["game"] or _("another game"))
        if match["status"] == "proposed":
            name += f" · {value_label(labels.CLAIM_LABELS, 'proposed')}"
        mark = "  ~ " if match["status"] == "proposed" else "  ≠ " if is_denied else "  "
        yield from wrap(name, width, mark, "    ")
        rules = " ↔ ".join(_rule_place(rule) for rule in (match["own_rule"], match["rule"]) if rule)
        for words in (rules, match["comment"]):
            yield from wrap(words, width, "    ") if words else []


def _mention_lines(concept: "Concept", width: int | None) -> Iterator[str]:
    for mention in concept["mentioned_in"]:
        edition = f"{mention['game']} {mention['book']} {mention['edition']}"
        edition += "" if mention["current"] else f" ({current_label(current=False)})"
        first = ", ".join(rule["locator"] for rule in mention["first"])
        more = ", …" if mention["rules"] > len(mention["first"]) else ""
        mention_text = _("named in {rules} of {edition}", rules=rule_count(mention["rules"]), edition=edition)
        yield from wrap(f"{mention_text}: {first}{more}", width, rest="  ")


def term_lines(body: "Terms", width: int | None) -> Iterator[str]:
    """The lines of a `term` body."""
    if body["terms"]:
        yield from _term_table(body, width)
        yield from _legend_lines(width)
    else:
        yield from wrap(_("no concept is called {label!r}; the words occur here:", label=body["label"]), width)
    for term in body["terms"]:
        if term["defined_by"]:
            yield from ["", f"{term['label']}{SEPARATOR}{term['game'] or _('all games')}"]
            yield from (f"  {line}" for line in _defining_rule_lines(term["defined_by"], width and width - 2))
    for false_friend in body["false_friends"]:
        yield from ["", *_false_friend_lines(false_friend, width)]
    for group in body["concordance"]:
        yield from ["", *_use_lines(group, body, width)]
    if not body["concordance"]:
        yield from ["", _("no loaded text or gloss uses it")]


def _term_table(body: "Terms", width: int | None) -> Iterator[str]:
    """The names in each game, one language per row, the answer's first."""
    from rich.table import Column, Table

    names = (Column(name, overflow="fold") for name in (_("names"), _("slang")))  # Japanese has no spaces to break at
    table = Table(_("game"), _("lang"), *names, pad_edge=False, expand=False)
    for term in body["terms"]:
        languages = [lang for lang in fallback_order(body["lang"]) if lang in term["labels"]]
        for lang in languages:
            game = term["game"] or _("all") if lang == languages[0] else ""
            table.add_row(game, lang, *grouped_names(term["labels"][lang]), end_section=lang == languages[-1])
    yield from table_lines(table, max(width or _WIDE, _NARROWEST))


def _false_friend_lines(friend: "FalseFriend", width: int | None) -> Iterator[str]:
    names = [f"{name['label']} ({name['game']})" for name in (friend, friend["other"])]
    yield from wrap(_("false friends: {term} is not {other}", term=names[0], other=names[1]), width, "≠ ", "  ")
    rules = " ↔ ".join(_rule_place(rule["rule"]) for rule in (friend["own_rule"], friend["rule"]) if rule)
    for words in (rules, friend["comment"]):
        yield from wrap(words, width, "  ") if words else []


def _use_lines(group: "Uses", body: "Terms", width: int | None) -> Iterator[str]:
    """The uses in one game and language: their number, then each with its rule, the terms aligned below each other."""
    uses = group["uses"]
    count = ngettext("{count} use", "{count} uses", group["total"])
    facts = _("{uses} in {rules}, {current} current", uses=count, rules=rule_count(group["rules"]), current=group["current"])
    if uses and len(uses) < group["total"]:
        first, last = body["offset"] + 1, body["offset"] + len(uses)
        facts = _("{facts}, {first}–{last} shown", facts=facts, first=first, last=last)
    yield from wrap(SEPARATOR.join((group["game"], group["lang"], facts)), width, rest="  ")
    edition = ""
    for use in uses:
        if (heading := _edition(use)) != edition:
            edition = heading
            yield from wrap(heading, width, "  ", "    ")
        yield _use_line(use, uses, width)


def _edition(use: "Use") -> str:
    current = "" if use["current"] else f"{SEPARATOR}{current_label(current=False)}"
    source = value_label(labels.AUTHORITY_ORDER, use["authority"]) if use["authority"] else _("our gloss")
    return f"{use['game']} {use['book']} {use['edition']}{current}{SEPARATOR}{source}"


def _use_line(use: "Use", uses: "Sequence[Use]", width: int | None) -> str:
    """One use in one line: its rule, and the term aligned with that of the line above."""
    lead = max(display_width(other["locator"]) for other in uses)
    match = use["match"]
    room = max((width or _USE) - lead - 6 - display_width(match), 8)
    before = truncate(use["before"][::-1], room // 2)[::-1]
    after = truncate(use["after"], room - room // 2)
    blank = " " * (room // 2 - display_width(before))
    return f"    {use['locator']:{lead}}  {blank}{before}{match}{after}".rstrip()


def mappings_table(body: "ProposedMappings") -> Iterator[str]:
    """The table that a curator fills in: column names and a line for each proposal, separated by tabs; concepts come first."""
    yield "\t".join(("subject", "object", "verdict", "who", "when", "subject_name", "object_name", "confidence", "rule"))
    for row in body["mappings"]:
        ids = (concept_name(row["concept"]["concept"]), concept_name(row["hub"]["concept"]))
        names = (row["concept"]["label"], row["hub"]["label"])
        yield _mapping_line(ids, names, row["confidence"], path_of(row["rule"]) if row["rule"] else "")
    for pair in body["counterparts"]:
        rules = pair["rule"], pair["other"]
        yield _mapping_line([path_of(rule["rule"]) for rule in rules], [rule["words"] for rule in rules], pair["confidence"], "")


def _mapping_line(ids: "Sequence[str]", names: "Sequence[str]", confidence: float, rule: str) -> str:
    cells = (quote_cell(printable_line(name)) for name in names)
    return "\t".join((*ids, "", "", "", *cells, f"{confidence:.2f}", rule))


def unused_verdicts_lines(verdicts: "Sequence[UnusedVerdict]") -> Iterator[str]:
    """A line for each verdict that was taken back: what was judged, the verdict, and its file."""
    for verdict in verdicts:
        ends = (verdict["subject"], verdict["object"] or "", verdict["verdict"], verdict["who"], verdict["when"], verdict["file"])
        yield "\t".join(map(printable_line, ends))


def verdicts_added_lines(file: "VerdictFile") -> Iterator[str]:
    """The line for a file of verdicts."""
    count = ngettext("{count} verdict", "{count} verdicts", file["verdicts"])
    yield f"{printable_line(file['file'])}: {count}"
