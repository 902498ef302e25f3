"""Turns records into rulings, one for each id with all its cards, and merges the rulings of several files in order."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from corpus.address import slugify
from corpus.model import Authority, Ruling
from corpus.words.text import fold_text
from ingest.rulings.record import Record

_TORN, _ASKED_APART = 0.1, 0.02
"""Shares of ids with several answers, and with several questions, above which they are not ids, for example if numbers restart."""
_ID_LENGTH = 12


def gather_rulings(
    records: Sequence[Record],
    game: str,
    source: str | None,
    authorities: Mapping[str, Authority],
    default_authority: Authority,
    file: str,
) -> list[Ruling]:
    """The rulings of a file; the newest of several answers to one id is current, the others are older versions.

    `source` is the default source of the records; `authorities` maps sources to authorities, by default `default_authority`.
    """
    with_sources = [(record, source or record.source or _from_name(file)) for record in records]
    by_id: dict[tuple[str, str], list[Ruling]] = {}
    for (record, by), name in zip(with_sources, _record_ids(records), strict=True):
        authority = authorities.get(by, default_authority)
        ruling = Ruling(
            game, by, name, record.date, authority, record.question, record.answer, record.cards, record.card_ids,
            record.markup, (file,),
        )  # fmt: skip
        _add_version(by_id.setdefault((by, name), []), ruling)
    by_date = (sorted(versions, key=lambda ruling: ruling.date or "") for _, versions in sorted(by_id.items()))
    return [add_older(newest, reversed(older)) for *older, newest in by_date]


def _from_name(file: str) -> str:
    """The name of an unnamed source: that of the file without accents, or a hash of that name."""
    letters = unicodedata.normalize("NFKD", file.rsplit(".", 1)[0])
    stem = slugify("".join(character for character in letters if not unicodedata.combining(character)))
    return stem[:40].strip("-") if stem.isascii() and stem else f"x-{sha256(file.encode()).hexdigest()[:_ID_LENGTH]}"


def answer_identity(ruling: Ruling | Record) -> str:
    """The identity of an answer: question and answer in all languages, folded."""
    parts = (fold_text(f"{lang} {texts[lang]}") for texts in (ruling.question, ruling.answer) for lang in sorted(texts))
    return "\n".join(parts)


def _add_version(versions: list[Ruling], ruling: Ruling) -> None:
    """Adds a ruling to those of its id; it is merged with an equal one, or with one in other languages."""
    for place, other in enumerate(versions):
        if have_same_words(ruling, other):
            versions[place] = _merge_answers(other, ruling, newer=False)
            return
    versions.append(ruling)


def have_same_words(ruling: Ruling, other: Ruling) -> bool:
    """Whether two rulings of one id agree in every common language."""
    shared = ruling.answer.keys() & other.answer.keys()
    return all(fold_text(ruling.answer[lang]) == fold_text(other.answer[lang]) for lang in shared)


def add_older(newest: Ruling, older: Iterable[Ruling]) -> Ruling:
    """A ruling with its older answers, the newest first, each with its own address."""
    versions: list[Ruling] = []
    for ruling in (*newest.older, *older):
        version = ruling.version or ruling.date or f"x-{sha256(answer_identity(ruling).encode()).hexdigest()[:_ID_LENGTH]}"
        while any(other.version == version for other in versions):
            version = f"x-{sha256(f'{version} {answer_identity(ruling)}'.encode()).hexdigest()[:_ID_LENGTH]}"
        versions.append(replace(ruling, version=version, older=(), withdrawn=False))
    return replace(newest, version="", older=tuple(versions))


def _record_ids(records: Sequence[Record]) -> Sequence[str]:
    """An id for each record: its own, with its card if needed, or one derived from its words."""
    own = [record.id or "" for record in records]
    if all(own) and not _are_ambiguous(records, own):
        return own
    cards = [_card_slug(record) for record in records]
    with_card = [f"{card}-{name}" for card, name in zip(cards, own, strict=True)]
    return with_card if all(own) and all(cards) and not _are_ambiguous(records, with_card) else list(_derived_ids(records))


def _card_slug(record: Record) -> str:
    return slugify("-".join((*record.card_ids, *record.cards)[:1]))


def _are_ambiguous(records: Sequence[Record], ids: Sequence[str]) -> bool:
    """Whether ids are ambiguous: some have several questions, or many have several answers."""
    questions, answers = ([record.question for record in records], [record.answer for record in records])
    for texts, share in ((questions, _ASKED_APART), (answers, _TORN)):
        texts_by_id: dict[tuple[str, str], set[str]] = {}
        for words, name in zip(texts, ids, strict=True):
            for lang, text in words.items():
                texts_by_id.setdefault((lang, name), set()).add(fold_text(text))
        if sum(len(different) > 1 for different in texts_by_id.values()) > max(1, share * len(texts_by_id)):
            return True
    return False


def _derived_ids(records: Sequence[Record]) -> Iterator[str]:
    """Ids derived from words: of the question if it has one answer, of the card or the answer as well if it has several."""
    texts = [(_fold_texts(record.question), _card_slug(record), _fold_texts(record.answer)) for record in records]
    by_question = Counter(question for question, _ in {(question, answer) for question, _, answer in texts})
    by_card = Counter((question, card) for question, card, _ in set(texts))
    for question, card, answer in texts:
        parts = [question] if question else []
        if not question or by_question[question] > 1:
            parts.append(card if question and card and by_card[question, card] == 1 else answer)
        yield f"x-{sha256(chr(10).join(parts).encode()).hexdigest()[:_ID_LENGTH]}"


def _fold_texts(texts: Mapping[str, str]) -> str:
    return "\n".join(fold_text(texts[lang]) for lang in sorted(texts))


_MIN_COPY_SHARE = 0.5
"""Minimum share of an earlier file's ids that a later file must have to count as its newer copy."""
Key = tuple[str, str, str]
"""Game, source and id."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The result for the rulings of a file."""

    new: int = 0
    same: int = 0
    revised: int = 0
    withdrawn: int = 0


@dataclass(slots=True)
class RulingCollection:
    """The rulings of all files so far."""

    rulings: dict[Key, Ruling] = field(default_factory=dict)
    _files: list[Mapping[Key, frozenset[str]]] = field(default_factory=list)  # ids of each file, with their languages

    def add_file(self, rulings: Iterable[Ruling]) -> Counts:
        """Adds the rulings of a file."""
        there = {ruling_key(ruling): ruling for ruling in rulings}
        kinds = [self._add_ruling(key, ruling) for key, ruling in there.items()]
        withdrawn = self._withdrawn_rulings(there)
        for key in withdrawn:
            self.rulings[key] = replace(self.rulings[key], withdrawn=True)
        self._files.append({key: frozenset(ruling.answer) for key, ruling in there.items()})
        return Counts(kinds.count("new"), kinds.count("same"), kinds.count("revised"), len(withdrawn))

    def rulings_of(self, game: str, source: str) -> list[Ruling]:
        """The rulings of a source, each followed by its older answers, by id."""
        mine = (ruling for key, ruling in sorted(self.rulings.items()) if key[:2] == (game, source))
        return [version for ruling in mine for version in (ruling, *ruling.older)]

    def sources(self) -> list[tuple[str, str]]:
        """Every game and source."""
        return sorted({(game, source) for game, source, _ in self.rulings})

    def _add_ruling(self, key: Key, ruling: Ruling) -> str:
        old = self.rulings.get(key)
        if old is None:
            self.rulings[key] = ruling
            return "new"
        if have_same_words(ruling, old):
            self.rulings[key] = add_older(_merge_answers(old, ruling), ruling.older)
            return "same"
        newest, before = (old, ruling) if (old.date or "") > (ruling.date or "9") else (ruling, old)
        rest = (*before.older, *ruling.older) if newest is old else (*old.older,)
        self.rulings[key] = add_older(newest, (replace(before, older=()), *rest))
        return "revised"

    def _withdrawn_rulings(self, earlier: Mapping[Key, Ruling]) -> list[Key]:
        """The rulings of earlier copies that this file lacks."""
        langs = {lang for ruling in earlier.values() for lang in ruling.answer}
        withdrawn: dict[Key, None] = {}
        for ids in self._files:
            mine = [key for key, file_langs in ids.items() if file_langs & langs]
            if mine and sum(key in earlier for key in mine) >= _MIN_COPY_SHARE * len(mine):
                withdrawn |= dict.fromkeys(key for key in mine if key not in earlier and not self.rulings[key].withdrawn)
        return list(withdrawn)


def ruling_key(ruling: Ruling) -> Key:
    """The identity of a ruling."""
    return ruling.game, ruling.source, ruling.id


def _merge_answers(old: Ruling, new: Ruling, *, newer: bool = True) -> Ruling:
    """Merges a repeated answer: more languages, more cards, and the words of the new one if it is `newer`."""
    first, last = (old, new) if newer else (new, old)
    return replace(
        last,
        date=max(filter(None, (old.date, new.date)), default=None),
        question={**first.question, **last.question},
        answer={**first.answer, **last.answer},
        marked_up={
            part: {**first.marked_up.get(part, {}), **last.marked_up.get(part, {})}
            for part in {**first.marked_up, **last.marked_up}
        },
        cards=tuple(dict.fromkeys((*old.cards, *new.cards))),
        card_ids=tuple(dict.fromkeys((*old.card_ids, *new.card_ids))),
        files=tuple(dict.fromkeys((*old.files, *new.files))),
        older=old.older,
    )
