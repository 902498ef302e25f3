"""The search index of the rulings of a bundle, in a folder beside the index of the rules.

A ruling has passages of three parts: its question, its answer split at sentences, and the names of its cards.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.contract import Ruling
from corpus.errors import EnvironmentFault
from corpus.words.lexicon import Lexicon
from corpus.words.sentences import ANSWER_SENTENCE
from corpus.words.text import fold_hash
from ontology.knowledge import Knowledge
from search.encode.cache import VectorCache
from search.encode.encoder import Encoder
from search.index import arrays, bm25, embeddings, index
from search.index.bm25 import Vocabulary
from search.index.embeddings import EncoderInfo, SentenceInfo
from search.index.engine import EngineQuery, MappedEngine, OpenEngine, PassageTable, matched_terms
from search.index.passages import Passage, Scores, Segment
from search.index.tokenizing import PassageTokenizer
from search.settings import Field, SearchSettings

FOLDER = "rulings"
FORMAT_VERSION = 2
QUESTION, ANSWER, CARDS = PARTS = (0, 1, 2)
"""The parts of a ruling, in the order of their passages."""
_PIECE_WIDTH = 400
"""Width of a piece of an answer in Latin characters; a CJK character counts as three."""
_MAX_PIECES = 4
"""Maximum number of pieces of an answer that are indexed."""


def ruling_passages(rulings: Sequence[Ruling]) -> tuple[list[Passage], list[int]]:
    """The passages of rulings, ordered by part, and the part of each."""
    parts = [(part, passage) for ruling, body in enumerate(rulings) for part, passage in _passages(ruling, body)]
    parts.sort(key=lambda row: (row[0], row[1].owner))
    return [passage for _, passage in parts], [part for part, _ in parts]


def _passages(ruling: int, body: Ruling) -> Iterator[tuple[int, Passage]]:
    for lang, words in sorted(body["question"].items()):
        yield QUESTION, Passage(ruling, Field.TEXT, lang, words)
    for lang, words in sorted(body["answer"].items()):
        yield from ((ANSWER, Passage(ruling, Field.TEXT, lang, piece)) for piece in split_into_pieces(words)[:_MAX_PIECES])
    if names := list(dict.fromkeys((*body["cards"], *body["card_ids"]))):
        yield CARDS, Passage(ruling, Field.CONTEXT, next(iter(body["answer"])), "\n".join(names))


def split_into_pieces(words: str) -> list[str]:
    """A text split at sentences into pieces of limited width; a long sentence is not split."""
    if _text_width(words) <= _PIECE_WIDTH:
        return [words]
    cuts = [""]
    for sentence in ANSWER_SENTENCE.findall(words):
        if cuts[-1] and _text_width(cuts[-1]) + _text_width(sentence) > _PIECE_WIDTH:
            cuts.append("")
        cuts[-1] += sentence
    return [piece.strip() for piece in cuts if piece.strip()]


def _text_width(words: str) -> int:
    return len(words) + 2 * sum(character > "\u2e80" for character in words)


def write_ruling_index(
    bundle: Path, knowledge: Knowledge, encoder: Encoder, before: Path | None, cache: VectorCache | None
) -> None:
    """Writes the index of the rulings, if there are any, into a bundle that has an index of rules.

    `before` is the folder of the previous index, whose vectors are reused; `cache` holds the sentence embeddings made so far.
    """
    folder = bundle / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    rulings, current = searchable_rulings(knowledge)
    if not rulings:
        return
    folder.mkdir()
    passages, parts = ruling_passages(rulings)
    builder = embeddings.StaticVectorBuilder(passages, encoder, before if before and before.is_dir() else None)
    labels = bundle / index.FOLDER / index.LABELS
    tokenizer = PassageTokenizer(Lexicon.load(labels), labels, builder)
    bags = tokenizer.passage_bags(passages, [rulings[passage.owner]["game"] for passage in passages])
    bm25.write_bm25(folder, [[bag for bag, part in zip(bags, parts, strict=True) if part == which] for which in PARTS])
    arrays.save(folder / "rulings.npy", np.array([passage.owner for passage in passages], dtype=np.int32))
    arrays.save(folder / "parts.npy", np.array(parts, dtype=np.int8))
    hashes = [question_hash(passage.text) for passage, part in zip(passages, parts, strict=True) if part == QUESTION]
    arrays.save(folder / "asked.npy", np.array(hashes, dtype=np.uint64))
    body = {
        "format": FORMAT_VERSION,
        "rulings": [
            [ruling["iri"], ruling["game"], ruling["date"], list(ruling["answer"]), position]
            for ruling, position in zip(rulings, current, strict=True)
        ],
        "model": builder.write(folder, embeddings.static_keys(passages)),
        "sentences": embeddings.write_sentences(folder, passages, cache) if cache else None,
    }
    index.write_header(folder, body)


def searchable_rulings(knowledge: Knowledge) -> tuple[list[Ruling], list[int]]:
    """The searchable rulings, and for each the position of the version that is valid today.

    Valid rulings come first, by IRI; then their earlier versions, the newest first. Withdrawn rulings are not searchable.
    """
    every = {ruling["iri"]: ruling for ruling in knowledge.rulings.all_rulings()}
    current = [ruling for ruling in every.values() if ruling["version"] is None and not ruling["withdrawn"]]
    older = [(every[other["iri"]], position) for position, ruling in enumerate(current) for other in ruling["older"]]
    return [*current, *(ruling for ruling, _ in older)], [*range(len(current)), *(position for _, position in older)]


def sentence_passages(knowledge: Knowledge) -> list[Passage]:
    """The passages of an index whose fields have sentence embeddings, in their order."""
    passages, _ = ruling_passages(searchable_rulings(knowledge)[0])
    return [passage for passage in passages if passage.field in embeddings.SENTENCE_FIELDS]


def has_rulings(bundle: Path) -> bool:
    """Whether a bundle has rulings to search."""
    return _header(bundle / FOLDER) is not None


def sentence_info(bundle: Path) -> SentenceInfo | None:
    """The encoder of the sentence embeddings of a bundle's rulings, and their number; None without rulings or embeddings."""
    header = _header(bundle / FOLDER)
    return SentenceInfo.from_header(header["sentences"]) if header else None


def rewrite_sentences(bundle: Path, passages: Sequence[Passage], cache: VectorCache) -> None:
    """Replaces the sentence embeddings of the rulings of a bundle, if it has any."""
    folder = bundle / FOLDER
    header = _header(folder)
    if header:
        for name in index.SENTENCE_FILES:
            (folder / name).unlink(missing_ok=True)  # it may be a link to the file of the previous bundle
        index.write_header(folder, {**header, "sentences": embeddings.write_sentences(folder, passages, cache)})


def _header(folder: Path) -> Mapping[str, Any] | None:
    try:
        body = json.loads((folder / index.HEADER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(body, dict) or body.get("format") != FORMAT_VERSION:
        raise EnvironmentFault("{folder} contains no search index of this version", folder=folder, command="rulestone build")
    return body


def question_hash(question: str) -> int:
    """A 64-bit hash of a question, regardless of case, width, spaces and punctuation around it."""
    return int(fold_hash(question.strip(" ?？。．.!！"))[:16], 16)


@dataclass(frozen=True, slots=True)
class IndexedRuling:
    """A ruling of an index."""

    iri: str
    game: str
    date: str | None
    langs: tuple[str, ...]
    current: int  # position of the version that is valid today


class PartScores(NamedTuple):
    """The score of each ruling's best passage of a part, shape (rulings,)."""

    question: Scores
    answer: Scores
    cards: Scores


class RulingSignals(NamedTuple):
    """The retrieval signals of each ruling before fusion."""

    bm25: PartScores
    static: PartScores  # cosines of static vectors
    dense: PartScores | None  # cosines of sentence embeddings; None without them


class RulingsIndex:
    """An index opened for reading. Rulings are identified by their positions. Thread-safe."""

    def __init__(self, folder: Path, header: Mapping[str, Any], open_engine: OpenEngine = MappedEngine) -> None:
        self.rulings = [
            IndexedRuling(iri, game, date, tuple(langs), current) for iri, game, date, langs, current in header["rulings"]
        ]
        self.folder = folder
        self.games = np.array([ruling.game for ruling in self.rulings])
        self.is_current = np.array([ruling.current == position for position, ruling in enumerate(self.rulings)], dtype=np.bool_)
        self.encoder_info = EncoderInfo.from_header(header["model"])
        self.sentence_info = SentenceInfo.from_header(header["sentences"])
        self._owner: NDArray[np.int32] = arrays.load(folder / "rulings.npy")
        parts: NDArray[np.int8] = arrays.load(folder / "parts.npy")
        spans = [map(int, np.searchsorted(parts, [part, part + 1])) for part in PARTS]
        self._segments = [Segment(self._owner[first:last], first, len(self.rulings)) for first, last in spans]
        self._question_hashes: NDArray[np.uint64] = arrays.load(folder / "asked.npy")
        self.is_encoded = self.sentence_info is not None and self.sentence_info.is_usable
        games, codes = np.unique(self.games, return_inverse=True)
        bounds = np.array([segment.owner_bounds() for segment in self._segments])
        encoded_count = self._segments[ANSWER].span.stop if self.is_encoded else 0
        game, lang = codes.astype(np.int32), np.full_like(parts, -1)
        self.passages = PassageTable(self._owner, parts, lang, game, games.tolist(), bounds, lambda rulings: rulings)
        self.engine = open_engine(folder, self.passages, encoded_count)

    @classmethod
    def open_index(cls, bundle: Path, open_engine: OpenEngine = MappedEngine) -> "RulingsIndex | None":
        """The index of a bundle; None if it has no rulings."""
        header = _header(bundle / FOLDER)
        return cls(bundle / FOLDER, header, open_engine) if header else None

    @property
    def vocabulary(self) -> Vocabulary:
        """The terms of the index."""
        return self.engine.vocabulary

    @property
    def question_passages(self) -> slice:
        """The passages that are questions."""
        return self._segments[QUESTION].span

    def same_question(self, text: str) -> NDArray[np.bool_]:
        """Which rulings answer exactly this question, shape (rulings,)."""
        flags = np.zeros(len(self.rulings), dtype=np.bool_)
        flags[self._owner[self.question_passages][self._question_hashes == np.uint64(question_hash(text))]] = True
        return flags

    def signals(
        self, terms: Mapping[str, float], static: Scores, dense: Scores | None, games: Sequence[str], settings: SearchSettings
    ) -> RulingSignals:
        """The signals of each ruling for weighted terms and for vectors; rulings of other games than `games` may score 0."""
        query = EngineQuery(terms, static, dense if self.is_encoded else None, games)
        scores = self.engine.scores(query, settings, self.question_passages)
        return RulingSignals(
            self._best_by_part(scores.bm25),
            self._best_by_part(scores.static),
            None if scores.dense is None else self._best_by_part(scores.dense),
        )

    def _best_by_part(self, scores: Scores | None) -> PartScores:
        """The best score of each ruling in each part; 0 without a passage."""
        none = np.zeros(len(self.rulings), dtype=np.float32)
        return PartScores(
            *(
                none if scores is None or segment.span.stop > len(scores) else segment.best_of_owners(scores)
                for segment in self._segments
            )
        )

    def matched_terms(self, rulings: Sequence[int], terms: Iterable[str]) -> list[list[str]]:
        """For each ruling, the terms that any of its passages contains."""
        return matched_terms(self.engine, rulings, terms)
