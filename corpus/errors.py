"""The one error tree. Every error is one clear line: what was given, what is expected, what to do.

RulestoneError
├── NotFoundError      exit 1   HTTP 404   nothing answers the question
├── InputError         exit 2   HTTP 400   the file, reference or option given cannot be used
│   ├── TooLargeError           HTTP 413   it is more than is taken at once
│   ├── TooCostlyError          HTTP 400   answering it takes more time or memory than one question may
│   └── NotAcceptableError      HTTP 406   there is no such answer in any of the media types that are welcome
└── EnvironmentFault   exit 3   HTTP 503   the machine refuses: locked, full, forbidden, port in use
    ├── BusyError                          too much is asked at once; it may be asked again
    ├── OtherVersionError                  a knowledge base that another version of Rulestone wrote
    └── DamagedError                       a knowledge base whose files are not as they were written
"""

from corpus.messages import Message


class RulestoneError(Exception):
    """Base of all errors meant for users: a sentence with its values; `str(error)` is one line of English.

    `text` marks a value as `{name}`; without values it is taken as it stands.
    """

    exit_code = 1
    status = 500
    title = "Rulestone failed"

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text)
        self.message = Message(text, values)

    def said(self, lang: str) -> str:
        """The error in one line of a language."""
        return self.message.said(lang)

    def __str__(self) -> str:
        return self.message.said()


class NotFoundError(RulestoneError):
    """Nothing in the knowledge base answers."""

    exit_code = 1
    status = 404
    title = "Nothing found"


class InputError(RulestoneError):
    """What was given cannot be used."""

    exit_code = 2
    status = 400
    title = "Bad input"


class TooLargeError(InputError):
    """More was given than is taken at once."""

    status = 413
    title = "Too large"


class TooCostlyError(InputError):
    """Answering takes more time or memory than one question may."""

    title = "Too costly"


class NotAcceptableError(InputError):
    """There is no such answer in any of the media types that are welcome."""

    status = 406
    title = "Not acceptable"


class EnvironmentFault(RulestoneError):
    """The machine refuses: a lock, a full disk, a missing permission, a port in use."""

    exit_code = 3
    status = 503
    title = "Environment"


class BusyError(EnvironmentFault):
    """Too much is asked at once; it may be asked again."""

    title = "Busy"


class OtherVersionError(EnvironmentFault):
    """A knowledge base was written by another version of Rulestone; it is built anew from the kept files."""


class DamagedError(EnvironmentFault):
    """The files of a knowledge base are not as they were written; it is built anew from the kept files."""
