"""How a command ends: an exit code, and for every error one plain line on standard error."""

import os
from collections.abc import Callable
from typing import cast

import typer

from api.cli.console import drop_output, flush, speaking, tell
from corpus.errors import RulestoneError
from corpus.messages import Message, message

CRASHED, INTERRUPTED, BROKEN_PIPE = 3, 130, 141
_STOPPED = message("interrupted; the knowledge base is as it was")
_CLICK = cast("type[Exception]", typer.BadParameter.__mro__[2])
"""Click's ClickException; some versions of typer bring a click of their own."""


def guarded(run: Callable[[], object]) -> int:
    """The exit code of a command, which ends without a traceback whatever happens.

    With RULESTONE_DEBUG=1 an unexpected error keeps its traceback.
    """
    try:
        code = run()
        flush()
        return _fail(_STOPPED, INTERRUPTED) if code == INTERRUPTED else code if isinstance(code, int) else 0
    except RulestoneError as error:
        return _known(error)
    except (KeyboardInterrupt, typer.Abort):
        return _fail(_STOPPED, INTERRUPTED)
    except _CLICK as error:
        return _fail(_usage(error), 2)
    except Exception as error:
        if os.environ.get("RULESTONE_DEBUG"):
            raise
        return _crash(error)


def _fail(reason: Message, code: int) -> int:
    tell(f"rulestone: {reason.said(speaking())}")
    return code


def _known(error: RulestoneError) -> int:
    drop_output()
    if isinstance(error.__cause__, BrokenPipeError):
        return BROKEN_PIPE  # the reader has gone away (`| head`): nothing to tell
    return _fail(error.message, error.exit_code)


def _usage(error: Exception) -> Message:
    """What click found wrong, and the usage of the command it was given to."""
    what = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    context = getattr(error, "ctx", None)
    if context is None:
        return Message(what)
    usage = context.get_usage().removeprefix("Usage: ")
    return message("{what}; expected: {usage}; see: {command} --help", what=what, usage=usage, command=context.command_path)


def _crash(error: Exception) -> int:
    drop_output()
    if isinstance(error, OSError):
        return _fail(message("the machine refused: {error}", error=error), CRASHED)
    what = f"{type(error).__name__}: {error}"[:300]
    return _fail(message("unexpected {what}; run again with RULESTONE_DEBUG=1 and report what it prints", what=what), CRASHED)
