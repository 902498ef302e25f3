"""The section that a rule belongs to: the unit in which people and programs read a book."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import EditionKey, citation_of
from corpus.editions.outline import OutlinePlace, outline_of
from corpus.languages import choose, readable
from corpus.model import HEADING_KINDS, Kind
from corpus.store.books import Books
from corpus.words.sentences import PROSE_END, sentence_ends
from corpus.words.traditional import traditional

if TYPE_CHECKING:
    from corpus.contract import Authority, RuleRecord, Section, SectionHead, SectionRule

MAX_RULES = 15
"""Maximum number of rules below the heading of a section."""
_MAX_TITLE = 60
"""Maximum length of a rule's text that is a title, in characters."""


class Sections(NamedTuple):
    """The outline of an edition with the section of each entry."""

    places: Sequence[OutlinePlace]
    roots: Sequence[int]  # for each entry, the position in `places` of the entry that its section begins with
    positions: Mapping[str, int]  # address → position in `places`

    def root_of(self, iri: str) -> int | None:
        """The position of the entry that the section of a rule begins with; None for an address of another edition."""
        position = self.positions.get(iri)
        return None if position is None else self.roots[position]

    def members(self, root: int) -> Sequence[OutlinePlace]:
        """The entries of the section that begins with an entry, in document order, that entry included."""
        return [self.places[at] for at in range(root, self.places[root].end) if self.roots[at] == root]


def sections_of(knowledge: Books, key: EditionKey) -> Sections:
    """The sections of an edition. Raises NotFoundError for an unknown edition."""

    def build() -> Sections:
        places = outline_of(knowledge, key)
        kinds = [place.kind for place in places]
        roots = section_roots([place.depth for place in places], kinds)
        return Sections(places, roots, {place.iri: at for at, place in enumerate(places)})

    sections: Sections = knowledge.today.cached(("sections", key), build)
    return sections


def section_body(
    knowledge: Books, members: Sequence[str], lang: str, book_lang: str | None = None, marked: Container[str] = ()
) -> "Section":
    """The section with these rules; texts are in `book_lang`, else in `lang` where the book has it.

    `members` are the addresses of its rules in document order; it begins with the first, a rule or heading. `marked` are those
    of the rules that were found.
    """
    records = knowledge.by_iri(members)
    first = records[members[0]]
    below = [record for record in records.values() if record is not first or first["kind"] not in HEADING_KINDS]
    text_lang = book_lang or text_language([*below, first], lang)
    return {
        **section_head(first, below, lang, text_lang),
        "rules": [section_rule(record, lang, text_lang, marked=record["iri"] in marked) for record in below],
    }


def section_head(first: "RuleRecord", records: "Sequence[RuleRecord]", lang: str, text_lang: str) -> "SectionHead":
    """The address, edition, titles and language of a section that begins with `first`; `records` are its rules."""
    return {
        "ref": citation_of(first["iri"]),
        "iri": first["iri"],
        "game": first["game"],
        "book": first["book"],
        "edition": first["edition"],
        "current": first["current"],
        "heading": section_titles(first, lang),
        "lang": text_lang,
        "authority": _authority_of(records, text_lang),
    }


def text_language(records: "Sequence[RuleRecord]", lang: str) -> str:
    """The language in which a section is shown: the answer's if the book has it, else the book's first."""
    texts = next((record["texts"] for record in records if record["texts"]), {})
    return next((other for other in (*readable(lang), *texts) if other in texts), lang)


def _authority_of(records: "Sequence[RuleRecord]", lang: str) -> "Authority | None":
    """The authority of the words of some rules in a language; None if only glosses are known."""
    return next((record["texts"][lang]["authority"] for record in records if lang in record["texts"]), None)


def section_headings(record: "RuleRecord", lang: str) -> list[str]:
    """The titles above a rule; for a heading, with its own."""
    titles = record["headings"].get(choose(lang, record["headings"]) or lang, record["heading"])
    if record["kind"] not in HEADING_KINDS:
        return titles
    own = {**record["digest"], **{tag: text["text"] for tag, text in record["texts"].items()}}
    own_lang = choose(lang, own) or lang
    title = own.get(own_lang, "")
    if lang == "zh-Hant" and own_lang not in record["texts"]:  # ours, not the book's
        title = traditional(title)
    return [*titles, " ".join(part for part in (record["number"], title) if part)]


def section_titles(first: "RuleRecord", lang: str) -> list[str]:
    """The titles of a section that begins with a rule; the last one tells it apart from its neighbours."""
    titles = section_headings(first, lang)
    return titles if first["kind"] in HEADING_KINDS else [*titles, *_rule_title(first, lang)]


def _rule_title(record: "RuleRecord", lang: str) -> Iterator[str]:
    """The number of a rule, with its text if that is a title: 702.19 Trample; nothing without a number."""
    texts = record["texts"]
    text = texts[choose(lang, texts) or next(iter(texts))]["text"].strip() if texts else ""
    is_title = len(text) <= _MAX_TITLE and not sentence_ends(PROSE_END, text)
    if number := record["number"]:
        yield f"{number} {text}".rstrip() if is_title else number


def section_rule(record: "RuleRecord", lang: str, text_lang: str, *, marked: bool) -> "SectionRule":
    """A rule of a section in the language that is shown, with its gloss in that of the answer."""
    own = rule_language(record, text_lang)
    return {
        "ref": citation_of(record["iri"]),
        "iri": record["iri"],
        "number": record["number"],
        "locator": record["locator"],
        "kind": record["kind"],
        "text": record["texts"][own]["text"] if own in record["texts"] else "",
        "gloss": record["digest"].get(choose(lang, record["digest"]) or lang),
        "marked": marked,
    }


def rule_language(record: "RuleRecord", text_lang: str) -> str:
    """The language of a rule in a section that is shown in `text_lang`: that one or, without gloss, another that has its text."""
    texts = record["texts"]
    return text_lang if text_lang in texts or record["digest"] else choose(text_lang, texts) or text_lang


def section_roots(depths: Sequence[int], kinds: Sequence[str]) -> list[int]:
    """For each entry of an outline, the position of the entry that its section begins with.

    A section is the widest ancestor with a heading that has at most MAX_RULES rules below it. Where even the narrowest one has
    more, it is the numbered part of that heading to which the rule belongs. A glossary entry is a section of its own. A rule whose
    number is out of order belongs to the section in which it is printed.

    `depths` has the number of ancestors of each entry, in document order.
    """
    parents = _parents(depths)
    headings = [kind in HEADING_KINDS for kind in kinds]
    below = [0] * len(parents)  # entries that are no headings
    for at in range(len(parents) - 1, -1, -1):
        if parents[at] >= 0:
            below[parents[at]] += below[at] + (not headings[at])
    narrow: list[int | None] = []  # the widest heading above or at each entry that has few rules below it
    parts: list[int] = []  # the entry directly below the nearest heading that each entry is or belongs to
    for at, parent in enumerate(parents):
        above = narrow[parent] if parent >= 0 else None
        narrow.append(at if above is None and headings[at] and below[at] <= MAX_RULES else above)
        parts.append(at if parent < 0 or headings[parent] or headings[at] else parts[parent])
    choices = zip(kinds, narrow, parts, strict=True)
    return [at if kind == Kind.GLOSSARY else part if root is None else root for at, (kind, root, part) in enumerate(choices)]


def _parents(depths: Sequence[int]) -> list[int]:
    """For each entry of an outline, the position of the nearest entry before it that is less deep; -1 without one."""
    parents: list[int] = []
    path: list[int] = []  # the ancestors of an entry and itself
    for at, depth in enumerate(depths):
        del path[depth:]
        parents.append(path[-1] if path else -1)
        path.append(at)
    return parents
