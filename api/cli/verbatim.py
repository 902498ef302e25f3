"""Words reach our commands as they were typed.

Recent versions of typer coerce every parameter, plain strings too, through pydantic: importing that doubles the time of
a look-up. Strings and flags need no coercion.
"""

from collections.abc import Callable
from typing import Any, Protocol

import typer

_PLAIN = (str, list[str], bool)


class _Parameter(Protocol):
    nargs: int
    multiple: bool


class _Verbatim:
    def coerce(self, value: object, param: _Parameter, ctx: object) -> object:
        """What was typed; no words where many were possible and none was."""
        return () if value is None and (param.multiple or param.nargs == -1) else value


def verbatim(app: typer.Typer) -> Callable[..., object]:
    """What runs an application as click would, its plain parameters freed from coercion where typer has any."""
    group: Any = typer.main.get_command(app)
    for command in (group, *group.commands.values()):
        for parameter in command.get_params(typer.Context(command)):  # these include --help
            described = getattr(parameter, "type_descriptor", None)
            if described is not None and described.annotation in _PLAIN:
                parameter.get_runtime_param = _Verbatim
    run: Callable[..., object] = group.main
    return run
