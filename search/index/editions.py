"""The part of one edition in an index: its rules, passages and terms, made once and linked into each further bundle.

The file of an edition is named after a hash of all that it is made of: the records, the questions and definitions of the edition,
and the shipped labels. The labels that loaded books define may change the concept tokens of any text that contains their words: the
file states the hash of those that its words can form, and is made again if they change.
"""

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import orjson
from numpy.typing import NDArray

from corpus.address import RS, EditionKey, graph_iri, rule_iri
from corpus.contract import RuleRecord
from corpus.languages import LANGUAGES
from corpus.model import HEADING_KINDS
from corpus.prepared import shipped_version
from corpus.store.home.disk import fingerprint
from corpus.store.records import edition_of
from corpus.words.lexicon import Lexicon, Phrase
from corpus.words.text import fold_hash
from ontology.knowledge import Knowledge
from search.encode.cache import KEY_BYTES, text_key
from search.encode.encoder import Encoder
from search.index import embeddings
from search.index.bm25 import Bags, counted_terms, merged_terms
from search.index.concept_tokens import loaded_concepts, loaded_labels, shared_concept
from search.index.definitions import is_title_only, names_in_glosses
from search.index.passages import Passage, passages, questions_by_rule
from search.index.rules import NO_RULE, compact_records, is_variant
from search.index.tokenizing import PassageTokenizer
from search.settings import Field

FOLDER = "editions"
"""The folder of a bundle with these files. Only writers read it."""
_VERSION = 3
"""Increase it with every change of these files."""
_BOOK_GRAPHS = ("terms", "proposed")
"""First parts of the graphs in which a book defines concepts."""
Locators = Sequence["int | str"]
"""Rules of the same edition by position, others by address."""
Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class IndexedEdition:
    """The part of one edition in an index.

    Rules are identified by their positions in it, terms by their positions in `vocabulary`.
    """

    key: EditionKey
    rules: Sequence[tuple[str, str | None, str, list[str]]]  # locator, number, kind, languages of the texts
    cites: Sequence[Locators]
    children: Sequence[Locators]
    names: Mapping[str, list[int]]  # name in a gloss (`name_key`) → its rules
    defined: Sequence[tuple[str, str]]  # concept that the book defines, as in its token, and the address of the rule
    other_glosses: Mapping[str, str]  # position of a rule with the gloss of another wording → the edition of that gloss
    vocabulary: Sequence[str]
    labels: str  # hash of the labels of loaded books that its words can form
    shipped: str  # version of the shipped data
    arrays: Arrays
    """Of each rule: `parent` (NO_RULE: none), `variant`, `title` (whether it is only a title), `gloss` (its hash; 0: none).

    Of each passage, by field and rule: `owner`, `field`, `lang`, `vector` and `sentence` (the keys of its vectors), `words` (the
    hash of a text; 0: of another field), and its terms as in Bags: `length`, `begins`, `terms`, `counts`.
    """

    @property
    def iris(self) -> list[str]:
        """The addresses of the rules."""
        return [rule_iri(self.key, locator) for locator, *_ in self.rules]

    def rows(self, field: Field) -> slice:
        """The passages of a field."""
        first, last = np.searchsorted(self.arrays["field"], [field, field + 1])
        return slice(int(first), int(last))

    def bags(self, passages: NDArray[np.intp], columns: NDArray[np.int32]) -> Bags:
        """The terms of some passages; `columns` has the new id of each term."""
        bags = self.every_bag.rows(passages)
        return bags._replace(terms=columns[bags.terms])

    @property
    def every_bag(self) -> Bags:
        """The terms of all passages, as positions in `vocabulary`."""
        return Bags(*(self.arrays[name] for name in Bags._fields))


def write_editions(
    folder: Path, files: Path, knowledge: Knowledge, lexicon: Lexicon, encoder: Encoder, before: Path | None
) -> "Written":
    """Writes the editions of an index into the folder `files`; those of the previous bundle that still fit are linked.

    `folder` is that of the index, which has the file of its `lexicon`, and `before` the folder of the previous index, if its
    vectors are by the same encoder.
    """
    files.mkdir(exist_ok=True)
    labels = _LoadedLabels(lexicon)
    names = {key: f"{_prefix(key)}{_made_of(knowledge, key)}.safetensors" for key in sorted(knowledge.manifest.editions, key=str)}
    editions_by_key: dict[EditionKey, IndexedEdition] = {}
    for key, name in names.items():
        old = before.parent / FOLDER / name if before else None
        if old and old.is_file() and (edition := _read(old, key)).labels == labels.hash_of(edition.vocabulary, key.game):
            editions_by_key[key] = edition
            _link(old, files / name)
    pending = [
        _PendingEdition(*some) for some in _records_by_edition(knowledge, [key for key in names if key not in editions_by_key])
    ]
    passages = [passage for edition in pending for passage in edition.passages]
    builder = embeddings.StaticVectorBuilder(passages, encoder, before)
    tokenizer = PassageTokenizer(lexicon, folder / "labels.json", builder)
    formers = [_split_before(edition.key, labels, before, editions_by_key) for edition in pending]
    for some, (vocabulary, bags) in zip(pending, _split_editions(pending, formers, tokenizer), strict=True):
        new_index = some.index(vocabulary, bags, labels)
        _write(files / names[some.key], new_index)
        editions_by_key[some.key] = new_index
    return Written([editions_by_key[key] for key in names if key in editions_by_key], builder)


class Written(NamedTuple):
    """The editions of an index in their order, and the builder of its static vectors, which has the texts of the new ones."""

    editions: Sequence[IndexedEdition]
    builder: embeddings.StaticVectorBuilder


def _prefix(key: EditionKey) -> str:
    """The beginning of the names of an edition's files."""
    return f"{key.game}.{key.book}.{key.edition}."


def _split_editions(
    pending: "Sequence[_PendingEdition]", formers: Sequence[Sequence[IndexedEdition]], tokenizer: PassageTokenizer
) -> Iterator[tuple[list[str], Bags]]:
    """The vocabulary and the terms of the passages of each edition; those of texts that its `formers` have are reused."""
    places = [_places_of_texts(edition.passages, own) for edition, own in zip(pending, formers, strict=True)]
    lacking = [
        (passage, edition.key.game)
        for edition, (source, _) in zip(pending, places, strict=True)
        for passage, nth in zip(edition.passages, source.tolist(), strict=True)
        if nth < 0
    ]
    split_bags = iter(tokenizer.passage_bags([passage for passage, _ in lacking], [game for _, game in lacking]))
    for own, (source, rows) in zip(formers, places, strict=True):
        parts = [(former.vocabulary, former.every_bag.rows(rows[source == nth])) for nth, former in enumerate(own)]
        parts.append(counted_terms([*islice(split_bags, int(np.count_nonzero(source < 0)))]))
        vocabulary, bags = merged_terms(parts)
        order = np.argsort(np.where(source < 0, len(own), source), kind="stable")
        yield vocabulary, bags.rows(np.argsort(order))


def _places_of_texts(passages: Sequence[Passage], formers: Sequence[IndexedEdition]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each passage, the first of the editions that has its text, -1 for none, and the passage with it there."""
    keys = np.array([embeddings.static_key(passage) for passage in passages], dtype=np.uint64)
    source, rows = np.full(len(keys), -1, dtype=np.intp), np.zeros(len(keys), dtype=np.intp)
    for nth, former in enumerate(formers):
        theirs, own = np.unique(former.arrays["vector"], return_index=True)
        at = np.searchsorted(theirs, keys)
        is_reused = (source < 0) & np.isin(keys, theirs)
        source[is_reused], rows[is_reused] = nth, own[at[is_reused]]
    return source, rows


def _split_before(
    key: EditionKey, labels: "_LoadedLabels", before: Path | None, editions_by_key: Mapping[EditionKey, IndexedEdition]
) -> list[IndexedEdition]:
    """The editions whose terms a new edition can reuse: its previous files, and the other editions of its book.

    Only those for which the labels on which their terms depend are the same.
    """
    files = sorted((before.parent / FOLDER).glob(f"{_prefix(key)}*.safetensors")) if before else ()
    own = [
        former
        for former in (_read(file, key) for file in files)
        if former.shipped == shipped_version() and former.labels == labels.hash_of(former.vocabulary, key.game)
    ]
    return [*own, *(other for other in editions_by_key.values() if (other.key.game, other.key.book) == (key.game, key.book))]


def _made_of(knowledge: Knowledge, key: EditionKey) -> str:
    """A hash of all that the file of an edition is made of, without the labels of loaded books."""
    entry = knowledge.manifest.editions[key]
    graphs = [graph_iri(key, "digest"), *(graph_iri(name, key) for name in _BOOK_GRAPHS)]
    return fingerprint(
        str(_VERSION), shipped_version(), str(key), entry.fingerprint, *(entry.graphs.get(graph, "") for graph in graphs)
    )


class _LoadedLabels:
    """The labels that loaded books add for the texts of each game."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._labels = loaded_labels(lexicon)
        self._concepts_of_game: dict[str, Mapping[Phrase, Sequence[str]]] = {}

    def hash_of(self, vocabulary: Iterable[str], game: str) -> str:
        """A hash of the labels added for the texts of a game whose words are all among some terms."""
        if game not in self._concepts_of_game:
            self._concepts_of_game[game] = loaded_concepts(self._labels, game)
        terms = frozenset(vocabulary)
        phrase_rows = [
            (" ".join(phrase), *concepts) for phrase, concepts in self._concepts_of_game[game].items() if terms.issuperset(phrase)
        ]
        return fingerprint(*chain.from_iterable(phrase_rows)) if phrase_rows else ""


def _records_by_edition(
    knowledge: Knowledge, keys: Collection[EditionKey]
) -> Iterator[tuple[EditionKey, list[RuleRecord], Mapping[str, list[tuple[str, str]]], list[tuple[str, str]]]]:
    """Each edition with its records, its questions by rule, and the concepts that it defines, each with the rule."""
    if not keys:
        return
    questions = questions_by_rule(knowledge, [graph_iri(key, "digest") for key in keys])
    for key, records in groupby(compact_records(knowledge, keys), edition_of):
        yield key, list(records), questions, _defined_by_book(knowledge, key)


def _defined_by_book(knowledge: Knowledge, key: EditionKey) -> list[tuple[str, str]]:
    graphs = " ".join(f"<{graph_iri(name, key)}>" for name in _BOOK_GRAPHS)
    rows = knowledge.store.select(
        f"SELECT ?concept ?rule WHERE {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} }}"
    )
    return sorted({(shared_concept(row["concept"]), row["rule"]) for row in rows})


class _PendingEdition:
    """An edition whose passages have not been split into terms yet."""

    def __init__(
        self,
        key: EditionKey,
        records: Sequence[RuleRecord],
        questions: Mapping[str, Sequence[tuple[str, str]]],
        definitions: Sequence[tuple[str, str]],
    ) -> None:
        self.key = key
        self._records = records
        self._definitions = definitions
        self._ids = {record["iri"]: rule for rule, record in enumerate(records)}
        by_iri = {record["iri"]: record for record in records}
        passages_of_rules = (
            passages(rule, record, questions.get(record["iri"], ()), by_iri.get(record["parent"] or ""))
            for rule, record in enumerate(records)
        )
        self.passages: list[Passage] = sorted(
            chain.from_iterable(passages_of_rules), key=lambda passage: (passage.field, passage.owner)
        )

    def index(self, vocabulary: Sequence[str], terms: Bags, labels: _LoadedLabels) -> IndexedEdition:
        """The edition with the terms of its passages, positions in `vocabulary`."""
        return IndexedEdition(
            self.key,
            [(record["locator"], record["number"], record["kind"], list(record["texts"])) for record in self._records],
            [self._positions(cite["target"] or "" for cite in record["cites"]) for record in self._records],
            [self._positions(child["iri"] for child in record["children"]) for record in self._records],
            names_in_glosses(self._records),
            self._definitions,
            {str(rule): edition for rule, record in enumerate(self._records) if (edition := _other_gloss(record))},
            vocabulary,
            labels.hash_of(vocabulary, self.key.game),
            shipped_version(),
            {**self._rule_arrays(), **self._passage_arrays(), **terms._asdict()},
        )

    def _positions(self, iris: Iterable[str]) -> list[int | str]:
        return [self._ids.get(iri, iri) for iri in dict.fromkeys(iris) if iri]

    def _rule_arrays(self) -> dict[str, NDArray[Any]]:
        records = self._records
        return {
            "parent": np.array([self._ids.get(record["parent"] or "", NO_RULE) for record in records], dtype=np.int32),
            "variant": np.array([is_variant(record) for record in records], dtype=np.uint8),
            "title": np.array([is_title_only(record) for record in records], dtype=np.uint8),
            "gloss": np.array([_gloss_hash(record) for record in records], dtype=np.uint64),
        }

    def _passage_arrays(self) -> dict[str, NDArray[Any]]:
        every = self.passages
        sentences = b"".join(text_key(text) if (text := embeddings.cache_key(passage)) else bytes(KEY_BYTES) for passage in every)
        return {
            "owner": np.array([passage.owner for passage in every], dtype=np.int32),
            "field": np.array([passage.field for passage in every], dtype=np.int8),
            "lang": np.array([LANGUAGES.index(passage.lang) for passage in every], dtype=np.int8),
            "vector": np.array([embeddings.static_key(passage) for passage in every], dtype=np.uint64),
            "sentence": np.frombuffer(sentences, dtype=np.uint8).reshape(len(every), KEY_BYTES),
            "words": np.array([self._words_hash(passage) for passage in every], dtype=np.uint64),
        }

    def _words_hash(self, passage: Passage) -> int:
        """A hash of the text of a rule without its examples and notes, and of its kind; 0 for another field."""
        if passage.field != Field.TEXT:
            return 0
        record = self._records[passage.owner]
        return _hash(f"{record['kind']} {fold_hash(record['texts'][passage.lang]['text'])}")


def _gloss_hash(record: RuleRecord) -> int:
    return _hash(record["digest"]["en"]) if record["digest"] and record["kind"] not in HEADING_KINDS else 0


def _other_gloss(record: RuleRecord) -> str | None:
    """The edition of the gloss of another wording, if it is of the same book and shown with the rule."""
    other = record["digest_other"]
    if other is None or _gloss_hash(record):
        return None
    return other["edition"] if (other["game"], other["book"]) == (record["game"], record["book"]) else None


def _hash(text: str) -> int:
    """A 64-bit hash of a text; never 0."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little") | 1


def _write(file: Path, edition: IndexedEdition) -> None:
    from safetensors.numpy import save

    body = {name: getattr(edition, name) for name in _BODY}
    tensors = {name: np.ascontiguousarray(values) for name, values in edition.arrays.items()}
    file.write_bytes(save(tensors, {"body": orjson.dumps(body).decode()}))


_BODY = ("rules", "cites", "children", "names", "defined", "other_glosses", "vocabulary", "labels", "shipped")


def _read(file: Path, key: EditionKey) -> IndexedEdition:
    """Reads a file whose checksum has been verified."""
    from safetensors import safe_open

    tensors: _OpenFile = safe_open(file, framework="np")
    return IndexedEdition(key, arrays=_FileArrays(tensors), **orjson.loads(tensors.metadata()["body"]))


class _OpenFile(Protocol):
    """A file opened by safetensors, which has no types."""

    def keys(self) -> Sequence[str]:
        """The names of its arrays."""

    def get_tensor(self, name: str) -> NDArray[Any]:
        """One of its arrays."""

    def metadata(self) -> Mapping[str, str]:
        """Its other data."""


class _FileArrays(Mapping[str, NDArray[Any]]):
    """The arrays of a file, each read on first access: the terms of most editions are not needed again."""

    def __init__(self, tensors: _OpenFile) -> None:
        self._tensors = tensors
        self._arrays: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._arrays:
            self._arrays[name] = self._tensors.get_tensor(name)
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors.keys())

    def __len__(self) -> int:
        return len(self._tensors.keys())


def _link(source: Path, target: Path) -> None:
    """Links a file, or copies it if the file system has no hard links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
