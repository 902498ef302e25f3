"""The access log: one line of JSON each request, without what was asked unless that is wanted."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from starlette.types import Scope

from corpus.errors import EnvironmentFault


class AccessLog:
    """Lines in a file, or on standard error; several processes may write to one file."""

    def __init__(self, place: str, *, questions: bool) -> None:
        """Raises EnvironmentFault where the file cannot be written."""
        self._questions = questions
        try:
            self._file: TextIO = sys.stderr if place == "-" else _opened(Path(place))
        except OSError as fault:
            reason = fault.strerror or fault
            raise EnvironmentFault("cannot write the access log {file}: {reason}", file=place, reason=reason) from fault

    def write(self, scope: Scope, caller: str, status: int, seconds: float) -> None:
        """One line. A query is what was asked; a path names a rule or a concept, and stands."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "caller": caller,
            "method": scope["method"],
            "path": scope["path"][:200],
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        if self._questions:
            line["query"] = scope["query_string"].decode("ascii", "replace")[:2000]
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _opened(file: Path) -> TextIO:
    """A file whose lines go out one by one; it stays open as long as the server."""
    return file.open("a", buffering=1, encoding="utf-8")
