"""The one error tree. Every error is one clear line: what was given, what is expected, what to do.

RulestoneError
├── NotFoundError      exit 1   HTTP 404   nothing answers the question
├── InputError         exit 2   HTTP 400   the file, reference or option given cannot be used
└── EnvironmentFault   exit 3   HTTP 503   the machine says no: locked, full, forbidden, port in use
"""


class RulestoneError(Exception):
    """Base of all errors meant for users; `str(error)` is one line."""

    exit_code = 1
    status = 500
    title = "Rulestone failed"

    def __str__(self) -> str:
        return " ".join(super().__str__().split())


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


class EnvironmentFault(RulestoneError):
    """The machine refuses: a lock, a full disk, a missing permission, a port in use."""

    exit_code = 3
    status = 503
    title = "Environment"
