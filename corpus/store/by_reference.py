"""The rules that a reference names, in every edition that has them or in the one that it asks for."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from corpus.address import EditionKey
from corpus.age import age_of, is_partial, newest_first, period
from corpus.catalogue import catalogue
from corpus.errors import NotFoundError
from corpus.messages import Message, message
from corpus.reference import Reference

if TYPE_CHECKING:
    from corpus.contract import RuleRecord
    from corpus.store.books import Books

_NO_RULE = {
    (False, False): message("no rule {locator}; loaded are {loaded} (rulestone add FILE adds one)"),
    (False, True): message("no rule {locator} with a text in {lang}; loaded are {loaded} (rulestone add FILE adds one)"),
    (True, False): message("no rule {locator} in {scope}; loaded are {loaded} (rulestone add FILE adds one)"),
    (True, True): message("no rule {locator} in {scope} with a text in {lang}; loaded are {loaded} (rulestone add FILE adds one)"),
}
"""By whether a scope and a language were asked for."""


def rules(knowledge: "Books", reference: Reference, within: str | None) -> "list[RuleRecord]":
    """Those of current editions first, then by date. `within` is the book's language. Raises NotFoundError where there is none."""
    editions = _editions(knowledge, reference)
    wanted = [key for key in editions if reference.edition in (None, key.edition)]
    if not wanted and is_partial(reference.edition):
        records = _in_force(knowledge, reference)
    elif not wanted and editions:
        raise _not_loaded(reference, editions)
    else:
        records = [record for record in knowledge.numbered(reference.locator) if edition_of(record) in wanted]
        records = records if reference.edition else _told(knowledge, records)
    records = [record for record in records if not within or within in record["texts"]]
    if not records:
        raise _nothing(knowledge, reference, within)
    games = list(catalogue().games)
    return sorted((_wanted_in(knowledge, record, within) for record in records), key=lambda record: _rank(record, games))


def edition_of(record: "RuleRecord") -> EditionKey:
    """The edition that a rule stands in."""
    return EditionKey(record["game"], record["book"], record["edition"])


def is_held(knowledge: "Books", key: EditionKey, others: Collection[EditionKey]) -> bool:
    """Whether what an edition has, known from the digest alone, is read in another one of its book that has it too.

    That is a loaded edition, or one known from the digest alone that is later.
    """
    loaded = knowledge.manifest.editions
    beside = [other for other in others if (other.game, other.book) == (key.game, key.book) and other != key]
    return not loaded[key].languages and any(loaded[other].languages or newest_first(other) < newest_first(key) for other in beside)


def _editions(knowledge: "Books", reference: Reference) -> list[EditionKey]:
    """The editions of the book that a reference names, or of all books."""
    keys = knowledge.manifest.editions
    return [key for key in keys if reference.game in (None, key.game) and reference.book in (None, key.book)]


def _in_force(knowledge: "Books", reference: Reference) -> "list[RuleRecord]":
    """The rules of the editions that were in force at the end of a year or month. Raises NotFoundError where none is so old."""
    moment = period(reference.edition or "")
    assert moment is not None
    then = knowledge.at(moment)
    old = [key for key in _editions(then, reference) if age_of(key)]
    if not old:
        raise _not_loaded(reference, _editions(knowledge, reference))
    records = [record for record in then.numbered(reference.locator) if record["current"] and edition_of(record) in old]
    there = knowledge.by_iri(record["iri"] for record in records)
    return [there[record["iri"]] for record in records]


def _told(knowledge: "Books", records: "Sequence[RuleRecord]") -> "list[RuleRecord]":
    """Without those known from the digest alone that are read in another edition."""
    keys = [edition_of(record) for record in records]
    return [record for record, key in zip(records, keys, strict=True) if not is_held(knowledge, key, keys)]


def _wanted_in(knowledge: "Books", record: "RuleRecord", within: str | None) -> "RuleRecord":
    """The record, which says whether it is the latest text in the language that it is wanted in."""
    if within:
        record["latest_in"] = knowledge.currency.of(edition_of(record), record["locator"]).latest_in([within])
    return record


def _rank(record: "RuleRecord", games: Sequence[str]) -> tuple[Any, ...]:
    game = games.index(record["game"]) if record["game"] in games else len(games)
    return not record["current"], game, record["book"], *newest_first(edition_of(record))


def _not_loaded(reference: Reference, editions: Collection[EditionKey]) -> NotFoundError:
    """That an edition is not there, with those that are."""
    books: dict[str, list[EditionKey]] = {}
    for key in sorted(editions, key=newest_first):
        books.setdefault(f"{key.game}/{key.book}", []).append(key)
    named = [f"{book} {', '.join(key.edition for key in keys)}" for book, keys in sorted(books.items())]
    loaded: str | Message = "; ".join(named) or message("no books")
    if is_partial(reference.edition):
        text = message("no edition from {wanted} or before is loaded; loaded are {loaded} (rulestone add FILE adds one)").text
    else:
        text = message("the edition {wanted} is not loaded; loaded are {loaded} (rulestone add FILE adds one)").text
    return NotFoundError(text, wanted=reference.edition, loaded=loaded)


def _nothing(knowledge: "Books", reference: Reference, within: str | None) -> NotFoundError:
    scope = "/".join(part for part in (reference.game, reference.book, reference.edition) if part)
    text = _NO_RULE[bool(scope), bool(within)].text
    loaded = ", ".join(sorted({f"{key.game}/{key.book}" for key in knowledge.manifest.editions}))
    return NotFoundError(text, locator=reference.locator, scope=scope, lang=within, loaded=loaded or message("no books"))
