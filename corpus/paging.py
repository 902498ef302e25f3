"""A part of a long answer: how much of it, and from where on."""

from dataclasses import dataclass

from corpus.errors import InputError

MOST = 1000


@dataclass(frozen=True, slots=True)
class Page:
    """`limit` things after the first `offset` ones."""

    offset: int = 0
    limit: int = 10


def page_of(offset: str | None, limit: str | None, usual: int) -> Page:
    """The page that two numbers, as they were typed, ask for. Raises InputError for what are no such numbers."""
    return Page(_number("offset", offset, 0, 10**9) or 0, _number("limit", limit, 1, MOST) or usual)


def _number(name: str, typed: str | None, least: int, most: int) -> int | None:
    if typed is None:
        return None
    if not (typed.isascii() and typed.isdigit() and len(typed) < 10 and least <= int(typed) <= most):
        raise InputError(
            "{name} {typed!r}: expected a number from {least} to {most}", name=name, typed=typed[:40], least=least, most=most
        )
    return int(typed)
