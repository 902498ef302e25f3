"""Which concepts people mean: an address, `mtg/graveyard`, `graveyard`, or a name in any language, slang too."""

from collections.abc import Iterator

from corpus.address import concept_iri, game_of, is_concept, scheme_of, slug_of
from corpus.errors import InputError, NotFoundError
from ontology.answers.naming import Names, place

_LONGEST = 200


def resolve(names: Names, ref: str) -> list[str]:
    """The concepts that a reference means, those of the hub first, then game by game.

    The slug_of of a cross-game idea means the idea and its case in each game; a game before a name (`mtg/yard`) means that
    game's. Raises InputError for what cannot be a reference, NotFoundError, with names that come close.
    """
    text = _plain(ref, "a concept; expected mtg/graveyard, graveyard, a name in any language or an address")
    if text.startswith(("http://", "https://")):
        return [_addressed(names, text)]
    game, _, rest = text.partition("/")
    scheme = game.lower() if rest and _is_game(names, game.lower()) else None
    if found := list(dict.fromkeys(_meant(names, text, scheme, rest))):
        return sorted(found, key=place)
    raise NotFoundError(nothing(names, rest if scheme else text, scheme))


def ideas(names: Names, label: str) -> tuple[list[str], list[str]]:
    """The concepts that a name names, and with them what every game has for the same ideas: `(named, all)`, hub first.

    Raises InputError for what can be no name, NotFoundError, with names that come close.
    """
    text = _plain(label, "a term; expected a name in any language, e.g. 山札, graveyard or yard")
    named = _bearers(names, text)
    if not named:
        raise NotFoundError(nothing(names, text))
    hubs = {names.hubs.get(concept, concept) for concept in named}
    cases = (case for hub in hubs for case in names.cases.get(hub, ()))
    return named, sorted({*named, *hubs, *cases}, key=place)


def nothing(names: Names, name: str, scheme: str | None = None) -> str:
    """That no concept is called so, and what comes close, in one line."""
    close = ", ".join(names.close(name, scheme))
    where = f" in {scheme}" if scheme else ""
    return f"no concept is called {name[:60]!r}{where}; " + (f"close to it: {close}" if close else "/v1/concepts lists all")


def _plain(words: str, expected: str) -> str:
    text = " ".join(words.split())
    if not text or len(text) > _LONGEST:
        raise InputError(f"{words[:60]!r} does not name {expected}")
    return text


def _meant(names: Names, text: str, scheme: str | None, rest: str) -> Iterator[str]:
    """By slug_of, then by name. A slug_of of a cross-game idea brings its cases along; by name games come before the idea."""
    name = rest if scheme else text
    for concept in names.labels:
        if slug_of(concept) == name.lower() and scheme in (None, scheme_of(concept)):
            yield from (concept, *names.cases.get(concept, ()))
    yield from _bearers(names, name, scheme)


def _bearers(names: Names, name: str, scheme: str | None = None) -> list[str]:
    """The concepts of games that bear a name; where no game's does, the ideas and floor terms that do."""
    called = names.called(name, scheme)
    return [concept for concept in called if game_of(concept)] or called


def _is_game(names: Names, game: str) -> bool:
    return any(scheme_of(concept) == game for concept in names.labels)


def _addressed(names: Names, iri: str) -> str:
    if iri in names.labels:
        return iri
    if is_concept(iri):
        raise NotFoundError(nothing(names, slug_of(iri)))
    raise InputError(f"{iri[:120]} is no address of a concept; one looks like {concept_iri('mtg/graveyard')}")
