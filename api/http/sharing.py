"""Decides whose words a download contains: on the server's own machine those of all books, elsewhere those of the shared books."""

from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import Scope

from api.http.hosts import is_loopback_address
from api.http.replies import library_of
from corpus.address import RULINGS
from corpus.contract import Editions
from corpus.errors import NotFoundError
from rulestone import Library
from rulestone.library.exports import SharedBooks


class Sharing(NamedTuple):
    """The books (`mtg/cr`, `mtg/rulings`) whose words other people may download; `public`: no client is treated as the operator."""

    books: frozenset[str] = frozenset()
    public: bool = False


def _is_loopback(scope: Scope) -> bool:
    """Whether a request comes from a loopback address, or from this process, where a client has no address."""
    client = scope.get("client")
    if client is None:
        return False
    with suppress(ValueError):
        ip_address(client[0].partition("%")[0])
        return is_loopback_address(client[0])
    return True


def shared_books(request: Request) -> SharedBooks:
    """The books whose words a download for the client of a request may contain; None: all."""
    sharing: Sharing = request.app.state.sharing
    return sharing.books if sharing.public or not _is_loopback(request.scope) else None


def _loaded_books(body: Editions) -> set[str]:
    """The books whose words are loaded: `mtg/cr`."""
    return {f"{edition['game']}/{edition['book']}" for edition in body["editions"] if edition["languages"]}


def is_all_shared(library: Library, books: frozenset[str]) -> bool:
    """Whether `books` has every loaded book, and the rulings of every game (`mtg/rulings`) that has any."""
    body = library.editions()
    return books >= _loaded_books(body) | {f"{source['game']}/{RULINGS}" for source in body["rulings"]}


def refuse_unshared(request: Request, books: Iterable[str]) -> None:
    """Raises NotFoundError if a download for the client must not contain the words of the named books or games; none means all."""
    shared = shared_books(request)
    if shared is None:
        return
    loaded_books = _loaded_books(library_of(request).editions())
    inside = [{book for book in loaded_books if name in (book, book.partition("/")[0])} or {name} for name in books]
    if lacking := sorted((set().union(*inside) if inside else loaded_books) - shared):
        raise NotFoundError("this server does not share the words of {books}", books=", ".join(lacking)[:200])
