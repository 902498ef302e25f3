"""Which concepts people mean: an address, `mtg/graveyard`, `graveyard`, or a name in any language, slang too."""

from collections.abc import Iterator, Sequence

from corpus.address import concept_iri, game_of, is_concept, scheme_of, slug_of
from corpus.errors import InputError, NotFoundError
from corpus.messages import Message, message
from ontology.concepts.names import Names, place

_LONGEST = 200


def resolve(names: Names, ref: str) -> list[str]:
    """The concepts that a reference means, cross-game ones first, then game by game.

    The slug of a cross-game concept means the concept and its counterpart in each game; a game before a name (`mtg/yard`) means
    that game's. Raises InputError for what cannot be a reference, NotFoundError, with names that come close.
    """
    text = _plain(ref)
    if not text:
        raise InputError(
            "{ref!r} does not name a concept; expected mtg/graveyard, graveyard, a name in any language or an address", ref=ref[:60]
        )
    if text.startswith(("http://", "https://")):
        return [_addressed(names, text)]
    game, _, rest = text.partition("/")
    scheme = game.lower() if rest and _is_game(names, game.lower()) else None
    if concepts := list(dict.fromkeys(_meant(names, text, scheme, rest))):
        return sorted(concepts, key=place)
    raise nothing(names, rest if scheme else text, scheme)


def named(names: Names, label: str) -> list[str]:
    """The concepts with a name, cross-game ones first; none where nothing has it. Raises InputError for what can be no name."""
    text = _plain(label)
    if not text:
        raise InputError(
            "{label!r} does not name a term; expected a name in any language, e.g. 山札, graveyard or yard", label=label[:60]
        )
    return _bearers(names, text)


def with_related(names: Names, concepts: Sequence[str]) -> list[str]:
    """Some concepts with what every game has for the same, cross-game ones first."""
    hubs = {names.hubs.get(concept, concept) for concept in concepts}
    cases = (case for hub in hubs for case in names.cases.get(hub, ()))
    return sorted({*concepts, *hubs, *cases}, key=place)


def nothing(names: Names, name: str, scheme: str | None = None) -> NotFoundError:
    """That no concept has this name, and which names come close."""
    close = _close(names, name, scheme)
    if scheme:
        return NotFoundError("no concept is called {name!r} in {scheme}; {close}", name=name[:60], scheme=scheme, close=close)
    return NotFoundError("no concept is called {name!r}; {close}", name=name[:60], close=close)


def _close(names: Names, name: str, scheme: str | None) -> Message:
    close = ", ".join(names.close(name, scheme))
    return message("close to it: {names}", names=close) if close else message("/v1/concepts lists all")


def _plain(words: str) -> str:
    """Words with single spaces; "" where they are too many to be a name."""
    text = " ".join(words.split())
    return text if len(text) <= _LONGEST else ""


def _meant(names: Names, text: str, scheme: str | None, rest: str) -> Iterator[str]:
    """By slug, then by name. A cross-game slug stands for the concept of each game too; by name, those of games come first."""
    name = rest if scheme else text
    for concept in names.labels:
        if slug_of(concept) == name.lower() and scheme in (None, scheme_of(concept)):
            yield from (concept, *names.cases.get(concept, ()))
    yield from _bearers(names, name, scheme)


def _bearers(names: Names, name: str, scheme: str | None = None) -> list[str]:
    """The concepts of games that bear a name; where no game's does, the cross-game concepts that do."""
    called = names.called(name, scheme)
    return [concept for concept in called if game_of(concept)] or called


def _is_game(names: Names, game: str) -> bool:
    return any(scheme_of(concept) == game for concept in names.labels)


def _addressed(names: Names, iri: str) -> str:
    if iri in names.labels:
        return iri
    if is_concept(iri):
        raise nothing(names, slug_of(iri))
    raise InputError(
        "{iri} is not the address of a concept; one looks like {example}", iri=iri[:120], example=concept_iri("mtg/graveyard")
    )
