"""A progress bar on standard error, where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int, str], None]
"""Steps done, steps in all, what is being done."""


@contextmanager
def progress() -> Iterator[Report]:
    """A function that reports steps; it does nothing where nobody watches."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _done, _total, _what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading")
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what)
