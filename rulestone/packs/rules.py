"""The rules of a game in a pack, as columns: positions and links, and their words in one language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.address import EditionKey, path_of
from corpus.chronology import newest_first
from corpus.languages import choose
from search.index.passages import questions_by_rule

if TYPE_CHECKING:
    from corpus.contract import RuleRecord
    from search.searcher import Searcher


class Counterpart(NamedTuple):
    """A rule of the pack with the path of a counterpart, the predicate and weight of the mapping, and comments by language."""

    place: int
    path: str
    predicate: str
    share: float
    comments: Mapping[str, str]


@dataclass(frozen=True)
class PackedRules:
    """The searchable rules of a game that are current or the latest in their language."""

    game: str
    searcher: "Searcher"

    @cached_property
    def places(self) -> list[int]:
        """Their index positions, in order."""
        rules = self.searcher.index.rules
        own = [place for place, key in enumerate(rules.editions) if key.game == self.game and rules.searchable[place]]
        past = self.searcher.knowledge.by_iri([rules[place].iri for place in own if not rules.current[place]])
        latest = {iri for iri, record in past.items() if record["latest_in"] is not None}
        return [place for place in own if rules.current[place] or rules[place].iri in latest]

    @cached_property
    def records(self) -> "list[RuleRecord]":
        """Their records, in the same order."""
        wanted = [self.searcher.index.rules[place].iri for place in self.places]
        records = self.searcher.knowledge.by_iri(wanted)
        return [records[iri] for iri in wanted]

    @cached_property
    def local(self) -> Mapping[int, int]:
        """Index position → pack position."""
        return {place: local for local, place in enumerate(self.places)}

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The titles of the editions of all books, by their keys."""
        return {
            f"{edition['game']}/{edition['book']}/{edition['edition']}": edition["title"]
            for edition in self.searcher.knowledge.editions()
        }

    @cached_property
    def counterparts(self) -> list[Counterpart]:
        """The counterparts of the first rule of each group, in the newest edition of each."""
        index = self.searcher.index
        found: list[Counterpart] = []
        seen: set[int] = set()
        for at, place in enumerate(self.places):
            group = int(index.rules.group[place])
            for counterpart in () if group in seen else index.counterparts.get(group, ()):
                members = index.rules.members(counterpart.group)
                if len(members):
                    path, share = path_of(index.rules[int(members[0])].iri), round(counterpart.share, 3)
                    found.append(Counterpart(at, path, counterpart.predicate, share, counterpart.comments))
            seen.add(group)
        return found

    def within(self, places: Sequence[int]) -> list[int]:
        """The index positions that are in the pack, as pack positions."""
        return [self.local[place] for place in places if place in self.local]


def rule_columns(packed: PackedRules) -> dict[str, Any]:
    """The columns of the rules. A parent is a position or -1, an edition an index into the list of editions, newest first."""
    index, records = packed.searcher.index, packed.records
    keys = [EditionKey(record["game"], record["book"], record["edition"]) for record in records]
    editions = sorted(set(keys), key=newest_first)
    parents = index.outline.parent.tolist()
    groups = index.rules.group[packed.places].tolist()
    first_of: dict[int, int] = {}
    definitions = ((name, [packed.within(rules) for rules in editions]) for name, editions in index.definitions.items())
    return {
        "editions": [{"book": key.book, "edition": key.edition, "title": packed.titles[str(key)]} for key in editions],
        "edition": [editions.index(key) for key in keys],
        "locator": [record["locator"] for record in records],
        "number": [record["number"] for record in records],
        "kind": [record["kind"] for record in records],
        "parent": [packed.local.get(parents[place], -1) for place in packed.places],
        "group": [first_of.setdefault(group, at) for at, group in enumerate(groups)],
        "stale": [at for at, record in enumerate(records) if not record["current"]],
        "variant": packed.within([place for place in packed.places if index.outline.variant[place]]),
        "cites": {at: cited for at, place in enumerate(packed.places) if (cited := packed.within(index.cites[place]))},
        "counterparts": [counterpart[:-1] for counterpart in packed.counterparts],
        "definitions": {name: rows for name, rules in definitions if (rows := [places for places in rules if places])},
    }


def text_columns(packed: PackedRules, lang: str, books: frozenset[str] | None = None) -> dict[str, Any]:
    """Columns in addition to those of `rule_columns`; sparse values are keyed by position. A title is a row of `titles`.

    The rules of books that are not in `books` have no text.
    """
    questions = questions_by_rule(packed.searcher.knowledge)
    titles: dict[tuple[str, ...], int] = {}
    rows = [titles.setdefault(tuple(record["headings"].get(lang, ())), len(titles)) for record in packed.records]
    return {
        "titles": list(titles),
        "title": rows,
        "gloss": [record["digest"].get(lang, "") for record in packed.records],
        "example": _sparse(packed, lambda record: record["digest_example"].get(lang)),
        "other": _sparse(packed, lambda record: _other_gloss(record, lang)),
        "headword": _sparse(packed, lambda record: record["headwords"].get(lang)),
        "text": _sparse(
            packed, lambda record: _text(record, lang) if books is None or f"{record['game']}/{record['book']}" in books else None
        ),
        "asked": _sparse(packed, lambda record: [words for tag, words in questions.get(record["iri"], ()) if tag == lang]),
        "differs": [row.comments.get(choose(lang, row.comments) or "", "") for row in packed.counterparts],
    }


def _sparse(packed: PackedRules, value: "Callable[[RuleRecord], Any]") -> dict[int, Any]:
    """The values that are not empty, by position."""
    values = ((place, value(record)) for place, record in enumerate(packed.records))
    return {place: found for place, found in values if found}


def _other_gloss(record: "RuleRecord", lang: str) -> list[str] | None:
    """The gloss of another wording, with its edition."""
    other = None if record["digest"] else record["digest_other"]
    return [other["texts"][lang], f"{other['book']} {other['edition']}"] if other and lang in other["texts"] else None


def _text(record: "RuleRecord", lang: str) -> Mapping[str, Any] | None:
    """The text in a language with its authority, citations, examples and notes."""
    if lang not in record["texts"]:
        return None
    text = record["texts"][lang]
    cites = [cite for cite in record["cites"] if cite["lang"] == lang and cite["target"] and "within" not in cite]
    asides = [("example", example) for example in record["examples"]] + [("note", note) for note in record["notes"]]
    return {
        "text": text["text"],
        "authority": text["authority"],
        "cites": [[cite["start"], cite["end"], path_of(cite["target"] or "")] for cite in cites],
        "asides": [[kind, aside["text"], aside["authority"]] for kind, aside in asides if aside["lang"] == lang],
    }
