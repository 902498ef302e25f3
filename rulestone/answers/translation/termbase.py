"""The terms of some games as one file: what is asked for is understood here, and written in the format that is asked for."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from corpus.address import game_of
from corpus.errors import InputError, NotFoundError
from corpus.languages import LANGUAGES
from ontology.knowledge import Knowledge
from rulestone import games
from rulestone.languages import language_option

if TYPE_CHECKING:
    from ontology.translation.termbase.entries import Entry, Scope

KINDS = ("tbx", "csv", "xlsx", "skos")
DIALECTS = ("2019", "2008")
USUAL = "2019"


def scope(
    knowledge: Knowledge, wanted: Iterable[str], langs: Iterable[str], concepts: Iterable[str], *, with_texts: bool = False
) -> "Scope":
    """What a termbase is to hold. Raises InputError for a game without terms, or a language that is not ours."""
    from ontology.translation.termbase.entries import Scope

    known = {game for concept in knowledge.names.labels if (game := game_of(concept))}
    chosen = games.games_of(wanted, games.among(known, knowledge.manifest), games.TERMS)
    languages = dict.fromkeys(language_option(lang.strip(), "lang") or "" for lang in langs if lang.strip())
    return Scope(chosen, tuple(languages), tuple(concept.strip() for concept in concepts if concept.strip()), with_texts)


def termbase(knowledge: Knowledge, kind: str, wanted: "Scope", dialect: str | None = None) -> bytes:
    """A file in one of KINDS. Raises InputError for another kind or dialect, NotFoundError where nothing is in the scope."""
    from ontology.translation.termbase.entries import entries

    _check(kind, dialect)
    chosen = entries(knowledge, wanted)
    if not chosen:
        raise NotFoundError("no concept of these games, languages and groups is known; leave some of them out")
    return _written(kind, chosen, wanted.languages, dialect or USUAL)


def _check(kind: str, dialect: str | None) -> None:
    if kind not in KINDS:
        raise InputError("{given!r} is not a termbase format; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
    if dialect is not None and kind != "tbx":
        raise InputError("export {kind} takes no {given}; leave them out", kind=kind, given="--dialect")
    if dialect not in (None, *DIALECTS):
        raise InputError("dialect {given!r}: expected one of {known}", given=(dialect or "")[:40], known=", ".join(DIALECTS))


def _written(kind: str, made: "Sequence[Entry]", languages: Sequence[str], dialect: str) -> bytes:
    from ontology.translation.termbase.entries import games_of

    there = languages or [lang for lang in LANGUAGES if any(term.lang == lang for entry in made for term in entry.terms)]
    if kind in ("csv", "xlsx"):
        from rulestone.formats.table import as_csv, as_xlsx

        return as_csv(made, there) if kind == "csv" else as_xlsx(made, there)
    if kind == "skos":
        return _skos(made)
    from rulestone.formats.tbx import DIALECTS

    return DIALECTS[dialect](made, f"Terms of {', '.join(games_of(made))}")


def _skos(made: "Sequence[Entry]") -> bytes:
    """One game. Raises InputError for several: a scheme is a file."""
    from ontology.translation.termbase.entries import games_of
    from rulestone.formats.skos import skos

    several = games_of(made)
    if len(several) > 1:
        raise InputError("SKOS is written for one game at a time; name one of {games}", games=", ".join(several))
    return skos(several[0], made)
