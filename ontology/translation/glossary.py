"""Glossaries: proposed changes, term by term, and the table of labels that a person accepted, which every build reads."""

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from corpus.address import (
    RDF_TYPE,
    RS,
    SKOS,
    XL,
    concept_iri,
    concept_name,
    game_of,
    graph_iri,
    is_concept,
    scheme_iri,
    scheme_of,
    slug_of,
    slugify,
)
from corpus.catalogue import catalogue
from corpus.languages import label_language
from corpus.model import NEGATION_PREFIX
from corpus.store.home.checksums import TABLES_FOLDER
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import titles_of
from corpus.words.kana import in_katakana
from ontology.concepts.names import Form, moved_concepts
from ontology.knowledge import Knowledge
from ontology.labels import Label, LabelSort
from ontology.mappings import matches_by_concept
from ontology.shipped import shipped_labels
from ontology.translation.terms import form, printed_names

if TYPE_CHECKING:
    from corpus.contract import TermRecord


class GlossaryFinding(StrEnum):
    """How a term of a glossary compares with the labels of the knowledge base."""

    NEW = "new"
    KNOWN = "known"
    CONTRADICTS = "contradicts"
    FALSE_FRIEND = "false friend"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"
    NEW_CONCEPT = "new concept"
    """No concept of the game has a name of the row; one is proposed."""
    CHANGED = "changed"
    """The name is known, and the glossary discourages or forbids it now, or allows a name that must not be used."""
    UNKNOWN_STATUS = "unknown status"
    """The glossary gives the name a status that is none of ours."""


STATUSES = PREFERRED, ADMITTED, DEPRECATED, FORBIDDEN = ("preferred", "admitted", "deprecated", "forbidden")
HIDDEN_STATUSES = DEPRECATED, FORBIDDEN
"""Statuses of labels that search accepts but writers should not use."""


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A name and its status; `by` and `date` are the person and the day of the decision, if the file has them.

    `given_status` is a status of the file that is none of STATUSES; the name is then admitted.
    """

    text: str
    status: str  # one of STATUSES
    note: str = ""
    by: str = ""
    date: str = ""
    given_status: str = ""


@dataclass(frozen=True, slots=True)
class GlossaryRow:
    """Equivalent terms in several languages; `line` is its line in the file, `concept` its IRI or `game/slug` if given."""

    line: int
    terms: Mapping[str, Sequence[GlossaryTerm]]
    concept: str = ""
    note: str = ""


class Proposal(NamedTuple):
    """One line of a file that a person edits: `decision` is `take` or `drop`.

    The other columns are for information, or may be corrected.
    """

    decision: str
    finding: GlossaryFinding
    concept: str  # IRI; candidates are joined by ` | `
    called: str  # its English name
    lang: str
    label: str
    status: str
    why: str
    line: int
    note: str
    evidence: str = ""  # IRI of a rule that prints the label
    by: str = ""  # the person who decided elsewhere, and the day
    date: str = ""


def propose(
    knowledge: Knowledge, rows: Sequence[GlossaryRow], game: str | None, decisions: Iterable["CuratedLabel"] = ()
) -> list[Proposal]:
    """A proposal for every term of some rows, in their order; `decisions` are those so far. Changes nothing."""
    context = _GlossaryContext(
        _false_friends(knowledge),
        {(label.concept, label.lang, form(label.label)): label.status for label in decisions},
        known_games(knowledge),
    )
    return [proposal for row in rows for proposal in _row_proposals(knowledge, row, game, context)]


def known_games(knowledge: Knowledge) -> frozenset[str]:
    """The games that may have concepts: those of the catalogue, of loaded books and rulings, and of known concepts."""
    shipped, of_concepts = catalogue(), (game_of(concept) for concept in knowledge.names.labels)
    return frozenset({*filter(None, of_concepts), *titles_of(knowledge.manifest), *shipped.games, *shipped.other_games})


_FalseFriends = Mapping[frozenset[str], str]
"""Two similar concepts that are not the same → the difference."""


class _GlossaryContext(NamedTuple):
    """The data that the terms of a glossary are compared with, beside the labels."""

    false_friends: _FalseFriends
    status_by_name: Mapping[tuple[str, str, Form], str]
    """Concept, language and form of a name → the status that a person gave it."""
    games: frozenset[str]


def _false_friends(knowledge: Knowledge) -> _FalseFriends:
    return {
        frozenset((concept, match["concept"])): match["comment"]
        for concept, matches in matches_by_concept(knowledge.concepts.mappings(), "en").items()
        for match in matches
        if match["concept"] and match["predicate"].startswith(NEGATION_PREFIX)
    }


def _row_proposals(knowledge: Knowledge, row: GlossaryRow, game: str | None, context: _GlossaryContext) -> Iterator[Proposal]:
    concepts = _candidates(knowledge, row, game)
    new_concept = None if concepts else _new_concept(knowledge, row, game, context.games)
    near = nearest_concept(new_concept, knowledge.names.labels) if new_concept else None
    for lang, terms in row.terms.items():
        for term in terms:
            finding, reason = _compare_term(knowledge, concepts, lang, term, context)
            if finding is GlossaryFinding.UNKNOWN and near:
                reason = (
                    f"no concept of the game is called so; is it {concept_name(near)}? If not, write `new concept` here to make one"
                )
            elif finding is GlossaryFinding.UNKNOWN and new_concept:
                finding, reason = GlossaryFinding.NEW_CONCEPT, "no concept of the game is called so; take makes a proposed one"
            english_names = " | ".join(knowledge.names.body_with_name(concept, "en")["label"] for concept in concepts)
            note, address = term.note or row.note, " | ".join(concepts) or new_concept or ""
            proposal = Proposal("", finding, address, english_names, lang, term.text, term.status, reason, row.line, note)
            yield proposal._replace(evidence=_printing_rule(knowledge, concepts, lang, term.text), by=term.by, date=term.date)


def _new_concept(knowledge: Knowledge, row: GlossaryRow, game: str | None, games: Collection[str]) -> str | None:
    """The address of a new concept for a row: the one that the row states, else the one that the term of a loaded book would get.

    A book's term has the slug of its English name, else of its first. None if the row states what cannot be a concept of the game,
    or if all addresses are taken.
    """
    if row.concept:
        stated_iri = stated_concept(row.concept)
        return stated_iri if is_new_concept(stated_iri, games) and game in (None, scheme_of(stated_iri)) else None
    names = [terms[0].text for _, terms in sorted(row.terms.items(), key=lambda item: item[0] != "en") if terms]
    addresses = [concept_iri(f"{game}/{part}") for name in names if game and (part := slugify(name))]
    return next((iri for iri in addresses if iri not in knowledge.names.labels and iri not in moved_concepts()), None)


def is_new_concept(iri: str, games: Collection[str]) -> bool:
    """Whether a person may make a concept at an address: of one of some games, with a slug as the terms of books have it."""
    slug = slug_of(iri)
    return is_concept(iri) and scheme_of(iri) in games and bool(slug) and slug == slugify(slug)


_ONE_TYPO, _TWO_TYPOS = 4, 10
"""Number of letters from which a slug may have one typo or two."""


def nearest_concept(iri: str, concepts: Iterable[str]) -> str | None:
    """The known concept of the same game whose address differs by a typo, two in a long one; None if there is none."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    slug = _letters(iri)
    typos = 0 if len(slug) < _ONE_TYPO else 1 if len(slug) < _TWO_TYPOS else 2
    near = {
        concept: letters
        for concept in concepts
        if scheme_of(concept) == scheme_of(iri) and _DIGITS.findall(letters := _letters(concept)) == _DIGITS.findall(slug)
    }
    best = extractOne(slug, near, scorer=OSA.distance, score_cutoff=typos) if typos else None
    return str(best[2]) if best else None


_DIGITS = re.compile(r"\d")


def _letters(concept: str) -> str:
    return slug_of(concept).replace("-", "")


def stated_concept(name: str) -> str:
    """The IRI of a concept that a row states by IRI or as `game/slug`."""
    iri = name if is_concept(name) else concept_iri(name)
    return moved_concepts().get(iri, iri)


def _printing_rule(knowledge: Knowledge, concepts: Sequence[str], lang: str, text: str) -> str:
    """A rule that prints a name of a concept; empty if no loaded book does."""
    keys = ((concept, label_language(lang), form(text)) for concept in concepts)
    printed_name = next((name for key in keys if (name := printed_names(knowledge).get(key))), None)
    return printed_name.passage.rule if printed_name and printed_name.passage else ""


def _candidates(knowledge: Knowledge, row: GlossaryRow, game: str | None) -> list[str]:
    """The candidate concepts of a row: the one that it states, else those of its game that most of its terms name."""
    if row.concept:
        iri = stated_concept(row.concept)
        if iri in knowledge.names.labels:
            return [iri]
        game = scheme_of(iri) or game
    votes: Counter[str] = Counter()
    for lang, terms in row.terms.items():
        bearers = {bearer for term in terms for bearer in _concepts_with_name(knowledge, term.text, lang)}
        votes.update(bearer for bearer in bearers if game_of(bearer) and game in (None, game_of(bearer)))
    most = max(votes.values(), default=0)
    return sorted(concept for concept, count in votes.items() if count == most)


def _concepts_with_name(knowledge: Knowledge, text: str, lang: str) -> list[str]:
    """The concepts that have a name in a language."""
    bearers = knowledge.names.concepts_with_name(text)
    return [
        concept for concept in bearers if any(label.lang == label_language(lang) for label in _labels(knowledge, concept, text))
    ]


def _labels(knowledge: Knowledge, concept: str, text: str) -> list[Label]:
    """The labels of a concept that are a name; one in hiragana may stand for one in katakana."""
    labels = knowledge.names.labels.get(concept, ())
    spellings = (text, in_katakana(text))
    labels_by_spelling = ([label for label in labels if form(label.text) == form(spelling)] for spelling in spellings if spelling)
    return next((some for some in labels_by_spelling if some), [])


def _compare_term(
    knowledge: Knowledge, concepts: Sequence[str], lang: str, term: GlossaryTerm, context: _GlossaryContext
) -> tuple[GlossaryFinding, str]:
    if term.given_status:
        expected = ", ".join(STATUSES)
        return GlossaryFinding.UNKNOWN_STATUS, f"the status {term.given_status} is unknown; expected one of {expected}"
    if not concepts:
        return GlossaryFinding.UNKNOWN, "no concept of the game is called so in any language of the row"
    if len(concepts) > 1:
        return GlossaryFinding.AMBIGUOUS, "several concepts are called so; leave one"
    concept, bearers = concepts[0], _concepts_with_name(knowledge, term.text, lang)
    if concept in bearers:
        return _known_finding(knowledge, concept, lang, term, context)
    for other in bearers:
        if (difference := context.false_friends.get(frozenset((concept, other)))) is not None:
            return GlossaryFinding.FALSE_FRIEND, f"it names {other}, which is not the same: {difference}"
    if of_game := [other for other in bearers if game_of(other) == game_of(concept)]:
        return GlossaryFinding.CONTRADICTS, f"it names another concept of the game: {', '.join(of_game)}"
    return _compare_with_official(knowledge, concept, lang, term)


def _known_finding(
    knowledge: Knowledge, concept: str, lang: str, term: GlossaryTerm, context: _GlossaryContext
) -> tuple[GlossaryFinding, str]:
    """A known name; a preferred term contradicts if it is slang and a book prints another name.

    It is a change if the glossary forbids a name or allows a forbidden one, discourages one that may be used today, or allows one
    that a person discouraged.
    """
    own = [label.sort for label in _labels(knowledge, concept, term.text) if label.lang == label_language(lang)]
    is_slang = all(sort is LabelSort.SLANG for sort in own)
    decision = context.status_by_name.get((concept, lang, form(term.text)))
    today = decision or (DEPRECATED if is_slang else next(_STATUS_BY_SORT[sort] for sort in own if sort is not LabelSort.SLANG))
    discourages = term.status in HIDDEN_STATUSES
    if (
        (FORBIDDEN in (today, term.status) and today != term.status)
        or (discourages and today not in HIDDEN_STATUSES)
        or (decision == DEPRECATED and not discourages)
    ):
        return GlossaryFinding.CHANGED, f"it is {today} today and {term.status} in the glossary"
    finding, reason = _compare_with_official(knowledge, concept, lang, term) if is_slang else (GlossaryFinding.KNOWN, "")
    return (finding, f"known as slang; {reason}") if finding is GlossaryFinding.CONTRADICTS else (GlossaryFinding.KNOWN, "")


def _compare_with_official(knowledge: Knowledge, concept: str, lang: str, term: GlossaryTerm) -> tuple[GlossaryFinding, str]:
    """Whether a preferred term contradicts an official name."""
    label_lang = label_language(lang)
    preferred_labels = [
        name for name in knowledge.names.labels[concept] if name.lang == label_lang and name.sort is LabelSort.PREFERRED
    ]
    for label in preferred_labels:
        printed_name = printed_names(knowledge).get((concept, label_lang, form(label.text)))
        if term.status == "preferred" and (printed_name or label.official):
            authority = printed_name.authority.value if printed_name else "official"
            return GlossaryFinding.CONTRADICTS, f"the {authority} text prints {label.text}"
    return GlossaryFinding.NEW, ""


FILE_NAME = "curated.tsv"
CURATED_GRAPH = graph_iri("terms", "curator")
_STATUS_BY_SORT = {LabelSort.PREFERRED: PREFERRED, LabelSort.ALTERNATIVE: ADMITTED, LabelSort.SLANG: DEPRECATED}


class CuratedLabel(NamedTuple):
    """A label of a concept that a person accepted, and whether it should be used."""

    concept: str  # IRI
    lang: str
    label: str
    status: str  # one of STATUSES
    by: str
    note: str = ""
    evidence: str = ""  # IRI of a rule that prints it: rule and edition
    date: str = ""  # ISO day of the decision


def curated_labels(bundle: Path) -> list[CuratedLabel]:
    """Every accepted label of a bundle, sorted."""
    file = bundle / TABLES_FOLDER / GivenKind.LABELS / FILE_NAME
    if not file.is_file():
        return []
    rows = csv.DictReader(StringIO(file.read_text(encoding="utf-8")), dialect="excel-tab")
    return [CuratedLabel(*(row.get(name) or "" for name in CuratedLabel._fields)) for row in rows]


def forbidden_names(bundle: Path) -> frozenset[tuple[str, str, str]]:
    """Concept, language and label of every name that must not be used."""
    return frozenset(label[:3] for label in curated_labels(bundle) if label.status == FORBIDDEN)


def decided_names(bundle: Path) -> frozenset[tuple[str, str, str]]:
    """Concept, language and label of every name that a person prefers."""
    return frozenset(label[:3] for label in curated_labels(bundle) if label.status == PREFERRED)


def term_records(knowledge: Knowledge, labels: Sequence[CuratedLabel]) -> "list[TermRecord]":
    """The decisions about each concept in each language, with its other names."""
    labels_by_term: dict[tuple[str, str], list[CuratedLabel]] = {}
    for label in labels:
        labels_by_term.setdefault((label.concept, label.lang), []).append(label)
    return [_term_record(knowledge, *key, decisions) for key, decisions in sorted(labels_by_term.items())]


def _term_record(knowledge: Knowledge, concept: str, lang: str, decisions: Sequence[CuratedLabel]) -> "TermRecord":
    status_by_name = {label.label: label.status for label in decisions}
    own_labels = [label for label in knowledge.names.labels.get(concept, ()) if label.lang == label_language(lang)]
    names = {label.text: _STATUS_BY_SORT[label.sort] for label in own_labels} | status_by_name
    preferred = [name for name, status in status_by_name.items() if status == PREFERRED]
    preferred += [name for name, status in names.items() if status == PREFERRED and name not in status_by_name]
    others = [(name, ADMITTED if status == PREFERRED else status) for name, status in names.items() if name not in preferred[:1]]
    notes = dict.fromkeys(label.note for label in decisions if label.note)
    return {
        "concept": concept,
        "lang": lang,
        "decision": preferred[0] if preferred else None,
        "status": "decided" if preferred and preferred[0] in status_by_name else "inherited",
        "admitted": [name for name, status in others if status == ADMITTED],
        "deprecated": [name for name, status in others if status == DEPRECATED],
        "forbidden": [name for name, status in others if status == FORBIDDEN],
        "evidence": [{"name": label.label, "rule": label.evidence} for label in decisions if label.evidence],
        "by": ", ".join(dict.fromkeys(label.by for label in decisions)),
        "date": max(label.date for label in decisions),
        "note": "; ".join(notes),
    }


def curated_table(labels: Iterable[CuratedLabel]) -> bytes:
    """Labels as the table that a bundle holds; empty without any."""
    if not (rows := sorted(set(labels))):
        return b""
    text = StringIO()
    writer = csv.writer(text, "excel-tab")
    writer.writerow(CuratedLabel._fields)
    writer.writerows(rows)
    return text.getvalue().encode()


def names_of_made_concepts(labels: Iterable[CuratedLabel]) -> list[tuple[str, str, str]]:
    """Concept, language and words of the labels whose concepts do not ship: a book defines them, or a person made them."""
    decisions = list(labels)
    shipped = {label.concept for label in shipped_labels()} if decisions else set()
    return [label[:3] for label in decisions if label.concept not in shipped]


def curated_quads(labels: Sequence[CuratedLabel]) -> bytes:
    """The graph of some labels as sorted N-Quads: each labels its concept, and a node records who accepted it and how."""
    new_concepts = {concept for concept, _, _ in names_of_made_concepts(labels)}
    every = chain(
        (quad for label in labels for quad in _quads(label)), (quad for concept in new_concepts for quad in _concept_quads(concept))
    )
    quads = sorted({str(quad): quad for quad in every}.items())
    return ox.serialize((quad for _, quad in quads), format=ox.RdfFormat.N_QUADS) or b""


def _quads(label: CuratedLabel) -> Iterator[ox.Quad]:
    graph, concept = ox.NamedNode(CURATED_GRAPH), ox.NamedNode(label.concept)
    node = ox.NamedNode(f"{label.concept}#curated-{blake2b(f'{label.lang} {label.label}'.encode(), digest_size=6).hexdigest()}")
    words = ox.Literal(label.label, language=label.lang)
    kind = "hiddenLabel" if label.status in HIDDEN_STATUSES else "altLabel"
    yield ox.Quad(concept, ox.NamedNode(f"{SKOS}{kind}"), words, graph)
    yield ox.Quad(node, ox.NamedNode(f"{RS}curates"), concept, graph)
    yield ox.Quad(node, ox.NamedNode(f"{XL}literalForm"), words, graph)
    yield ox.Quad(node, ox.NamedNode(f"{RS}curatedAs"), ox.Literal(label.status), graph)
    yield ox.Quad(node, ox.NamedNode(f"{RS}curatedBy"), ox.Literal(label.by), graph)


def _concept_quads(iri: str) -> Iterator[ox.Quad]:
    """A concept that a person proposed; once a book defines it, it is a term of the book too."""
    graph, concept = ox.NamedNode(CURATED_GRAPH), ox.NamedNode(iri)
    for kind in (f"{SKOS}Concept", f"{RS}ProposedTerm"):
        yield ox.Quad(concept, ox.NamedNode(RDF_TYPE), ox.NamedNode(kind), graph)
    yield ox.Quad(concept, ox.NamedNode(f"{SKOS}inScheme"), ox.NamedNode(scheme_iri(scheme_of(iri))), graph)
