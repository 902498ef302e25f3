"""Prints how many proposed matches are right: each annotated game left out, and books that nobody annotated, judged by hand.

For each annotated game, its labels, mappings and claims are left out, and in the first measurement every name that only it uses,
also of the list of names; in the second, the list is whole. Cross-game concepts that no other game has are not wanted. In
`judged.tsv`, `-` stands for a zone without a cross-game concept; `--prune` drops the rows of games that are annotated by now.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.extraction.__main__ import DEVELOPMENT_BOOKS, Book, edition_of
from bench.measure import Counts, prune_table, rulebook_folder, table_rows
from corpus.address import concept_iri, concept_name, game_of
from ingest.define import definitions
from ingest.extract import propose as propose_zones
from ingest.merge import Edition
from ontology import shipped
from ontology.concepts.names import comparison_form
from ontology.matching import Candidate, propose
from ontology.proposed import COMPARED, PURPOSE_RULES, ProposedMatches

_ANNOTATED = (
    *DEVELOPMENT_BOOKS,
    Book("Magic 2025 (en, zh)", "mtg", ("mtg/20250207_*.txt",)),
    Book("Digimon (en)", "digimon", ("digimon/*.en.md",)),
    Book("Digimon (ja)", "digimon", ("digimon/*.ja.pdf",)),
    Book("Digimon (zh)", "digimon", ("digimon/*.zh.pdf",)),
    Book("Gundam (en)", "gundam", ("gundam/*.md",)),
    Book("Lorcana (en)", "lorcana", ("lorcana/*.txt",)),
    Book("Riftbound (en)", "riftbound", ("riftbound/core_rules.2026-07-16.en.txt",)),
    Book("Riftbound (ja)", "riftbound", ("riftbound/core_rules.2025-10-01.ja.txt",)),
)
JUDGED_FILE = Path(__file__).with_name("judged.tsv")
_OTHERS = (Book("Love Live! (ja)", "lovelive", ("lovelive/*.txt",)),)


def candidates(edition: Edition) -> list[Candidate]:
    """The zones of an edition, without sub-zones, and its other terms."""
    proposals, game, folded_names = propose_zones(edition), edition.key.game, set[str]()
    some: list[Candidate] = []
    for zone in proposals.zones:
        names = [name for _, name in zone.labels]
        folded_names |= set(map(str.casefold, names))
        if zone.kind != "sub-zone":
            values = {
                claim.property: claim.value for claim in proposals.claims if claim.zone == zone.slug and claim.property in COMPARED
            }
            purpose = "\n".join(text for section in zone.defining_locators for text in _purpose(edition, section))
            some.append(Candidate(concept_iri(f"{game}/{zone.slug}"), zone.kind, names, values, [], purpose))
    for definition in definitions(edition):
        names = [name for terms in definition.names.values() for name in terms]
        if not folded_names.intersection(map(str.casefold, names)):
            folded_names |= set(map(str.casefold, names))
            some.append(Candidate(concept_iri(f"{game}/term-{len(some)}"), "term", names, {}, []))
    return some


def _purpose(edition: Edition, section: str) -> Iterator[str]:
    """The first rules of a section in each language."""
    below = [rule.texts for rule in edition.rules.values() if rule.parent == section]
    for lang in {lang for texts in below for lang in texts}:
        yield from (node.text for node in [texts[lang] for texts in below if lang in texts][:PURPOSE_RULES])


def left_out(books: Mapping[str, Sequence[Candidate]], *, is_list_whole: bool) -> Iterator[tuple[str, Counter[str]]]:
    """For zones and terms, how many known ones have a cross-game concept, how many get a proposal, and how many are right."""
    knowledge, counts = ProposedMatches(shipped.shipped_store()).knowledge(), {"zone": Counter[str](), "term": Counter[str]()}
    concepts: dict[tuple[str | None, tuple[str, ...]], set[str]] = {}
    for label in shipped.shipped_labels():
        concepts.setdefault((game_of(label.concept), comparison_form(label.text)), set()).add(label.concept)
    for book in _ANNOTATED:
        some, others = books[book.name], knowledge.without(book.game)
        there = {*others.hubs.values(), *(others.zone_hubs if is_list_whole else ())}
        if is_list_whole:
            others = replace(others, left_out=frozenset())
        hubs_by_concept = {proposal.candidate.concept: proposal.hub for proposal in propose(some, others)}
        for candidate in some:
            concept_iris = {iri for name in candidate.names for iri in concepts.get((book.game, comparison_form(name)), ())}
            hubs, hub = (
                {knowledge.hubs[iri] for iri in concept_iris if iri in knowledge.hubs},
                hubs_by_concept.get(candidate.concept),
            )
            count = counts["term" if candidate.kind == "term" else "zone"]
            count.update(wanted=not hubs.isdisjoint(there), said=bool(concept_iris and hub), right=hub in hubs)
    yield from counts.items()


def judged(folder: Path) -> Iterator[tuple[str, Counter[str]]]:
    """The same for the zones of each book without annotations, judged by hand; zones that were not extracted are missed."""
    knowledge, table = ProposedMatches(shipped.shipped_store()).knowledge(), _judged_zones()
    for book in _OTHERS:
        count, edition = Counter[str](), edition_of(folder, book)
        some = candidates(edition)
        hubs = {proposal.candidate.concept: concept_name(proposal.hub) for proposal in propose(some, knowledge)}
        candidates_by_name = {name.casefold(): candidate for candidate in some for name in candidate.names}
        langs = {lang for rule in edition.rules.values() for lang in rule.texts}
        for name, right in table[book.game].items():
            if name.isascii() == (langs == {"en"}) and (name.isascii() or _is_printed(edition, name)):
                candidate = candidates_by_name.get(name.casefold())
                hub = hubs.get(candidate.concept) if candidate else None
                count.update(wanted=right != {"-"}, said=hub is not None, right=hub in right)
        yield book.name, count


def _is_printed(edition: Edition, name: str) -> bool:
    return any(name in node.text for rule in edition.rules.values() for node in rule.texts.values())


def _judged_zones() -> Mapping[str, dict[str, set[str]]]:
    zones: dict[str, dict[str, set[str]]] = {}
    for row in table_rows(JUDGED_FILE):
        zones.setdefault(row["game"], {})[row["name"]] = set(row["hubs"].split())
    return zones


def _line(name: str, count: Mapping[str, int]) -> str:
    counts = Counts(count["right"], count["said"], count["wanted"])
    figures = f"{counts.wanted:4} wanted {counts.given:4} proposed {counts.right:4} right"
    return f"{name:20}{figures}  precision {counts.precision:.2f}  recall {counts.recall:.2f}  F1 {counts.f1:.2f}"


def main() -> None:
    """Prints the measurements, or prunes the judged zones."""
    if "--prune" in sys.argv:
        games = {book.game for book in _OTHERS}
        print(f"{prune_table(JUDGED_FILE, lambda row: row['game'] in games)} rows dropped")
        return
    folder = rulebook_folder()
    books = {book.name: candidates(edition_of(folder, book)) for book in _ANNOTATED}
    for title, is_list_whole in (("its names too", False), ("the list of names is whole", True)):
        print(f"each annotated game left out, {title}")
        for name, count in left_out(books, is_list_whole=is_list_whole):
            print(_line(f"{name}s", count))
    print("zones of books without annotations")
    total = Counter[str]()
    for name, count in judged(folder):
        total.update(count)
        print(_line(name, count))
    print(_line("all", total))


if __name__ == "__main__":
    main()
