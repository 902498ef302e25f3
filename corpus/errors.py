"""The errors for users. Each is one clear line: the value given, the value expected, the remedy.

RulestoneError
├── NotFoundError      exit 1   HTTP 404   nothing was found
│   └── UnknownAddressError                nothing has the address
├── InputError         exit 2   HTTP 400   a file, reference or option cannot be used
│   ├── TooLargeError           HTTP 413   more than one request may have
│   ├── TooCostlyError          HTTP 400   it needs more time or memory than one request may
│   └── NotAcceptableError      HTTP 406   no accepted media type is available
└── EnvironmentFault   exit 3   HTTP 503   a lock, a full disk, a missing permission, a port in use
    ├── BusyError                          too many requests at once; the client may retry
    ├── OtherVersionError                  another version of Rulestone wrote the knowledge base
    └── DamagedError                       a file of the knowledge base was changed
"""

from collections.abc import Sequence
from typing import TypeVar

from corpus.messages import Message, message

_Kind = TypeVar("_Kind", bound="RulestoneError")


class RulestoneError(Exception):
    """Base class of all errors for users: a message with its values; `str(error)` is one line of English.

    `text` has `{name}` for each value. `command` is a shell command that solves the problem; `message`, which clients of a server
    receive, omits it. `listing` is a route of the HTTP API that lists what there is, for clients of a server alone. `details` are
    the findings that the message counts, one line each. `title` names the kind of the problem (RFC 9457, section 3.1.4).
    """

    exit_code = 1
    status = 500
    title = Message("Rulestone failed")
    command: str | None = None
    listing: str | None = None
    details: Sequence[Message] = ()

    def __init__(self, text: str, /, *, command: str | None = None, listing: str | None = None, **values: object) -> None:
        super().__init__(text)
        self.message = Message(text, values)
        self.command = command or self.command
        self.listing = listing or self.listing

    @property
    def with_command(self) -> Message:
        """The message with the command."""
        return message("{problem}; run: {command}", problem=self.message, command=self.command) if self.command else self.message

    @property
    def with_listing(self) -> Message:
        """The message with the route."""
        return message("{problem}; {route} lists all", problem=self.message, route=self.listing) if self.listing else self.message

    def copied_as(self, kind: type[_Kind]) -> _Kind:
        """A new error of some kind with the same message, command and listing."""
        return kind(self.message.text, command=self.command, listing=self.listing, **self.message.values)

    def in_language(self, lang: str) -> str:
        """The message with the command, on one line, in a language."""
        return self.with_command.in_language(lang)

    def __str__(self) -> str:
        return self.with_command.in_language()


class NotFoundError(RulestoneError):
    """Nothing was found in the knowledge base."""

    exit_code = 1
    status = 404
    title = Message("Nothing found")


class UnknownAddressError(NotFoundError):
    """Nothing has the address `iri`, which the message names as `{iri}`."""

    def __init__(self, text: str, /, *, iri: str, listing: str) -> None:
        super().__init__(text, iri=iri[:200], listing=listing)
        self.iri = iri


class InputError(RulestoneError):
    """The input cannot be used."""

    exit_code = 2
    status = 400
    title = Message("Bad input")


class TooLargeError(InputError):
    """The input exceeds the size limit of a request."""

    status = 413
    title = Message("Too large")


class TooCostlyError(InputError):
    """The answer exceeds the time or memory limit of a request."""

    title = Message("Too costly")


class NotAcceptableError(InputError):
    """The answer is not available in any accepted media type."""

    status = 406
    title = Message("Not acceptable")


class EnvironmentFault(RulestoneError):
    """The environment prevents the operation: a lock, a full disk, a missing permission, a port in use."""

    exit_code = 3
    status = 503
    title = Message("Environment")


class BusyError(EnvironmentFault):
    """Too many requests at once; the client may retry."""

    title = Message("Busy")


class OtherVersionError(EnvironmentFault):
    """The knowledge base was written by another version of Rulestone and must be rebuilt from the added files."""

    command = "rulestone build"


class DamagedError(EnvironmentFault):
    """Files of the knowledge base were changed; it must be rebuilt from the added files."""

    command = "rulestone build"
