"""The search index of a bundle: passages, their terms and vectors, and what ranking asks of each rule."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.address import EditionKey
from corpus.contract import RuleRecord
from corpus.errors import EnvironmentFault
from corpus.languages import LANGUAGES
from corpus.store.by_reference import edition_of
from corpus.words.lexicon import Lexicon
from ontology.knowledge import Knowledge
from search.encode.cache import VectorCache
from search.encode.encoder import Encoder, Vectors
from search.index import arrays, concept_tokens, counterparts, definitions, held, lexical, outline, rules, sentences, vectors
from search.index.counterparts import Counterpart
from search.index.engine import Asked, Facts, Opening, Places
from search.index.field import Field
from search.index.groups import groups
from search.index.lexical import Scores, Vocabulary
from search.index.mapped import Mapped
from search.index.outline import Outline
from search.index.passages import Passage, asked, passages
from search.index.records import indexed
from search.index.rules import Flags, Rules
from search.index.segments import Segments
from search.index.tokenizing import PassageTokenizer
from search.index.vectors import EncoderInfo
from search.rank.settings import DEFAULT, Settings

FOLDER, LABELS, HEADER = "search", "labels.json", "index.json"
REWRITTEN = (HEADER, sentences.FILE, sentences.ROWS)
"""The files of an index that `rewrite_sentences` writes."""
FORMAT = 11


def write(
    folder: Path, knowledge: Knowledge, encoder: Encoder, before: Path | None = None, cache: VectorCache | None = None
) -> None:
    """Writes the index of a bundle's knowledge into a folder: the same knowledge gives the same bytes.

    `before` is the folder of the index before, from which vectors are taken over; `cache` holds the sentence embeddings there are.
    """
    folder.mkdir(exist_ok=True)
    records = list(indexed(knowledge))
    listed = _passages(knowledge, records)
    making = vectors.Making(listed, encoder, before)
    concept_tokens.lexicon(knowledge).save(folder / LABELS)
    bags = PassageTokenizer(folder / LABELS, making).bags(listed, [record["game"] for record in records])
    lexical.write(folder, [[bag for passage, bag in zip(listed, bags, strict=True) if passage.field == field] for field in Field])
    arrays.save(folder / "rules.npy", np.array([passage.rule for passage in listed], dtype=np.int32))
    arrays.save(folder / "langs.npy", np.array([LANGUAGES.index(passage.lang) for passage in listed], dtype=np.int8))
    arrays.save(folder / "fields.npy", np.array([passage.field for passage in listed], dtype=np.int8))
    grouped = groups(records, listed, bags)
    searched = held.searched(
        knowledge, [edition_of(record) for record in records], [record["locator"] for record in records], grouped
    )
    places = {record["iri"]: place for place, record in enumerate(records)}
    rows = zip(records, grouped, searched, strict=True)
    body = {
        "format": FORMAT,
        "rules": [rules.row(record, group, searched=there) for record, group, there in rows],
        "cites": [_cited(record, places) for record in records],
        "parents": outline.parents(records, places),
        "variants": outline.variants(records),
        "definitions": definitions.rows(knowledge, records, places),
        "counterparts": counterparts.rows(knowledge.store, places, grouped),
        "model": making.write(folder),
        "sentences": sentences.write(folder, listed, cache) if cache else None,
    }
    (folder / HEADER).write_text(json.dumps(body, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _passages(knowledge: Knowledge, records: Sequence[RuleRecord]) -> list[Passage]:
    """The passages of every rule, field by field."""
    questions = asked(knowledge)
    by_iri = {record["iri"]: record for record in records}
    listed = [
        passage
        for place, record in enumerate(records)
        for passage in passages(place, record, questions.get(record["iri"], ()), by_iri.get(record["parent"] or ""))
    ]
    return sorted(listed, key=lambda passage: (passage.field, passage.rule))


def passages_of(knowledge: Knowledge) -> list[Passage]:
    """The passages of an index that have a sentence embedding, in their order."""
    return [passage for passage in _passages(knowledge, list(indexed(knowledge))) if passage.field in sentences.FIELDS]


def sentences_made(folder: Path) -> sentences.Made | None:
    """Who made the sentence embeddings of an index, and how many; None where it has none."""
    made = _header(folder)["sentences"]
    return sentences.Made(**made) if made else None


def rewrite_sentences(folder: Path, listed: Sequence[Passage], cache: VectorCache) -> None:
    """Writes the sentence embeddings of an index that is there; its other files stay as they are."""
    header = {**_header(folder), "sentences": sentences.write(folder, listed, cache)}
    (folder / HEADER).write_text(json.dumps(header, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _cited(record: RuleRecord, places: Mapping[str, int]) -> list[int]:
    """The rules that a rule cites, in the order in which it does."""
    targets = dict.fromkeys(cite["target"] or "" for cite in record["cites"] if cite["target"] != record["iri"])
    return [places[target] for target in targets if target in places]


class Legs(NamedTuple):
    """How near each rule's best passage of a field is to the question, before anything is fused; shapes (rules,)."""

    words: Mapping[Field, Scores]  # BM25
    static: Mapping[Field, Scores]  # cosines of the static vectors; empty without one of the question
    meant: Mapping[Field, Scores]  # cosines of the sentence vectors; empty without them


class Index:
    """An index opened for reading. Thread-safe."""

    def __init__(self, folder: Path, opening: Opening = Mapped) -> None:
        """`opening` gives who holds terms and vectors. Raises EnvironmentFault for an index that is missing, old or damaged."""
        header = _header(folder)
        try:
            self._open(folder, header, opening)
        except (OSError, ValueError, LookupError, TypeError) as fault:
            raise EnvironmentFault(
                "the search index in {folder} cannot be read: {fault}; run: rulestone build", folder=folder, fault=fault
            ) from fault

    def _open(self, folder: Path, body: Mapping[str, Any], opening: Opening) -> None:
        self.folder = folder
        self.rules = Rules(body["rules"])
        self.games = self.rules.games
        self.counterparts = counterparts.gathered(body["counterparts"])
        self.outline = Outline(body["parents"], body["variants"], self.rules.heading)
        self.cites: list[list[int]] = body["cites"]  # of each rule, the rules it cites
        self.definitions: Mapping[str, list[list[int]]] = body["definitions"]
        """Concept, or key of a name → for each edition that defines it, the places of the rules that say what it is, in order."""
        self.encoder_info = EncoderInfo(**body["model"])
        self.is_encoded = bool(body["sentences"])
        """Whether there are sentence embeddings."""
        self.sentences_by = sentences.Made(**body["sentences"]) if body["sentences"] else None
        self.lexicon = Lexicon.load(folder / LABELS)
        self._rules: NDArray[np.int32] = arrays.load(folder / "rules.npy")
        self._field: NDArray[np.int8] = arrays.load(folder / "fields.npy")
        self._lang: NDArray[np.int8] = arrays.load(folder / "langs.npy")
        self._fields = {field: self._segment(field) for field in Field}
        bounds = np.array([segment.bounds() for segment in self._fields.values()])
        encoded = max(self._fields[field].span.stop for field in sentences.FIELDS) if self.is_encoded else 0
        own = np.isin(self._field, (Field.TEXT, Field.CONTEXT))
        lang = np.where(own, self._lang, np.int8(-1))
        kin = partial(_kin, self.rules, self.outline, self.cites, self.counterparts)  # not this index, which would hold itself
        self.facts = Facts(self._rules, self._field, lang, self.rules.game, self.games, bounds, kin)
        self.engine = opening(folder, self.facts, encoded)
        self.questions = self._fields[Field.ASKED].span
        self.texts = self._holders(Field.TEXT)
        """Which rules have a text, not only a gloss."""

    def _segment(self, field: Field) -> Segments:
        first, last = map(int, np.searchsorted(self._field, [field, field + 1]))
        return Segments(self._rules[first:last], first, len(self.rules))

    def _holders(self, field: Field) -> Flags:
        held: Flags = np.zeros(len(self.rules), dtype=np.bool_)
        held[self._fields[field].owners] = True
        return held

    def at(self, knowledge: Knowledge) -> "Index":
        """The same index over the rules as they stand in a knowledge base of another moment."""
        then = copy(self)
        then.rules = held.at(self.rules, knowledge)
        return then

    def best(self, scores: Scores, within: str | None = None) -> Mapping[Field, Scores]:
        """Per field the score of each rule's best passage, shape (rules,); 0 for a rule without any.

        `within`: of a book's own words only those in that language count.
        """
        heard = scores if within is None else scores * self._in_language(within)[: len(scores)]
        return {field: segment.best(heard) for field, segment in self._fields.items() if segment.span.stop <= len(heard)}

    def _in_language(self, within: str) -> Scores:
        """1 for a passage in a language, or that is no book's; 0 for the others."""
        return np.isin(self.facts.lang, (-1, LANGUAGES.index(within))).astype(np.float32)

    def has(self, field: Field, place: int) -> bool:
        """Whether a rule has any passage of a field."""
        rules = self._fields[field].owners
        nth = int(np.searchsorted(rules, place))
        return nth < len(rules) and int(rules[nth]) == place

    def languages(self, game: str) -> list[str]:
        """The languages in which rules of a game have words or a gloss."""
        said = np.isin(self._field, (Field.TEXT, Field.GLOSS)) & (self.rules.game[self._rules] == self.games.index(game))
        return [LANGUAGES[code] for code in np.unique(self._lang[said])]

    @property
    def lexical(self) -> Vocabulary:
        """The terms of the index."""
        return self.engine.lexical

    def legs(
        self,
        terms: Mapping[str, float],
        static: Scores | None = None,
        sentence: Scores | None = None,
        *,
        games: Sequence[str] = (),
        within: str | None = None,
        places: Places | None = None,
        settings: Settings = DEFAULT,
    ) -> Legs:
        """How near each rule's best passage of a field is to weighted terms and to vectors of unit length.

        `games` (none: all) are those whose rules are wanted; of a book's own words those in the language `within` count. `places`
        are rules that rank by something else, too, ascending.
        """
        lang = LANGUAGES.index(within) if within else None
        asked = Asked(terms, static, sentence if self.is_encoded else None, games, lang)
        scored = self.engine.scores(asked if places is None else asked._replace(places=places), settings, self.questions)
        return Legs(*({} if leg is None else self.best(leg, within) for leg in scored))

    def mean(self) -> Scores | None:
        """The mean of the sentence embeddings; None where the index has none."""
        return self.engine.mean() if self.is_encoded else None

    @cached_property
    def _sentences(self) -> sentences.Sentences:
        return sentences.read(self.folder)

    def meanings(self, key: EditionKey, lang: str) -> dict[str, Vectors]:
        """Locator → sentence embedding, of unit length, of an edition's words in a language; nothing where there are none."""
        if not self.is_encoded:
            return {}
        rows = self._sentences.rows
        own = np.flatnonzero((self._field[rows] == Field.TEXT) & (self._lang[rows] == LANGUAGES.index(lang)))
        places = [(int(nth), int(self._rules[rows[nth]])) for nth in own]
        wanted = [(nth, place) for nth, place in places if self.rules.keys[place] == key]
        vectors = self._sentences.vectors.of([nth for nth, _ in wanted])
        locators = self.rules.locators()
        return {locators[place]: vector for (_, place), vector in zip(wanted, vectors, strict=True)}

    def has_term(self, term: str, allowed: Flags | None) -> bool:
        """Whether any of the rules that are allowed (None: all) has a term in any passage."""
        return self.engine.has(term, allowed)

    def defining(self, concept: str, games: Collection[str]) -> Iterator[list[int]]:
        """Of the editions of some games (none: all) that define a concept or a name, the rules that say what it is, in order."""
        told = self.definitions.get(concept, ())
        return (places for places in told if not games or self.games[self.rules.game[places[0]]] in games)

    def terms_of(self, places: Sequence[int], asked: Iterable[str]) -> list[list[str]]:
        """For each of some rules, which terms stand in any of its passages."""
        terms = list(asked)
        met = self.engine.met(places, terms)
        return [[terms[which] for which in np.flatnonzero(met[:, nth])] for nth in range(len(places))]


def _kin(
    rules: Rules, outline: Outline, cites: Sequence[Sequence[int]], related: Mapping[int, Sequence[Counterpart]], places: Places
) -> Places:
    """Some rules, those above them, and those that they may lift."""
    above = [part[places] for part in (outline.parent, outline.section)]
    cited = [target for place in places for target in cites[place]]
    groups = {other.group for group in np.unique(rules.group[places]) for other in related.get(int(group), ())}
    members = [rules.members(group) for group in groups]
    every = np.unique(np.concatenate((places, *above, np.array(cited, dtype=np.intp), *members)))
    return every[every >= 0].astype(np.intp)


def _header(folder: Path) -> Mapping[str, Any]:
    try:
        body = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        body = None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise EnvironmentFault("{folder} holds no search index of this version; run: rulestone build", folder=folder)
    return body
