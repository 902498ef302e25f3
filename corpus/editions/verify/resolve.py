"""Which rule a citation means: the rule in the edition that it is cited from, or why that cannot be said."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.editions.citations.mention import Item, Mention
from corpus.editions.verify.dated import meant
from corpus.editions.verify.shelf import Shelf
from corpus.editions.verify.status import Status
from corpus.messages import Message, message
from corpus.store.by_reference import edition_of

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


@dataclass(frozen=True, slots=True)
class Resolved:
    """A citation and its rule; without one its status and the reason, and the rules that it can mean."""

    item: Item
    record: "RuleRecord | None" = None
    status: Status | None = None
    note: Message | None = None
    edition: str | None = None
    candidates: "tuple[RuleRecord, ...]" = ()


def resolve(shelf: Shelf, mention: Mention, as_of: str | None) -> list[Resolved]:
    """The rule of a citation; of a range every rule of it."""
    first = _resolve(shelf, mention, mention.item, as_of)
    if mention.item.through is None:
        return [first]
    last = _resolve(shelf, mention, replace(mention.item, wanted=mention.item.through), as_of)
    if first.record is None or last.record is None or first.record["edition"] != last.record["edition"]:
        return [first, last]
    return [replace(first, record=record) for record in shelf.between(first.record, last.record)]


def _resolve(shelf: Shelf, mention: Mention, item: Item, as_of: str | None) -> Resolved:
    if mention.elsewhere:
        return Resolved(item, status=Status.UNCHECKED, note=message("no rulebook of {game} is loaded", game=mention.elsewhere))
    named = mention.edition or mention.when or as_of
    records = [record for record in shelf.at(item.wanted) if mention.book in (None, record["book"])]
    games = _in_named(shelf, named, _games(mention, records))
    if len(games) > 1:
        return _ambiguous(item, records, games)
    if not games:
        return _missing(item, mention.games)
    [game] = games
    there = [record for record in records if record["game"] == game]
    return _in_edition(shelf, mention, item, there, game, named) if named else _first(item, there, game)


def _games(mention: Mention, records: "Sequence[RuleRecord]") -> tuple[str, ...]:
    """The game of a citation: the one that is named; of several, or where none is, those that have the number."""
    if len(mention.games) == 1:
        return mention.games
    holding = dict.fromkeys(record["game"] for record in records)
    return tuple(game for game in holding if not mention.games or game in mention.games)


def _in_named(shelf: Shelf, named: str | None, games: tuple[str, ...]) -> tuple[str, ...]:
    """Of several games the one that alone has an edition of that very name."""
    having = tuple(game for game in games if any(key.game == game and key.edition == named for key in shelf.keys))
    return having if len(having) == 1 else games


def _first(item: Item, there: "Sequence[RuleRecord]", game: str) -> Resolved:
    """The number in the current edition, else in the latest that has it."""
    if not there:
        return _missing(item, (game,))
    return Resolved(item, there[0], edition=there[0]["edition"])


def _in_edition(shelf: Shelf, mention: Mention, item: Item, there: "Sequence[RuleRecord]", game: str, named: str) -> Resolved:
    of_game = [key for key in shelf.keys if key.game == game and mention.book in (None, key.book)]
    if not of_game:
        return Resolved(item, status=Status.UNCHECKED, note=message("no rulebook of {game} is loaded", game=game), edition=named)
    wanted = meant(named, of_game)
    if not wanted:
        return Resolved(item, status=Status.UNCHECKED, note=_not_loaded(game, named, of_game), edition=named)
    record = next((record for record in there if edition_of(record) in wanted), None)
    if record:
        return Resolved(item, record, edition=record["edition"])
    edition = wanted[0].edition
    if not there:
        return replace(_missing(item, (game,)), edition=edition)
    other = ", ".join(dict.fromkeys(rule["edition"] for rule in there))
    note = message("the edition {edition} has no {number}; it is in {other}", edition=edition, number=item.wanted, other=other)
    return Resolved(item, status=Status.NOT_FOUND, note=note, edition=edition)


def _ambiguous(item: Item, records: "Sequence[RuleRecord]", games: Sequence[str]) -> Resolved:
    """The first rule of each game, those that are current before others."""
    first = [next(record for record in records if record["game"] == game) for game in games]
    note = message(
        "{games} have a rule {number}; name the game, in the text or beside it", games=", ".join(games), number=item.wanted
    )
    return Resolved(item, status=Status.AMBIGUOUS, note=note, candidates=tuple(first))


def _missing(item: Item, games: Sequence[str]) -> Resolved:
    if games:
        note = message("no edition of {games} has a rule {number}", games=", ".join(games), number=item.wanted)
    else:
        note = message("no loaded book has a rule {number}", number=item.wanted)
    return Resolved(item, status=Status.NOT_FOUND, note=note)


def _not_loaded(game: str, named: str, keys: Sequence[EditionKey]) -> Message:
    loaded = ", ".join(sorted(key.edition for key in keys))
    return message("the edition {named} of {game} is not loaded; loaded are {loaded}", named=named, game=game, loaded=loaded)
