"""What an open server can be told by its environment: the one table. Without any of it everybody may ask, as often as they like."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from api.http.gate.log import AccessLog
from corpus.errors import InputError

_HASH = re.compile(r"[0-9a-f]{64}")
_RATE = re.compile(r"([1-9]\d{0,8})/(second|minute|hour)")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_YES, _NO = ("1", "yes", "true", "on"), ("", "0", "no", "false", "off")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds."""

    most: int
    seconds: int


def _said(name: str, about: str) -> Mapping[str, str]:
    return {"name": f"RULESTONE_{name}", "help": about}


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server treats who asks."""

    keys: Mapping[str, str] | None = field(
        default=None,
        metadata=_said(
            "KEYS", "who may ask: `name:sha256` of each key, separated by commas, or a file with one a line; without it everybody"
        ),
    )
    anonymous: bool = field(
        default=False, metadata=_said("ANONYMOUS", "`yes`: who has no key may ask too, at the rate of an address")
    )
    rate: Rate | None = field(
        default=None, metadata=_said("RATE", "requests of one key or address: `120/minute`, `5/second`, `2000/hour`")
    )
    total: Rate | None = field(default=None, metadata=_said("RATE_TOTAL", "requests of all together, in the same words"))
    hosts: tuple[str, ...] = field(
        default=(), metadata=_said("HOSTS", "names that the server goes by, separated by commas; others are refused")
    )
    origins: tuple[str, ...] = field(
        default=("*",), metadata=_said("ORIGINS", "pages that may ask from a browser, separated by commas")
    )
    log: str | None = field(
        default=None, metadata=_said("ACCESS_LOG", "a file for one line of JSON each request, or `-` for standard error")
    )
    log_questions: bool = field(default=False, metadata=_said("LOG_QUESTIONS", "`yes`: the access log has what was asked, too"))
    metrics: bool = field(default=False, metadata=_said("METRICS", "`yes`: `/metrics` for Prometheus"))

    @classmethod
    def of(cls, environment: Mapping[str, str] | None = None) -> "Settings":
        """Those of an environment. Raises InputError for what cannot be understood."""
        given = os.environ if environment is None else environment
        names = {setting.name: str(setting.metadata["name"]) for setting in fields(cls)}
        told = {setting: (name, given[name].strip()) for setting, name in names.items() if given.get(name, "").strip()}
        return cls(**{setting: _READ[setting](name, words) for setting, (name, words) in told.items()})

    def check(self) -> None:
        """Raises EnvironmentFault where the access log cannot be written."""
        if self.log is not None:
            AccessLog(self.log, questions=self.log_questions)


def _keys(name: str, words: str) -> Mapping[str, str]:
    """Hash → the name of whose key it is."""
    if ":" not in words and not Path(words).is_file():
        raise InputError("{name}: there is no file {file}; expected one with name:sha256 in each line", name=name, file=words[:100])
    lines = Path(words).read_text(encoding="utf-8").splitlines() if ":" not in words else words.split(",")
    owners = {}
    for line in (line.strip() for line in lines):
        if not line or line.startswith("#"):
            continue
        owner, _, digest = line.rpartition(":")
        if not owner or not _HASH.fullmatch(digest):
            raise InputError(
                "{name}: expected name:sha256, the hash of a key as 64 hex digits, for {given}", name=name, given=owner[:40]
            )
        owners[digest] = owner
    return owners


def _rate(name: str, words: str) -> Rate:
    given = _RATE.fullmatch(words)
    if given is None:
        raise InputError("{name} {given!r}: expected e.g. 120/minute, 5/second or 2000/hour", name=name, given=words[:40])
    return Rate(int(given[1]), _SECONDS[given[2]])


def _flag(name: str, words: str) -> bool:
    if words.lower() not in (*_YES, *_NO):
        raise InputError("{name} {given!r}: expected yes or no", name=name, given=words[:40])
    return words.lower() in _YES


def _list(_: str, words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _as_it_stands(_: str, words: str) -> str:
    return words


_READ: Mapping[str, Callable[[str, str], Any]] = {
    "keys": _keys,
    **dict.fromkeys(("anonymous", "log_questions", "metrics"), _flag),
    **dict.fromkeys(("rate", "total"), _rate),
    **dict.fromkeys(("hosts", "origins"), _list),
    "log": _as_it_stands,
}
