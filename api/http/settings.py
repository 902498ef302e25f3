"""The settings of a public server, read from the environment. Without them, anyone may send any number of requests."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from api.http.sharing import Sharing
from corpus.errors import InputError

_KEY_HASH = re.compile(r"[0-9a-f]{64}")
_RATE = re.compile(r"([1-9]\d{0,8})/(second|minute|hour)")
_BOOK = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
_PERIOD_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_YES, _NO = ("1", "yes", "true", "on"), ("", "0", "no", "false", "off")


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests in a number of seconds."""

    requests: int
    seconds: int


def _parse_keys(name: str, value: str) -> Mapping[str, str]:
    """Hash → the name of its key's owner, from a list or a file."""
    if ":" not in value and not Path(value).is_file():
        raise InputError("{name}: there is no file {file}; expected one with name:sha256 in each line", name=name, file=value[:100])
    lines = Path(value).read_text(encoding="utf-8").splitlines() if ":" not in value else value.split(",")
    owners = {}
    for line in (line.strip() for line in lines):
        if not line or line.startswith("#"):
            continue
        owner, _, sha256 = line.rpartition(":")
        if not owner or not _KEY_HASH.fullmatch(sha256):
            raise InputError(
                "{name}: expected name:sha256, the hash of a key as 64 hex digits, for {given}", name=name, given=owner[:40]
            )
        owners[sha256] = owner
    return owners


def _parse_rate(name: str, value: str) -> Rate:
    parts = _RATE.fullmatch(value)
    if parts is None:
        raise InputError("{name} {given!r}: expected e.g. 120/minute, 5/second or 2000/hour", name=name, given=value[:40])
    return Rate(int(parts[1]), _PERIOD_SECONDS[parts[2]])


def _parse_flag(name: str, value: str) -> bool:
    if value.lower() not in (*_YES, *_NO):
        raise InputError("{name} {given!r}: expected yes or no", name=name, given=value[:40])
    return value.lower() in _YES


def _parse_list(_: str, value: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in value.split(",") if item.strip())


def _parse_books(name: str, value: str) -> tuple[str, ...]:
    books = _parse_list(name, value)
    if wrong := next((book for book in books if not _BOOK.fullmatch(book)), None):
        raise InputError("{name} {given!r}: expected game/book, e.g. mtg/cr", name=name, given=wrong[:40])
    return books


def _settings_variable(name: str, parse: Callable[[str, str], Any], meaning: str) -> Mapping[str, Any]:
    """The variable that sets a field; its name and value are parsed."""
    return {"name": f"RULESTONE_{name}", "parse": parse, "help": meaning}


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of access, rates and the log."""

    keys: Mapping[str, str] | None = field(
        default=None,
        metadata=_settings_variable(
            "KEYS",
            _parse_keys,
            "Accepted keys: `name:sha256` of each, separated by commas, or a file with one per line. Without it, no key is needed.",
        ),
    )
    anonymous: bool = field(
        default=False,
        metadata=_settings_variable(
            "ANONYMOUS", _parse_flag, "`yes`: requests without a key are accepted too, at the rate of their address."
        ),
    )
    rate: Rate | None = field(
        default=None,
        metadata=_settings_variable(
            "RATE", _parse_rate, "Rate limit of each key or address: `120/minute`, `5/second`, `2000/hour`."
        ),
    )
    total: Rate | None = field(
        default=None,
        metadata=_settings_variable("RATE_TOTAL", _parse_rate, "Rate limit of all clients together, in the same form."),
    )
    hosts: tuple[str, ...] = field(
        default=(),
        metadata=_settings_variable(
            "HOSTS",
            _parse_list,
            "Host names of the server, separated by commas; requests for other names are refused. Clients on the server's own "
            "machine may also use `localhost` and loopback addresses, and without the setting, other clients any name.",
        ),
    )
    origins: tuple[str, ...] = field(
        default=(),
        metadata=_settings_variable(
            "ORIGINS",
            _parse_list,
            "Origins of pages that may read answers (CORS), separated by commas; `*` for all. Without it, all if "
            "`RULESTONE_SHARED_BOOKS` names every loaded book and the rulings of every game (`mtg/rulings`), otherwise none.",
        ),
    )
    log: str | None = field(
        default=None,
        metadata=_settings_variable(
            "ACCESS_LOG",
            lambda _, value: value,
            "A file to which each request is logged as one line of JSON, or `-` for standard error.",
        ),
    )
    log_questions: bool = field(
        default=False, metadata=_settings_variable("LOG_QUESTIONS", _parse_flag, "`yes`: the access log includes query strings.")
    )
    metrics: bool = field(
        default=False, metadata=_settings_variable("METRICS", _parse_flag, "`yes`: enables `/metrics` for Prometheus.")
    )
    shared_books: tuple[str, ...] = field(
        default=(),
        metadata=_settings_variable(
            "SHARED_BOOKS",
            _parse_books,
            "Books whose words exports and packs for other machines contain, separated by commas: `mtg/cr`, for rulings "
            "`mtg/rulings`. By default, they contain the words of no book.",
        ),
    )

    @property
    def download_sharing(self) -> Sharing:
        """The contents of downloads.

        A server with keys, rates or host names is treated as public, even if its clients are local.
        """
        return Sharing(frozenset(self.shared_books), bool(self.keys is not None or self.rate or self.total or self.hosts))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """The settings in an environment. Raises InputError for an invalid value."""
        variables = os.environ if environment is None else environment
        values = {}
        for setting in fields(cls):
            name = setting.metadata["name"]
            if value := variables.get(name, "").strip():
                values[setting.name] = setting.metadata["parse"](name, value)
        return cls(**values)
