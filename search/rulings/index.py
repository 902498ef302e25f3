"""The search index of the rulings of a bundle: a folder of its own beside that of the rules, which it leaves as they are."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.contract import Ruling
from corpus.errors import EnvironmentFault
from corpus.store.rulings import StoredRulings
from corpus.words.text import fold_digest
from ontology.knowledge import Knowledge
from search.encode.cache import VectorCache
from search.encode.encoder import Encoder
from search.index import arrays, index, lexical, sentences, vectors
from search.index.engine import Asked, Facts, Opening
from search.index.lexical import Scores, Vocabulary
from search.index.mapped import Mapped
from search.index.passages import Passage
from search.index.segments import Segments
from search.index.tokenizing import PassageTokenizer
from search.rank.settings import Settings
from search.rulings.passages import ANSWER, CARDS, QUESTION, passages

FOLDER, HEADER = "rulings", "index.json"
REWRITTEN = (HEADER, sentences.FILE, sentences.ROWS)
"""The files of an index that `rewrite` writes."""
FORMAT = 2
_PARTS = (QUESTION, ANSWER, CARDS)


def write(bundle: Path, knowledge: Knowledge, encoder: Encoder, before: Path | None, cache: VectorCache | None) -> None:
    """Writes the index of the rulings that hold, where there are any, into a bundle that has an index of rules.

    `before` is the folder of the index before, from which vectors are taken over; `cache` holds the sentence embeddings there are.
    """
    folder = bundle / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    held, newest = searched(knowledge)
    if not held:
        return
    folder.mkdir()
    listed, parts = passages(held)
    making = vectors.Making(listed, encoder, before if before and before.is_dir() else None)
    tokenizer = PassageTokenizer(bundle / index.FOLDER / index.LABELS, making)
    bags = tokenizer.bags(listed, [ruling["game"] for ruling in held])
    lexical.write(folder, [[bag for bag, part in zip(bags, parts, strict=True) if part == which] for which in _PARTS])
    arrays.save(folder / "rulings.npy", np.array([passage.rule for passage in listed], dtype=np.int32))
    arrays.save(folder / "parts.npy", np.array(parts, dtype=np.int8))
    arrays.save(folder / "asked.npy", np.array(_keys(listed, parts), dtype=np.uint64))
    body = {
        "format": FORMAT,
        "rulings": [
            [ruling["iri"], ruling["game"], ruling["date"], list(ruling["answer"]), place]
            for ruling, place in zip(held, newest, strict=True)
        ],
        "model": making.write(folder),
        "sentences": sentences.write(folder, listed, cache) if cache else None,
    }
    (folder / HEADER).write_text(json.dumps(body, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def searched(knowledge: Knowledge) -> tuple[list[Ruling], list[int]]:
    """The rulings of a knowledge base that are searched, and for each the place of the one that holds in its stead.

    Those that hold come first, by address, in their own place; then those before them, the newest first. No withdrawn ones.
    """
    every = {ruling["iri"]: ruling for ruling in StoredRulings(knowledge.store).every()}
    held = [ruling for ruling in every.values() if ruling["version"] is None and not ruling["withdrawn"]]
    older = [(every[other["iri"]], place) for place, ruling in enumerate(held) for other in ruling["older"]]
    return [*held, *(ruling for ruling, _ in older)], [*range(len(held)), *(place for _, place in older)]


def encoded(knowledge: Knowledge) -> list[Passage]:
    """The passages of an index that have a sentence embedding, in their order."""
    return [passage for passage in passages(searched(knowledge)[0])[0] if passage.field in sentences.FIELDS]


def is_there(bundle: Path) -> bool:
    """Whether a bundle has rulings to search."""
    return _header(bundle / FOLDER) is not None


def made(bundle: Path) -> sentences.Made | None:
    """Who made the sentence embeddings of the rulings of a bundle, and how many; None where there are none to make."""
    header = _header(bundle / FOLDER)
    told = header["sentences"] if header else None
    return sentences.Made(**told) if told else None


def rewrite(bundle: Path, listed: Sequence[Passage], cache: VectorCache) -> None:
    """Writes the sentence embeddings of the rulings of a bundle, where it has any."""
    header = _header(bundle / FOLDER)
    if header:
        for name in REWRITTEN:
            (bundle / FOLDER / name).unlink(missing_ok=True)  # it may be a link to the file of the bundle before
        body = {**header, "sentences": sentences.write(bundle / FOLDER, listed, cache)}
        (bundle / FOLDER / HEADER).write_text(json.dumps(body, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _header(folder: Path) -> Mapping[str, Any] | None:
    try:
        body = json.loads((folder / HEADER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise EnvironmentFault("{folder} holds no search index of this version; run: rulestone build", folder=folder)
    return body


def _keys(listed: Sequence[Passage], parts: Sequence[int]) -> list[int]:
    return [asked_key(passage.text) for passage, part in zip(listed, parts, strict=True) if part == QUESTION]


def asked_key(question: str) -> int:
    """Tells a question from all others, whatever its case, width and spaces."""
    return int(fold_digest(question.strip(" ?？。．.!！"))[:16], 16)


@dataclass(frozen=True, slots=True)
class IndexedRuling:
    """What ranking knows of a ruling."""

    iri: str
    game: str
    date: str | None
    langs: tuple[str, ...]
    newest: int  # the place of the answer that holds, its own unless it is an older one


@dataclass(frozen=True, slots=True)
class Near:
    """A score of each ruling's best passage of a part, shape (rulings,)."""

    question: Scores
    answer: Scores
    cards: Scores


class Legs(NamedTuple):
    """How near the best passages of each ruling are to a question."""

    words: Near  # BM25
    static: Near  # cosines of the static vectors
    meant: Near | None  # cosines of the sentence vectors; None without them


class RulingsIndex:
    """An index opened for reading. Thread-safe."""

    def __init__(self, folder: Path, header: Mapping[str, Any], opening: Opening = Mapped) -> None:
        self.rulings = [
            IndexedRuling(iri, game, date, tuple(langs), newest) for iri, game, date, langs, newest in header["rulings"]
        ]
        self.folder = folder
        self.games = np.array([ruling.game for ruling in self.rulings])
        self.holds = np.array([ruling.newest == place for place, ruling in enumerate(self.rulings)], dtype=np.bool_)
        self.encoder_info = vectors.EncoderInfo(**header["model"])
        self.sentences_by = sentences.Made(**header["sentences"]) if header["sentences"] else None
        self._whose: NDArray[np.int32] = arrays.load(folder / "rulings.npy")
        parts: NDArray[np.int8] = arrays.load(folder / "parts.npy")
        spans = [map(int, np.searchsorted(parts, [part, part + 1])) for part in _PARTS]
        self._parts = [Segments(self._whose[first:last], first, len(self.rulings)) for first, last in spans]
        self._asked: NDArray[np.uint64] = arrays.load(folder / "asked.npy")
        self.is_encoded = self.sentences_by is not None and self.sentences_by.encoded > 0
        """Whether there are sentence embeddings."""
        games, codes = np.unique(self.games, return_inverse=True)
        bounds = np.array([part.bounds() for part in self._parts])
        encoded = self._parts[ANSWER].span.stop if self.is_encoded else 0
        game, lang = codes.astype(np.int32), np.full_like(parts, -1)
        self.facts = Facts(self._whose, parts, lang, game, games.tolist(), bounds, lambda places: places)
        self.engine = opening(folder, self.facts, encoded)

    @classmethod
    def open(cls, bundle: Path, opening: Opening = Mapped) -> "RulingsIndex | None":
        """The index of a bundle, whose terms and vectors `opening` gives; None where it has no rulings."""
        header = _header(bundle / FOLDER)
        return cls(bundle / FOLDER, header, opening) if header else None

    @property
    def lexical(self) -> Vocabulary:
        """The terms of the index."""
        return self.engine.lexical

    @property
    def questions(self) -> slice:
        """The passages that are questions."""
        return self._parts[QUESTION].span

    def asked(self, text: str) -> NDArray[np.bool_]:
        """Which rulings answer the very question that is asked, shape (rulings,)."""
        flags = np.zeros(len(self.rulings), dtype=np.bool_)
        flags[self._whose[self.questions][self._asked == np.uint64(asked_key(text))]] = True
        return flags

    def _best(self, scores: Scores | None) -> Near:
        """The best score of each ruling, part by part; 0 for a ruling without any."""
        none = np.zeros(len(self.rulings), dtype=np.float32)
        return Near(*(none if scores is None or part.span.stop > len(scores) else part.best(scores) for part in self._parts))

    def legs(
        self, terms: Mapping[str, float], static: Scores, sentence: Scores | None, games: Sequence[str], settings: Settings
    ) -> Legs:
        """How near the best passages of each ruling are to weighted terms and to vectors; `games` (none: all) are wanted."""
        asked = Asked(terms, static, sentence if self.is_encoded else None, games)
        words, near, meant = self.engine.scores(asked, settings, self.questions)
        return Legs(self._best(words), self._best(near), None if meant is None else self._best(meant))

    def terms_of(self, places: Sequence[int], asked: Iterable[str]) -> list[list[str]]:
        """For each of some rulings, which terms stand in any of its passages."""
        terms = list(asked)
        met = self.engine.met(places, terms)
        return [[terms[which] for which in np.flatnonzero(met[:, nth])] for nth in range(len(places))]
