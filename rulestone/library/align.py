"""Alignments between the rules of two texts, computed or checked by a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import path_of, rule_iri
from corpus.errors import InputError
from rulestone.editions import TextName, parse_text
from rulestone.library.base import LibraryBase, PathName
from rulestone.limits import LINKS, page_of

if TYPE_CHECKING:
    from corpus import contract
    from ontology.translation.checked_alignments import AlignmentRow, AlignmentSheet
    from ontology.translation.rule_alignment import AlignmentUnit, View
    from search.encode.encoder import Vectors
    from search.searcher import Searcher

_CHECKED_YES: "contract.LinkCheck" = "yes"
_CHECKED_NO: "contract.LinkCheck" = "no"
_UNCHECKED: "contract.LinkCheck" = "?"
_LIKELY_CONFIDENCE = 0.5
"""Confidence above which an unchecked link counts."""


class LinkRow(NamedTuple):
    """A link between two rules, by their locators; None for a rule without a partner."""

    old: str | None
    new: str | None
    confidence: float
    part: bool
    checked: "contract.LinkCheck"


class AlignedRecords(NamedTuple):
    """The records of the two texts."""

    old: "Sequence[contract.RuleRecord]"
    new: "Sequence[contract.RuleRecord]"


class AlignMixin(LibraryBase):
    """Aligns texts, and adds alignments that a person has checked."""

    def align(self, old: str, new: str, *, limit: int | None = None, offset: int | None = None) -> "contract.Alignment":
        """Aligns two loaded texts in any language and numbering: links with confidence, and rules without a partner.

        A text is `GAME[/BOOK][/EDITION][:LANG]`, e.g. `fow/cr/undated:ja`; by default the newest edition and its only language.
        Links that a person has checked before (`apply_alignment`) replace computed ones. Raises InputError,
        NotFoundError.
        """
        from ontology.translation.checked_alignments import saved_alignments

        bundle = self._bundle()
        first, second = parse_text(bundle.knowledge, old), parse_text(bundle.knowledge, new)
        if first == second:
            raise InputError("{text} is one text; name two, e.g. in two languages", text=first.reference)
        computed_links, records = _alignment_links(bundle.searcher, first, second)
        links = list(_apply_checked(computed_links, first, second, saved_alignments(bundle.path), records))
        page = page_of(links, limit, offset, LINKS)
        return {
            "old": text_name_body(first),
            "new": text_name_body(second),
            "total": len(links),
            "counts": _link_counts(links),
            "links": [*_link_bodies(page, first, second, records)],
        }

    def alignment_table(self, body: "contract.Alignment") -> str:
        """An alignment as a tab-separated table, to check in a spreadsheet and to give to `apply_alignment`."""
        from ontology.translation.checked_alignments import write_sheet

        return write_sheet(_table_row(link) for link in body["links"])

    def apply_alignment(self, path: PathName) -> "contract.AppliedAlignment":
        """Adds a checked table to the knowledge base: rows marked `yes` are links, rows marked `no` are never proposed again.

        Two editions of a book are joined by a thread, two books by counterparts. Later builds keep it; another table of the same
        editions replaces it. Raises InputError for another kind of file.
        """
        from rulestone.writing import alignments

        self.ensure_built()
        sheet = alignments.read_alignment(Path(path))
        joins = alignments.apply_alignment_sheet(self._home, sheet)
        self._current.expire()
        verdicts = [row.checked.value for row in sheet.rows]
        return {
            "old": str(sheet.old),
            "new": str(sheet.new),
            "joins": joins,
            "taken": verdicts.count(_CHECKED_YES),
            "refused": verdicts.count(_CHECKED_NO),
            "unchecked": verdicts.count(_UNCHECKED),
        }


def _table_row(link: "contract.AlignmentLink") -> Mapping[str, str]:
    old, new = link["old"], link["new"]
    return {
        "checked": link["checked"],
        "confidence": f"{link['confidence']:g}",
        "old": path_of(old["iri"]) if old else "",
        "new": path_of(new["iri"]) if new else "",
        "old_words": old["text"] if old else "",
        "new_words": new["text"] if new else "",
    }


def text_name_body(text: TextName) -> "contract.AlignedText":
    """A text as in bodies."""
    return {"ref": text.reference, "game": text.key.game, "book": text.key.book, "edition": text.key.edition, "lang": text.lang}


def partners_by_locator(
    searcher: "Searcher", old: TextName, new: TextName, sheets: "Sequence[AlignmentSheet]"
) -> Mapping[str, Sequence[str]]:
    """Locator → its partners in the other text, by likely or confirmed links."""
    links, records = _alignment_links(searcher, old, new)
    partners: dict[str, list[str]] = {}
    for link in _apply_checked(links, old, new, sheets, records):
        likely = link.checked == _CHECKED_YES or (link.checked == _UNCHECKED and link.confidence >= _LIKELY_CONFIDENCE)
        if link.old and link.new and likely:
            partners.setdefault(link.old, []).append(link.new)
    return partners


def _alignment_links(searcher: "Searcher", old: TextName, new: TextName) -> tuple[Sequence[LinkRow], AlignedRecords]:
    """The computed links between two texts, in the order of the first, and the records of both."""
    links: tuple[Sequence[LinkRow], AlignedRecords] = searcher.knowledge.cached(
        ("alignment", old, new), lambda: _compute_links(searcher, old, new)
    )
    return links


def _compute_links(searcher: "Searcher", old: TextName, new: TextName) -> tuple[Sequence[LinkRow], AlignedRecords]:
    from ontology.translation.rule_alignment import align_rules, alignment_units

    records = AlignedRecords(*(searcher.knowledge.stored_records(text.key) for text in (old, new)))
    old_units, new_units = alignment_units(records.old, old.lang), alignment_units(records.new, new.lang)
    alignment = align_rules(old_units, new_units, list(_unit_vectors(searcher, (old, old_units), (new, new_units))))
    links = [LinkRow(link.old, link.new, link.confidence, link.part, _UNCHECKED) for link in alignment.links]
    links += [LinkRow(locator, None, 0.0, False, _UNCHECKED) for locator in alignment.old_alone]
    return [*_order_links(links, old_units, new_units, alignment.new_alone)], records


def _order_links(
    links: Sequence[LinkRow], old: "Sequence[AlignmentUnit]", new: "Sequence[AlignmentUnit]", new_alone: Sequence[str]
) -> Iterator[LinkRow]:
    """Links in the order of the first text; a rule of the second without a partner follows its predecessor."""
    order = {unit.locator: place for place, unit in enumerate(old)}
    by_old = sorted(links, key=lambda link: order[link.old or ""])
    last = {link.new: place for place, link in enumerate(by_old)}
    after: dict[int, list[LinkRow]] = {}
    place, only = -1, set(new_alone)
    for unit in new:
        place = last.get(unit.locator, place)
        if unit.locator in only:
            after.setdefault(place, []).append(LinkRow(None, unit.locator, 0.0, False, _UNCHECKED))
    yield from after.get(-1, ())
    for nth, link in enumerate(by_old):
        yield link
        yield from after.get(nth, ())


def _unit_vectors(
    searcher: "Searcher", old: "tuple[TextName, Sequence[AlignmentUnit]]", new: "tuple[TextName, Sequence[AlignmentUnit]]"
) -> "Iterator[View]":
    """Vectors of the words, by the static and the pretrained encoder, and of the glosses of both texts."""
    sides = (old, new)
    encode = searcher.encoder.encode
    yield _vector_pair(encode([unit.text for unit in units]) for _, units in sides)
    if old[0].key != new[0].key:  # all languages of an edition share one gloss
        yield _vector_pair(encode([unit.gloss for unit in units]) for _, units in sides)
    dense = [searcher.index.sentence_vectors(text.key, text.lang) for text, _ in sides]
    if all(dense):
        yield _vector_pair(_dense(vectors, units) for vectors, (_, units) in zip(dense, sides, strict=True))


def _vector_pair(vectors: "Iterable[Vectors]") -> "View":
    old, new = vectors
    return old, new


def _dense(vectors: "Mapping[str, Vectors]", units: "Sequence[AlignmentUnit]") -> "Vectors":
    """The sentence embeddings of some rules; zeros for a rule without one."""
    import numpy as np

    zeros = np.zeros_like(next(iter(vectors.values())))
    return np.stack([vectors.get(unit.locator, zeros) for unit in units])


def _apply_checked(
    links: Sequence[LinkRow], old: TextName, new: TextName, sheets: "Sequence[AlignmentSheet]", records: AlignedRecords
) -> Iterator[LinkRow]:
    """The links; checked ones replace computed ones."""
    rows = list(_checked_rows(old, new, sheets))
    yes = [row for row in rows if row.checked == _CHECKED_YES]
    no = {(row.old, row.new) for row in rows if row.checked == _CHECKED_NO}
    old_taken, new_taken = {row.old for row in yes if row.old}, {row.new for row in yes if row.new}
    unjudged = [
        link for link in links if link.old not in old_taken and link.new not in new_taken and (link.old, link.new) not in no
    ]
    judged_links = [
        LinkRow(row.old, row.new, row.confidence, False, row.checked.value) for row in rows if row.checked != _UNCHECKED
    ]
    order = {record["locator"]: place for place, record in enumerate(records.old)}
    yield from (
        sorted([*unjudged, *judged_links], key=lambda link: (order.get(link.old or "", -1), link.part))
        if judged_links
        else unjudged
    )


def _checked_rows(old: TextName, new: TextName, sheets: "Sequence[AlignmentSheet]") -> "Iterator[AlignmentRow]":
    """The rows of the checked tables of two texts, in either direction."""
    for sheet in sheets:
        if (sheet.old, sheet.new) == (old.key, new.key):
            yield from sheet.rows
        elif (sheet.new, sheet.old) == (old.key, new.key):
            yield from sheet.swapped().rows


def _link_counts(links: Sequence[LinkRow]) -> dict[str, int]:
    return {
        "linked": sum(None not in (link.old, link.new) and link.checked != _CHECKED_NO for link in links),
        "parts": sum(link.part for link in links),
        "old_alone": sum(link.new is None for link in links),
        "new_alone": sum(link.old is None for link in links),
        "checked": sum(link.checked != _UNCHECKED for link in links),
    }


def _link_bodies(
    links: Sequence[LinkRow], old: TextName, new: TextName, records: AlignedRecords
) -> "Iterator[contract.AlignmentLink]":
    by_locator = [{record["locator"]: record for record in some} for some in records]
    for link in links:
        yield {
            "old": _rule_body(by_locator[0].get(link.old or ""), old),
            "new": _rule_body(by_locator[1].get(link.new or ""), new),
            "confidence": link.confidence,
            "part": link.part,
            "checked": link.checked,
        }


def _rule_body(record: "contract.RuleRecord | None", text: TextName) -> "contract.AlignedRule | None":
    if record is None:
        return None
    words = record["texts"].get(text.lang)
    headword = record["headwords"].get(text.lang, "")
    return {
        "iri": rule_iri(text.key, record["locator"]),
        "number": record["number"],
        "locator": record["locator"],
        "heading": record["headings"].get(text.lang) or record["heading"],
        "text": "\n".join(filter(None, (headword, words["text"] if words else ""))),
    }
