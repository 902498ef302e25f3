"""References to rules and rulings as a request has them, and lists of those that a client has read."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from corpus.address import is_ruling
from corpus.editions.rulings import ruling_at
from corpus.errors import InputError, NotFoundError
from corpus.reference import Reference, parse_reference, reference_in
from corpus.store.home.manifest import titles_of
from rulestone.limits import MAX_REFS

if TYPE_CHECKING:
    from corpus.store.books import Books


def addresses_of(name: str, refs: Sequence[str], knowledge: "Books") -> frozenset[str]:
    """The addresses of the rules and rulings that the references of the parameter `name` mean.

    Raises InputError for more than MAX_REFS, and for one that is unreadable or names nothing.
    """
    if len(refs) > MAX_REFS:
        raise InputError("{name} has {count} references; give at most {most}", name=name, count=len(refs), most=MAX_REFS)
    titles = titles_of(knowledge.manifest)
    try:
        rulings = [ruling_at(knowledge, ref)["iri"] for ref in refs if is_ruling(ref)]
        rules = [knowledge.rules(parse_reference(ref, titles)) for ref in refs if not is_ruling(ref)]
    except (NotFoundError, InputError) as fault:
        raise InputError("{name}: {reason}", name=name, reason=fault.message) from fault
    return frozenset([*rulings, *(record["iri"] for records in rules for record in records)])


def listed_references(refs: str | Iterable[str] | None) -> list[str]:
    """The references of a list, or of a text that separates them by commas."""
    parts = refs.split(",") if isinstance(refs, str) else refs or ()
    return [ref.strip() for ref in parts if ref.strip()]


def parse_reference_of_game(ref: str, game: str | None, knowledge: "Books") -> tuple[str, Reference]:
    """A reference as repeated in the answer, and parsed; with `game` it is the rest of a path. Raises InputError."""
    if game is None:
        return ref, parse_reference(ref, titles_of(knowledge.manifest))
    return f"{game}/{ref}", reference_in(game, ref)
